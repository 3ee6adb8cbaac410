"""What every way to keep a tenant of a cage apart must hold, a candidate and a judge alike; one
suite over all three.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

import prober
from autograder import DOCKER
from autograder import needs_root as needs_a_container
from viva_examiner.limits import Limits
from viva_examiner.sandbox.inside.ways import WAYS
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.isolation import NAMESPACES, NONE, OTHER_USER

LIGHT = ("numpy", "IPython", "viva")  # quick to start
SMALL = Limits(cell_seconds=2, question_seconds=2, submission_seconds=30, memory_mb=300, tmp_mb=16,
               file_mb=8, processes=20)
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
ISOLATED = [NAMESPACES, pytest.param(OTHER_USER, marks=needs_root)]


@pytest.fixture(scope="module")
def mothers():
    """One per way and kind of tenant, started when it is first asked for."""
    started = {}

    def of(way: str, tenant: str):
        if (way, tenant) not in started:
            started[way, tenant] = new_mother(way, tenant)
        return started[way, tenant]

    yield of
    for mother in started.values():
        mother.close()


def new_mother(way: str, tenant: str):
    if tenant == "candidate":
        return WarmInterpreter(LIGHT, SMALL, way=way)
    return prober.Judges(way, SMALL)


@pytest.fixture(params=[*ISOLATED, NONE])
def way(request) -> str:
    return request.param


@pytest.fixture(params=["candidate", "judge"])
def tenant(request) -> str:
    return request.param


@pytest.fixture
def interpreters(mothers, tenant):
    return lambda way: mothers(way, tenant)


@pytest.fixture
def session(interpreters, way):
    """A tenant of either kind."""
    with interpreters(way).fork("ada", {"data/table.txt": b"seven"}) as session:
        yield session


@pytest.fixture
def candidate(mothers, way):
    with mothers(way, "candidate").fork("ada", {"data/table.txt": b"seven"}) as session:
        yield session


def said(session, source: str) -> str:
    """What a cell prints."""
    result = session.run_cell(textwrap.dedent(source))
    assert result.error is None, result.error
    return "".join(o.get("text", "") for o in result.outputs).strip()


def test_there_is_no_fourth_way():
    assert set(WAYS) == {NAMESPACES, OTHER_USER, NONE}


def test_every_mark_can_tell_whether_it_was_isolated(session, way):
    assert session.isolated == (way != NONE)


def test_cells_run_and_functions_answer(candidate):
    assert said(candidate, "def f(x): return 2 * x\nprint(f(4))") == "8"
    assert candidate.resolve(["f"])["f"](21) == 42


def test_it_works_in_a_directory_of_its_own_with_its_files(candidate):
    assert said(candidate, "print(open('data/table.txt').read())") == "seven"
    assert said(candidate, "open('own.txt', 'w').write('x')\nimport os\nprint(os.listdir('.'))"
                ).count("own.txt") == 1


def test_the_next_candidate_finds_nothing_of_the_last(interpreters, way):
    with interpreters(way).fork() as first:
        place = said(first, """
            import os, pathlib
            pathlib.Path('left.txt').write_text('x')
            print(os.getcwd())
        """)
    with interpreters(way).fork() as second:
        assert said(second, "import os\nprint(os.path.exists('left.txt'))") == "False"
    assert not (Path(place) / "left.txt").exists()


def test_its_environment_is_ours_and_holds_no_secret(candidate):
    seen = said(candidate, "import os\nprint(os.environ.get('VIVA_STUDENT'), *os.environ)")
    assert seen.split()[0] == "ada" and "VIVA_SECRET" not in seen


def test_it_has_no_files_of_ours_open(session):
    """Python's own folder may be: where it lies in a folder that only root may enter."""
    found = said(session, """
        import os
        for number in os.listdir('/proc/self/fd'):
            try:
                print(number, os.readlink(f'/proc/self/fd/{number}'))
            except OSError:
                pass  # the listing itself
    """)
    files = dict(line.split(maxsplit=1) for line in found.splitlines())
    assert files.keys() >= {"0", "1", "2", "3"}
    others = {place for number, place in files.items() if int(number) > 3}
    assert others <= {os.path.realpath(sys.base_prefix), os.path.realpath(sys.prefix)}


