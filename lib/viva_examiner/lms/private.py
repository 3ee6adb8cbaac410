"""Where connections and private keys lie, and whether they are private."""

import os
import stat
import subprocess
from pathlib import Path

from viva.doctor import Finding
from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.lms.platform_failure import LmsFailure

FOLDER = ".viva-lms"


def folder_of(course: Course) -> Path:
    """Where connections and keys lie. Made private, and unknown to git in any course."""
    folder = Path(course.root) / FOLDER
    if not folder.is_dir():
        folder.mkdir(mode=0o700)
    if not (folder / ".gitignore").is_file():
        write_whole(folder / ".gitignore", "*\n")
    return folder


def private_key(path: Path) -> str:
    """The PEM text of a private key; LmsFailure if it is missing, or others may read it."""
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise LmsFailure(f"others can read the private key {path}: run `chmod 600 {path}`, and "
                             "make a new one if anybody may have read it (remove it, `viva lms "
                             "connect`)")
        return path.read_text()
    except OSError as error:
        raise LmsFailure(f"{path}: {error.strerror}: run `viva lms connect` first") from None


def about_keys(course: Course) -> list[Finding]:
    """For `viva doctor`: whether private keys are private, and out of git."""
    found = []
    for path in sorted((Path(course.root) / FOLDER).glob("*.pem")):
        name = f"{FOLDER}/{path.name}"
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            found.append(Finding("LMS key", f"{name} can be read by others",
                                 f"Run `chmod 600 {name}`.", fatal=False))
        elif _in_git(course.root, path):
            found.append(Finding("LMS key", f"{name} is in git", f"Run `git rm --cached {name}`, "
                                 "then make a new key: whoever has a clone has this one.",
                                 fatal=False))
        else:
            found.append(Finding("LMS key", f"{name}, for its owner only, not in git"))
    return found


def _in_git(root: Path, path: Path) -> bool:
    """Whether git follows this file; False where there is no git."""
    try:
        listed = subprocess.run(["git", "ls-files", "--error-unmatch", os.fspath(path)], cwd=root,
                                capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0
