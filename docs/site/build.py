"""`make site`: the course as a static site, or the sentences that say why not.

python docs/site/build.py [FOLDER]      inside a course; into dist/site unless a folder is named
"""

import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

from site_leaks import problems_of_files
from site_pages import write_pages
from viva_examiner.course import Course
from viva_examiner.release.problems import Problem, ReleaseRefused


def build(course: Course, target: Path) -> None:
    """Writes the site into target; raises ReleaseRefused, and leaves none, if it would show an
    answer or has a fault. Every warning of Sphinx is a fault: a dead link, a formula that cannot
    be drawn.
    """
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="viva-site-") as work:
        pages, made = Path(work) / "pages", Path(work) / "site"
        write_pages(course, pages)
        faults = build_main(["-q", "-W", "--keep-going", "-n", "-d", f"{work}/doctrees",
                             str(pages), str(made)])
        problems = list(problems_of_files(course, pages, made))
        if faults:
            problems.append(Problem("Sphinx", "found the faults above",
                                    "mend them in docs/, README.md or source/"))
        if problems:
            raise ReleaseRefused("the site", problems)
        shutil.copytree(made, target)


if __name__ == "__main__":
    course = Course.find()
    target = Path(sys.argv[1] if len(sys.argv) > 1 else course.root / "dist" / "site").resolve()
    try:
        build(course, target)
    except ReleaseRefused as refused:
        sys.exit(str(refused))
    print(f"file://{target}/index.html")
