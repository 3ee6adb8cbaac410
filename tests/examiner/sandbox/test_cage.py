"""The cage: what a candidate can see, do and use, as root and as an ordinary user."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from repository import ROOT
from viva_examiner.limits import Limits
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.inside import seccomp
from viva_examiner.sandbox.interpreter import WarmInterpreter

LIGHT = ("numpy", "IPython", "viva")  # quick to start
SMALL = Limits(cell_seconds=20, memory_mb=300, tmp_mb=16, file_mb=8, processes=20)


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(LIGHT, SMALL) as warm:
        yield warm


@pytest.fixture
def session(warm):
    with warm.fork() as session:
        yield session


def said(session, source) -> list[str]:
    """The words a cell prints."""
    result = session.run_cell(textwrap.dedent(source))
    assert result.error is None, result.error
    return "".join(o.get("text", "") for o in result.outputs).split()


# A course may be installed in /home: then the way to it is there, and nothing beside that way.
WALK_HOME = """
import os
shown = {}
def is_of(folder, other):
    return (folder + "/").startswith(other.rstrip("/") + "/")
for folder, below, files in os.walk("/home"):
    if any(is_of(folder, each) for each in shown):
        below.clear()
    else:
        print(*files, *[name for name in below
                        if not any(is_of(each, folder + "/" + name) for each in shown)])
"""


def test_this_machine_can_isolate(warm):
    assert isolation.why_not() is None
    assert warm.isolated


def test_where_it_cannot_it_says_how_to_fix_it():
    source = """
        from viva_examiner.sandbox.inside import linux, seccomp
        from viva_examiner.sandbox import isolation
        from viva_examiner.sandbox.interpreter import WarmInterpreter
        from viva_examiner.sandbox.errors import EngineError
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        # From here on this machine refuses namespaces; limits it must still set to its candidate.
        seccomp.install(held_limits=())
        print(isolation.why_not())
        try:
            WarmInterpreter(("numpy", "IPython", "viva"))
        except EngineError as error:
            print("refused:", error)
        with WarmInterpreter(("numpy", "IPython", "viva"), way=isolation.NONE) as warm:
            with warm.fork() as session:
                print("isolated:", session.isolated, session.run_cell("1").error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], text=True,
                          capture_output=True, timeout=120)
    why, _, refused = done.stdout.partition("refused:")
    assert all("Operation not permitted" in words and "sysctl" in words for words in (why, refused))
    assert done.stdout.endswith("isolated: False None\n")


def test_nothing_of_the_course_or_the_host_is_there(session):
    secret = Path("/tmp") / f"viva-test-secret-{os.getpid()}"
    secret.write_text("x")
    hidden = ("source", "lib/viva_course", "tests", "gradebook.db", ".git",
              "lib/viva_examiner/examination", "lib/viva_examiner/sandbox/bridge")
    assert (ROOT / hidden[-1]).is_dir()
    places = [ROOT / name for name in hidden]
    places += [secret, Path("/var"), Path("/root/.bashrc"), Path("/etc/shadow"), Path("/mnt"),
               Path("/run")]
    try:
        assert said(session, WALK_HOME.format([str(ROOT), sys.prefix, sys.base_prefix])) == []
        seen = said(session, f"import os\nprint(*[p for p in {list(map(str, places))} "
                             "if os.path.exists(p)])")
        assert seen == []
        assert said(session, f"print(sorted(os.listdir({str(ROOT)!r})))") == ["['.venv',", "'lib']"]
        lib = said(session, f"print(*sorted(os.listdir({str(ROOT / 'lib')!r})))")
        assert lib == ["viva", "viva_examiner"]
        for folder, below in (("lib/viva_examiner", "sandbox"),
                              ("lib/viva_examiner/sandbox", "inside")):
            assert said(session, f"print(*sorted(os.listdir({str(ROOT / folder)!r})))") == [
                "__init__.py", below]
    finally:
        secret.unlink()


