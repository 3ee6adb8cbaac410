"""`viva doctor --student`: whether the kit works here, and what to do if not.

A question to a TA begins with what this prints. The course's own `viva doctor` prints in this form.
"""

import json
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from viva import hosted
from viva.version import __version__

PYTHON = ("3.10", "3.14")  # from, and below
NEEDED = {  # library: (from, below or ""); the same bounds as the wheel's
    "numpy": ("1.26", "3"),
    "torch": ("2.4", "3"),
    "matplotlib": ("3.8", ""),
    "scikit-learn": ("1.5", ""),
    "safetensors": ("0.4", ""),
    "ipython": ("7.34", ""),
}
# Where pip's default is the CUDA build of torch, gigabytes of it.
CPU = " --index-url https://download.pytorch.org/whl/cpu" if sys.platform == "linux" else ""
STREAM = [2, 3, 5, 4, 4]  # the first digits of the generator below, with every numpy from 1.26 on
FREE_MB = 50  # a notebook with its figures and its log, many times over


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    what: str
    remedy: str = ""  # what to do; empty where all is well
    fatal: bool = True  # with a remedy: whether nothing works before it is done

    @property
    def sign(self) -> str:
        return "ok" if not self.remedy else "FAULT" if self.fatal else "note"


def show(findings: list[Finding], can: str, cannot: str) -> int:
    """Print findings, and a sentence in the end; 0 if none of them is fatal, else 1."""
    width = max(len(each.subject) for each in findings)
    for each in findings:
        print(f"{each.sign:<6}{each.subject:<{width}}  {each.what}")
        for line in each.remedy.splitlines():
            print(f"{'':<{width + 8}}{line}")
    faults = dict.fromkeys(each.subject for each in findings if each.sign == "FAULT")
    print(f"{cannot}: {', '.join(faults)}" if faults else can)
    return int(bool(faults))


def main() -> int:
    """Look at this machine as a student's; 0 if the kit works here."""
    found = [about_python(), *map(about_library, NEEDED)]
    if not any(each.sign == "FAULT" for each in found):
        found += [about_kit(), about_torch(), about_numbers(), about_folder()]
    found += [about_kernel()]
    return show(found, "The kit works here.", "The kit does not work here")


def about_python() -> Finding:
    """Whether this Python is one that the kit is made for."""
    version = ".".join(map(str, sys.version_info[:3]))
    what = f"{version} on {sys.platform}, {sys.executable}"
    if is_between(version, *PYTHON):
        return Finding("Python", what)
    return Finding("Python", what, f"The kit needs Python {PYTHON[0]} or newer, and below "
                   f"{PYTHON[1]}: delete the environment and make it again with such a Python.")


def about_library(name: str) -> Finding:
    """Whether a library is there, in a version that the kit works with."""
    oldest, below = NEEDED[name]
    bounds = f">={oldest}" + (f",<{below}" if below else "")
    remedy = typed(f'pip install "{name}{bounds}"' + (CPU if name == "torch" else ""))
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "not installed", remedy)
    if is_between(version, oldest, below):
        return Finding(name, version)
    fault = "too old" if numbers(version) < numbers(oldest) else "too new"
    return Finding(name, f"{version} is {fault}", remedy)


def typed(words: str) -> str:
    """A line to paste, with this Python by its path: what the terminal calls python may be another.

    The path from this folder on if it is below: that has no spaces. PowerShell wants a & before a
    program in quotes.
    """
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    called = f'"{python}"' if " " in str(python) else str(python)
    shell = "& " if called.startswith('"') and sys.platform == "win32" else ""
    return f"Run: {shell}{called} -m {words}"


def is_between(version: str, oldest: str, below: str) -> bool:
    """Whether oldest <= version < below, by the numbers between the dots; no below: no end."""
    number = numbers(version)
    return numbers(oldest) <= number and (not below or number < numbers(below))


def numbers(version: str) -> tuple[int, ...]:
    """(2, 13, 0) of "2.13.0+cpu"; what follows the numbers does not count."""
    return tuple(map(int, re.findall(r"^[\d.]*\d", version)[0].split(".")))


def about_kit() -> Finding:
    """Whether the kit is whole: it has expected outputs for every homework."""
    from viva import checking, tables

    names = tables.homeworks()
    missing = [name for name in names if not checking.path_of_expected(name).is_file()]
    where = Path(__file__).parent
    if missing:
        return Finding("kit", f"{__version__} in {where}, without {', '.join(missing)}",
                       "Install the bundle's kit again. In its folder:\n"
                       + typed(f"pip install --force-reinstall --no-deps viva_kit-{__version__}"
                               "-py3-none-any.whl"))
    return Finding("kit", f"{__version__} with {len(names)} homeworks, in {where}")


def about_torch() -> Finding:
    """Whether torch, once installed, can be loaded; on some systems it needs a library more."""
    try:
        import torch
    except (ImportError, OSError) as error:
        line = str(error).strip().splitlines()[0]
        remedy = "Install torch again, by the line for your system in the bundle's README."
        if sys.platform == "win32":
            remedy += " If that does not help, install Microsoft's Visual C++ redistributable."
        return Finding("torch loads", f"no: {line}", remedy)
    return Finding("torch loads", f"yes, on {torch.get_num_threads()} threads")


def about_numbers() -> Finding:
    """Whether random inputs are those that the grader draws."""
    from viva import case

    digits = case.generator("doctor").integers(0, 10, len(STREAM)).tolist()
    if digits == STREAM:
        return Finding("inputs", "random inputs are those of the grader")
    return Finding("inputs", f"numpy draws {digits} instead of {STREAM}",
                   "Install another version of numpy, and tell the course's staff.")


def about_kernel() -> Finding:
    """Whether Jupyter's kernel for Python is this Python, as far as Jupyter is here."""
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except Exception:  # no Jupyter here, or one without this kernel: nothing to compare
        return Finding("kernel", "no kernel of Jupyter's here", "Fine in VS Code. For JupyterLab:\n"
                       + typed("pip install jupyterlab"), fatal=False)
    if Path(program).name == program or _same(program, sys.executable):
        return Finding("kernel", "Jupyter's Python is this one")
    return Finding("kernel", f"Jupyter's Python is another one: {program}",
                   typed("ipykernel install --sys-prefix"), fatal=False)


def _same(one: str, other: str) -> bool:
    """Whether two programs are in one environment, whatever they are called (python, python3)."""
    return Path(one).absolute().parent == Path(other).absolute().parent


def about_folder() -> Finding:
    """Whether the log can be written, where it would be."""
    from viva import log

    folder = log.path().absolute().parent
    free = shutil.disk_usage(folder).free / 1e6
    service = f", in {hosted.NAME}" if hosted.is_colab() else ""
    try:
        with tempfile.TemporaryFile("w", dir=folder, encoding="utf-8") as file:
            json.dump({"umlauts": "äöü"}, file, ensure_ascii=False)
    except OSError as error:
        return Finding("folder", f"{folder} cannot be written ({error.strerror})",
                       "Copy the homework to a folder of your own and start from there.")
    return Finding("folder", f"{folder}{service}, {free:.0f} MB free",
                   "" if free > FREE_MB else "Make room: the log would not fit.")
