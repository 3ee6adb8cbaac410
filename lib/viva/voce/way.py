"""Questions about a variable on the way: its value in the middle of a loop, or its shape.

Never about an argument, a copy of one, a loop's counter, or what the code returns: these can be
read without following what the code does.
"""

import ast
import random
from collections.abc import Iterator, Sequence
from typing import Any

from viva.voce.inputs import is_array
from viva.voce.options import OPTIONS, text_of
from viva.voce.printing import NotPrintable, apart, numbers_in, structure
from viva.voce.question import Question
from viva.voce.running import RunOutcome
from viva.voce.subject import Subject

Place = tuple[int, str]  # a line, and a variable that is changed there
MAKERS = ("eye", "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like",
          "full_like", "array", "asarray", "arange", "linspace", "tensor")  # the shape stands there


def values_on_the_way(subject: Subject, before: RunOutcome,
                      draw: random.Random) -> Iterator[Question]:
    """The value of a variable in the middle of a loop; options are its other values."""
    given = set(map(text_of, subject.given)) | {text_of(before.value)}
    for (line, name), values in changed_values(subject, before).items():
        texts = [text_of(value) for value in values]
        if None in texts or len({structure(value) for value in values}) > 1:
            continue
        # neither the first, which stands in the code, nor the last
        passes = [number for number, text in enumerate(texts[:-1])
                  if number and text not in given and texts.count(text) == 1]
        if not passes or len(set(texts)) < OPTIONS:
            continue
        number = passes[min(1, len(passes) - 1)]
        right = texts[number]
        far = {text for value, text in zip(values, texts, strict=True)
               if apart(value, values[number])}
        near = sorted(far, key=lambda text: (abs(texts.index(text) - number), str(text)))
        if len(near) < OPTIONS - 1:
            continue
        yield _question(subject, (line, name), number + 1, str(right), list(map(str, near)), draw,
                        tuple(map(str, texts)))


def shapes_on_the_way(subject: Subject, before: RunOutcome,
                      draw: random.Random) -> Iterator[Question]:
    """The shape of an array in the middle of the code; options are what people take it for."""
    known = {tuple(value.shape) for value in [*subject.given, before.value] if is_array(value)}
    known |= _shapes_of_arguments(subject, before)
    sizes = sorted({size for shape in known for size in shape})
    if len([size for size in sizes if size > 1]) < 2:
        return  # where all axes are equally long there is nothing to tell apart
    made = _made_plainly(subject.text)
    for (line, name), values in changed_values(subject, before).items():
        if (line, name) in made:
            continue
        found = {tuple(value.shape) if is_array(value) else None for value in values}
        right = found.pop()
        if found or right is None or right in known or len(right) < 2 or max(right) < 2:
            continue
        others = [shape for shape in _mistaken(right, sizes) if shape != right]
        yield _question(subject, (line, name), 0, str(right), list(map(str, others)), draw)


def _question(subject: Subject, place: Place, times: int, right: str, others: Sequence[str],
              draw: random.Random, results: tuple[str, ...] = ()) -> Question:
    options = [right, *others[: OPTIONS - 1]]
    draw.shuffle(options)
    return Question("way", subject.name, subject.call, subject.text, tuple(options),
                    options.index(right), place[0], "", results, (subject.text,), place[1], times)


def changed_values(subject: Subject, before: RunOutcome) -> dict[Place, list[Any]]:
    """The values that each line gave to each of its variables, one after the other."""
    excluded = _arguments_and_counters(subject.text)
    seen: dict[Place, list[Any]] = {}
    for steps in before.steps:
        earlier: dict[str, Any] = {}
        for step in steps:
            for name, value in step.values.items():
                if name in excluded or name.startswith("_"):
                    continue
                if any(value is each for each in subject.given):
                    continue
                if not _is_same(value, earlier.get(name)):
                    seen.setdefault((step.line, name), []).append(value)
            earlier = step.values
    return seen


def _made_plainly(text: str) -> set[Place]:
    """Where a variable is an array whose shape stands in the line: `mu = np.eye(n)`."""
    found: set[Place] = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        pairs = [(node.targets[0], node.value)]
        if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(node.targets[0].elts, node.value.elts, strict=False))
        found |= {(node.lineno, target.id) for target, value in pairs
                  if isinstance(target, ast.Name) and isinstance(value, ast.Call)
                  and getattr(value.func, "attr", "") in MAKERS}
    return found


def _shapes_of_arguments(subject: Subject, before: RunOutcome) -> set[tuple[int, ...]]:
    """Of everything that the functions are given: these shapes can be read off."""
    names = {node.arg for node in ast.walk(ast.parse(subject.text)) if isinstance(node, ast.arg)}
    return {tuple(value.shape) for steps in before.steps for step in steps
            for name, value in step.values.items() if name in names and is_array(value)}


def _is_same(one: Any, other: Any) -> bool:
    if other is None:
        return False
    try:
        return structure(one) == structure(other) and numbers_in(one) == numbers_in(other)
    except NotPrintable:
        return True  # nothing to ask about


def _arguments_and_counters(text: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.For | ast.comprehension):
            names |= {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant):
            names |= {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Constant):
            names |= {each.id for target in node.targets for each in ast.walk(target)
                      if isinstance(each, ast.Name) and _is_only_copied(text, each.id)}
    return names


def _is_only_copied(text: str, name: str) -> bool:
    """Whether everything that a variable is ever given is a copy of something."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) == name:
            return False
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name | ast.Constant):
            if any(isinstance(each, ast.Name) and each.id == name
                   for target in node.targets for each in ast.walk(target)):
                return False
    return True


def _mistaken(shape: tuple[int, ...], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Shapes that somebody may take for this one: axes exchanged, lost, kept, or of another."""
    found = [(*shape[:-2], shape[-1], shape[-2]), shape[:-1], (*shape[:-1], 1)]
    found += [(*shape[:place], size, *shape[place + 1:])
              for place in range(len(shape)) for size in sizes if size > 1]
    found += [shape[1:], (1, *shape), (*shape, 1)]
    yield from (each for each in dict.fromkeys(found) if each)