def test_what_is_imported_late_is_found(session):
    """Wherever Python lies: below /root it must be opened before the rights are given up."""
    assert said(session, """
        import cProfile, statistics, wave, xml.dom.minidom, tempfile
        with tempfile.TemporaryFile() as file:
            print(statistics.mean([1, 3]))
    """) == "2"


@pytest.mark.parametrize("way", ISOLATED, indirect=True)
def test_nothing_else_is_reached_through_an_open_folder(session):
    """A folder that is open has a folder above it, and that has others."""
    home, python = Path.home(), Path(sys.base_prefix).resolve()
    above = "/".join([".."] * len(python.relative_to(home).parts)) if python.is_relative_to(
        home) else "../.."
    assert said(session, f"""
        import os
        for number in os.listdir('/proc/self/fd'):
            for place in ('..', '{above}', '{above}/.bashrc'):
                try:
                    path = f'/proc/self/fd/{{number}}/{{place}}'
                    found = os.listdir(path) if place[-1] == '.' else open(path).read()
                    print(path, bool(found) and int(number) > 3)
                except OSError:
                    pass
    """).count("True") == 0


def test_a_cell_without_end_is_stopped_and_the_notebook_goes_on(candidate):
    result = candidate.run_cell("while True: pass")
    assert result.timed_out and not result.died
    assert said(candidate, "print('here')") == "here"


def test_too_much_memory_fails_the_cell_alone(session):
    result = session.run_cell("x = bytearray(10**9)")
    assert result.error["ename"] == "MemoryError"
    assert said(session, "print('here')") == "here"


def test_memory_that_forks_share_counts_once(session):
    """A pool of workers that read what their parent has loaded."""
    assert said(session, """
        import os, time
        loaded = b"x" * (160 << 20)
        for _ in range(4):
            if os.fork() == 0:
                time.sleep(0.6)
                os._exit(loaded[-1] - ord("x"))
        print(sum(os.wait()[1] for _ in range(4)))
    """) == "0"


def test_small_helpers_are_not_taken_for_large_ones(session):
    """Each has few files open and room for 64; together these would be too many sockets."""
    assert said(session, """
        import os, time
        for _ in range(15):
            if os.fork() == 0:
                time.sleep(0.6)
                os._exit(0)
        print(sum(os.wait()[1] for _ in range(15)))
    """) == "0"


@pytest.mark.parametrize("hidden", ["memory", "memory that nobody may look at", "sockets"])
def test_memory_in_forks_ends_the_candidate(session, hidden):
    result = session.run_cell(textwrap.dedent(f"""
        import ctypes, os, socket, time
        for _ in range(12):
            if os.fork() == 0:
                if "look" in {hidden!r}:
                    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # not dumpable: closed to its own user
                if "sockets" in {hidden!r}:
                    kept = [socket.socketpair() for _ in range(110)]
                else:
                    kept = b"x" * (40 << 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(9)  # until it is seen: at once, or a little later on a busy machine
    """))
    assert result.died and "memory" in session.dead, (session.dead, result.error)


LIMIT = """
import resource
before = soft, hard = resource.getrlimit(resource.RLIMIT_AS)
for wanted in ((hard - 2**20, hard), before, (hard + 2**20, hard + 2**20)):
    try:
        resource.setrlimit(resource.RLIMIT_AS, wanted)
        print("set", end=" ")
    except (OSError, ValueError):
        print("refused", end=" ")
"""


@pytest.mark.parametrize("way", ISOLATED, indirect=True)
def test_a_judge_gives_itself_less_memory_and_a_candidate_touches_no_limit(session, tenant):
    """A limit for one question is set on a candidate from outside; known mistakes run in a judge,
    which sets their limit itself, and never a higher one than its own."""
    words = {"judge": "set set refused", "candidate": "refused refused refused"}
    assert said(session, LIMIT) == words[tenant]


def test_one_file_cannot_fill_the_disk(session):
    result = session.run_cell("open('large', 'wb').write(bytes(20 << 20))")
    assert result.error["ename"] == "OSError"


def test_how_it_ended_is_told(session):
    result = session.run_cell("import os\nos._exit(3)")
    assert result.died and session.dead == "left with exit code 3"


