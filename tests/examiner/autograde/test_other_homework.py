"""The notebook of another homework of the same course: no grade, on every way to a grade."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

import courses
import one_homework
import servers
from one_homework import HOMEWORK
from repository import ROOT
from viva_examiner.autograde import cluster_pool, pool
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.autograde.progress import Progress
from viva_examiner.gradebook.handed_in import read_folder
from viva_examiner.gradebook.submissions import profiles_of
from viva_examiner.gradescope.notebook import grade_notebook
from viva_examiner.gradescope.results_file import NotGradable
from viva_examiner.gradescope.task import Task
from viva_examiner.records import Kind
from viva_examiner.report import signs
from viva_examiner.report.sheets import read_class

OTHER = "kernel_attention"
WRONG = ("misnamed", "renamed", "honest")


@pytest.fixture(params=["pool", "cluster"])
def run(request, tmp_path):
    if request.param == "pool":
        yield pool.run
        return
    with servers.dask_cluster(tmp_path) as (address, _):
        yield cluster_pool.runner(address, tmp_path)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of two homeworks. Three students hand the other one in, one hands in both."""
    course = one_homework.make(tmp_path_factory.mktemp("course"), names=("stable_softmax",))
    release = Path(course.path("release", ".", HOMEWORK))
    shutil.copytree(ROOT / "release" / OTHER, release.with_name(OTHER))
    other = (ROOT / "release" / OTHER / f"{OTHER}.ipynb").read_bytes()
    for student, name in zip(WRONG, (HOMEWORK, f"{HOMEWORK} (1)", OTHER), strict=True):
        folder = Path(course.path("submitted", student, HOMEWORK))
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_bytes(other)
    right = one_homework.answered(nbformat.read(release / f"{HOMEWORK}.ipynb", as_version=4))
    courses.hand_in(course, HOMEWORK, "right", nbformat.writes(right).encode(),
                    **{f"{OTHER}.ipynb": other})
    return course


def test_it_gets_no_grade_and_one_line(course, run, capsys):
    summary = autograde(course, HOMEWORK, force=True, run=run)
    graded = {each.student: each for each in summary.results}
    grades = courses.grades(course, HOMEWORK)
    sheets = read_class(course, HOMEWORK)
    assert graded["right"].marks["test_stable_softmax"].score == 5
    for student in WRONG:
        [remark] = graded[student].remarks
        assert remark.kind == Kind.OTHER_HOMEWORK and OTHER in remark.text
        assert {mark.score for mark in graded[student].marks.values()} == {None}
        assert all(grades[student, cell][:2] == (None, True) for cell in graded[student].marks)
        assert [said for name, said in signs.noted(sheets) if name == student] == [remark.text]
    Progress().finish(summary)
    said = capsys.readouterr().out
    assert all(f"{student} needs a look: " in said for student in WRONG)
    assert "right needs a look" not in said
    again = autograde(course, HOMEWORK)
    assert not again.results and sorted(again.look) == sorted(WRONG), "and the next run says so too"


def test_on_gradescope_the_student_reads_a_sentence(course):
    from viva_examiner.examination.orders import order_of
    from viva_examiner.gradebook.released_rows import load

    task = Task(order_of(course, load(course, HOMEWORK)), HOMEWORK,
                profiles=tuple(profiles_of(course)))
    task = Task.from_plain(json.loads(json.dumps(task.to_plain())))
    contents = read_folder(Path(course.path("submitted", "misnamed", HOMEWORK)))
    words = f"is the notebook of {OTHER}, not of {HOMEWORK}. It was not"
    with pytest.raises(NotGradable, match=words):
        grade_notebook(task, contents, f"{HOMEWORK}.ipynb", "", "ada")
