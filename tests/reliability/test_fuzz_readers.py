"""Logs and Gradescope's metadata are read or refused, whatever they hold."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from viva.log import SCHEMA, STATUSES
from viva_examiner.examination import submission_log
from viva_examiner.gradescope.run import names_of

CORPUS = Path(__file__).parent / "corpus"
MANY = settings(max_examples=2500, deadline=None, suppress_health_check=list(HealthCheck))
TEXT = st.text(st.characters(), max_size=8) | st.sampled_from(["\ud800", "\x00", "a\nb"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ENTRIES = st.fixed_dictionaries(
    {"status": st.sampled_from(STATUSES) | JSON, "time": TEXT, "source": TEXT,
     "digest": TEXT, "outputs": st.dictionaries(TEXT, JSON, max_size=3) | JSON}) | JSON
LOGS = st.fixed_dictionaries({
    "schema": st.just(SCHEMA), "homework": st.just("h") | JSON, "student": st.just("s") | JSON,
    "kit": st.just("1") | JSON,
    "exercises": st.dictionaries(st.just("known") | TEXT, ENTRIES, max_size=3) | JSON}) | JSON
OWN = json.dumps({
    "schema": SCHEMA, "homework": "h", "student": "s", "kit": "1",
    "exercises": {"known": {"status": "passed", "time": "", "source": "def f(): pass",
                            "digest": "", "outputs": {"case": [1, 2.5], "other": {"t": [1]}}}}})


def log_is_read_or_refused(data: bytes) -> None:
    try:
        log = submission_log.parse(data)
    except submission_log.BadLog as error:
        str(error).encode()
    else:
        assert log["schema"] == SCHEMA
    for remark in submission_log.compare(data, OWN):
        for text in (remark.text, remark.exercise):
            text.encode()  # goes into a notebook
            assert text.isprintable()
    submission_log.compare(OWN.encode(), data.decode(errors="replace"))


@MANY
@given(LOGS)
@example({"schema": SCHEMA, "homework": "h", "student": "s", "kit": "1", "exercises": {
    "\ud800": {"status": "passed", "time": "", "source": "", "digest": "", "outputs": {}}}})
def test_any_log_is_read_or_refused(log):
    log_is_read_or_refused(json.dumps(log).encode())


@MANY
@given(position=st.integers(0, 10_000), new=st.binary(max_size=6), cut=st.integers(0, 20))
def test_a_damaged_log_is_read_or_refused(position, new, cut):
    data = bytearray(OWN.encode())
    position %= len(data)
    data[position : position + cut] = new
    log_is_read_or_refused(bytes(data))


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000, b"\xff\xfe"])
def test_deep_long_and_foreign_text_is_no_log(data):
    with pytest.raises(submission_log.BadLog):
        submission_log.parse(data)


USERS = st.fixed_dictionaries({}, optional={
    "email": st.emails() | JSON, "sid": JSON, "id": JSON, "name": JSON})


def metadata_is_read(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    for name in names_of(path):
        assert name and name.isprintable()  # becomes an environment variable and a gradebook's key


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("metadata") / "submission_metadata.json"


@MANY
@given(metadata=st.fixed_dictionaries({"users": st.lists(USERS | JSON, max_size=3) | JSON}) | JSON)
def test_any_metadata_is_read(path, metadata):
    metadata_is_read(path, json.dumps(metadata).encode())


@pytest.mark.parametrize("data", [
    b"", b"\xff", b"[" * 100_000,
    b'{"users": ' + b"[" * 100_000, b'{"users": [{"sid": "\\u0000"}]}',
    b'{"users": [{"email": "\\ud800@x"}]}'])
def test_odd_metadata_names_nobody(path, data):
    metadata_is_read(path, data)


@pytest.mark.parametrize("log", sorted(CORPUS.glob("logs/*")), ids=lambda path: path.stem)
def test_logs_that_were_found_once(log):
    log_is_read_or_refused(log.read_bytes())
