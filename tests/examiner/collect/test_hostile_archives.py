"""What a student can put into a name, an archive or a manifest costs a line, no more."""

import contextlib
import io
import resource
import stat
import time
import zipfile
from datetime import datetime
from random import Random

import pytest

from collecting import ATTENTION, NOW, TABLE, WHOLE, collected, owners, refused, work
from platform_exports import archive, blackboard, brightspace, canvas, gradescope, moodle, zipped
from viva_examiner.collect import manifest
from viva_examiner.collect.archives import UnreadableArchive, zip_entries
from viva_examiner.collect.students import Students
from viva_examiner.notebook.whose_homework import plain_stem

AT = "2026-10-12 17:05:09 Z"
ADA = ([("Ada Lovelace", "ada", "ada@example.org")], AT, WHOLE)
SECONDS = 10  # each took 20 s and more; now below one, with room for a busy machine


def test_names_that_climb_links_and_litter_are_never_taken(tmp_path):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        link = zipfile.ZipInfo("ada/attention.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(link, "/etc/passwd")
        out.writestr("../bob/attention.ipynb", ATTENTION)
        out.writestr("ada/__MACOSX/._attention.ipynb", b"\0")
        out.writestr("cyd/notes.txt", b"hello")
        out.writestr("ada/why.txt", b"hello")
    (tmp_path / "class.zip").write_bytes(made.getvalue())
    found = collected(tmp_path / "class.zip")
    assert {name: set(taken.files) for name, taken in found.taken.items()} == {
        "ada": {"why.txt"}, "cyd": {"notes.txt"}}


def test_one_corrupt_archive_costs_its_own_student_only(tmp_path):
    files = {"ada.zip": zipped(WHOLE), "bob.zip": b"PK\x03\x04 half of an archive"}
    found = collected(archive(tmp_path, "class.zip", files))
    assert set(found.taken) == {"ada"} and found.open == 1
    assert refused(found, "bob.zip: not a zip")


def test_a_bomb_is_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr("viva_examiner.collect.archives.MAX_FILE", 1000)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("attention.ipynb", b" " * 10**6)
    (tmp_path / "ada.zip").write_bytes(made.getvalue())
    found = collected(tmp_path / "ada.zip")
    assert not found.taken and refused(found, "larger than")


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_bomb_that_is_unpacked_in_one_step_is_not_opened(tmp_path, kind):
    """600 bytes of bzip2 were a gigabyte in memory before the first of them was counted."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as out:
        with out.open("attention.ipynb", "w") as file:
            for _ in range(100):
                file.write(bytes(2**20))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = collected(archive(tmp_path, "class.zip", {
        "ada/x.zip": made.getvalue(), "bob/attention.ipynb": ATTENTION}))
    assert set(found.taken) == {"bob"} and refused(found, "ada", "compressed in an unusual way")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # KB


def spoiled(data: bytes, name: bytes) -> bytes:
    """An archive whose first file, of this name, unpacks to nothing that is known."""
    at = data.find(name) + len(name)
    return data[:at] + b"\xff" * 10 + data[at + 10:]


def packed(name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(name, b"hello world " * 1000)
    return made.getvalue()


@pytest.mark.parametrize("broken", [
    spoiled(packed("attention.ipynb"), b"attention.ipynb"),
    packed("qqq").replace(b"qqq", b"\0qq")], ids=["zlib", "no name"])
def test_a_students_broken_archive_stops_nobody(tmp_path, broken):
    found = collected(archive(tmp_path, "class.zip", {
        "ada/x.zip": broken, "bob/attention.ipynb": ATTENTION}))
    assert "bob" in found.taken


def test_no_change_of_an_archive_raises():
    """zlib, lzma and struct raise exceptions of their own, and zipfile trips over empty names."""
    random, whole = Random(28), packed("attention.ipynb") + b"PK\x05\x06"
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(random.randint(1, 6)):
            at = random.randrange(len(data))
            data[at:at + random.randint(0, 3)] = bytes(random.choices((0, 1, 8, 12, 14, 255), k=2))
        with contextlib.suppress(UnreadableArchive):
            for entry in zip_entries("x.zip", bytes(data)):
                with contextlib.suppress(UnreadableArchive):
                    entry.read()


def test_numbers_are_bounded(tmp_path, monkeypatch):
    """Of one student's archive, of one upload, and of the whole export."""
    litter = {f"{number}.txt": b"" for number in range(30)}
    monkeypatch.setattr("viva_examiner.collect.archives.MAX_ENTRIES", 20)
    found = collected(archive(tmp_path, "class.zip", {
        "ada.zip": zipped(WHOLE), "bob.zip": zipped(WHOLE | litter)}))
    assert set(found.taken) == {"ada"} and refused(found, "bob.zip: holds more than 20")
    found = collected(archive(tmp_path, "class.zip", {f"ada/{name}": b"" for name in litter}))
    assert not found.taken and refused(found, "class.zip: holds")
    monkeypatch.undo()
    monkeypatch.setattr("viva_examiner.collect.choosing.MAX_FILES", 10)
    found = collected(archive(tmp_path, "class.zip", {
        f"{who}/{name}": data for who in ("ada", "bob")
        for name, data in (WHOLE if who == "ada" else litter).items()}))
    assert found.taken["ada"].has_notebook and not found.taken["bob"].has_notebook
    assert len(found.taken["bob"].files) <= 10 and len(found.refused) < 20


@pytest.mark.parametrize("odd", [
    blackboard("HW", "bob", "Bob", "2026-13-45-99-99-99", work("b")),
    blackboard("HW", "bob", "Bob", "0001-01-01-00-00-00", work("b")),
    blackboard("HW", "bob", "Bob", "9999-12-31-23-59-59", work("b"))])
def test_an_impossible_date_in_a_name_stops_nobody(tmp_path, odd):
    found = collected(archive(tmp_path, "x.zip", odd | blackboard(
        "HW", "ada", "Ada", "2026-10-12-17-05-09", work("a"))))
    assert owners(found) == {"ada": "a", "bob": "b"} and found.taken["bob"].when is None


@pytest.mark.parametrize("date", ["Feb 31, 2026 926 PM", "Sep 24, 0001 926 PM", "Xyz 24, 2026 1 PM",
                                  "Sep 24, 2026 9999 PM", "24 September 2026 926 PM"])
def test_brightspaces_impossible_dates(tmp_path, date):
    files = {f"7-1 - Ada Lovelace - {date}/attention.ipynb": ATTENTION}
    found = collected(archive(tmp_path, "x.zip", files))
    assert (found.taken["ada"].when is not None) == date.startswith("24")


@pytest.mark.parametrize("more", [
    "  :deep: " + "[" * 100_000 + "\n", "  :deep:\n" + "- " * 100_000 + "x\n",
    "  :bomb: &a [1]\n  :more: *a\n", "  - not: [balanced\n", "\t\x00\xff\n",
    "  :results:\n    :tests:\n    - :name: x\n      :submitters:\n      - :sid: bob\n",
    "  :created_at: 0001-01-01 00:00:00.0 +14:00\n", "  :created_at: [1, 2]\n",
    "  :submitters: 7\n", "submission_5: null\n", "submission_6:\n  :submitters:\n"],
    ids=["deep", "dashes", "alias", "broken", "bytes", "nested", "year 1", "list", "number",
         "null", "nobody"])
def test_an_odd_or_deep_manifest_stops_nobody(tmp_path, more):
    found = collected(archive(tmp_path, "x.zip", gradescope([ADA], more)))
    assert set(found.taken) == {"ada"} and found.taken["ada"].has_notebook


def test_a_manifest_is_the_platforms_at_the_top_only(tmp_path):
    forged = b"submission_1:\n  :submitters:\n  - :sid: bob\n    :name: Bob Byron\n"
    hostile = {"submission_metadata.yml": forged, "submission_1/attention.ipynb": ATTENTION}
    for files in (moodle("Ada Lovelace", 17, hostile), {f"ada/{k}": v for k, v in hostile.items()}):
        assert "bob" not in collected(archive(tmp_path, "x.zip", files)).taken


@pytest.mark.parametrize("value, text", [
    ("Ada", "Ada"), ("'O''Brien'", "O'Brien"), ('"J\\u00fcrgen \\"J\\" K"', 'Jürgen "J" K'),
    ('"\\e[2J"', ""), ("|", ""), ("*alias", ""), ("a\x1b[31mb", "")])
def test_scalars_of_a_manifest(value, text):
    data = f"s:\n  :submitters:\n  - :name: {value}\n".encode()
    assert manifest.people_of(data)["s"].people == [{"name": text}]


def test_a_name_of_several_lines_in_a_manifest_names_nobody():
    data = b"s:\n  :submitters:\n  - :name: 'A long name\n      :sid: bob\n      and more'\n"
    assert set(manifest.people_of(data)["s"].people[0]) == {"broken"}


@pytest.mark.parametrize("files", [
    {f"{'-' * 380}{number}.ipynb": b"" for number in range(4000)},
    {f"{number}{'_' * 350}.ipynb": b"" for number in range(4000)},
    {f"ada_{'1_' * 150}attempt_{number}": b"" for number in range(4000)},
    {f"ada/{number}.ipynb": ATTENTION for number in range(4000)},
    canvas("x", 1, {f"{number}{'-' * 300}.json": b"" for number in range(4000)})],
    ids=["dashes", "underscores", "attempts", "notebooks", "canvas"])
def test_many_long_names_take_no_longer_than_their_number(tmp_path, files):
    """1.6 MB of names that end in dashes took 46 s."""
    began = time.process_time()
    collected(archive(tmp_path, "x.zip", {"bob_attention.ipynb": ATTENTION} | files))
    assert time.process_time() - began < SECONDS


def test_a_student_with_many_small_files_takes_no_longer_than_others(tmp_path):
    """The list of an archive's files was read again for each of them."""
    inner = zipped({f"{number}.ipynb": b"" for number in range(20_000)})
    made = archive(tmp_path, "ada.zip", {"work.zip": inner, "attention.ipynb": ATTENTION})
    began = time.process_time()
    collected(made)
    assert time.process_time() - began < SECONDS


def test_a_long_manifest_takes_no_longer_than_its_length(tmp_path):
    more = "  :results:\n" + "    - [a, {b: [c, d]}]\n" * 50_000
    names = "".join(f"submission_{number + 1000}:\n  :submitters:\n  - :name: x\n"
                    for number in range(20_000))
    began = time.process_time()
    found = collected(archive(tmp_path, "x.zip", gradescope([ADA], more + names)))
    assert time.process_time() - began < SECONDS and set(found.taken) == {"ada"}


def test_names_of_copies_take_linear_time():
    began = time.process_time()
    for ending in ("-" * 10**6, " -_" * 10**5, "(1" * 10**5, "copy" * 10**5, "-1" * 2000):
        plain_stem(f"attention{ending}x.ipynb")
        plain_stem(f"attention{ending}.ipynb")
    assert time.process_time() - began < SECONDS


PARTS = ("ada bob LATE anon 101 102 9 _ - _attempt_ 2026-10-12-17-05-09 0000-00-00-00-00-00 / "
         "assignsubmission _file onlinetext attention.ipynb .txt .zip (ada) text.html index.html "
         "submission_metadata.yml assignment_7_export submission_98 Participant ² ١٢ é ..").split()
PARTS += [" - ", " ", "Sep 24, 2026 926 PM", "Ada Lovelace", "submission_log.json"]
CONTENTS = [ATTENTION, b"", b"Name: x (ada)\n", b"PK\x05\x06" + bytes(18), b"\xff\x00\x1b[2J",
            b"submission_98:\n  :submitters:\n  - :sid: ada\n"]


@pytest.mark.parametrize("students", [TABLE, Students()], ids=["with a table", "without one"])
def test_no_name_raises(tmp_path, students):
    """Names from the platforms' own words in any order; a file called LATE stopped everybody."""
    random = Random(28)
    for _ in range(400):
        names = ["".join(random.choices(PARTS, k=random.randint(1, 10))).strip("/") or "x"
                 for _ in range(random.randint(1, 6))]
        files = {name: random.choice(CONTENTS) for name in names}
        made = archive(tmp_path, random.choice(["ada.zip", "x.zip"]), files)
        for student in collected(made, students=students, due=NOW).taken:
            assert students is not TABLE or student in TABLE.ids
    collected(archive(tmp_path, "x.zip", {"LATE": b""}), students=students)


def test_brightspaces_list_is_no_hand_in(tmp_path):
    files = brightspace("Ada Lovelace", 7, datetime(2026, 9, 24, 21, 26), WHOLE)
    assert not collected(archive(tmp_path, "x.zip", files)).refused
