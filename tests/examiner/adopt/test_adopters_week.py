"""A course as adopters have them: pandas, a helper, mocks, files, plots, partial credit.

Its solution and two submissions are graded both ways: nobody may get a mark that nobody is told
about.
"""

import nbformat
import pytest
from nbformat.v4 import new_notebook

from plain_course import nbgrader, new_code_cell, solution
from viva_examiner.adopt.adopted_course import open_course, try_course
from viva_examiner.adopt.both_ways import EQUAL
from viva_examiner.examination.engine import Engine
from viva_examiner.examination.orders import order_of

HELPER = '''
import math


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9)
'''
SALES = "shop,month,sold\nnorth,1,10\nnorth,2,14\nsouth,1,7\nsouth,2,\n"
SETUP = """
import json
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
import pandas as pd
from helper import close
"""
SOLUTIONS = {
    "totals": "def totals(table):\n"
              "    return table.dropna().groupby('shop')['sold'].sum()",
    "cleaned": "def cleaned(table):\n"
               "    return table.dropna().reset_index(drop=True)",
    "save": "def save(table, path):\n"
            "    with open(path, 'w') as file:\n"
            "        json.dump(table['sold'].dropna().tolist(), file)",
    "draw": "def draw(table):\n"
            "    fig, ax = plt.subplots()\n"
            "    ax.plot(table['month'], table['sold'])\n"
            "    ax.set_title('Sold per month')\n"
            "    return ax",
    "price": "def price(fetch, item):\n"
             "    return 1.2 * fetch(item)",
    "mean": "def mean(numbers):\n"
            "    return sum(numbers) / len(numbers)",
}
TESTS = {
    "test_totals": "sales = pd.read_csv('sales.csv')\n"
                   "assert totals(sales).to_dict() == {'north': 24.0, 'south': 7.0}\n"
                   "assert isinstance(totals(sales), pd.Series)",
    "test_cleaned": "raw = pd.read_csv('sales.csv')\nbefore = raw.copy()\n"
                    "pd.testing.assert_frame_equal(cleaned(raw), before.dropna())\n"
                    "pd.testing.assert_frame_equal(raw, before)",
    "test_save": "save(pd.read_csv('sales.csv'), 'sold.json')\n"
                 "with open('sold.json') as file:\n    assert json.load(file) == [10.0, 14.0, 7.0]",
    "test_draw": "ax = draw(pd.read_csv('sales.csv').dropna())\n"
                 "assert ax.get_title() == 'Sold per month'\nassert len(ax.lines) == 1",
    "test_price": "from unittest.mock import Mock\nfetch = Mock(return_value=10.0)\n"
                  "assert close(price(fetch, 'tea'), 12.0)\nfetch.assert_called_once_with('tea')",
    "test_mean": "points = 0\npoints += 1 if close(mean([1, 2, 6]), 3.0) else 0\n"
                 "try:\n    mean([])\nexcept ValueError:\n    points += 1\n"
                 "except ZeroDivisionError:\n    pass\npoints",
}
SUBMISSIONS = {
    "wrong": {"cleaned": "def cleaned(table):\n"
                         "    table.dropna(inplace=True)\n"
                         "    table.reset_index(drop=True, inplace=True)\n    return table",
              "price": "def price(fetch, item):\n"
                       "    fetch(item)\n    return 1.2 * fetch(item)",
              "draw": "def draw(table):\n    fig, ax = plt.subplots()\n    return ax",
              "save": "def save(table, path):\n    pass"},
    "refuses": {"mean": "def mean(numbers):\n    if not numbers:\n        raise ValueError\n"
                        "    return sum(numbers) / len(numbers)"},
}


def notebook(changed: dict):
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    cells = [new_code_cell(SETUP, id="setup")]
    for (name, code), (test, text) in zip(SOLUTIONS.items(), TESTS.items(), strict=True):
        about = nbgrader(test, grade=True, locked=True, points=2)
        cells += [solution(name, changed.get(name, code)),
                  new_code_cell(text, id=test, metadata=about)]
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """{student: {test: both marks}}; the instructor has no name."""
    root = tmp_path_factory.mktemp("shop")
    (root / "nbgrader_config.py").write_text("c = get_config()\n")
    (root / "source/ps1").mkdir(parents=True)
    (root / "source/ps1/helper.py").write_text(HELPER)
    (root / "source/ps1/sales.csv").write_text(SALES)
    nbformat.write(notebook({}), root / "source/ps1/ps1.ipynb")
    for student, changed in SUBMISSIONS.items():
        (root / "submitted" / student / "ps1").mkdir(parents=True)
        nbformat.write(notebook(changed), root / "submitted" / student / "ps1/ps1.ipynb")
    course = open_course(root)
    with Engine(order_of(course, secret="shop")) as engine:
        return {tried.student: {test.test: test for test in tried.tests}
                for tried in try_course(course, engine)}


def test_the_solution_and_a_right_submission_get_what_stock_gives(compared):
    for student in ("", "refuses"):
        assert {test.kind for test in compared[student].values()} == {EQUAL}, student
    assert compared[""]["test_mean"].ours == 1, "partial credit"
    assert compared["refuses"]["test_mean"].ours == 2


def test_what_is_wrong_in_one_kernel_earns_nothing_here(compared):
    for name, test in compared["wrong"].items():
        if name.removeprefix("test_") in SUBMISSIONS["wrong"]:
            assert test.stock == 0 and not test.ours, test
        else:
            assert test.kind == EQUAL, test
