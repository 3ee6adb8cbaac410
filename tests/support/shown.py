"""What a long test has shown, and nothing has changed since: kept as the audit keeps its findings.

They lie in `.viva-audit/`, which git does not see: a fresh clone runs every test.
"""

from pathlib import Path

from repository import ROOT
from viva_examiner.audit.proven import FOLDER
from viva_examiner.course import Course
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.files import digest, digest_of, files_of


class Shown:
    """Of one test about one homework: `if shown.before: return`, and at its end `shown.keep()`.

    It rests on the libraries, the student kit, and what is named: files, folders, words.
    """

    def __init__(self, homework: str, test: str, *rests_on: Path | str) -> None:
        words = [_digest(each) if isinstance(each, Path) else each
                 for each in (Path(__file__), *rests_on)]
        self.folder, self.test = ROOT / FOLDER / homework, test
        key = digest(libraries(), kit_digest(homework), *words)
        self.path = self.folder / f"{test}-{key}.shown"

    @property
    def before(self) -> bool:
        return self.path.is_file()

    def keep(self) -> None:
        for old in self.folder.glob(f"{self.test}-*.shown"):
            old.unlink()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path.touch()


def exams_of(homework: str) -> list[str]:
    """The digests of a homework's exams, and of all of the course that they use."""
    library = Course(ROOT).library
    return [library.digest(name) for name in library.exercises(homework)]


def _digest(path: Path) -> str:
    return digest_of(ROOT, files_of(path))
