"""Whose a file is where no platform named it: `ada/…`, `ada.zip`, `ada_kernel_attention.ipynb`.

All of a word counts, never a part of it: ada_king_… is not ada's.
"""

from viva.log import LOG_NAME
from viva.regrade import REQUEST_NAME
from viva_examiner.collect.archives import ArchivedFile
from viva_examiner.collect.readings import DIGITS, Reading

ENDINGS = (".ipynb", ".json", ".zip", ".pdf", ".txt")
OURS = tuple(name.removesuffix(".json") for name in (LOG_NAME, REQUEST_NAME))


def by_word(what: str, word: str, file: ArchivedFile) -> Reading:
    """A reading where one word, in a name that staff gave, stands for the student."""
    return Reading(what, (("login", word), ("name", word)), file, word)


def in_folder(entry: ArchivedFile) -> list[Reading]:
    """ada/…, or Ada Lovelace/…"""
    return [by_word("folder", entry.path[0], entry.below(1))]


def by_file(entry: ArchivedFile, homework: str) -> list[Reading]:
    """ada_kernel_attention.ipynb, ada_17_kernel_attention-1.ipynb, ada.zip; nothing for others.

    A number before the homework may be a platform's or part of an id: both are readings.
    """
    name = entry.name.lower()
    if not name.endswith(ENDINGS):
        return []
    ends = [at for word in (homework.lower(), *OURS) for sign in "_-"
            if (at := name.find(sign + word)) > 0]
    if not ends:
        return [by_word("archive", entry.name[:-4], entry)] if entry.is_zip else []
    who, file = entry.name[:min(ends)], entry.called(entry.name[min(ends) + 1:])
    head, _, tail = who.rpartition("_")
    words = [who, head] if head and DIGITS.fullmatch(tail) else [who]
    return [by_word("file", word, file) for word in words]


def is_one_students(entries: list[ArchivedFile], homework: str) -> bool:
    """Whether an archive can only be one student's own: a notebook at its top that names nobody."""
    return any(len(entry.path) == 1 and entry.name.lower().endswith(".ipynb")
               and not by_file(entry, homework) for entry in entries)
