"""The texts of the student bundle."""
import sys
from dataclasses import dataclass
from pathlib import Path

from viva_examiner.limits import Limits

README = """\
# Viva {version}: your homework

You need Python 3.10, 3.11, 3.12 or 3.13 and about 2 GB of disk. `python3 --version` (Windows:
`py --version`) says which Python you have; python.org has installers. Without any of it, see "In
the browser" below.

## Once
Unpack the zip, open a terminal in the unpacked folder, and paste the lines for your system. The
second line installs the CPU build of torch, which is enough and small.

### Linux
```
python3 -m venv .venv
.venv/bin/python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
.venv/bin/python -m pip install -r requirements.txt
```
If the first line fails on Debian or Ubuntu: `sudo apt install python3-venv`, then again.

### macOS
```
python3 -m venv .venv
.venv/bin/python -m pip install torch
.venv/bin/python -m pip install -r requirements.txt
```
The `python3` that Apple's developer tools bring is too old: install a newer one. For a Mac with an
Intel processor there is no torch that is new enough: work in the browser.

### Windows
```
py -m venv .venv
.venv\\Scripts\\python -m pip install torch
.venv\\Scripts\\python -m pip install -r requirements.txt
```
Extract the zip (right click, Extract All) to a short path such as `C:\\viva`: torch has long file
names. With several Pythons, choose one in the first line: `py -3.13 -m venv .venv`.

### With conda instead, on any system
```
conda env create -f environment.yml
conda activate viva-student
```

### Did it work?
`.venv/bin/viva doctor --student` (Windows: `.venv\\Scripts\\viva doctor --student`; with conda:
`viva doctor --student`) says whether all is well, and what to do if not.

## Every day
In this folder: `.venv/bin/jupyter lab` on Linux and macOS, `.venv\\Scripts\\jupyter lab` on
Windows, `jupyter lab` with conda.

## In the browser, without installing anything
A notebook whose first code cell installs the kit runs in Google Colab as well; if yours has no such
cell, ask your course's staff. There: File, Upload notebook, and run it from the top. Colab forgets
your files when the session ends. To keep your progress, run
`from google.colab import drive; drive.mount("/content/drive")` before the cell with `begin`.
`submit()` lets your browser download the notebook and the log.

## The homeworks
{table}

## How to work
1. Open a notebook. Write your student id between the quotes of `begin(...)`, near its top, and run
   it from the first cell on.
2. Read the idea, then write the function below it: replace `raise NotImplementedError()`.
3. Run the `check(...)` cell. It says whether your function is right on the public cases; if not,
   it says what differs and where, and for usual mistakes why. It never takes points away.
4. Stuck? Hints are folded away below every exercise, from the idea to almost the answer.
5. Written questions: replace `YOUR ANSWER HERE` by your own words.
6. The last cell, `submit()`, lists what is missing and writes `submission_log.json`. Hand in the
   notebook and this log.

Hidden tests run after you hand in: they ask the same questions on other inputs, so a function that
is right in general passes them. Keep the cells you find in place, and the names of the functions;
add cells as you like. When it is graded, a cell may run for {seconds:g} seconds and use
{gigabytes:g} GB, without a network. You need not have the versions that grade; if you want to see
exactly what the grader sees, they are in `as_graded.txt`, for Python {python}. In a new
environment, on Linux:
```
.venv/bin/python -m pip install torch=={torch} --index-url https://download.pytorch.org/whl/cpu
.venv/bin/python -m pip install -r requirements.txt -c as_graded.txt
```

## If something does not work
- Anything: first the doctor, as above. Send what it says with your question.
- `No module named viva`: JupyterLab was not started from the environment above. Start it as under
  "Every day".
- `requires a different Python`, or no torch is found: your Python is too old or too new. Delete
  `.venv` and make it again with another one.
- `Nothing to see yet`: the cell needs a function that you have not written.
- The kernel hangs: Kernel, Restart; your progress is kept in `submission_log.json`.
"""

ENVIRONMENT = """\
# conda env create -f environment.yml && conda activate viva-student
name: viva-student
channels:
  - conda-forge
dependencies:
  - python={python}  # the version that grades; 3.10 to 3.13 work
  - pip
  - pip:
      - --extra-index-url https://download.pytorch.org/whl/cpu  # the small build of torch
      - --requirement requirements.txt
"""

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"  # of this machine, which grades


@dataclass(frozen=True)
class Homework:
    """What the bundle says of a homework, and the released folder that goes into it."""

    name: str
    title: str
    points: float
    folder: Path


def readme(homeworks: list[Homework], version: str, limits: Limits, pins: dict[str, str]) -> str:
    """The one page. pins: {package: version} of the machine that grades."""
    rows = ["| notebook | what it is about | points |", "|---|---|---|"]
    rows += [f"| `{each.name}/{each.name}.ipynb` | {each.title} | {each.points:g} |"
             for each in homeworks]
    return README.format(version=version, table="\n".join(rows), seconds=limits.cell_seconds,
                         gigabytes=limits.memory_mb / 1000, torch=pins["torch"], python=PYTHON)


def environment() -> str:
    """environment.yml for conda."""
    return ENVIRONMENT.format(python=PYTHON)


def requirements(wheel: str) -> str:
    """requirements.txt: the kit, which asks for what it needs in ranges, and where to work."""
    return f"./{wheel}\njupyterlab>=4\n"


def as_graded(pins: dict[str, str]) -> str:
    """as_graded.txt: the exact versions of the machine that grades, as pip's constraints."""
    return "".join(f"{name}=={version}\n" for name, version in pins.items())
