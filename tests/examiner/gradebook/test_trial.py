"""An upgrade of the gradebook's form is tried on a copy first, on both databases."""

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, inspect, text

from viva_examiner.cli import main
from viva_examiner.course import Course
from viva_examiner.doctor import surroundings
from viva_examiner.gradebook import ledger, ledger_form, upgrade_trial, upgrading
from viva_examiner.gradebook.database import GradebookFailed
from viva_examiner.gradebook.ledger_form import STEPS


@pytest.fixture
def course(empty_course):
    """One student and one entry, in a gradebook that has the form before the last."""
    with Gradebook(empty_course.db_url, "l") as book:
        book.add_student("ada")
    with ledger.opened(empty_course) as book:
        book.record(ledger.SEEN, "hw", "ada")
        book.db.execute(text("DROP TABLE viva_requests"))
        book.db.execute(text(f"DELETE FROM viva_form WHERE version = {len(STEPS)}"))
    return empty_course


def tables(course) -> set[str]:
    engine = create_engine(course.db_url)
    with engine.connect() as connection:
        found = set(inspect(connection).get_table_names())
        if connection.dialect.name == "postgresql":
            assert not [name for name in inspect(connection).get_schema_names()
                        if name.startswith("viva_trial")], "the copy is gone"
    engine.dispose()
    return found


def test_an_older_gradebook_gets_the_new_form_and_keeps_what_it_had(course):
    assert "viva_requests" not in tables(course)
    with ledger.opened(course) as book:
        assert [entry.student for entry in book.entries()] == ["ada"]
    assert "viva_requests" in tables(course)


def test_a_step_that_fails_on_the_copy_never_meets_the_gradebook(course, monkeypatch):
    met = []

    def fails(connection):
        met.append(str(connection.engine.url.query or connection.engine.url.database))
        connection.execute(text("DROP TABLE viva_ledger"))
        raise RuntimeError("this server knows no such column")

    monkeypatch.setattr(ledger_form, "STEPS", (*STEPS[:-1], fails))
    before = tables(course)
    with pytest.raises(GradebookFailed, match="failed on a copy of it: this server knows no such"):
        with ledger.opened(course):
            pass
    assert tables(course) == before and len(met) == 1
    assert "viva_trial" in met[0] or "copy.db" in met[0]


def test_a_step_that_loses_rows_on_the_copy_is_refused(course, monkeypatch):
    def loses(connection):
        connection.execute(text("DELETE FROM student"))

    monkeypatch.setattr(ledger_form, "STEPS", (*STEPS[:-1], loses))
    with pytest.raises(GradebookFailed, match="student had 1 rows and has 0"):
        with ledger.opened(course):
            pass
    with Gradebook(course.db_url, "l") as book:
        assert [each.id for each in book.students] == ["ada"]


@pytest.mark.parametrize("empty_course", ["postgresql"], indirect=True)
def test_an_account_without_the_right_to_make_a_copy_is_told_which_right(course):
    """Until the database's owner gives it, nothing changes; then the upgrade goes through."""
    owner = create_engine(course.db_url, isolation_level="AUTOCOMMIT")

    def as_owner(*lines: str) -> None:
        with owner.connect() as connection:
            for line in lines:
                connection.execute(text(line))

    as_owner("CREATE ROLE tina LOGIN", "GRANT ALL ON ALL TABLES IN SCHEMA public TO tina",
             "GRANT ALL ON SCHEMA public TO tina")
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text().replace("//viva@", "//tina@"))
    hers, before = Course(course.root), tables(course)
    with pytest.raises(GradebookFailed) as told, ledger.opened(hers):
        pass
    assert 'GRANT CREATE ON DATABASE "postgres" TO "tina"' in str(told.value)
    assert "nothing has changed" in str(told.value) and "report" not in str(told.value)
    assert tables(course) == before
    as_owner('GRANT CREATE ON DATABASE "postgres" TO "tina"')
    with ledger.opened(hers) as book:
        assert [entry.student for entry in book.entries()] == ["ada"]
    assert tables(course) > before
    as_owner("REASSIGN OWNED BY tina TO viva", "DROP OWNED BY tina", "DROP ROLE tina")
    owner.dispose()


def test_a_gradebook_that_somebody_locks_for_good_is_told_in_words(tmp_path, empty_gradebook,
                                                                    monkeypatch):
    monkeypatch.setattr(upgrade_trial, "COPY_SECONDS", 0.5)
    gradebook = tmp_path / "gradebook.db"
    gradebook.write_bytes(empty_gradebook.read_bytes())
    engine = create_engine(f"sqlite:///{gradebook}")
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN EXCLUSIVE")
        with pytest.raises(GradebookFailed, match="somebody is writing"):
            upgrade_trial.copy_file(gradebook, tmp_path / "copy.db")
    engine.dispose()


def old_gradebook(course, monkeypatch) -> None:
    """Bring nbgrader's own tables to the form that they had before version 0.6.2."""
    with Gradebook(course.db_url, "l") as book:
        book.db.execute(text("ALTER TABLE student DROP COLUMN lms_user_id"))
        if not course.db_url.startswith("sqlite"):  # nbgrader's steps on SQLite look first
            book.db.execute(text("ALTER TABLE assignment DROP COLUMN course_id"))
            book.db.execute(text("DROP TABLE course"))
        book.db.execute(text("UPDATE alembic_version SET version_num = '167914646830'"))
        book.db.commit()
    monkeypatch.chdir(course.root)


def test_viva_upgrade_brings_nbgraders_own_tables_up_to_date(course, monkeypatch, capsys):
    old_gradebook(course, monkeypatch)
    assert surroundings.about_database(course.db_url).remedy.startswith("Run `viva upgrade`")
    assert main(["upgrade"]) == 0
    assert "tried on a copy" in capsys.readouterr().out
    assert not surroundings.about_database(course.db_url).remedy
    with Gradebook(course.db_url, "l") as book:
        assert [(each.id, each.lms_user_id) for each in book.students] == [("ada", None)]
    assert "viva_requests" in tables(course)
    kept = list((course.root / "backups").glob("*.db"))
    assert len(kept) == course.db_url.startswith("sqlite")
    assert main(["upgrade"]) == 0 and "newest form" in capsys.readouterr().out


def test_viva_upgrade_that_fails_on_the_copy_leaves_the_gradebook_alone(course, monkeypatch,
                                                                         capsys):
    old_gradebook(course, monkeypatch)
    monkeypatch.setattr(upgrading, "nbgraders_own", lambda url: 1 / 0)
    assert main(["upgrade"]) == 2
    assert "failed on a copy" in capsys.readouterr().err
    assert surroundings.about_database(course.db_url).remedy
    monkeypatch.undo()
    upgrading.upgrade(course)  # for those who come after: they share a server