def test_staff_packages_installed_beside_the_kit_are_masked(tmp_path, monkeypatch):
    site = tmp_path / "site"
    for name in ("viva_course", "viva_course-1.0.dist-info", "harmless"):
        (site / name).mkdir(parents=True)
    (site / "__editable__.viva_course-1.0.pth").write_text("x")
    monkeypatch.setattr(isolation.sysconfig, "get_path", lambda name: str(site))
    monkeypatch.setattr(isolation.sys, "prefix", str(tmp_path))
    masks = isolation.plan("/stage", LIGHT)["masks"]
    assert {Path(mask).name for mask in masks} == {
        "viva_course", "viva_course-1.0.dist-info", "__editable__.viva_course-1.0.pth"}


def test_hidden_paths_inside_a_shown_folder_are_masked():
    hidden = Path(sys.base_prefix) / "include"
    with WarmInterpreter(LIGHT, hide=(hidden,)) as warm, warm.fork() as session:
        assert said(session, f"import os\nprint(os.listdir({str(hidden)!r}))") == ["[]"]


def test_around_the_interpreter_a_hidden_course_is_masked_part_by_part(tmp_path):
    for name in ("course/.venv/lib", "course/source", "course/lib/kit", "course/lib/exam"):
        (tmp_path / name).mkdir(parents=True)
    needed = [str(tmp_path / "course/.venv"), str(tmp_path / "course/lib/kit")]
    assert isolation._around(tmp_path / "course", needed) == [
        str(tmp_path / "course" / name) for name in ("lib/exam", "source")]
    source = tmp_path / "course/source"
    assert isolation._around(source, needed) == [str(source)]


def test_the_file_system_is_read_only(session):
    tried = ["/x", "/usr/x", "/etc/passwd", f"{sys.prefix}/x", f"{sys.base_prefix}/x", "/dev/x",
             str(ROOT / "lib/viva/case.py"), str(ROOT / "x"), "/proc/sys/kernel/hostname"]
    source = f"""
        for path in {tried}:
            try:
                open(path, 'a')
                print('wrote', path)
            except OSError:
                pass
        open('here', 'w').close(); open('/tmp/there', 'w').close(); open('/dev/shm/s', 'w').close()
        print(__import__('os').getcwd())
    """
    assert said(session, source) == ["/tmp/submission"]


def test_no_rights_are_left(session):
    source = """
        import os
        for row in open('/proc/self/status'):
            if row.startswith(('Cap', 'NoNewPrivs', 'Seccomp:')): print(row.replace(chr(9), ''))
        print(os.getuid(), os.getpid(), os.getgroups())
    """
    words = said(session, source)
    assert all(word.endswith("0" * 16) for word in words if word.startswith("Cap"))
    assert "NoNewPrivs:1" in words and "Seccomp:2" in words
    assert words[-3] != "0" and words[-2] == "1"


def test_only_its_own_descriptors_and_environment(session):
    source = """
        import os
        print(*sorted(int(n) for n in os.listdir('/proc/self/fd') if n != '4'), 'fds')
        print(*sorted(os.environ))
    """
    words = said(session, source)
    assert words[:5] == ["0", "1", "2", "3", "fds"]
    assert set(words[5:]) <= {
        "HOME", "LANG", "MKL_NUM_THREADS", "MPLBACKEND", "MPLCONFIGDIR", "NBGRADER_EXECUTION",
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PYTHONHASHSEED", "TMPDIR",
        "VIVA_STUDENT", "LC_CTYPE"}


def test_only_its_own_processes(session):
    assert said(session, "import os\nprint([n for n in os.listdir('/proc') if n.isdigit()])"
                ) == ["['1']"]


def test_no_network_not_even_loopback(session):
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as abstract:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        abstract.bind("\0viva-test-abstract")
        abstract.listen()
        source = f"""
            import socket
            for family, address in ((socket.AF_INET, {tcp.getsockname()!r}),
                                    (socket.AF_UNIX, chr(0) + 'viva-test-abstract')):
                try:
                    socket.socket(family).connect(address)
                    print('connected')
                except OSError:
                    print('refused')
            try: socket.socket(socket.AF_NETLINK)
            except PermissionError: print('denied')
            print([name for _, name in socket.if_nameindex()] if False else 'end')
        """
        assert said(session, source) == ["refused", "refused", "denied", "end"]


