"""What a grader does once for all submissions: all that the kit otherwise does at first use."""

import importlib
import io
import pkgutil
import string


def warm_up() -> None:
    """Import all of the kit, read the expected outputs, and draw a figure with all letters."""
    import viva
    from viva import case, checking

    for module in pkgutil.walk_packages(viva.__path__, "viva."):
        importlib.import_module(module.name)
    for homework in case.homeworks():
        if checking.path_of_expected(homework).exists():  # else it was never released
            checking.expected_of(homework)
    _draw()


def _draw() -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    axes.set(title=string.printable.strip().replace("$", ""), xlabel="λσ²√·≤", yscale="log",
             ylabel="⁰¹²³⁴⁵⁶⁷⁸⁹⁻−")
    axes.plot([1, 2], [1, 10], "o-", label="a curve")
    axes.legend()
    figure.savefig(io.BytesIO(), bbox_inches="tight")
    plt.close(figure)
