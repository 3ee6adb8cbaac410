"""An exercise under another name: in code, cells, ids, tests and file names of its homework."""

import io
import tokenize
from pathlib import Path

import nbformat

from viva_course.authoring.rooms import AuthorError, Rooms, check_free, check_name, exercises_in
from viva_course.authoring.words import WordRenaming


def rename(root: Path, old: str, new: str) -> list[Path]:
    """Rename an exercise everywhere; the paths that are changed or new."""
    known = exercises_in(root)
    if old not in known:
        raise AuthorError(f"there is no exercise named {old}")
    check_name(new, "an exercise")
    check_free(new, root)
    rooms, renaming = Rooms(root, known[old]), WordRenaming(known[old], old, new)
    if any(new in _names(path.read_text()) for path in rooms.code()):
        raise AuthorError(f"{new} is a name in {rooms.homework} already: the two would become one")
    notebook = _renamed_notebook(rooms.notebook, renaming)  # it may refuse: before any writing
    changed = _rename_in_code(rooms, renaming)
    if notebook is not None:
        nbformat.write(notebook, rooms.notebook)
        changed.append(rooms.notebook)
    return changed


def _rename_in_code(rooms: Rooms, renaming: WordRenaming) -> list[Path]:
    changed = []
    for path in rooms.code():
        text = path.read_text()
        renamed = renaming.in_code(text)
        if renamed != text:
            path.write_text(renamed)
        if path.stem == renaming.old:
            path = path.rename(path.with_stem(renaming.new))
        if renamed != text or path.stem == renaming.new:
            changed.append(path)
    return changed


def _renamed_notebook(path: Path, renaming: WordRenaming) -> nbformat.NotebookNode | None:
    if not path.is_file():
        return None
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells):
        try:
            change = renaming.in_code if cell.cell_type == "code" else renaming.in_prose
            cell.source = change(cell.source)
        except SyntaxError as error:
            raise AuthorError(f"cell {number} of {path.name} is not Python: {error}") from None
        cell.id = renaming.in_id(cell.id)
        about = cell.metadata.get("nbgrader", {})
        if "grade_id" in about:
            about["grade_id"] = renaming.in_id(about["grade_id"])
    return notebook


def _names(text: str) -> set[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME}