def test_filtered_calls_are_refused(session):
    names = ["ptrace", "unshare", "mount", "bpf", "keyctl", "userfaultfd", "io_uring_setup",
             "open_by_handle_at", "perf_event_open", "memfd_create", "shmget", "setns", "chroot"]
    column = list(seccomp.ARCHITECTURES).index(os.uname().machine)
    numbers = [seccomp.DENIED[name][column] for name in names]
    source = f"""
        import ctypes, errno
        libc = ctypes.CDLL(None, use_errno=True)
        for number in {numbers}:
            libc.syscall(number, 0, 0, 0, 0, 0)
            print(errno.errorcode[ctypes.get_errno()])
        libc.syscall({seccomp.CLONE[os.uname().machine]}, 0x10000000 | 17, 0, 0, 0, 0)
        print(errno.errorcode[ctypes.get_errno()])
    """
    assert said(session, source) == ["EPERM"] * (len(numbers) + 1)


def test_threads_and_processes_still_work(session):
    source = """
        import threading, subprocess, multiprocessing
        t = threading.Thread(target=lambda: print('thread')); t.start(); t.join()
        with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(abs, [-1]))
        print(subprocess.run(['sh', '-c', 'echo child'], capture_output=True, text=True).stdout)
    """
    assert said(session, source) == ["thread", "[1]", "child"]


def test_memory_is_limited_and_only_the_cell_fails(session):
    assert session.run_cell("x = bytearray(1 << 30)").error["ename"] == "MemoryError"
    assert session.run_cell("x = bytearray(1 << 20)").error is None


def test_memory_of_all_processes_together_is_watched(session):
    source = """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                x = bytearray(b'1') * (150 << 20)
                time.sleep(20)
        time.sleep(20)
    """
    result = session.run_cell(textwrap.dedent(source))
    assert result.died and "memory" in session.incidents[0].text and result.seconds < 15


def test_memory_shared_with_forks_counts_once(session):
    source = """
        import os, time
        block = bytearray(b'1') * (150 << 20)
        for _ in range(5):
            if os.fork() == 0:
                time.sleep(1)
                os._exit(0)
        time.sleep(1)
    """
    assert not session.run_cell(textwrap.dedent(source)).died


def test_disk_files_and_descriptors_are_limited(session):
    source = """
        import os
        try:
            with open('big', 'wb') as f:
                for _ in range(20): f.write(bytes(1 << 20))
        except OSError as e: print(e.strerror)
        os.remove('big')
        try:
            for i in range(4):
                with open(f'part{i}', 'wb') as f: f.write(bytes(6 << 20))
        except OSError as e: print(e.strerror)
        try:
            kept = [open(os.devnull) for _ in range(1000)]
        except OSError as e: print(e.strerror)
    """
    assert " ".join(said(session, source)) == (
        "File too large No space left on device Too many open files")


def test_processes_are_limited_and_all_of_them_end(warm):
    with warm.fork() as session:
        source = """
            import os, time
            made = 0
            try:
                for _ in range(200):
                    if os.fork() == 0:
                        os.setsid()
                        time.sleep(100)
                    made += 1
            except OSError: pass
        """
        assert session.run_cell(textwrap.dedent(source)).error is None
        assert 5 < session.resolve(["made"])["made"] < SMALL.processes
        assert len(processes_of(warm)) > 5
    assert processes_of(warm) == []
    with warm.fork() as session:
        assert session.run_cell("1").error is None


