"""What grading needs of a machine: versions, isolation, memory, disk."""

import os
import shutil
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from viva.doctor import Finding, typed
from viva_examiner.limits import Limits
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.inside import landlock

PACKAGES = ("viva-course", "viva-examiner")  # the course with its examiner, or that one alone
SHOWN = 3  # versions that came along with others and differ: the first of them
WARM_MB = 500  # a warm interpreter with torch, and the examiner beside it
DISK_MB = 1000  # a class of notebooks with figures, its feedback, and the gradebook


def package() -> str:
    """The distribution that this examiner was installed with."""
    return next(filter(installed, PACKAGES), PACKAGES[-1])


def about_python() -> Finding:
    """The versions of Python on which all suites give the same marks."""
    wanted = metadata.metadata(package())["Requires-Python"]
    version = ".".join(map(str, sys.version_info[:3]))
    fits = SpecifierSet(wanted).contains(version)
    return Finding("Python", f"{version}, {sys.executable}",
                   "" if fits else f"Make the environment with Python {wanted}.")


def about_package() -> Finding:
    """Both hold the same files: to remove one takes them from the other."""
    there = [name for name in PACKAGES if installed(name)]
    return Finding("package", " and ".join(there),
                   "" if len(there) == 1 else "Keep one of the two: remove both with pip "
                   "uninstall, then install the one you want.", fatal=False)


def about_versions(lock: Path) -> list[Finding]:
    """The installed libraries against the lock; fatal for those that the course itself asks for."""
    if not lock.is_file():
        return [Finding("versions", f"no {lock.name} in this course: nothing to compare with")]
    locked = dict(line.split("==") for line in lock.read_text().split())
    other = {name: f"{name} is {have or 'missing'}, {lock.name} says {version}"
             for name, version in locked.items() if (have := installed(name)) != Version(version)}
    if not other:
        return [Finding("versions", f"the {len(locked)} of {lock.name}")]
    wanted = metadata.requires(package()) or ()
    asked = {canonicalize_name(Requirement(text).name) for text in wanted
             if "extra ==" not in text}
    fatal = [what for name, what in other.items() if canonicalize_name(name) in asked]
    harmless = [what for what in other.values() if what not in fatal]
    remedy = typed(f"pip install -r {lock.name}")
    findings = [Finding("versions", what, remedy) for what in fatal]
    if harmless:
        more = [f"and {len(harmless) - SHOWN} more"] if len(harmless) > SHOWN else []
        findings.append(Finding("versions", "; ".join(harmless[:SHOWN] + more), remedy,
                                fatal=False))
    return findings


def installed(name: str) -> Version | None:
    """The version of a library, without the name of its build (+cpu); None if it is not there."""
    try:
        return Version(metadata.version(name).partition("+")[0])
    except metadata.PackageNotFoundError:
        return None


def about_isolation(trusted_machine: bool) -> Finding:
    """Whether a candidate can be kept apart; really tries, with a process that ends at once."""
    reason = isolation.why_not()
    if reason is None:
        return Finding("isolation", "namespaces: a trial candidate was isolated")
    if trusted_machine:
        return Finding("isolation", "none; the configuration trusts this machine", reason,
                       fatal=False)
    return Finding("isolation", "a trial candidate could not be isolated", reason)


def about_landlock() -> Finding:
    """The second lock on files; the only one where there are no namespaces."""
    version = landlock.version() if sys.platform.startswith("linux") else 0
    if version:
        return Finding("landlock", f"version {version} of its interface")
    return Finding("landlock", "this kernel has none", "Needed only in a container without "
                   "namespaces (Gradescope): Linux 5.13 or newer has it.", fatal=False)


def about_memory(limits: Limits, jobs: int) -> Finding:
    """Whether one submission at its limit fits, and whether as many as are graded at once."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return Finding("memory", "unknown on this system")
    facts = dict(line.split(":") for line in lines)
    free = int(facts["MemAvailable"].split()[0]) // 1024
    count = jobs or len(os.sched_getaffinity(0))
    what = f"{free} MB free; {count} submissions at once, each up to {limits.memory_mb} MB"
    one = WARM_MB + limits.memory_mb
    if free >= WARM_MB + count * limits.memory_mb:
        return Finding("memory", what)
    if free >= one:
        return Finding("memory", what, f"If all of them use what they may, it is not enough: "
                       f"`--jobs {max(1, (free - WARM_MB) // limits.memory_mb)}`.", fatal=False)
    return Finding("memory", what, f"One submission may need {one} MB: use a larger machine, or "
                   "lower c.Examiner.memory_mb.")


def about_disk(folder: Path) -> Finding:
    """Room for what grading writes into the course."""
    free = shutil.disk_usage(folder).free / 1e6
    what = f"{free:.0f} MB free in {folder}"
    if not os.access(folder, os.W_OK):
        return Finding("disk", f"{folder} cannot be written", "Give it to the account that grades.")
    return Finding("disk", what, "" if free > DISK_MB else f"Make room: a class needs about "
                   f"{DISK_MB} MB.")
