"""Every record crosses from one process to another with every field it has."""

import dataclasses
import importlib
import itertools
import types
from enum import Enum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

import viva_examiner
from viva_examiner import records
from viva_examiner.records import Graded, Kind, Mark, Order, Remark, Rubric, RubricItem, Work
from viva_examiner.travel import Travels

LIB = Path(viva_examiner.__file__).parents[1]
for path in LIB.glob("viva_examiner/**/*.py"):
    if "(Travels)" in path.read_text():
        importlib.import_module(".".join(path.relative_to(LIB).with_suffix("").parts))
RECORDS = sorted((kind for kind in Travels.__subclasses__()
                  if kind.__module__.startswith("viva_examiner.")), key=lambda kind: kind.__name__)
COUNT = itertools.count(2)


def example(kind: Any) -> Any:
    """A value of a type, another one each time, and none that a field has by default."""
    outer, inner = get_origin(kind), get_args(kind)
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{field.name: not field.default if hints[field.name] is bool
                       else example(hints[field.name]) for field in dataclasses.fields(kind)})
    if outer in (Union, types.UnionType):
        return example(next(each for each in inner if each is not types.NoneType))
    if outer is tuple:
        return tuple(map(example, inner if inner[1] is not ... else (inner[0], inner[0])))
    if outer is list:
        return [example(inner[0]), example(inner[0])]
    if outer is dict:
        return {example(inner[0]): example(inner[1]), "\ud800 ü\n": example(inner[1])}
    if kind is Any:
        return [None, True, 1.5, {"a": "\udfff"}]
    if issubclass(kind, Enum):
        return list(kind)[next(COUNT) % len(kind)]
    if kind is bytes:
        return b"\n\x00\xff%d" % next(COUNT)
    return kind(next(COUNT))


def defaults(record: Travels) -> list[str]:
    """The fields of a record that have their default."""
    return [field.name for field in dataclasses.fields(record)
            if getattr(record, field.name) == field.default or (
                field.default_factory is not dataclasses.MISSING
                and getattr(record, field.name) == field.default_factory())]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_a_record_comes_back_with_every_field(kind):
    record = example(kind)
    assert not defaults(record)
    assert kind.from_bytes(record.to_bytes()) == record


def test_the_records_of_grading_are_all_there_and_frozen():
    assert {Work, Order, Mark, RubricItem, Rubric, Remark, Graded, records.Keys} <= set(RECORDS)
    for kind in RECORDS:
        if kind.__module__ == records.__name__:
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(example(kind), dataclasses.fields(kind)[0].name, None)


@pytest.mark.parametrize("data", [
    b"", b"[]", b'{"score": "2", "points": 2}', b'{"score": true, "points": 2}', b'{"points": 2}',
    b'{"score": 1, "points": 2, "unheard": 1}', b'{"score": 1, "points": 2, "rubric": {}}',
    b'{"score": 1, "points": 2, "rubric": [{"items": []}]}'])
def test_what_is_no_mark_is_refused(data):
    with pytest.raises(ValueError):
        Mark.from_bytes(data)


def test_bytes_that_are_not_there_are_refused():
    whole = Work(b"a notebook", log=b"a log").to_bytes()
    with pytest.raises(ValueError, match="shorter"):
        Work.from_bytes(whole[:-1])


def test_a_record_in_a_notebook_is_plain_data_without_the_notebook():
    graded = Graded("ada", "hw", "hw", "graded", {"test_f": Mark(1.0, 2.0)}, text="x", log="y",
                    remarks=(Remark(Kind.LOG, "odd"),))
    plain = graded.summary()
    assert not {"text", "log"} & set(plain) and plain["remarks"] == [
        {"kind": "log", "text": "odd", "exercise": ""}]
    assert Graded.from_plain(plain | {"text": "x", "log": "y"}) == graded
    with pytest.raises(TypeError, match="holds bytes"):
        Work(b"a notebook").to_plain()
