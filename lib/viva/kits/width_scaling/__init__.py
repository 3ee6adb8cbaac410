"""Five tables written from memory, for the homework `width_scaling`."""

__all__ = ["accuse", "colleague"]

# layer, 0 for the start or 1 for the rate, and the power of the width that is too much
_FAULTS = {"A": (3, 0, 0.5), "B": (0, 1, -1.0), "C": None, "D": (1, 1, 1.0), "E": (2, 1, 0.5)}
_ENTRIES = ("start", "rate")


def colleague(name: str, table: list, widening: float) -> list:
    """A table as this colleague would have written it: in at most one place it is not yours.

    table: [(std, rate), ...] of the network; widening: its width over that of the proxy
    """
    rows = [list(row) for row in table]
    if _FAULTS[name]:
        layer, entry, power = _FAULTS[name]
        rows[layer][entry] *= widening**power
    return [tuple(row) for row in rows]


def accuse(suspected: dict) -> None:
    """Print which of the accusations hold. suspected: {"A": (layer, "rate"), "B": None, ...}"""
    for name, fault in _FAULTS.items():
        wrong = fault and (fault[0], _ENTRIES[fault[1]])
        named = suspected.get(name)
        said = f"layer {named[0]}, {named[1]}" if named else "nothing is wrong"
        print(f"{name}: {said}:", "that is so" if named == wrong else "no")
