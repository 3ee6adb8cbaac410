"""The texts of the student bundle."""

README = """\
# Viva {version}: your homework

You need Python 3.11 and about 2 GB of disk. From this folder, once:

```
python3.11 -m venv .venv
.venv/bin/python -m pip install -r requirements.txt
```
On Windows: `py -3.11 -m venv .venv`, then `.venv\\Scripts\\python -m pip ...` and
`.venv\\Scripts\\jupyter lab`. With conda instead: `conda env create -f environment.yml` and
`conda activate viva-student`. On Linux, pip takes the large CUDA build of torch by default; the CPU
build is enough: before the second line, install the torch of `requirements.txt` with the pip line
that pytorch.org shows for Linux and CPU. This takes two to four minutes beside the download.

Then, every day:

```
.venv/bin/jupyter lab
```

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
  - python=3.11
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
    """environment.yml for conda; the versions stand in requirements.txt."""
    return ENVIRONMENT


def requirements(pins, wheel):
    """requirements.txt: exact versions of what the notebooks import, and the kit beside it."""
    return "".join(f"{name}=={version}\n" for name, version in pins.items()) + f"./{wheel}\n"
