"""One submission of nbgrader's quickstart course: what it costs in stock nbgrader and here.

    python bench/quickstart.py [--times 5]

The instructor's own solution is handed in and graded by `nbgrader autograde` as it comes, by
`nbgrader autograde` with the examiner's steps, and by `viva autograde`, in turns. Processor time
(user and system) is that of all processes, as a control group counts it: the fork server's children
are nobody's who waits for them. So it needs the right to make one (root).
"""

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from viva_examiner.adopt.comparison_text import LINES

PLACES = ((Path("/sys/fs/cgroup/cpuacct"), "tasks"), (Path("/sys/fs/cgroup"), "cgroup.procs"))
WAYS = (("stock nbgrader", "stock", "nbgrader"), ("nbgrader with the examiner", "ours", "nbgrader"),
        ("viva autograde", "ours", "viva"))


@contextlib.contextmanager
def group():
    """(file that takes a process in, function that tells the seconds used) of a control group."""
    for root, members in PLACES:
        folder = root / f"viva-bench-{os.getpid()}"
        with contextlib.suppress(OSError):
            folder.mkdir()
            try:
                yield folder / members, lambda: seconds_of(folder)
            finally:
                folder.rmdir()
            return
    sys.exit("bench/quickstart.py: no control group can be made here; run it as root")


def seconds_of(folder: Path) -> float:
    if (usage := folder / "cpuacct.usage").exists():
        return int(usage.read_text()) / 1e9
    return int((folder / "cpu.stat").read_text().split()[1]) / 1e6  # usage_usec


def lay_out(root: Path) -> None:
    """Two courses with one submission each, one of them with the examiner's lines."""
    stock, ours = root / "stock", root / "ours"
    run(["nbgrader", "quickstart", str(stock)], root)
    run(["nbgrader", "generate_assignment", "ps1"], stock)
    shutil.copytree(stock / "source" / "ps1", stock / "submitted" / "bitdiddle" / "ps1")
    shutil.copytree(stock, ours)
    with (ours / "nbgrader_config.py").open("a") as file:
        file.write(f"\n{LINES}")


def run(command: list[str], folder: Path, members: Path | None = None) -> None:
    before = ["sh", "-c", f'echo $$ > {members}; exec "$@"', "sh"] if members else []
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run([*before, *command], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
    wanted = parser.parse_args()
    spent = {name: [] for name, _, _ in WAYS}
    with tempfile.TemporaryDirectory(prefix="viva-quickstart-") as folder, group() as (
            members, seconds):
        lay_out(Path(folder))
        for _ in range(wanted.times):
            for name, course, program in WAYS:
                before, began = seconds(), time.monotonic()
                run([program, "autograde", "ps1", "--force"], Path(folder) / course, members)
                wall = time.monotonic() - began
                time.sleep(0.5)  # until the last of its processes has gone
                spent[name].append((seconds() - before, wall))
    median = {}
    for name, times in spent.items():
        cpu, wall = zip(*times)
        median[name] = statistics.median(cpu)
        print(f"{name:<27} processor {median[name]:.2f} s ({min(cpu):.2f} to {max(cpu):.2f}), "
              f"wall {statistics.median(wall):.1f} s ({min(wall):.1f} to {max(wall):.1f})")
    sys.exit(any(each > median["stock nbgrader"] for each in median.values()))


if __name__ == "__main__":
    main()
