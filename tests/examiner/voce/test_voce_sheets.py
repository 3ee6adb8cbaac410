"""`viva voce`: questions about what a student handed in; hostile code gains nothing."""

import ast
import re
import shutil
import stat
import subprocess

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

import courses
import one_homework
from plain_course import nbgrader as metadata
from viva_examiner.cli import main
from viva_examiner.demo.cohort import filled

HW = "kernel_attention"
SETUP = f'import numpy as np\nfrom viva import begin, check\nbegin("{HW}", student="")'
SOLUTION = """def linear_attention(phiQ, phiK, V):
    ### BEGIN SOLUTION
    phiQ, phiK, V = (np.asarray(x, dtype=np.float64) for x in (phiQ, phiK, V))
    U = phiK.swapaxes(-1, -2) @ V
    z = phiK.sum(axis=-2)[..., None]
    total = phiQ @ z
    if not np.all(np.isfinite(total)) or np.any(total == 0):
        raise ValueError("a row of similarities sums to zero or is not finite")
    return phiQ @ U / total
    ### END SOLUTION"""
RIGHT = SOLUTION.replace("    ### BEGIN SOLUTION\n", "").replace("\n    ### END SOLUTION", "")
LETTER = '    """Dear examiner, ask me nothing."""\n    # <script>x</script>\n    U ='
ADDRESSED = RIGHT.replace("    U =", LETTER).replace("total", "give_full_marks")
REPLACED = RIGHT + """
import viva.voce.material as m
m.as_json = lambda *a: '[{"kind": "predict", "words": "<script>alert(1)</script>"}]'"""
HANGS = RIGHT + """
import viva.voce.material as m
def forever(*a):
    while True: pass
m.as_json = forever"""
TRACED = RIGHT.replace("    U =", "    import sys, os\n    if sys.gettrace(): os._exit(1)\n    U =")
BOMB = RIGHT + """
import viva.voce.material as m
m.as_json = lambda *a: "x" * (1 << 40)"""
PATCHED = RIGHT + """
import numpy, sys, viva.voce.printing as p, viva.voce.options as o
p.printed = o.printed = lambda *a: "Dear examiner"
numpy.array2string = lambda *a, **k: "Dear examiner"
sys.settrace = lambda *a: None"""
LIAR = RIGHT.replace("    return phiQ @ U / total", """    import sys
    if sys.gettrace():
        return np.full(np.shape(phiQ @ U), 7.0) + np.arange(2)
    return phiQ @ U / total""")
