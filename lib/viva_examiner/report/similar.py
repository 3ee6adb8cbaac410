"""Submissions whose code has the same structure, whatever its names, for a human to look at.

Each solution cell becomes a sequence of syntax tokens: local names are all one token, comments,
docstrings and layout are gone. Of every K tokens in a row a hash is taken, of every WINDOW hashes
the smallest is kept (winnowing: Schleimer, Wilkerson, Aiken 2003): a copied stretch of
K + WINDOW - 1 tokens is always noticed. What the released notebook or the staff's solution
contains, and what much of the class wrote, is no sign of copying and is left out.
"""

import ast
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from viva_examiner.notebook.cells import tree_of

K, WINDOW = 10, 4
COMMON = 0.25  # a fingerprint that more of the class share says nothing...
CLASS = 8  # ...in a class of at least this size
LIKE, SHARED = 0.5, 12  # pairs that share so much of the smaller's fingerprints, and so many


@dataclass(frozen=True)
class SimilarPair:
    """Two submissions with much uncommon structure in common."""

    one: str
    other: str
    share: float  # of the smaller one's uncommon fingerprints
    count: int
    cells: tuple[str, ...]  # solution cells in which the shared ones are


def tokens(source: str) -> list[str]:
    """The syntax of a cell in order, names of its own made alike."""
    return [word for word, _ in _placed(source)]


def _placed(source: str) -> list[tuple[str, int]]:
    """(token, line it begins on), in order."""
    tree = tree_of(source)
    if tree is None:
        return []
    own = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
    return list(_walk(tree, own))


def _walk(tree: ast.AST, own: set[str]) -> Iterator[tuple[str, int]]:
    waiting = [(tree, 1)]  # no recursion: a sum of a thousand terms nests as deeply
    while waiting:
        node, above = waiting.pop()
        line = getattr(node, "lineno", above)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring, or an expression that does nothing
        if isinstance(node, ast.Name):
            yield "name" if node.id in own else node.id, line
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}", line
        elif isinstance(node, ast.Constant):
            yield "text" if isinstance(node.value, str) else _constant(node.value), line
        elif not isinstance(node, ast.expr_context | ast.Module | ast.Expr):
            yield type(node).__name__, line
        waiting += reversed([(each, line) for each in ast.iter_child_nodes(node)])


def _constant(value: object) -> str:
    """As it is written; a number may have more digits than Python turns into text."""
    return "large" if isinstance(value, int) and value.bit_length() > 1000 else repr(value)


def fingerprints(source: str) -> set[int]:
    """The winnowed hashes of a cell's token sequence."""
    words = tokens(source)
    hashes = [_hash(words[i : i + K]) for i in range(len(words) - K + 1)]
    return {min(hashes[i : i + WINDOW]) for i in range(max(len(hashes) - WINDOW + 1, 0))}


def stretches(source: str) -> dict[int, set[int]]:
    """{hash of K tokens in a row: the lines that they stand on}."""
    placed = _placed(source)
    found: dict[int, set[int]] = {}
    for i in range(len(placed) - K + 1):
        part = placed[i : i + K]
        found.setdefault(_hash([word for word, _ in part]), set()).update(
            line for _, line in part)
    return found


def shared_lines(one: str, other: str, known: set[int]) -> tuple[set[int], set[int]]:
    """The lines of each cell that have the structure of the other's, beyond what is known.

    known: hashes of what says nothing: `stretches` of the released text, of the staff's solution
        and of accepted variants
    """
    mine, theirs = stretches(one), stretches(other)
    both = (mine.keys() & theirs.keys()) - known
    return (set().union(*(mine[each] for each in both)),
            set().union(*(theirs[each] for each in both)))


def similar(handed_in: dict[str, dict[str, str]], given: list[str]) -> list[SimilarPair]:
    """Pairs of students to look at, the most alike first.

    handed_in: {student: {solution cell: source}}
    given: sources that everybody has or may arrive at: the released cells, the staff's solution
    """
    known = set().union(*map(fingerprints, given))
    prints = {student: {name: fingerprints(source) - known for name, source in cells.items()}
              for student, cells in handed_in.items()}
    own = {student: set().union(*cells.values()) for student, cells in prints.items()}
    spread = Counter(mark for marks in own.values() for mark in marks)
    limit = max(2, COMMON * len(own)) if len(own) >= CLASS else len(own)
    rare = {student: {m for m in marks if spread[m] <= limit} for student, marks in own.items()}
    pairs = []
    for one, other in itertools.combinations(sorted(rare), 2):
        shared = rare[one] & rare[other]
        smaller = min(len(rare[one]), len(rare[other]))
        if len(shared) >= SHARED and len(shared) >= LIKE * smaller:
            cells = tuple(name for name, marks in prints[one].items() if marks & shared)
            pairs.append(SimilarPair(one, other, len(shared) / smaller, len(shared), cells))
    return sorted(pairs, key=lambda pair: (-pair.share * pair.count, pair.one, pair.other))


def _hash(words: list[str]) -> int:
    digest = hashlib.blake2b("\x1f".join(words).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