def processes_of(warm) -> list[int]:
    """Descendants of the warm interpreter, as the host sees them."""
    def children(pid):
        try:
            return [int(n) for n in
                    Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except FileNotFoundError:
            return []

    (interpreter,) = children(warm.process.pid)
    found, queue = [], [interpreter]
    while queue:
        born = children(queue.pop())
        found += born
        queue += born
    return found


def test_signals_inside_reach_nobody_outside(session):
    source = """
        import os, signal
        for pid in (-1, 0, *range(2, 400)):
            try: os.kill(pid, signal.SIGKILL)
            except OSError: pass
        os.kill(1, signal.SIGSTOP); os.kill(1, signal.SIGKILL)
        print('alive')
    """
    assert said(session, source) == ["alive"]


def test_a_stopped_candidate_is_ended(warm):
    with warm.fork() as session:
        os.kill(session.pid, signal.SIGSTOP)
        result = session.run_cell("1", seconds=0.2)
        assert result.died
    with warm.fork() as session:
        assert session.run_cell("1").error is None


def test_closing_the_warm_interpreter_ends_everything():
    warm = WarmInterpreter(LIGHT)
    session = warm.fork()
    pid = session.pid
    warm.process.kill()
    warm.process.wait()
    for _ in range(1200):  # a minute, on a busy machine
        if not Path(f"/proc/{pid}").exists():
            break
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(EngineError):
        session.close()
    warm.close()


def test_a_failing_cage_is_the_engines_failure(monkeypatch):
    with WarmInterpreter(LIGHT) as warm, pytest.raises(EngineError, match="no candidate"):
        warm.fork(limits=Limits(tmp_mb=-5))


AS_USER = """
import os, sys
sys.path.insert(0, {lib!r})
from viva_examiner.sandbox.inside import linux
linux.unshare(linux.CLONE_NEWNS)
linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
shut = [p for p in {parents} if not os.stat(p).st_mode & 1]
if shut:  # a folder only root may enter lies above the interpreter: show the interpreter alone
    keep = os.open({base!r}, os.O_PATH)
    linux.mount("tmpfs", shut[0], "tmpfs", 0, "mode=755")
    os.makedirs({base!r})
    linux.mount(f"/proc/self/fd/{{keep}}", {base!r}, None, linux.MS_BIND | linux.MS_REC)
os.setgroups([]); os.setresgid(12345, 12345, 12345); os.setresuid(12345, 12345, 12345)
os.environ["HOME"] = "/tmp"
os.execv(sys.executable, [sys.executable, "-c", {source!r}])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests ran as an ordinary user already")
def test_as_an_ordinary_user():
    source = """
        import os
        from viva_examiner.sandbox import isolation
        from viva_examiner.sandbox.interpreter import WarmInterpreter
        print(os.getuid(), isolation.why_not())
        with WarmInterpreter(("numpy", "IPython", "viva")) as warm:
            with warm.fork() as session:
                result = session.run_cell("import os\\nprint(os.getuid(), os.getpid(), "
                                          "os.listdir('/proc/1/fd'))\\ndef f(x): return x")
                print(result.outputs[0]["text"].strip())
                f = session.resolve(["f"])["f"]
                open(f"/proc/{f.__viva_pid__}/clear_refs", "w").write("5")
                print("VmHWM" in open(f"/proc/{f.__viva_pid__}/status").read(), f(3))
                killed = session.run_cell("import signal; signal.signal(2, signal.SIG_IGN)\\n"
                                          "while True: pass", 0.2)
                print(killed.died)
            with warm.fork() as session:
                print(session.run_cell("open('/etc/x', 'w')").error["ename"])
    """
    base = sys.base_prefix
    code = AS_USER.format(lib=str(ROOT / "lib"), base=base, source=textwrap.dedent(source),
                          parents=[str(p) for p in reversed(Path(base).parents)])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    rows = done.stdout.splitlines()
    assert rows[0] == "12345 None", done
    assert rows[1].startswith("12345 1 ["), done
    assert rows[2:] == ["True 3", "True", "OSError"], done


def test_a_course_below_tmp_is_shown_there_and_cannot_be_written(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)  # pytest makes it for its owner alone
    (tmp_path / "kit.txt").write_text("public")
    (tmp_path.parent / "answers.txt").write_text("secret")
    monkeypatch.setattr(isolation, "SYSTEM", (*isolation.SYSTEM, str(tmp_path)))
    with WarmInterpreter(LIGHT, SMALL) as warm, warm.fork() as session:
        assert said(session, f"print(open('{tmp_path}/kit.txt').read())") == ["public"]
        assert said(session, f"import os\nprint(*os.listdir('{tmp_path.parent}'))") == [
            tmp_path.name]
        assert said(session, f"""
            for path in ("{tmp_path}/kit.txt", "{tmp_path}/new", "{tmp_path.parent}/new"):
                try:
                    open(path, "w")
                    print("written")
                except OSError:
                    print("refused")
            open("/tmp/mine", "w").write("x")""") == ["refused"] * 3
