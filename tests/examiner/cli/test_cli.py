"""The command line: quick to help, and a sentence instead of a traceback for an author's slip."""

import os
import resource
import shutil
import subprocess
import sys

import pytest

from viva_examiner import cli
from viva_examiner.cli import main
from viva_examiner.cli.commands import COMMANDS, READERS
from viva_examiner.course import Course
from viva_examiner.failure import Failure, sentence_of


def test_help_imports_nothing_heavy():
    code = ("import sys\nfrom viva_examiner.cli import main\n"
            "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
            "print([m for m in ('numpy', 'nbgrader', 'torch', 'traitlets') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert all(name in done.stdout for name in cli.COMMANDS)


def test_help_takes_less_than_a_third_of_a_second():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "viva_examiner.cli", "--help"], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


def test_a_gradebook_is_made_without_an_activated_environment(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for _ in range(2):
        with pytest.raises(SystemExit):
            cli.main(["--help"])
    assert shutil.which("alembic") == os.path.join(os.path.dirname(sys.executable), "alembic")
    assert os.environ["PATH"].count(os.path.dirname(sys.executable)) == 1


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_and_an_example(name, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    assert f"viva {name}" in capsys.readouterr().out.partition("example:")[2]


def test_a_syntax_error_in_an_exam_is_one_sentence(course, monkeypatch, capsys):
    made = course()
    monkeypatch.chdir(made.root)

    def library(self):
        compile("x = (1\n", "exams/warmup/cosine.py", "exec")

    monkeypatch.setattr(Course, "library", property(library))
    assert cli.main(["audit"]) == 2
    said = capsys.readouterr().err
    assert said == "viva audit: exams/warmup/cosine.py, line 1: '(' was never closed (x = (1)\n"


def test_other_errors_keep_their_traceback():
    assert sentence_of(ValueError("ours")) == ""
    error = ValueError("exams/a.py, line 3: the items add up to 8")
    error.viva_staff_fault = True
    assert sentence_of(error) == str(error)


def test_outside_of_a_course(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["report", "x"]) == 2
    assert "run this inside a course" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


def test_a_reader_who_has_seen_enough_gets_no_traceback():
    seen = subprocess.run([sys.executable, "-u", "-m", "viva_examiner.cli", "doctor"],
                          stdout=_closed(), stderr=subprocess.PIPE, text=True)
    assert (seen.returncode, seen.stderr) == (141, "")


def _closed() -> int:
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def test_a_failure_ends_a_command_with_its_sentence_and_code(monkeypatch, capsys):
    class TooFew(Failure):
        exit_code = 7

    def fail(args, course):
        raise TooFew("two are needed")

    monkeypatch.setattr("viva_examiner.cli.doctor.run", fail)
    assert main(["doctor"]) == 7
    assert capsys.readouterr().err == "viva doctor: two are needed\n"


def test_a_fault_of_our_own_is_not_hidden_in_a_sentence(monkeypatch):
    def fail(args, course):
        raise ZeroDivisionError

    monkeypatch.setattr("viva_examiner.cli.doctor.run", fail)
    with pytest.raises(ZeroDivisionError):
        main(["doctor"])


def test_the_help_names_every_command_under_one_reader(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    rows = capsys.readouterr().out.splitlines()
    assert [row for row in rows if row.startswith("for ")] == [f"for {each}:" for each in READERS]
    typed = [row.strip().split("  ")[0] for row in rows[rows.index(f"for {READERS[0]}:"):]
             if row.startswith("  ")]
    assert sorted(typed) == sorted([*COMMANDS, "doctor --student"])
