"""The texts of the student bundle."""

README = """\
# Viva {version}: your homework

You need Python 3.10, 3.11, 3.12 or 3.13 and about 2 GB of disk.

## Once
In a terminal, in this folder. The second line installs the CPU build of torch, which is enough and
small. It takes two to four minutes beside the download.

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
For a Mac with an Intel processor there is no torch that is new enough: work in the browser.

### Windows
```
py -m venv .venv
.venv\\Scripts\\python -m pip install torch
.venv\\Scripts\\python -m pip install -r requirements.txt
```

### With conda instead, on any system
```
conda env create -f environment.yml
conda activate viva-student
```

`.venv/bin/viva doctor --student` (Windows: `.venv\\Scripts\\viva doctor --student`) says whether
all is well, and what to do if not. `as_graded.txt` has the versions that grade, for Python 3.11;
you need them only if you want to see exactly what the grader sees:
`.venv/bin/python -m pip install -r requirements.txt -c as_graded.txt`.

## Every day
`.venv/bin/jupyter lab` on Linux and macOS, `.venv\\Scripts\\jupyter lab` on Windows, `jupyter lab`
with conda.

## The homeworks
{table}

## How to work
1. Open a notebook and run it from the top. Put your student id into `begin(...)` in its first cell.
2. Read the idea, then write the function below it: replace `raise NotImplementedError()`.
3. Run the `check(...)` cell. It says whether your function is right on the public cases; if not,
   it says what differs and where, and for usual mistakes why. It never takes points away.
4. Stuck? Two hints are folded away below every exercise.
5. Written questions: replace `YOUR ANSWER HERE` by your own words.
6. The last cell, `submit()`, lists what is missing and writes `submission_log.json`. Hand in the
   notebook and this log.

Hidden tests run after you hand in: they ask the same questions on other inputs, so a function that
is right in general passes them. Keep the cells you find in place, and the names of the functions;
add cells as you like. When it is graded, a cell may run for {seconds:g} seconds and use
{gigabytes:g} GB, without a network.

## If something does not work
- Anything: first `viva doctor --student`, as above. Send what it says with your question.
- `No module named viva`: JupyterLab was not started from the environment above.
- `Nothing to see yet`: the cell needs a function that you have not written.
- The kernel hangs: Kernel, Restart; your progress is kept in `submission_log.json`.
"""

ENVIRONMENT = """\
# conda env create -f environment.yml && conda activate viva-student
name: viva-student
channels:
  - conda-forge
dependencies:
  - python=3.11  # the version that grades; 3.10 to 3.13 work
  - pip
  - pip:
      - --requirement requirements.txt
"""


def readme(homeworks, version, limits):
    """The one page. homeworks: dicts with name, title, points; limits: the examiner's settings."""
    rows = ["| notebook | what it is about | points |", "|---|---|---|"]
    rows += [f"| `{h['name']}/{h['name']}.ipynb` | {h['title']} | {h['points']:g} |"
             for h in homeworks]
    return README.format(version=version, table="\n".join(rows), seconds=limits.cell_seconds,
                         gigabytes=limits.memory_mb / 1000)


def environment():
    """environment.yml for conda."""
    return ENVIRONMENT


def requirements(wheel):
    """requirements.txt: the kit, which asks for what it needs in ranges, and where to work."""
    return f"./{wheel}\njupyterlab>=4\n"


def as_graded(pins):
    """as_graded.txt: the exact versions of the machine that grades, as pip's constraints."""
    return "".join(f"{name}=={version}\n" for name, version in pins.items())
