"""The kit on Windows and macOS, as far as Linux can show: no call that only Linux has, paths with
spaces and umlauts, CRLF, files in UTF-8 whatever the system's own encoding."""

import ast
import json
from pathlib import Path

import matplotlib.pyplot as plt

import viva
from repository import ROOT
from viva import desk, log, written
from viva.sources import forbidden_routine

KIT = Path(viva.__file__).parent
# What os, signal and time have only on Unix, from the library's own documentation; and its modules.
UNIX_MODULES = {"crypt", "curses", "fcntl", "grp", "nis", "ossaudiodev", "posix", "pty", "pwd",
                "readline", "resource", "spwd", "syslog", "termios", "tty"}
UNIX_CALLS = {
    "os": {"chown", "chroot", "confstr", "fchmod", "fchown", "fork", "forkpty", "getegid",
           "geteuid", "getgid", "getgroups", "getloadavg", "getpgid", "getpgrp", "getpriority",
           "getuid", "killpg", "lchown", "mkfifo", "mknod", "nice", "openpty", "pidfd_open",
           "pipe2", "posix_fadvise", "posix_fallocate", "posix_spawn", "sched_getaffinity",
           "sched_setaffinity", "sched_yield", "sendfile", "setgid", "setpriority", "setsid",
           "setuid", "sync", "sysconf", "tcsetpgrp", "uname", "wait", "wait3", "wait4", "WNOHANG",
           "memfd_create", "eventfd", "splice", "unshare", "setns"},
    "signal": {"SIGALRM", "SIGKILL", "SIGUSR1", "SIGUSR2", "alarm", "pause", "pthread_kill",
               "pthread_sigmask", "setitimer", "sigwait"},
    "time": {"tzset", "clock_gettime", "pthread_getcpuclockid"},
}
LINUX_PATHS = ("/proc", "/sys", "/dev/", "/etc/", "/tmp")


def used(tree: ast.AST) -> set[str]:
    """Unix-only modules, calls and paths that a module uses."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & UNIX_MODULES
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module} & UNIX_MODULES
            found |= {alias.name for alias in node.names} & UNIX_CALLS.get(node.module, set())
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in UNIX_CALLS.get(node.value.id, ()):
                found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith(LINUX_PATHS) and "\n" not in node.value:
                found.add(node.value)
    return found


def opened_without_encoding(tree: ast.AST) -> list[int]:
    """Lines that read or write text in whatever encoding the system prefers."""
    lines = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if ast.unparse(node.func) == "os.open":  # bytes, always
            continue
        words = {keyword.arg for keyword in node.keywords}
        mode = [each.value for each in node.args if isinstance(each, ast.Constant)]
        binary = any(isinstance(each, str) and "b" in each for each in mode)
        if name in ("read_text", "write_text", "open") and "encoding" not in words and not binary:
            lines.append(node.lineno)
    return lines


def test_no_call_that_only_linux_has():
    for path in sorted(KIT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert used(tree) == set(), path
        assert opened_without_encoding(tree) == [], f"{path}: say encoding='utf-8'"


def test_the_reader_of_calls_finds_them():
    """The test above can fail."""
    bad = ("import fcntl\nfrom os import fork\nimport os\nos.geteuid()\n"
           "open('/proc/self/maps')\nopen(x, 'rb')\nopen(x, encoding='utf-8')\n")
    assert used(ast.parse(bad)) == {"fcntl", "fork", "os.geteuid", "/proc/self/maps"}
    assert opened_without_encoding(ast.parse(bad)) == [5]


def test_a_folder_with_spaces_and_umlauts(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "Jörgs Übungen, Woche 3"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("NBGRADER_EXECUTION", "VIVA_STUDENT", "JUPYTERHUB_USER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(desk, "_now", {"homework": "", "student": ""})
    with plt.rc_context():
        viva.begin("purification", student="Jörg Müller")
    viva.submit()
    assert str(folder / log.LOG_NAME) in capsys.readouterr().out
    stored = json.loads((folder / log.LOG_NAME).read_text(encoding="utf-8"))
    assert stored["student"] == "Jörg Müller"


def test_crlf_in_a_notebook_and_in_a_log(tmp_path, monkeypatch):
    """What Windows editors and git leave at line ends changes nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    released = (ROOT / "release/purification/purification.ipynb").read_bytes()
    Path("purification.ipynb").write_bytes(released)
    plain = written.graded_cells("purification")
    Path("purification.ipynb").write_bytes(released.replace(b"\n", b"\r\n"))
    assert written.graded_cells("purification") == plain != {}
    log.write(log.read("purification", "ada") | {"exercises": {"f": {"status": "passed"}}})
    text = Path(log.LOG_NAME).read_bytes().replace(b",", b",\r\n")
    Path(log.LOG_NAME).write_bytes(text)
    assert log.read("purification", "ada")["exercises"] == {"f": {"status": "passed"}}


def test_a_cell_with_crlf_is_the_same_source():
    """A function whose cell has CRLF is checked for forbidden routines like any other."""
    source = "def f(x):\r\n    y = np.linalg.\\\r\n        pinv(x)\r\n    return y\r\n"
    assert forbidden_routine((), ["numpy.linalg.pinv"], [source]) == "np.linalg.pinv"
