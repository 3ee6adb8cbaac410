"""Which files of an upload are the homework's notebooks, log and requests for a second look, and
what is kept where there is none."""

from dataclasses import dataclass, field

from viva.log import LOG_NAME
from viva.regrade import REQUEST_NAME
from viva_examiner.collect.archives import ArchivedFile, UnreadableArchive, zip_entries
from viva_examiner.gradebook.handed_in import STAMP, is_plain_name
from viva_examiner.gradebook.standing import NOT_A_NOTEBOOK
from viva_examiner.notebook.whose_homework import Profile, plain_stem, recognised

MAX_FILES = 500  # of one upload that are looked at
MAX_BYTES = 128 * 2**20  # of one upload that are read
MAX_KEPT = 20  # files of an upload without a notebook
WRAPPED = (".txt", ".json")  # what browsers append to .ipynb


@dataclass
class ChosenFiles:
    """What is kept of an upload, and what staff should know about it.

    refused: "what: why" of the files that are not kept, a line each
    has_notebook: one of the homework's notebooks is among the files
    request: the file of requests for a second look, which is no part of the homework
    """

    files: dict[str, bytes] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    has_notebook: bool = False
    request: bytes = b""

    @property
    def is_only_a_request(self) -> bool:
        return bool(self.request) and self.files.keys() <= {LOG_NAME}


def choose(uploaded: list[ArchivedFile], homework: str, profiles: list[Profile]) -> ChosenFiles:
    """The notebooks and the log; where there is no notebook, all of it, for a person to look at."""
    chosen = ChosenFiles()
    files = _unpacked(uploaded, chosen)
    wanted = {f"{profile.notebook}.ipynb" for profile in profiles if profile.homework == homework}
    claims: dict[str, list[tuple[bool, ArchivedFile]]] = {}
    others: list[tuple[ArchivedFile, str]] = []
    for entry in files:
        name, why = _claimed(entry, homework, profiles, wanted)
        if name:
            claims.setdefault(name, []).append((why == "", entry))
        else:
            others.append((entry, why))
    for name, rivals in claims.items():
        _take(name, rivals, chosen)
    chosen.request = chosen.files.pop(REQUEST_NAME, b"")
    chosen.has_notebook = bool(wanted & set(chosen.files))
    if chosen.has_notebook:
        chosen.refused += [f"{entry.shown}: {why}" for entry, why in others]
    else:
        _keep_all(others, chosen)
    return chosen


def _claimed(entry: ArchivedFile, homework: str, profiles: list[Profile],
             wanted: set[str]) -> tuple[str, str]:
    """(the homework's file that this is, "" or by what); else ("", why it is none)."""
    name = unwrapped(entry.name)
    kind = name.lower().rpartition(".")[2]
    for own in (LOG_NAME, REQUEST_NAME):
        if kind == "json" and plain_stem(name) == plain_stem(own):
            return own, ""
    if kind != "ipynb":
        return "", "neither a notebook nor the log"
    named = next((own for own in wanted if plain_stem(name) == plain_stem(own)), "")
    try:
        profile = recognised(entry.read(), profiles, homework if named else "")
    except UnreadableArchive as error:
        return "", str(error)
    if named and (profile is None or profile.homework == homework):
        return named, ""
    if profile is not None and profile.homework == homework:
        return f"{profile.notebook}.ipynb", "recognised by its cells"
    return "", (f"is {profile.homework}, not {homework}" if profile
                else f"cannot be recognised as {homework}")


def unwrapped(name: str) -> str:
    """work.ipynb of work.ipynb.txt, as some browsers save it."""
    for ending in WRAPPED:
        if name.lower().endswith(f".ipynb{ending}"):
            return name[:-len(ending)]
    return name


def _take(name: str, rivals: list[tuple[bool, ArchivedFile]], chosen: ChosenFiles) -> None:
    """A file under its own name, then the copy with the highest number, then the newest."""
    rivals.sort(key=lambda pair: (pair[0], len(pair[1].name), pair[1].name), reverse=True)
    chosen.refused += [f"{entry.shown}: another copy of {name}" for _, entry in rivals[1:]]
    entry = rivals[0][1]
    try:
        chosen.files[name] = entry.read()
    except UnreadableArchive as error:
        chosen.refused.append(str(error))
        return
    if entry.name != name:
        chosen.remarks.append(f"{entry.shown} taken as {name}")


def _keep_all(others: list[tuple[ArchivedFile, str]], chosen: ChosenFiles) -> None:
    """What came instead of a notebook is handed in too, and somebody has to look at it."""
    for entry, why in others:
        if len(chosen.files) >= MAX_KEPT or not _may_stay(entry.name) or entry.name in chosen.files:
            chosen.refused.append(f"{entry.shown}: {why}")
            continue
        try:
            chosen.files[entry.name] = entry.read()
        except UnreadableArchive as error:
            chosen.refused.append(str(error))
            continue
        is_notebook = entry.name.lower().endswith(".ipynb")
        said = f"{entry.shown} {why}" if is_notebook else f"{NOT_A_NOTEBOOK}: {entry.shown}"
        chosen.remarks.append(said)


def _may_stay(name: str) -> bool:
    """Whether a student's file may lie beside what we write: the time is never a student's."""
    return is_plain_name(name) and name.lower() != STAMP and not name.startswith(".")


def _unpacked(uploaded: list[ArchivedFile], chosen: ChosenFiles) -> list[ArchivedFile]:
    """The files of an upload, those of archives in it included (one level deep)."""
    files: list[ArchivedFile] = []
    room = MAX_BYTES
    for entry in uploaded:
        if entry.is_zip and len(files) <= MAX_FILES and room > 0:
            try:
                data = entry.read()
                room -= len(data)
                files += zip_entries(entry.shown, data)
            except UnreadableArchive as error:
                chosen.refused.append(str(error))
        elif not entry.is_zip:
            files.append(entry)
    kept = []
    for number, entry in enumerate(files):
        room -= entry.size
        if number >= MAX_FILES or room < 0:
            chosen.refused.append(f"{len(files) - number} files from {entry.shown} on: more than "
                                  "one upload may hold")
            break
        kept.append(entry)
    return kept
