"""`viva doctor --student`, or `python -m viva doctor`: what the kit can do from a terminal."""

import sys

from viva import doctor

USAGE = "usage: viva doctor --student\n\nWhether the kit works on this machine, and what to do."


def main() -> int:
    """The kit's only command; 0 if the kit works here."""
    words = sys.argv[1:]
    if words not in (["doctor"], ["doctor", "--student"]):
        asked = words in ([], ["-h"], ["--help"])
        print(USAGE, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    return doctor.main()


if __name__ == "__main__":
    sys.exit(main())
