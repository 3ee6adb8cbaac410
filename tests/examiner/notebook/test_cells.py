"""Reading cells: hidden regions, names, imports."""

import pytest

from viva_examiner.notebook import cells

CELL = """# visible comment
x = f(2)
### BEGIN HIDDEN TESTS
assert x == 4
### END HIDDEN TESTS
print(x)
"""


def test_a_test_cell_is_split_at_its_markers():
    segments = cells.split_hidden(CELL)
    assert [(s.hidden, s.source.strip().splitlines()[-1]) for s in segments] == [
        (False, "x = f(2)"), (True, "assert x == 4"), (False, "print(x)"),
    ]


def test_a_region_without_an_end_is_hidden_to_the_last_line():
    (segment,) = cells.split_hidden("# only this\n### BEGIN HIDDEN TESTS\nassert f(1)\n")
    assert segment.hidden and "assert" in segment.source


def test_a_cell_of_comments_has_no_segments():
    assert cells.split_hidden("# nothing\n\n  # at all\n") == []


def test_names():
    source = "import numpy as np\nfrom math import sqrt as root\ny = [g(a) for a in z]\n%time"
    assert cells.names_used(source) == {"y", "g", "a", "z"}
    assert cells.names_bound(source) == {"np", "root", "y", "a"}
    assert cells.imports_in(source) == {"np": ("numpy", ""), "root": ("math", "sqrt")}


def test_a_plain_dotted_import_binds_its_first_word():
    assert cells.imports_in("import torch.nn") == {"torch": ("torch", "")}


@pytest.mark.parametrize(
    "source, verdict",
    [("assert f(1) == 2", True), ("np.testing.assert_allclose(a, b)", True),
     ("plt.plot(f(x))", False), ("check('f', f)", True), ("def broken(:", False)],
)
def test_what_judges(source, verdict):
    assert cells.judges(source) is verdict


def test_the_last_definition_counts():
    assert cells.definition(["def f(): return 1", "def f():\n    return 2\nf()"], "f").endswith("2")
    assert cells.definition(["f = 3"], "f") == ""
