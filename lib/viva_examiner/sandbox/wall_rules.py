"""What the second wall lets through: lists, and what can be read off a text or a frame."""

import ast
import builtins
import keyword
import os
import re
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

# Libraries whose business is to run a text that they are given: each word of it stands in the test.
EVALUATORS = re.compile(
    r"(sympy\.parsing|numexpr|patsy|timeit|doctest|code|codeop|runpy|pdb|bdb|cProfile|profile|"
    r"trace|numpy\.testing|logging\.config|torch\.package)(\.|$)")
# These put it into a text of their own: no word of it came from the candidate.
TEMPLATES = re.compile(r"(jinja2|mako|IPython|tornado\.template)(\.|$)")
# And these let names stand, but call and look into nothing that the candidate named.
FORMULAS = re.compile(r"(sympy\.utilities|pandas\.core\.computation)(\.|$)")
MADE_NAMES = re.compile(r"\b(?:Symbol|Function) *\( *'\w+' *\)")  # sympy's, of a word it was given
# These look up what a text names, and call nothing: hints of types, signatures.
HINTS = re.compile(r"(typing|inspect)(\.|$)")
WORD = re.compile(r"[A-Za-z_]\w*")
ARITHMETIC = re.compile(r"(?!.*\*\*)[\d\s+\-*/%().,]*")  # numbers are run by no one
OF_THE_TEST = "__pd_eval_local_"  # what pandas calls a name of the test's (`@name`)
PICKLED = re.compile(  # what holds data and runs nothing
    r"numpy:(?:ndarray|dtype|matrix|recarray|record|void|str_|bytes_|bool_?|object_|"
    r"(?:u?int|float|complex|datetime|timedelta|longdouble|clongdouble)\w*)|"
    r"numpy\._?core\.(?:multiarray:(?:_reconstruct|scalar|_frombuffer)|numeric:_frombuffer)|"
    r"numpy\.dtypes:\w+DType|"
    r"torch:(?:Size|device|Tensor|\w+Storage|(?:u?int|b?float|complex)\d\w*|bool|strided|"
    r"(?:contiguous|preserve)_format|sparse_\w+)|torch\._utils:_rebuild_\w+|"
    r"torch\.storage:(?:\w+Storage|_load_from_bytes)|torch\.serialization:_get_layout|"
    r"torch\.nn\.parameter:\w*Parameter|torch\._tensor:_rebuild_from_type\w*|"
    r"collections:(?:OrderedDict|Counter|deque|defaultdict)|_codecs:encode|decimal:Decimal|"
    r"datetime:(?:date|datetime|time|timedelta|timezone|tzinfo)|"
    r"fractions:Fraction|builtins:(?:set|frozenset|complex|slice|range|bytearray|list|dict|tuple|"
    r"int|float|str|bytes|bool)")
UNSAFE = frozenset(name for name in vars(builtins) if callable(getattr(builtins, name))) - {
    "abs", "min", "max", "sum", "round", "pow", "int", "float", "complex", "len", "range", "list",
    "tuple", "set", "dict", "str", "bool", "sorted", "zip", "enumerate", "divmod", "all", "any"}
SPEAKS = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo",
          "socket.gethostbyname", "urllib.Request", "ftplib.connect", "smtplib.connect",
          "http.client.connect")
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn",
          "os.startfile")
PATHS = {"open": 1, "os.listdir": 1, "os.scandir": 1, "os.remove": 1, "os.rmdir": 1, "os.mkdir": 1,
         "os.rename": 2, "os.link": 2, "os.symlink": 2, "os.truncate": 1, "os.chmod": 1,
         "os.chown": 1, "os.utime": 1, "os.chdir": 1, "shutil.rmtree": 1, "shutil.move": 2,
         "shutil.copyfile": 2, "shutil.copytree": 2, "sqlite3.connect": 1}
CODE = ("marshal.loads", "marshal.load", "code.__new__")  # code that has no text
MEMORY = ("ctypes.string_at", "ctypes.wstring_at", "ctypes.cdata", "ctypes.PyObj_FromPtr")
OF_A_PROCESS = re.compile(r"/proc/[^/]+/(?:task/\d+/)?(?:environ|mem|fd|root|cwd|map_files)(?:/|$)")
RUN = (eval, exec, compile)
TOOLS = frozenset("os posixpath pathlib io shutil glob codecs fileinput gzip bz2 lzma".split())
# what everybody may read; the second half is where libraries look how many processors there are
PUBLIC = ("/dev/null", "/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo",
          "/proc/self/status", "/proc/self/statm", "/proc/thread-self/schedstat",
          "/proc/stat", "/proc/loadavg", "/proc/self/cgroup", "/sys/fs/cgroup/cpu.max",
          "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
          "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible")


