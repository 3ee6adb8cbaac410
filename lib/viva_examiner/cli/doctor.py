"""`viva doctor`: whether this machine can grade."""

import argparse
import sys

from viva import doctor as kit
from viva.doctor import Finding

HELP = """Say whether this machine can grade: Python, versions against the lock, isolation, memory,
disk, the gradebook and the hub. Each finding comes with what to do. Nothing is changed. Exits with
1 if this machine cannot grade.

With --student: whether the student kit works here. Students have the same command."""
EXAMPLE = "viva doctor"
CAN, CANNOT = "This machine can grade.", "This machine is not ready to grade"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--student", action="store_true", help="the student kit, not the grader")


def run(args: argparse.Namespace, course: None) -> int:
    return kit.main() if args.student else examine()


def examine() -> int:
    """Look at this machine and at the course in this folder; 0 if it can grade."""
    try:
        from viva_examiner.course import Course, NotACourse
        from viva_examiner.doctor import keeping, machine, surroundings
        from viva_examiner.lms.private import about_keys
    except ImportError as error:
        missing = Finding("versions", f"no {error.name} in {sys.executable}",
                          kit.typed("pip install -r requirements.lock"))
        return kit.show([missing], CAN, CANNOT)
    found = [machine.about_python(), machine.about_package()]
    try:
        course = Course.find()
        settings = course.settings
        found += machine.about_versions(course.root / "requirements.lock")
        found += [machine.about_isolation(settings.trusted_machine), machine.about_landlock(),
                  machine.about_memory(course.limits, settings.jobs),
                  machine.about_disk(course.root), surroundings.about_course(course),
                  surroundings.about_database(course.db_url), surroundings.about_hub(course),
                  keeping.about_secret(course), keeping.about_backup(course), *about_keys(course)]
    except NotACourse as error:
        found += [machine.about_isolation(False), machine.about_landlock(),
                  Finding("course", str(error), "Change to the course's folder and run it again.")]
    return kit.show(found, CAN, CANNOT)