def test_everything_it_started_ends_with_it(interpreters, way):
    word = f"viva-conformance-{os.getpid()}"
    with interpreters(way).fork() as session:
        said(session, f"""
            import subprocess
            for _ in range(3):
                subprocess.Popen(["sh", "-c", "sleep 600; echo {word}"], start_new_session=True)
        """)
        assert running(word)
    deadline = time.monotonic() + 10
    while running(word) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not running(word)


@pytest.mark.parametrize("way", ISOLATED, indirect=True)
def test_the_end_of_one_is_not_the_end_of_a_neighbour(session, way, tenant):
    """Another examiner on this machine, whose candidate leaves something to be killed."""
    with new_mother(way, tenant) as neighbour, neighbour.fork() as other:
        said(other, "import subprocess\nleft = subprocess.Popen(['sleep', '600'])")
    assert said(session, "print('still here')") == "still here"


def running(word: str) -> list[str]:
    """The processes of this machine whose command line holds a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("way", ISOLATED, indirect=True)
class TestIsolated:
    """What holds as soon as a submission may be hostile."""

    def test_it_can_take_no_right_back(self, session):
        assert said(session, """
            import os
            won = 0
            for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.nice(-5),
                            lambda: os.chroot('/tmp')):
                try:
                    attempt()
                    won += 1
                except OSError:
                    pass
            print(won)
        """) == "0"

    def test_no_network(self, session):
        assert said(session, """
            import socket
            reached = 0
            for family, place in ((socket.AF_INET, ("127.0.0.1", 22)),
                                  (socket.AF_UNIX, "/run/systemd/journal/socket")):
                try:
                    socket.socket(family).connect(place)
                    reached += 1
                except OSError:
                    pass
            print(reached)
        """) == "0"

    def test_nothing_of_it_is_root(self, session):
        assert "0" not in said(session, """
            import os
            print(*os.getresuid(), *os.getresgid(), *os.getgroups())
        """).split() or os.geteuid() != 0
        assert said(session, "print(open('/proc/self/status').read())").count(
            "CapEff:\t0000000000000000") == 1

    def test_what_only_staff_may_read_stays_unread(self, session, tmp_path):
        exam = tmp_path / "exam.py"
        exam.write_text("answers")
        tmp_path.chmod(0o700)
        exam.chmod(0o600)
        assert said(session, f"""
            try:
                print(open({str(exam)!r}).read())
            except OSError:
                print("closed")
        """) == "closed"

    def test_processes_are_counted(self, session):
        assert said(session, """
            import threading, time
            made = 0
            try:
                while made < 200:
                    threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
                    made += 1
            except RuntimeError:
                print("stopped")
        """) == "stopped"


@pytest.mark.parametrize("way", ISOLATED, indirect=True)
def test_a_judge_sees_the_library_and_nothing_else_of_the_course(way, monkeypatch, request):
    """The course's folder is hidden, the library inside it is not, and nothing can be written."""
    tmp_path = Path(tempfile.mkdtemp())
    request.addfinalizer(lambda: shutil.rmtree(tmp_path))
    library = tmp_path / "lib" / "exam_of_ours"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("ANSWER = 42\n")
    (tmp_path / "gradebook.db").write_text("marks")
    tmp_path.chmod(0o755)
    monkeypatch.syspath_prepend(str(library.parent))
    tried = f"""
        import os
        import exam_of_ours
        print(exam_of_ours.ANSWER)
        for path, mode in (({str(tmp_path / "gradebook.db")!r}, "a"),
                           (exam_of_ours.__file__, "a"), ("/etc/shadow", "r")):
            try:
                open(path, mode)
                print("opened", path)
            except OSError:
                pass
    """
    with prober.Judges(way, SMALL, hide=(str(tmp_path),)) as judges, judges.fork() as judge:
        assert said(judge, tried) == "42"


@needs_a_container
def test_the_same_with_no_more_rights_than_a_container_gives():
    """Docker's root may become another user, but not look into that user's processes."""
    suite = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    asked = OTHER_USER.replace(" ", " and ")
    ran = subprocess.run(["setpriv", "--bounding-set", DOCKER, *suite, "-k", asked],
                         capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:]
