"""Where the parts of a homework lie, and which names are taken."""

import ast
import keyword
import textwrap
from pathlib import Path

TABLE = "EXERCISES"  # its name in lib/viva/cases/<homework>/__init__.py; see viva.tables


class AuthorError(ValueError):
    """What an author asked for cannot be done; the message is one sentence."""

    viva_staff_fault = True


class Rooms:
    """The folders of one homework in a checkout of the course."""

    def __init__(self, root: Path, homework: str):
        self.root, self.homework = root, homework
        self.cases = root / "lib/viva/cases" / homework
        self.kit = root / "lib/viva/kits" / homework
        self.reference = root / "lib/viva_course/reference" / homework
        self.exams = root / "lib/viva_course/exams" / homework
        self.claims = root / "lib/viva_course/claims" / homework
        self.notebook = root / "source" / homework / f"{homework}.ipynb"
        self.tests = root / "tests/homeworks" / homework

    def code(self) -> list[Path]:
        """Every file of code that is this homework's alone."""
        folders = (self.cases, self.kit, self.reference, self.exams, self.claims, self.tests)
        return [path for folder in folders for path in sorted(folder.rglob("*.py"))]

    def table(self) -> dict[str, list[list[str]]]:
        """Its table of exercises, read without running the file; empty if there is none."""
        path = self.cases / "__init__.py"
        found = _assignment(path.read_text()) if path.is_file() else None
        return ast.literal_eval(found.value) if found else {}

    def write_table(self, table: dict[str, list[list[str]]]) -> Path:
        """Put another table in the place of the one that is there; the file that has changed."""
        path = self.cases / "__init__.py"
        text = path.read_text()
        lines, found = text.splitlines(keepends=True), _assignment(text)
        lines[found.lineno - 1 : found.end_lineno] = [table_text(table)]
        path.write_text("".join(lines))
        return path


def _assignment(text: str) -> ast.Assign | None:
    """The statement of a module that states its table."""
    return next((node for node in ast.parse(text).body if isinstance(node, ast.Assign)
                 and [ast.unparse(target) for target in node.targets] == [TABLE]), None)


def table_text(table: dict[str, list[list[str]]]) -> str:
    """A table as it stands in its file: a line per section, or several for a long one."""
    rows = [f"{TABLE} = {{"]
    for section, exercises in table.items():
        quoted = ", ".join(f"[{', '.join(map(_quoted, functions))}]" for functions in exercises)
        indent = " " * len(f'    "{section}": [')
        rows.append(textwrap.fill(f'    "{section}": [{quoted}],', 100, break_long_words=False,
                                  subsequent_indent=indent))
    return "\n".join([*rows, "}", ""])


def _quoted(name: str) -> str:
    return f'"{name}"'


def exercises_in(root: Path) -> dict[str, str]:
    """{exercise: homework} of all tables in a checkout."""
    folders = sorted(path.parent for path in (root / "lib/viva/cases").glob("*/__init__.py"))
    return {functions[0]: folder.name for folder in folders
            for exercises in Rooms(root, folder.name).table().values() for functions in exercises}


def check_name(name: str, what: str) -> None:
    """Raises AuthorError unless a name can be a file, a function and a cell's id."""
    can_be = name.isidentifier() and name.isascii() and not name.startswith("_")
    if not can_be or keyword.iskeyword(name):
        raise AuthorError(f"{name!r} cannot be the name of {what}: letters, digits and _, as in "
                          "Python")


def check_free(name: str, root: Path) -> None:
    """Raises AuthorError if an exercise of this name exists."""
    taken = exercises_in(root)
    if name in taken:
        raise AuthorError(f"{name} is an exercise of {taken[name]} already: choose another name")
