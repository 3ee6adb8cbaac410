"""Which words of a text are the name of an exercise, and not something else that is called so.

Python is read token by token. `torch.optim.AdamW` is no exercise, and where a homework has the
name of one of its exercises, `viva_course.reference.kernel_attention` is the homework.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

ROOMS = ("viva.cases", "viva.kits", "viva_course.reference", "viva_course.exams",
         "viva_course.claims")
TAKES_HOMEWORK = {"begin", "exercises", "exercises_of", "sections_of", "lay_out", "Rooms"}
OURS = ("viva", "viva_course")
WORDS = (tokenize.NAME, tokenize.STRING, tokenize.COMMENT)


@dataclass(frozen=True)
class WordRenaming:
    """An exercise `old` of a homework becomes `new`."""

    homework: str
    old: str
    new: str

    def in_code(self, text: str) -> str:
        """Python with the exercise's name replaced. Raises SyntaxError for what is not Python."""
        tree = ast.parse(text)
        imported, origins = dict(_imports(tree)), _origins(tree)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        lines = text.splitlines(keepends=True)
        for place in reversed(range(len(tokens))):  # from the end: columns before stay right
            token = tokens[place]
            if self.old not in token.string or token.type not in WORDS:
                continue
            if token.type == tokenize.NAME:
                said = self._name(_dotted(tokens, place), imported, origins.get(token.start, ""))
            else:
                said = self._string(tokens, place)
            (first, begin), (last, end) = token.start, token.end
            rest = lines[last - 1][end:]
            lines[first - 1 : last] = [lines[first - 1][:begin] + said + rest]
        return "".join(lines)

    def in_prose(self, text: str) -> str:
        """Words with the exercise's name replaced.

        Where the homework is called so too, only what is certainly the function: `f` or f(...).
        """
        after = r"(?=\(|`|: )" if self.old == self.homework else r"(?!\w)"
        word = rf"(?<![\w.])((?:reference\.)?(?:test_|check_)?){self.old}{after}"
        return re.sub(word, rf"\g<1>{self.new}", text)

    def in_id(self, text: str) -> str:
        """The id of a cell: `<exercise>`, `test_<exercise>`, `<exercise>-hints`."""
        return re.sub(rf"^((?:test_|check_)?){self.old}(?=-|$)", rf"\g<1>{self.new}", text)

    def _name(self, path: list[str], imported: dict[str, str], origin: str) -> str:
        """The last name of a dotted path, or of `from origin import name`, as it must be now."""
        root, said = path[0], path[-1]
        if said in (f"test_{self.old}", f"check_{self.old}"):
            return said.replace(self.old, self.new)
        if said != self.old:
            return said
        if origin:
            whole = f"{origin}.{said}"
        elif path == [said]:
            whole = imported.get(said, f"viva.{said}")  # not imported: defined here
        else:
            whole = ".".join([imported.get(root, root), *path[1:]])
        is_ours = whole.split(".")[0] in OURS and not self._is_homework(whole)
        return self.new if is_ours else said

    def _is_homework(self, path: str) -> bool:
        return any(path == f"{room}.{self.homework}" for room in ROOMS)

    def _string(self, tokens: list, place: int) -> str:
        said = tokens[place].string
        if said.strip("\"'") != self.old:
            return self.in_prose(said)
        before, after = tokens[place - 1].string, tokens[place + 1].string
        called = tokens[place - 2].string if before == "(" else ""
        is_homework = called in TAKES_HOMEWORK or "/" in (before, after)
        return said if is_homework and self.old == self.homework else said.replace(
            self.old, self.new)


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(name in the file, what it stands for) of everything that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = alias.name if alias.asname else alias.name.split(".")[0]
                yield alias.asname or path, path


def _origins(tree: ast.Module) -> dict[tuple[int, int], str]:
    """{(line, column) of a name in `from module import name`: the module}."""
    return {(alias.lineno, alias.col_offset): node.module or "" for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) for alias in node.names}


def _dotted(tokens: list, place: int) -> list[str]:
    """The names of `a.b.c` up to this token; [""] and more if it hangs on an expression."""
    path = [tokens[place].string]
    while place >= 2 and tokens[place - 1].string == ".":
        place -= 2
        path.insert(0, tokens[place].string if tokens[place].type == tokenize.NAME else "")
    return path