def bare(text: str) -> str:
    return "".join(text.split())


def words_in(text: str) -> set[str]:
    return set(WORD.findall(text)) - set(keyword.kwlist)


def harmless_words() -> set[str]:
    """Names of sympy's that a formula may hold."""
    return set(vars(sys.modules.get("sympy", builtins))) - UNSAFE


def own_words(module: str) -> set[str]:
    """The words that an evaluator itself puts around the text that it is given."""
    if module == "timeit":
        return words_in(sys.modules[module].template) | {"_stmt", "_setup"}
    return harmless_words() if module.startswith("sympy.") else set()


def reaches(name: str) -> bool:
    """Whether a formula that calls or looks into this does more than count."""
    return name.startswith("_") or name in UNSAFE


def deeds_in(text: str) -> set[str]:
    """The names that a text calls, looks into, imports, or takes from a test; all if unreadable."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return words_in(text)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            found |= {part.id for part in ast.walk(node.func) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {part for name in node.names for part in name.name.split(".")}
        elif isinstance(node, ast.Name) and node.id.startswith(OF_THE_TEST):
            found.add(node.id.removeprefix(OF_THE_TEST))
    return found


def spelled_in(text: str) -> set[str]:
    """The calls and imports in a text, each as it is written there."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # it will not be run either
    lines = [line.encode() for line in text.split("\n")]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Call | ast.Import | ast.ImportFrom):
            last = node.end_lineno or node.lineno
            part = lines[node.lineno - 1:last]
            part[-1] = part[-1][:node.end_col_offset]
            part[0] = part[0][node.col_offset:]
            found.add(b"\n".join(part).decode(errors="replace"))
    return found


def does_more_than_name(text: str) -> bool:
    """Whether a hint of a type calls something, or looks behind an object."""
    try:
        nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(isinstance(node, ast.Call) or isinstance(node, ast.Attribute) and
               node.attr.startswith("_") for node in nodes)


# frames


def caller() -> Any:
    """The frame of Python that did what the wall was asked about."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (frame.f_globals.get("__name__") or "").startswith(
            "viva_examiner.sandbox.wall"):
        frame = frame.f_back
    return frame


def module_of(frame: Any) -> str:
    return frame.f_globals.get("__name__") or "" if frame is not None else ""


def outside(frame: Any, package: str) -> Any:
    """The first frame, from this one on, that is no code of that package."""
    while frame is not None and module_of(frame).partition(".")[0] == package:
        frame = frame.f_back
    return frame


def behind_tools(frame: Any) -> Any:
    """Who opens a file: whoever calls Python's own tools for files."""
    while module_of(frame).partition(".")[0] in TOOLS:
        frame = frame.f_back
    return frame


def evaluates(frame: Any) -> bool:
    """Whether code runs a text by itself. Else it calls a function that it was given: `eval`."""
    return frame is not None and any(
        name in ("eval", "exec", "compile") or frame.f_globals.get(name) in RUN
        for name in frame.f_code.co_names)


def imports_by_itself(frame: Any, name: str) -> bool:
    """Whether the code of a library names the module that it imports, or it is a part of it."""
    if frame is None:
        return False
    top, last = name.partition(".")[0], name.rpartition(".")[2]
    return module_of(frame).partition(".")[0] == top or last in _constants(frame.f_code)


def _constants(code: Any) -> set[str]:
    texts = [*code.co_names, *_flat(code.co_consts)]
    return {word for text in texts if isinstance(text, str) for word in text.split(".")}


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value


def is_of_a_traceback(frame: Any, path: Any) -> bool:
    """Whether a library reads the lines of code that is running, to tell where it stands."""
    if module_of(frame) not in ("linecache", "tokenize"):
        return False
    while frame is not None and frame.f_code.co_filename != path:
        frame = frame.f_back
    return frame is not None


# paths


def below(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def files_below(folder: str) -> Iterator[str]:
    """The files that a process which is started there could find."""
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names)


def path_of(value: Any) -> str:
    """The path that a call was given; "" if it was given none."""
    if not isinstance(value, str | bytes | os.PathLike):
        return ""
    path = os.fsdecode(value)
    return path.removeprefix("file:").partition("?")[0] if path.startswith("file:") else path


def words_of(part: Any) -> list[str]:
    if isinstance(part, str | bytes | os.PathLike):
        return [os.fsdecode(part)]
    return [word for each in part for word in words_of(each)] if isinstance(
        part, list | tuple) else []
