"""What was named on the command line: a platform's export, or archives of single students.

An archive is an export, or holds a folder for each student, only if it is named alone. Among others
it is one student's own, whatever it is shaped like: a student can pack what looks like an export.
"""

from dataclasses import dataclass, field
from pathlib import Path

from viva_examiner.collect import manifest, plain, readings
from viva_examiner.collect.archives import ArchivedFile, UnreadableArchive, entries_of, file_entry
from viva_examiner.collect.readings import Platform, Reading
from viva_examiner.collect.students import Students
from viva_examiner.collect.worksheet import Worksheet

PLATFORMS = ("Canvas", "Moodle", "Blackboard", "Brightspace", "Gradescope")
LIST = ("index.html",)  # Brightspace's own
Owners = list[list[Reading]]  # of one file: its owners, each with the ways to read who it is


@dataclass
class Sources:
    """Every file of the sources with its owners, as far as names and manifests tell them.

    unclaimed: "what: why" of what has no owner at all
    ignored: likewise, of what is nobody's hand-in: a list, a worksheet
    """

    homework: str
    students: Students
    worksheet: Worksheet | None = None
    files: list[tuple[str, Owners]] = field(default_factory=list)
    unclaimed: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def read(self, sources: list[Path]) -> "Sources":
        """Look at all sources; nothing is taken yet."""
        archives: list[Path] = []
        alone = len(sources) == 1
        for source in sources:
            try:
                if not source.is_dir():
                    archives.append(source)
                    continue
                entries = entries_of(source)
            except UnreadableArchive as error:
                self.unclaimed.append(str(error))
                continue
            own = [plain.by_word("folder", source.name, each) for each in entries]
            if own and self.students.identify(own[0].words).student:
                self.files += [(each.file.shown, [[each]]) for each in own]
                continue
            inner, rest = self._sorted(entries)
            archives += [source / each.name for each in inner]
            if rest:
                alone = alone and not any(map(_is_work, rest))
                self._judge(source.name, rest, is_archive=False)
        for archive in archives:
            try:
                self._archive(archive, alone and len(archives) == 1)
            except UnreadableArchive as error:
                self.unclaimed.append(str(error))
            except OSError as error:
                self.unclaimed.append(f"{archive}: {error.strerror}")
        return self

    def _sorted(self, entries: list[ArchivedFile]) -> tuple[list[ArchivedFile], list[ArchivedFile]]:
        """(archives that lie in a folder, everything else); a platform's files are no archives."""
        if self._platform(entries)[1]:
            return [], entries
        return ([each for each in entries if each.is_zip and len(each.path) == 1],
                [each for each in entries if not each.is_zip or len(each.path) > 1])

    def _archive(self, path: Path, alone: bool) -> None:
        own = plain.by_file(file_entry(path), self.homework)
        if not own:
            raise UnreadableArchive(f"{path.name}: neither a zip archive nor a folder")
        if not alone or any(self.students.identify(each.words).student for each in own):
            self.files.append((path.name, [own]))
            return
        entries = entries_of(path)
        if not self._platform(entries)[1] and plain.is_one_students(entries, self.homework):
            self.files.append((path.name, [own]))
        else:
            self._judge(path.stem, entries, is_archive=True)

    def _judge(self, source: str, entries: list[ArchivedFile], is_archive: bool) -> None:
        """Each file by itself, by the rules of the platform that names the most of them."""
        platform, read = self._platform(entries)
        if not read:
            self._judge_plain(source, entries, is_archive)
            return
        for entry in entries:
            owners = read(entry)
            if owners:
                self.files.append((entry.shown, _owners(platform, owners)))
                self.notes += [each.note for each in owners if each.note not in ("", *self.notes)]
            elif entry.path != LIST and entry.name != manifest.NAME:
                self.unclaimed.append(f"{entry.shown}: {platform} names no file like this, so "
                                      "nobody knows whose it is")

    def _judge_plain(self, source: str, entries: list[ArchivedFile], is_archive: bool) -> None:
        tops = {entry.path[0] for entry in entries}
        one_folder = is_archive and len(tops) == 1 and len(entries[0].path) > 1
        if one_folder and not self.students.is_a_table:
            tops = set()
        for entry in entries:
            if one_folder and self.students.is_a_table and entry.path[0] != source:
                self.unclaimed.append(
                    f"{source}/{entry.shown}: one student's own archive, or a folder for each "
                    f"student with one in it? Name the archive after the student")
            elif not tops:
                self.files.append((entry.shown, [[plain.by_word("archive", source, entry)]]))
            elif len(entry.path) > 1:
                self.files.append((entry.shown, [plain.in_folder(entry)]))
            elif owner := plain.by_file(entry, self.homework):
                self.files.append((entry.shown, [owner]))
            else:
                into = self.unclaimed if _is_work(entry) else self.ignored
                into.append(f"{entry.shown}: nothing in its name says whose it is")

    def _platform(self, entries: list[ArchivedFile]) -> tuple[str, Platform | None]:
        """The platform whose rules name the most files; two that name as many are no platform."""
        if found := manifest.manifest_of(entries):
            return "Gradescope", manifest.gradescope(entries, found)
        known: dict[str, Platform] = {
            "Canvas": readings.canvas, "Moodle": readings.moodle(self.worksheet),
            "Blackboard": readings.blackboard(entries), "Brightspace": readings.brightspace}
        counts = {name: sum(bool(read(entry)) for entry in entries) for name, read in known.items()}
        most = max(counts.values())
        best = [name for name, count in counts.items() if count == most]
        return (best[0], known[best[0]]) if most and len(best) == 1 else ("", None)


def _is_work(entry: ArchivedFile) -> bool:
    """Whether a file is somebody's hand-in, and not a list that lies beside them."""
    return len(entry.path) > 1 or entry.name.lower().endswith((".ipynb", ".pdf", ".zip"))


def _owners(platform: str, found: list[Reading]) -> Owners:
    """Gradescope's people hand in together; elsewhere readings are ways to read one name."""
    return [[each] for each in found] if platform == "Gradescope" else [found]
