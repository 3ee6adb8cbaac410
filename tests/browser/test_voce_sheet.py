"""A sheet of `viva voce` in a browser: about the exercise of docs/staff.md, which is public."""

import os
import subprocess
import sys

import nbformat
import pytest

import guide_course
from viva_examiner.demo.cohort import filled

pytestmark = pytest.mark.browser
SOLUTION = """def cosine(a, b):
    lengths_a = np.sqrt((a * a).sum(-1, keepdims=True))
    lengths_b = np.sqrt((b * b).sum(-1, keepdims=True))
    if not lengths_a.all() or not lengths_b.all():
        raise ValueError("a row of zeros has no direction")
    products = a @ np.swapaxes(b, -1, -2)
    return products / (lengths_a @ np.swapaxes(lengths_b, -1, -2))"""


def viva(folder, *words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", *words], cwd=folder,
                          env=os.environ | {"PYTHONPATH": str(folder / "lib")},
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    folder = guide_course.empty(tmp_path_factory.mktemp("voce"))
    viva(folder, "new", "warmup", "cosine:5")
    guide_course.fill_in(folder)
    viva(folder, "release", "warmup")
    released = nbformat.read(folder / "release/warmup/warmup.ipynb", 4)
    work = folder / "submitted/ada/warmup/warmup.ipynb"
    work.parent.mkdir(parents=True)
    nbformat.write(filled(released, {"cosine": SOLUTION}), work)
    viva(folder, "autograde", "warmup")
    viva(folder, "voce", "warmup", "--student", "ada")
    return folder / "reports/voce/warmup/ada.html"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_sheet_fits_and_shows_code_and_question(sheet, chromium, picture, barriers, width):
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto(sheet.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".question").count() >= 1
    assert "lengths_a" in page.inner_text("body")
    assert barriers(page) == []
    if width == 1280:
        picture(page, "voce", clip={"x": 0, "y": 0, "width": 1280, "height": 650})
    page.close()