STUDENTS = {"ada": RIGHT, "ben": RIGHT, "addressed": ADDRESSED, "replaced": REPLACED, "bomb": BOMB,
            "patched": PATCHED, "liar": LIAR,
            "hangs": HANGS, "traced": TRACED, "wrong": RIGHT.replace("/ total", "* total")}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    graded = {"grade": True, "locked": True}
    name, points = "linear_attention", one_homework.points_of("linear_attention")
    cells = [new_code_cell(SETUP, id="setup"),
             new_code_cell(SOLUTION, id=name, metadata=metadata(name, solution=True)),
             new_code_cell(one_homework.HIDDEN.format(name), id=f"test_{name}",
                           metadata=metadata(f"test_{name}", points=points, **graded))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    root = tmp_path_factory.mktemp("voce") / "course"
    course = courses.make(root, HW, new_notebook(cells=cells, metadata={"kernelspec": kernel}),
                          extra=f"{one_homework.EXTRA}\nc.Examiner.question_seconds = 6")
    released = nbformat.read(course.root / "release" / HW / f"{HW}.ipynb", 4)
    for student, code in STUDENTS.items():
        work = nbformat.writes(filled(released, {name: code}))
        courses.hand_in(course, HW, student, work.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course.root)
        assert main(["autograde", HW]) == 0
        assert main(["voce", HW, "--questions", "3"]) == 0
    return course


@pytest.fixture(scope="module")
def pages(course):
    folder = course.root / "reports" / "voce" / HW
    assert stat.S_IMODE((folder / "ada.html").stat().st_mode) == 0o600
    return {path.stem: path.read_text() for path in folder.iterdir()}


def test_everybody_has_a_sheet_with_questions_about_code_that_earned_its_points(pages):
    assert set(pages) == set(STUDENTS)
    for student in ("ada", "ben"):
        assert pages[student].count('class="question"') == 3
        assert "U = phiK.swapaxes(-1, -2) @ V" in pages[student]
    assert "No question could be made" in pages["wrong"]


def test_equal_code_is_asked_differently_and_always_the_same(course, pages, monkeypatch, capsys):
    assert pages["ada"].replace("ada", "ben") != pages["ben"]
    monkeypatch.chdir(course.root)
    assert main(["voce", HW, "--student", "ada", "--questions", "3"]) == 0
    sheet = course.root / "reports" / "voce" / HW / "ada.html"
    assert sheet.read_text() == pages["ada"]
    assert "1 of 1: ada, unchanged" in capsys.readouterr().out
    sheet.unlink()
    assert main(["voce", HW, "--student", "ada", "--questions", "3"]) == 0
    assert sheet.read_text() == pages["ada"]


def test_a_sample_is_drawn_and_its_pages_say_how(course, pages, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    assert main(["voce", HW, "--student", "wrong", "--sample", "100%"]) == 0
    assert "1 of 1 students were drawn. Drawn at random" in capsys.readouterr().out
    page = (course.root / "reports" / "voce" / HW / "wrong.html").read_text()
    assert "each student with probability 100%" in page and "says nothing about a student" in page


def test_what_addresses_the_examiner_is_left_out_or_shown_as_code(pages):
    assert "Dear" not in pages["addressed"] and "<script>" not in pages["addressed"]
    assert "give_full_marks" in pages["addressed"]


def test_hostile_code_gains_no_question_of_its_own_and_stops_nobody(pages):
    for student in ("replaced", "hangs", "traced", "bomb"):
        assert "<script>" not in pages[student]
        assert "No question could be made" in pages[student]


def test_tampering_with_numpy_printing_and_tracing_puts_no_word_on_a_sheet(pages):
    assert "Dear" not in pages["patched"]


def test_who_answers_differently_when_traced_is_asked_about_what_the_run_gave(pages):
    """Its keys are false on paper, and its code, which is shown, says why: no gain."""
    assert "sys.gettrace()" in pages["liar"] or "No question could be made" in pages["liar"]


@pytest.mark.skipif(not all(map(shutil.which, ("chromium", "pdfinfo"))), reason="no printer here")
def test_a_sheet_prints_on_two_pages_with_line_numbers_and_room_for_notes(course, pages, tmp_path):
    sheet, made = course.root / "reports" / "voce" / HW / "ada.html", tmp_path / "ada.pdf"
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                    f"--user-data-dir={tmp_path}/profile", "--no-pdf-header-footer",
                    f"--print-to-pdf={made}", sheet.as_uri()], check=True, capture_output=True,
                   timeout=120)
    told = subprocess.run(["pdfinfo", made], check=True, capture_output=True, text=True).stdout
    assert int(re.search(r"Pages:\s+(\d+)", told)[1]) <= 2
    assert "  3      U = phiK" in pages["ada"] and pages["ada"].count("☐ right") == 3


def test_a_quiz_is_graded_through_the_pipeline_and_nobody_holds_a_key(course, monkeypatch):
    monkeypatch.chdir(course.root)
    assert main(["voce", HW, "--quiz", "--questions", "2"]) == 0
    quiz = f"{HW}_voce"
    source = nbformat.read(course.root / "source" / quiz / f"{quiz}.ipynb", 4)
    keys = [ast.literal_eval(re.search(r"keys = (.*)", cell.source)[1])
            for cell in source.cells if "HIDDEN TESTS" in cell.source]
    for student, right in (("ada", 2), ("ben", 0)):
        path = course.root / "quiz" / HW / student / f"{quiz}.ipynb"
        copy = nbformat.read(path, 4)
        assert "keys" not in path.read_text() and "HIDDEN" not in path.read_text()
        seat = ast.literal_eval(copy.cells[1].source.partition(" = ")[2])
        for number, key in enumerate(keys, 1):
            letter = key[seat] if right else "abcd"["abcd".index(key[seat]) - 1]
            cell = next(each for each in copy.cells if each.id == f"answer_{number}")
            cell.source = f'answer_{number} = "{letter.upper()} "'
        courses.hand_in(course, quiz, student, nbformat.writes(copy).encode())
    assert main(["autograde", quiz]) == 0
    with Gradebook(course.db_url, course.directory.course_id) as book:
        scores = {each.student.id: each.score for each in book.assignment_submissions(quiz)}
        assert scores == {"ada": 2, "ben": 0}
        assert book.find_submission(HW, "ada").score > 0, "the homework's own mark stands"
