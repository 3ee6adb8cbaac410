"""Coverage-guided fuzzing of what the trusted side reads. Started by test_guided, or by hand:

    python tests/reliability/guided.py notebook -runs=20000 -max_total_time=60

The targets are the checks of the property-based tests, fed with what libFuzzer finds instead of
what hypothesis draws. An exception that a check does not expect ends the run with status 77 and
leaves the input beside the caller as crash-*: put it into corpus/.
"""

import sys
import tempfile
from pathlib import Path

import atheris

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

with atheris.instrument_imports(include=["viva", "viva_examiner"], enable_loader_override=False):
    from test_fuzz import read_or_refused, released_plain_course
    from test_fuzz_readers import OWN, log_is_read_or_refused, metadata_is_read
    from test_fuzz_session import Talk, is_ours, packed

    import plain_course
    from viva import plain

RELEASED = released_plain_course()
METADATA = Path(tempfile.mkdtemp(prefix="viva-guided-")) / "submission_metadata.json"


def notebook(data: bytes) -> None:
    read_or_refused(data, RELEASED)


def frame(data: bytes) -> None:
    try:
        plain.unpack(data)
    except plain.Malformed:
        pass


def session(data: bytes) -> None:
    with Talk([data]) as talk:
        try:
            talk.run_cell("1")
        except Exception as error:
            if not is_ours(error):
                raise


def log(data: bytes) -> None:
    log_is_read_or_refused(data)


def metadata(data: bytes) -> None:
    metadata_is_read(METADATA, data)


SEEDS = {
    notebook: plain_course.submission("half"),
    frame: plain.pack({"op": "done", "id": 1, "value": [1.5, "x", None, {"a": (1, 2)}]}),
    session: packed({"op": "output", "output": {"o": "stream", "name": "stdout", "text": "hi"}}),
    log: OWN.encode(),
    metadata: b'{"users": [{"email": "ada@school", "sid": "17", "name": "Ada"}]}',
}

if __name__ == "__main__":
    name, *options = sys.argv[1:]
    target = next(each for each in SEEDS if each.__name__ == name)
    seeds = Path(tempfile.mkdtemp(prefix="viva-seeds-"))
    (seeds / "seed").write_bytes(SEEDS[target])
    atheris.Setup([sys.argv[0], *options, "-close_fd_mask=1", str(seeds)], target)
    atheris.Fuzz()
