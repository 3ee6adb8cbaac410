"""The ledger: entries beside nbgrader's tables, on both databases, in the caller's transaction."""

import threading

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import inspect, text

from viva_examiner.gradebook import ledger
from viva_examiner.gradebook.database import GradebookFailed
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.ledger_form import STEPS


@pytest.fixture
def course(empty_course):
    return empty_course


def test_entries_come_back_as_they_were_recorded(course):
    with ledger.opened(course) as book:
        first = book.record(ledger.MARK, "hw", "ada", "written_why", score=2.5, comment="ø\n'")
        second = book.record(ledger.SEEN, "hw", "bob", author="tina", note="a PDF")
        assert second > first
    with ledger.opened(course) as book:
        entry, other = book.entries()
        assert (entry.kind, entry.author, entry.cell) == ("mark", ledger.this_person(),
                                                          "written_why")
        assert entry.payload == {"score": 2.5, "comment": "ø\n'"} and entry.at.tzinfo is not None
        assert book.entries(student="bob") == [other] == book.entries("seen")
        assert book.last(ledger.MARK, homework="hw") == entry
        assert book.last(ledger.PUSHED) is None


def test_an_entry_stands_and_falls_with_the_transaction_it_is_in(course):
    with pytest.raises(RuntimeError), ledger.opened(course) as book:
        book.record(ledger.SEEN, "hw", "ada")
        raise RuntimeError("the mark could not be written")
    with ledger.opened(course) as book:
        assert book.entries() == []


def test_forgetting_removes_one_students_entries_and_ids_are_not_given_again(course):
    with ledger.opened(course) as book:
        ids = [book.record(ledger.SEEN, "hw", name) for name in ("ada", "bob", "bob")]
        assert book.forget("bob") == 2
        assert book.record(ledger.SEEN, "hw", "cyd") > max(ids)
        assert [entry.student for entry in book.entries()] == ["ada", "cyd"]


def test_many_who_open_an_old_gradebook_at_once_make_one_ledger(course):
    faults = []
    Gradebook(course.db_url, "l").close()  # nbgrader's own line about the course is in it

    def open_it(number):
        try:
            with ledger.opened(course) as book:
                book.record(ledger.SEEN, "hw", f"student{number}")
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=open_it, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    with ledger.opened(course) as book:
        assert len(book.entries()) == 6
        assert book.db.execute(text("SELECT version FROM viva_form")).all() == [
            (number + 1,) for number in range(len(STEPS))]


def test_a_ledger_that_is_made_in_mid_transaction_leaves_the_transaction_alone(course):
    with Gradebook(course.db_url, "l") as book:
        book.db.execute(text("INSERT INTO student (id) VALUES ('zoe')"))
        Ledger(book.db).record(ledger.SEEN, "hw", "zoe")
        book.db.rollback()
    with Gradebook(course.db_url, "l") as book:
        assert [each.id for each in book.students] == []


def test_a_newer_ledger_is_refused_in_words_and_nbgraders_tables_are_as_they_were(course):
    with ledger.opened(course) as book:
        before = set(inspect(book.db.connection()).get_table_names())
        assert {"viva_ledger", "viva_form", "student", "grade"} < before
        book.db.execute(text(f"INSERT INTO viva_form (version) VALUES ({len(STEPS) + 1})"))
    with pytest.raises(GradebookFailed, match="newer version"), ledger.opened(course):
        pass


def test_who_somebody_is(monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_USER", "tina")
    assert ledger.this_person() == "tina"
    monkeypatch.setenv("VIVA_GRADER", "Tina T.")
    assert ledger.this_person() == "Tina T."
