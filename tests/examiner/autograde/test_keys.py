"""What asks for a submission to be examined again, and what does not."""

import shutil

import pytest

from repository import ROOT
from viva_course import exam_digest
from viva_examiner.examination import dependencies
from viva_examiner.files import digest

HOMEWORK, EXERCISE = "kernel_attention", "linear_attention"
SAME = {
    "viva/cases/new_homework/first.py": "a new homework's cases",
    "viva/kits/new_homework/draw.py": "its kit",
    "viva/expected/new_homework.safetensors": "its expected outputs",
    "viva/cases/optimizers/adam.py": "the cases of another homework",
    "viva_course/exams/new_homework/first.py": "its exam",
    "viva_course/reference/new_homework/first.py": "its answers",
    "viva_course/exams/kernel_attention/features.py": "another exercise's exam",
    "viva_course/whys/kernel_attention.py": "a question that staff ask in person",
    "viva_course/claims/purification/wiener.py": "what a lesson states",
    "viva_examiner/report/report_page.py": "the report",
    "viva_examiner/cli/report.py": "the command line",
    "viva_examiner/gradescope/build.py": "another way to the same marks",
}
OTHER = {
    "viva/checking.py": "the kit's core",
    "viva/cases/kernel_attention/linear.py": "this homework's cases",
    "viva/expected/kernel_attention.safetensors": "this homework's expected outputs",
    "viva_course/exams/kernel_attention/linear.py": "this exercise's exam",
    "viva_course/exams/kernel_attention/common.py": "what its exams share",
    "viva_course/reference/kernel_attention/linear.py": "this homework's answers",
    "viva_course/rubric.py": "how a rubric is asked",
    "viva_examiner/sandbox/inside/agent.py": "the sandbox",
    "viva_examiner/examination/hidden.py": "the examination",
    "viva_examiner/notebook/restoring.py": "how a submission is restored",
}


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    root = tmp_path_factory.mktemp("original")
    for name in ("viva", "viva_course", "viva_examiner"):
        shutil.copytree(ROOT / "lib" / name, root / name,
                        ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def key(original, monkeypatch):
    """The key of an exercise's mark, computed from the copy as it stands."""
    monkeypatch.setattr(exam_digest, "ROOT", original / "viva_course")

    def compute() -> str:
        for known in (dependencies.kit_digest, dependencies.examiner_digest,
                      exam_digest._files_digest):
            known.cache_clear()
        return digest(dependencies.kit_digest(HOMEWORK, original / "viva"),
                      dependencies.examiner_digest(original / "viva_examiner"),
                      exam_digest.digest(EXERCISE))

    yield compute
    monkeypatch.undo()
    exam_digest._files_digest.cache_clear()


@pytest.mark.parametrize("name", [*SAME, *OTHER], ids=lambda name: name)
def test_what_a_mark_depends_on(original, key, name):
    before, path = key(), original / name
    old = path.read_bytes() if path.is_file() else None
    assert name in SAME or old is not None, "a path that went stale"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((old or b"") + b"\n# changed\n")
    try:
        assert (key() == before) == (name in SAME)
    finally:
        path.write_bytes(old) if old is not None else path.unlink()


def test_a_new_homework_that_declares_exercises_asks_for_nobody(original, key):
    before = key()
    exam = original / "viva_course/exams/another/first.py"
    exam.parent.mkdir(parents=True)
    exam.write_text('first = Exercise("first_thing", "a number")\n')
    assert key() == before
