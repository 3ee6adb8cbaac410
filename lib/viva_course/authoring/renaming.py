"""An exercise under another name: in code, cells, ids, tests and file names of its homework."""

import re
from pathlib import Path

import nbformat

from viva_course.authoring.rooms import Rooms, Slip, check_free, check_name, exercises_in


def rename(root: Path, old: str, new: str) -> list[Path]:
    """Rename an exercise everywhere; the paths that are changed or new."""
    known = exercises_in(root)
    if old not in known:
        raise Slip(f"there is no exercise named {old}")
    check_name(new, "an exercise")
    check_free(new, root)
    rooms = Rooms(root, known[old])
    word = re.compile(rf"(?<![A-Za-z0-9_])(test_|check_)?{old}(?![A-Za-z0-9_])")
    if any(re.search(rf"\b{new}\b", path.read_text()) for path in rooms.code()):
        raise Slip(f"{new} is a name in {rooms.homework} already: the two would become one")

    def renamed(text: str) -> str:
        return word.sub(lambda found: (found.group(1) or "") + new, text)

    changed = []
    for path in rooms.code():
        text = path.read_text()
        if renamed(text) != text:
            path.write_text(renamed(text))
            changed.append(path)
        if path.stem == old:
            changed = [each for each in changed if each != path]
            changed.append(path.rename(path.with_stem(new)))
    if rooms.notebook.is_file():
        notebook = nbformat.read(rooms.notebook, as_version=4)
        for cell in notebook.cells:
            cell.source, cell.id = renamed(cell.source), renamed(cell.id)
            about = cell.metadata.get("nbgrader", {})
            if "grade_id" in about:
                about["grade_id"] = renamed(about["grade_id"])
        nbformat.write(notebook, rooms.notebook)
        changed.append(rooms.notebook)
    return changed
