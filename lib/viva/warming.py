"""What a grader does once for all submissions: all that the kit otherwise does at first use."""

import importlib.util
import io
import pkgutil
import string
from collections.abc import Iterable

ROOMS = ("cases", "kits")  # a folder per homework


def warm_up() -> None:
    """Import what all homeworks share, and draw a figure with all letters."""
    import viva

    for module in pkgutil.iter_modules(viva.__path__, "viva."):
        importlib.import_module(module.name)
    _draw()


def warm_up_homeworks(homeworks: Iterable[str] = ()) -> None:
    """Import what the kit has for these homeworks, or for all, and read their expected outputs."""
    from viva import checking, tables

    rooms = [f"viva.{room}" for room in ROOMS if importlib.util.find_spec(f"viva.{room}")]
    for homework in homeworks or tables.homeworks():
        for package in (f"{room}.{homework}" for room in rooms):  # none in the examiner alone
            if importlib.util.find_spec(package) is not None:
                _import_whole(package)
        if checking.path_of_expected(homework).exists():  # else it was never released
            checking.expected_of(homework)


def _import_whole(name: str) -> None:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
        importlib.import_module(module.name)


def _draw() -> None:
    if importlib.util.find_spec("matplotlib") is None:  # a course without figures
        return
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    axes.set(title=string.printable.strip().replace("$", ""), xlabel="λσ²√·≤", yscale="log",
             ylabel="⁰¹²³⁴⁵⁶⁷⁸⁹⁻−")
    axes.plot([1, 2], [1, 10], "o-", label="a curve")
    axes.legend()
    figure.savefig(io.BytesIO(), bbox_inches="tight")
    plt.close(figure)
