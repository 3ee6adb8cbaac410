"""Every command of every page, and the test that runs it, or why no test can.

A new command without an entry fails here, and so does an entry whose command is gone.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import guide_course
import page_commands
from repository import ROOT
from viva_examiner import cli

ENVIRONMENT = Path(sys.executable).parents[1]
CI = ".ci/run"  # the line stands in it
HUB = "tests/browser/test_hub.py::test_what_the_page_tells_to_check"  # by its fixtures, too
SETS = "tests/support/kit_sets.py::set_up"  # by make test-kit
EVENING = "tests/course/test_docs.py::test_a_tas_evening_in_commands"
GUIDE = "tests/course/test_staff_guide.py::test_the_guide_leads_to_an_audited_and_released_exercise"
ADOPT = "tests/course/test_adopt_page.py::test_the_page_from_the_first_command_to_the_last"
MAKE = "tests/course/test_commands.py::test_what_make_does_in_a_small_course"
STAFF = "tests/course/test_commands.py::test_what_staff_do_in_a_small_course"
GIT = "tests/course/test_commands.py::test_notebooks_are_readable_in_git"
SHELL = "tests/course/test_commands.py::test_the_environment_puts_the_programs_on_the_path"
LAB = "tests/course/test_docs.py::test_a_students_commands_open_the_notebook"
CONNECT = "tests/browser/test_moodle.py::test_a_teacher_adds_the_tool_as_connect_says"
ROSTER = "tests/examiner/lms/test_lms_roster.py"
PUSH = "tests/examiner/lms/test_lms_push.py::test_the_command_says_first_then_sends"
HAND = "by hand: "
DEPLOYED = ("docs/gradescope.md", "docs/scale.md", "docs/hub.md")  # they mark what nobody tried
CLUSTER = "tests/examiner/autograde/test_cluster.py::test_a_cluster_by_the_lines_of_the_page"
NO_SYSTEMD = HAND + "needs a machine with a running systemd"

VOCE = "tests/examiner/voce/test_voce_sheets.py::"
RUN_BY = {
    "make": MAKE,
    "make format": MAKE,
    "make release": MAKE,
    "make bundle": MAKE,
    "make demo": MAKE,
    "make lock": MAKE,
    "make clean": MAKE,
    "make site": "tests/course/test_site.py",
    "make lint": CI,
    "make audit": CI,
    "make test": CI,
    "make fuzz": CI,
    "make lab": "tests/course/test_docs.py::test_make_lab_serves_formgrader_for_root_too",
    "make claims": HAND + "many minutes; make test tries one seed of each",
    "make soak": HAND + "an hour or two",
    "VIVA_LOAD=200 make soak": HAND + "hours",
    "make test-kit KIT_PYTHON=python3.13": HAND + "downloads gigabytes (docs/everywhere.md)",
    "make test-kit": HAND + "downloads gigabytes (docs/everywhere.md)",
    "make test-moodle MOODLE=/path/to/moodle": HAND + "Moodle is not ours (docs/lms.md)",
    "make test-hub": HAND + "makes local accounts, as root (docs/hub.md)",
    "make screenshots": HAND + "the browser tests of .ci/run, which then keep their pictures",
    ".ci/run": HAND + "it is what runs the others",
    ".venv/bin/python -m pytest tests/examiner/release": CI,
    "python bench/adopters.py": HAND + "needs public courses, which are not in the repository",
    "python bench/autograde.py": HAND + "measures for minutes, on a quiet machine",
    "python bench/loops.py": HAND + "needs public courses, which are not in the repository",
    "python bench/quickstart.py": HAND + "measures for minutes, on a quiet machine",
    "python bench/stock_attacks.py": HAND + "lets stock nbgrader be attacked, for minutes",
    "python bench/written.py": HAND + "measures for minutes, on a quiet machine",
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0": HAND + "changes the whole machine",
    "pip install torch==2.13.0 --index-url …": HAND + "the address is the reader's",

    "viva new warmup cosine:5": GUIDE,
    "viva new warmup sine:5 --section cosine":
        "tests/course/test_authoring.py::test_an_exercise_joins_the_section_that_is_named",
    "viva audit warmup": GUIDE,
    "viva audit warmup --mutate": GUIDE,
    "viva audit HW": GUIDE,
    "viva audit HW --exercise NAME": "tests/examiner/audit/test_audit.py",
    "viva audit HW --questions": HAND + "minutes of processor time for a homework",
    "viva claims warmup --all-seeds": GUIDE,
    "viva format": GUIDE,
    "viva release warmup": GUIDE,
    "viva rename cosine angle_between": GUIDE,
    "viva release HW": STAFF,
    "viva release HW --kit-url https://example.org/viva_kit-1.0.0-py3-none-any.whl": STAFF,
    "viva gradescope HW": STAFF,
    "viva bundle --examiner": STAFF,
    "viva autograde HW --student ID": STAFF,
    "viva grade-log LOG…": STAFF,
    "viva doctor --student": STAFF,
    "viva demo": MAKE,
    "viva cluster keys":
        "tests/examiner/autograde/test_cluster.py::test_a_cluster_by_its_address",
    "viva autograde HW --cluster tls://scheduler:8786":
        "tests/examiner/autograde/test_cluster.py::test_a_cluster_by_its_address",
    "dask scheduler --protocol tls --tls-ca-file cluster.pem --tls-cert cluster.pem "
    "--tls-key cluster.key": CLUSTER,
    "dask worker tls://scheduler:8786 --nthreads 1 --tls-ca-file cluster.pem "
    "--tls-cert cluster.pem --tls-key cluster.key": CLUSTER,
    "createuser --pwprompt viva": HAND + "asks for a password on a server of its own",
    "createdb --owner viva viva": HAND + "needs the account of the line before",
    "pip download torch==2.13.0 --no-deps --dest wheels "
    "--index-url https://download.pytorch.org/whl/cpu": HAND + "needs torch's own index",
    "viva gradescope HW --wheels wheels": STAFF,
    "systemd-analyze verify": NO_SYSTEMD,
    "mkdir -p /srv/jupyterhub": NO_SYSTEMD,
    "systemctl daemon-reload": NO_SYSTEMD,
    "systemctl enable --now jupyterhub": NO_SYSTEMD,
    "systemctl reload nginx": NO_SYSTEMD,
    "nginx -t": HAND + "needs nginx, and a certificate",
    "crontab -e": HAND + "opens an editor",
    "tar czf /root/hub-backup.tar.gz /srv/nbgrader/exchange /srv/jupyterhub":
        HAND + "needs the hub's folders",
    "nbgrader db student import students.csv": STAFF,
    "nbgrader export": "tests/examiner/nbgrader_steps/test_pipeline.py",

    "viva collect HW export.zip": EVENING,
    "viva collect HW downloaded/HW/archive": EVENING,
    "viva collect HW export.zip --worksheet grades.csv":
        "tests/examiner/collect/test_collect_command.py::test_the_worksheet_is_an_option",
    "nbgrader zip_collect": "tests/examiner/nbgrader_steps/test_pipeline.py",
    "viva autograde HW": EVENING,
    "viva explain HW ada": EVENING,
    "viva voce HW --student ada": f"{VOCE}test_equal_code_is_asked_differently_and_always_the_same",
    "viva voce HW --sample 20%": f"{VOCE}test_a_sample_is_drawn_and_its_pages_say_how",
    "viva voce HW --quiz":
        f"{VOCE}test_a_quiz_is_graded_through_the_pipeline_and_nobody_holds_a_key",
    "viva autograde kernel_attention_voce":
        f"{VOCE}test_a_quiz_is_graded_through_the_pipeline_and_nobody_holds_a_key",
    "viva explain HW ada --for-student": EVENING,
    "viva regrade HW --dry-run": EVENING,
    "viva regrade HW": EVENING,
    "viva report HW": EVENING,
    "viva feedback HW": EVENING,
    "viva lms connect uni": CONNECT,
    "viva lms connect NAME --platform other":
        "tests/examiner/lms/test_lms_service.py::"
        "test_connect_makes_a_key_says_what_to_paste_and_keeps_what_works",
    "viva lms roster":
        f"{ROSTER}::test_the_difference_is_shown_before_anything_is_written",
    "viva lms roster --staff kim@uni.example":
        f"{ROSTER}::test_an_assistant_whom_the_platform_calls_a_learner_is_no_student",
    "viva lms push HW --dry-run": PUSH,
    "viva lms push HW": PUSH,
    "viva feedback HW --for moodle --worksheet grades.csv":
        "tests/browser/test_moodle.py::test_feedback_comes_back_to_each_student",
    "viva roster ada HW --extension 2": EVENING,
    "viva roster '*' --late-days 4": EVENING,
    "viva roster bob HW --group red": EVENING,
    "viva roster cyd HW --group red": EVENING,
    "viva roster '*' HW --counts best": EVENING,
    "viva roster --out roster-copy.csv": EVENING,
    "viva roster --in roster-copy.csv": EVENING,
    "viva roster --in roster.csv": EVENING,
    "viva export HW --for canvas": EVENING,
    "viva export HW --for moodle": EVENING,
    "viva export HW": EVENING,
    "viva desk": "tests/examiner/desk/test_desk_rooms.py",
    "viva written HW": "tests/browser/test_written_page.py",
    "viva written HW --rescore":
        "tests/examiner/written/test_written.py::test_history_and_rescoring_in_a_terminal",
    "viva history HW ada": EVENING,
    "viva backup backups/monday.zip":
        "tests/examiner/gradebook/test_backups.py"
        "::test_a_class_is_replaced_only_when_asked_and_kept_before",
    "viva restore backups/monday.zip":
        "tests/examiner/gradebook/test_backups.py"
        "::test_a_class_is_replaced_only_when_asked_and_kept_before",
    "viva export --student ada":
        "tests/examiner/nbgrader_steps/test_personal_data.py"
        "::test_a_person_gets_everything_of_their_own_and_nothing_of_others",
    "viva export HW --anonymous":
        "tests/examiner/nbgrader_steps/test_personal_data.py"
        "::test_what_is_anonymous_names_nobody_and_quotes_nothing",
    "viva forget ada":
        "tests/examiner/gradebook/test_forgetting.py"
        "::test_nothing_of_the_person_is_left_and_everything_of_the_others",
    "viva seen HW": EVENING,
    "viva requests HW": EVENING,
    "viva requests": EVENING,
    'viva requests HW 3 --correct 4.5 --words "You are right about the last row."':
        "tests/examiner/gradebook/test_requests.py::test_the_terminal_lists_and_answers",
    "viva upgrade":
        "tests/examiner/gradebook/test_trial.py"
        "::test_viva_upgrade_brings_nbgraders_own_tables_up_to_date",
    "viva secret show": EVENING,
    "viva secret set":
        "tests/examiner/gradebook/test_course_secret.py"
        "::test_a_second_account_refuses_and_is_told_how_to_get_it",
    "viva roster '*' HW --grader tina --question written_content": EVENING,
    "viva roster ada HW --grader tom": EVENING,

    "nbgrader quickstart course101": ADOPT,
    "viva adopt course101": ADOPT,
    "viva adopt COURSE_DIR": ADOPT,
    "cd course101": ADOPT,
    "nbgrader generate_assignment ps1": ADOPT,
    "mkdir -p submitted/bitdiddle": ADOPT,
    "cp -r release/ps1 submitted/bitdiddle/": ADOPT,
    "viva autograde ps1": ADOPT,
    "viva feedback ps1": ADOPT,
    "viva report ps1": ADOPT,
    "viva export ps1": ADOPT,
    "nbgrader autograde ps1": "tests/examiner/nbgrader_steps/test_pipeline.py",

    "source .venv/bin/activate": SHELL,
    'git config diff.viva.textconv ".venv/bin/python -m viva_examiner.notebook.textconv"': GIT,
    "git diff": GIT,
    "git log -p": GIT,
    "git show": GIT,
    "git diff --no-textconv": GIT,
    "ruff check": CI,

    "python3.11 -m venv /opt/viva": HUB,
    "/opt/viva/bin/pip install -r requirements.lock jupyterhub==6.1.1": HUB,
    "npm install --prefix /opt/viva/proxy configurable-http-proxy@5.3.0": HUB,
    "/opt/viva/bin/pip install --no-deps .": HUB,
    "chgrp -R staff /opt/viva/course /opt/viva/lib/python3.11/site-packages/viva_course": HUB,
    "chmod -R o= /opt/viva/course /opt/viva/lib/python3.11/site-packages/viva_course": HUB,
    "mkdir -p /srv/nbgrader/exchange && chmod ugo+rwx /srv/nbgrader/exchange": HUB,
    "chmod 700 ~/course": HUB,
    "/opt/viva/bin/jupyter labextension disable --level=sys_prefix @jupyter/nbgrader:formgrader":
        HUB,
    "viva doctor": HUB,
    "ls ~ta/course": HUB,
    "ls /opt/viva/course": HUB,

    ".venv/bin/jupyter lab HW/HW.ipynb": LAB,
    ".venv/bin/jupyter lab": LAB,
    "jupyter lab": LAB,
    ".venv/bin/viva doctor --student":
        "tests/examiner/release/test_bundle.py::test_its_command_says_that_the_kit_works",
    "python3 -m venv .venv": SETS,
    ".venv/bin/python -m pip install -r requirements.txt": SETS,
    ".venv/bin/python -m pip install -r requirements.txt -c as_graded.txt":
        "tests/examiner/release/test_bundle.py::test_the_versions_that_grade_are_what_it_asks_for",
    ".venv/bin/python -m pip install torch --index-url https://download.pytorch.org/whl/cpu":
        HAND + "needs torch's own index; make test-kit takes torch from where pip looks",
    ".venv/bin/python -m pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu":
        HAND + "needs torch's own index",
    ".venv/bin/python -m pip install torch": HAND + "macOS",
    "python3 --version": SHELL,
    "py --version": HAND + "Windows",
    "py -m venv .venv": HAND + "Windows",
    "py -3.13 -m venv .venv": HAND + "Windows",
    ".venv\\Scripts\\python -m pip install torch": HAND + "Windows",
    ".venv\\Scripts\\python -m pip install -r requirements.txt": HAND + "Windows",
    ".venv\\Scripts\\viva doctor --student": HAND + "Windows",
    ".venv\\Scripts\\jupyter lab": HAND + "Windows",
    "conda env create -f environment.yml": HAND + "needs conda",
    "conda activate viva-student": HAND + "needs conda",
    "sudo apt install python3-venv": HAND + "changes the whole machine",
}


def test_every_command_has_a_runner():
    """`viva audit` without an argument only names what `viva audit HW` does."""
    found = page_commands.commands()
    for command, pages in found.items():
        named = any(each.startswith(f"{command} ") for each in RUN_BY)
        assert command in RUN_BY or named, f"{', '.join(pages)}: nothing runs `{command}`"
    assert set(RUN_BY) <= set(found), "no page gives these any more"


MARK = re.compile(r"\*\*not tried\*\*|by hand")


def marked(text: str, line: str) -> bool:
    """Whether a page says of a command, in its paragraph or in the one before its block, that no
    test runs it."""
    paragraphs = re.split(r"\n\s*\n", text)
    return any(MARK.search(f"{before}\n{here}") for before, here
               in zip(["", *paragraphs], paragraphs) if line in here)


@pytest.mark.parametrize("page", DEPLOYED)
def test_a_page_of_deployment_marks_what_no_test_runs(page):
    text = page_commands.PAGES[page]
    lines = [*page_commands.in_blocks(text), *page_commands.in_sentences(text)]
    alone = [line for line in lines if RUN_BY.get(page_commands.plain(line), "").startswith(HAND)]
    flat = "\n\n".join(" ".join(each.split()) if "```" not in each else each
                       for each in re.split(r"\n\s*\n", text))
    for line in alone:
        assert marked(flat, line.split(" #")[0]), f"{page}: say of `{line}` that it was not tried"


def test_a_mark_belongs_to_its_paragraph_or_block():
    text = ("Do this (**not tried**):\n```sh\none\n```\n\nMore.\n\n`two` is run.\n\n"
            "`three`, by hand.")
    assert marked(text, "one") and marked(text, "three")
    assert not marked(text, "two") and not marked(text, "gone")


@pytest.mark.parametrize("runner", sorted({each for each in RUN_BY.values()
                                           if not each.startswith(HAND)}))
def test_every_runner_exists(runner):
    path, _, test = runner.partition("::")
    text = (ROOT / path).read_text()
    assert not test or f"def {test}(" in text


def test_what_ci_runs_stands_in_it():
    steps = (ROOT / CI).read_text() + (ROOT / "Makefile").read_text()
    for command in [each for each, runner in RUN_BY.items() if runner == CI]:
        words = command.split()
        if words[0] == "make":
            assert f"\n{command}" in (ROOT / CI).read_text(), command
        else:
            assert words[-1] == "tests/examiner/release" or command in steps, command


def test_every_command_of_ours_is_understood(monkeypatch):
    """As it stands, also where only its kind is run; one that is only named is one that exists."""
    monkeypatch.setattr("viva_examiner.cli.names.check", lambda args, course: None)
    monkeypatch.setattr("viva_examiner.sandbox.forks.current", lambda preload: None)
    monkeypatch.chdir(ROOT)
    ran = []
    for name in cli.COMMANDS:
        monkeypatch.setattr(f"viva_examiner.cli.{name.replace('-', '_')}.run",
                            lambda args, course: ran.append(args.command) or 0)
    for text in page_commands.PAGES.values():
        for command in [*page_commands.in_blocks(text), *page_commands.in_sentences(text)]:
            program, *words = shlex.split(command, comments=True)
            if program == "viva":
                assert words[0] in cli.COMMANDS, command
                assert len(words) == 1 or cli.main(words) == 0, command
            elif program == "make" and words:
                assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(), re.M), command
    assert len(ran) >= 20 and {"doctor", "release", "grade-log"} <= set(ran)


def of(runner: str) -> list[str]:
    """The commands that a test here runs, in the order of the table."""
    return [command for command, each in RUN_BY.items() if each == runner]


def typed(command: str, folder: Path, **settings: str) -> str:
    """What a command prints that a person types there, with the environment on the path and with
    the library of the course that is there, if it has one."""
    path = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "PYTHONPATH": str(folder / "lib")} | settings
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True,
                          text=True, timeout=900)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The course of docs/staff.md, and beside it what make, the bundle and a TA need."""
    folder = guide_course.empty(tmp_path_factory.mktemp("small"))
    for name in ("Makefile", "LICENSE", "requirements.lock", "pyproject.toml", "lib/pyproject.toml",
                 "lib/examiner.toml", "docs/adopt.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    typed("viva new warmup cosine:5", folder)
    guide_course.fill_in(folder)
    (folder / "students.csv").write_text("id,first_name,last_name\nada,Ada,Lovelace\n")
    (folder / "wheels").mkdir()
    (folder / "submission_log.json").write_text(json.dumps(
        {"schema": "viva-log/1", "homework": "warmup", "student": "ada", "kit": "1.0.0",
         "exercises": {}}))
    return folder


def test_what_make_does_in_a_small_course(small):
    """With the environment of these tests: setting one up is what .ci/run begins with."""
    ready = small / "ready"
    options = f"VENV={ENVIRONMENT} READY={ready} -o {ready}"
    said = {command: typed(f"{command} {options}", small)
            for command in of(MAKE) if command.startswith("make")}
    targets = re.findall(r"^make ([a-z-]+)", said["make"], re.M)
    assert {"demo", "test", "release", "audit", "lab"} <= set(targets)
    assert "warmup" in said["make release"] and "viva-student-" in said["make bundle"]
    assert "5 graded in" in said["make demo"] and "file://" in said["make demo"]
    lock = set((ROOT / "requirements.lock").read_text().split())
    assert lock <= set((small / "requirements.lock").read_text().split())
    assert not any((small / name).exists() for name in ("dist", "demo"))
    assert (small / "release/warmup/warmup.ipynb").is_file() and (small / "gradebook.db").is_file()


def test_what_staff_do_in_a_small_course(small):
    places = {"HW": "warmup", "ID": "ada", "LOG…": "submission_log.json"}
    said = {}
    for command in of(STAFF):
        if "autograde" in command:
            shutil.copytree(small / "release/warmup", small / "submitted/ada/warmup")
        words = [places.get(word, word) for word in shlex.split(command)]
        said[command] = typed(shlex.join(words), small)
    assert "viva_examiner-" in said["viva bundle --examiner"]
    assert "The kit works here." in said["viva doctor --student"]
    assert (small / "dist/gradescope-warmup.zip").is_file()
    assert "https://example.org/viva_kit" in (small / "release/warmup/warmup.ipynb").read_text()


def test_notebooks_are_readable_in_git(tmp_path):
    """git's own commands, in a repository with our .gitattributes and a changed notebook."""
    notebook = ROOT / "release/purification/purification.ipynb"
    for path in (ROOT / ".gitattributes", notebook):
        shutil.copy(path, tmp_path)
    (tmp_path / ".venv").symlink_to(ENVIRONMENT)
    settings = {f"GIT_{who}_{what}": "viva@localhost" for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")} | {"GIT_PAGER": "cat"}
    typed("git init -q && git add -- *.ipynb .gitattributes && git commit -qm first", tmp_path,
          **settings)
    text = notebook.read_text()
    (tmp_path / notebook.name).write_text(text.replace("Run the last cell", "Run this cell"))
    for command in of(GIT):
        said = typed(command, tmp_path, **settings)
        if command == "git diff --no-textconv":
            assert '"Run this cell' in said
        elif command != of(GIT)[0]:
            assert "Run the last cell" in said and '"Run' not in said, command
            assert '"cell_type"' not in said, command


def test_the_environment_puts_the_programs_on_the_path(tmp_path):
    (tmp_path / ".venv").symlink_to(ENVIRONMENT)
    activate, version = of(SHELL)
    said = typed(f"{activate} && command -v viva nbgrader jupyter && {version}", tmp_path)
    *programs, python = said.splitlines()
    assert [Path(each).name for each in programs] == ["viva", "nbgrader", "jupyter"]
    assert re.fullmatch(r"Python 3\.\d+\.\d+", python)
