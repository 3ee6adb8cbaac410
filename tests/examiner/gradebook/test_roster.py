"""The roster over random histories: late days, extensions, groups, and which attempt counts."""

import os
import signal
import threading
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viva_examiner.gradebook import class_roster as rosters
from viva_examiner.gradebook.class_roster import ALL, Roster, RosterFault, RosterLine, parsed
from viva_examiner.gradebook.lateness import DAY, LatePolicy, SubmissionTimes, counted, penalty

TERM = datetime(2026, 2, 1, 12)
POLICY = LatePolicy()  # an hour of grace, 10% a day, at most 50%
HOMEWORKS = ["one", "two", "three", "four"]
STUDENTS = ["ada", "bob", "cyd"]


@st.composite
def histories(draw):
    """Submissions of a term: due a week apart, each handed in somewhere around its due date."""
    works = []
    for week, homework in enumerate(HOMEWORKS):
        due = TERM + timedelta(weeks=week)
        for attempt in draw(st.lists(st.integers(-3 * DAY, 9 * DAY), max_size=3, unique=True)):
            name = "ada" if not any(w.homework == homework for w in works) else f"ada+{attempt}"
            works.append(SubmissionTimes(name, homework, due, due + timedelta(seconds=attempt)))
    return works


days = st.none() | st.integers(0, 6)
lines = st.builds(
    RosterLine, student=st.sampled_from([*STUDENTS, ALL]),
    homework=st.sampled_from([*HOMEWORKS, ALL]),
    extension_days=st.none() | st.floats(0, 9).map(lambda x: round(x, 3)), late_days=days,
    group=st.sampled_from(["", "red", "blue, pale"]), counts=st.sampled_from(["", "best", "last"]))
rosters_ = st.lists(lines, max_size=8).map(Roster.of)


def score(work, late) -> float:
    """A mark that depends on the submission, after the penalty for its lateness."""
    full = 50.0 + (hash(work.at.second) + work.at.minute) % 50
    return full - penalty(POLICY, "ada", full, late)


def outcome(roster, works):
    return counted(roster, "ada", works, score, POLICY.days_late)


@given(rosters_, histories())
def test_late_days_are_never_more_than_there_are_nor_spent_for_nothing(roster, works):
    found = outcome(roster, works)
    assert sum(each.spent for each in found.values()) <= roster.budget("ada")
    for homework, each in found.items():
        late = each.late[each.chosen.submitter]
        assert 0 <= late.spent <= min(late.days, roster.at_most("ada", homework))
        assert (late.charged == 0) == (late.spent == late.days)


@given(rosters_, histories(), st.randoms(use_true_random=False))
def test_the_order_in_which_rows_are_read_changes_nothing(roster, works, random):
    shuffled = list(works)
    random.shuffle(shuffled)
    assert outcome(roster, shuffled) == outcome(roster, works)


@given(rosters_, histories(), st.sampled_from(HOMEWORKS), st.integers(1, 5))
def test_an_extension_never_costs_anybody(roster, works, homework, more):
    """More time for one homework: no homework gets later, and no late days are lost."""
    longer = roster.extension("ada", homework) / timedelta(days=1) + more
    line = RosterLine("ada", homework, extension_days=longer)
    old = roster.lines.get(line.key, RosterLine("ada", homework))
    given_more = Roster(roster.lines | {line.key: old.merged(line)})
    only = [work for work in works if work.submitter == "ada"]
    before, after = outcome(roster, only), outcome(given_more, only)
    for name in before:
        late = [each[name].late["ada"] for each in (before, after)]
        assert late[1].charged <= late[0].charged
    assert sum(e.spent for e in after.values()) <= sum(e.spent for e in before.values())


@given(rosters_, histories())
def test_last_is_the_latest_and_best_is_never_worse_than_any(roster, works):
    for homework, each in outcome(roster, works).items():
        rivals = [work for work in works if work.homework == homework]
        if roster.counts("ada", homework) == "last":
            assert each.chosen.at == max(work.at for work in rivals)
        else:
            marks = [score(work, each.late[work.submitter]) for work in rivals]
            assert score(each.chosen, each.late[each.chosen.submitter]) == max(marks)


@given(rosters_)
def test_a_group_is_the_same_whoever_of_it_is_asked(roster):
    for homework in HOMEWORKS:
        for student in STUDENTS:
            authors = roster.authors(student, homework, STUDENTS)
            assert student in authors
            for other in authors:
                assert roster.authors(other, homework, STUDENTS) == authors


@given(rosters_)
def test_what_is_written_is_read_back(roster):
    assert Roster.of(parsed(roster.text())) == roster


@settings(max_examples=300)
@given(st.text())
def test_whatever_a_file_holds_it_is_read_or_refused(text):
    for whole in (text, f"student,homework,extension_days,late_days\n{text}"):
        try:
            parsed(whole)
        except RosterFault as fault:
            assert fault.faults


def test_the_more_particular_line_wins():
    roster = Roster.of([
        RosterLine(ALL, late_days=2), RosterLine("ada", late_days=5), RosterLine(ALL, "one", 1.0),
        RosterLine("ada", "one", late_days=1), RosterLine(ALL, "two", counts="best")])
    assert roster.budget("ada") == 5 and roster.budget("bob") == 2
    assert roster.at_most("ada", "one") == 1 and roster.at_most("ada", "two") == 5
    assert roster.extension("ada", "one") == timedelta(days=1)
    assert roster.counts("bob", "two") == "best" and roster.counts("bob", "one") == "last"


@pytest.mark.parametrize("row, says", [
    ("adda,one,1", "line 2: there is no student adda; did you mean ada?"),
    ("ada,onne,1", "line 2: there is no homework onne; did you mean one?"),
    ("ada,one,soon", "line 2: extension_days is a number of days, 0 to 3650, not soon"),
    ("ada,one,-1", "extension_days is a number"), ("ada,one,nan", "extension_days is a number"),
    (",one,1", "line 2: a student's id is missing"),
    ("ada,one,1,2", "line 2: it has more fields"),
])
def test_a_fault_is_told_with_its_line_and_the_nearest_name(row, says):
    with pytest.raises(RosterFault, match=says.replace("?", r"\?")):
        parsed(f"student,homework,extension_days\n{row}\n", STUDENTS, HOMEWORKS)


def test_columns_and_attempts_of_attempts_are_refused():
    with pytest.raises(RosterFault, match="no column extension; did you mean extension_days"):
        parsed("student,extension\nada,1\n")
    with pytest.raises(RosterFault, match="c is an attempt of b, who is one of a"):
        parsed("student,attempt_of\nb,a\nc,b\n")
    with pytest.raises(RosterFault, match="a spreadsheet would compute"):
        parsed("student,group\nada,=1+1\n")
    with pytest.raises(RosterFault, match="late_days are whole days"):
        parsed("student,late_days\nada,1.5\n")


class Somewhere:
    def __init__(self, root):
        self.root = root


def test_of_two_who_change_it_at_once_neither_loses(tmp_path):
    course = Somewhere(tmp_path)

    def add(number):
        rosters.change(course, lambda now: Roster(now.lines | {
            (f"s{number}", ALL): RosterLine(f"s{number}", late_days=number)}))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(rosters.read(course).lines) == 20


def test_whoever_is_killed_leaves_a_whole_file(tmp_path):
    """A process that does nothing but change the roster is killed, five times."""
    course = Somewhere(tmp_path)
    for _ in range(5):
        before = len(rosters.read(course).lines)
        child = os.fork()
        if child == 0:
            while True:
                rosters.change(course, lambda now: Roster(now.lines | {
                    (f"s{len(now.lines)}", ALL): RosterLine(f"s{len(now.lines)}", late_days=1)}))
        while len(rosters.read(course).lines) < before + 3:
            pass
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        after = rosters.read(course).lines  # whole, and without a gap
        assert set(after) == {(f"s{number}", ALL) for number in range(len(after))}


def test_a_change_that_fails_leaves_the_file_as_it_was(tmp_path):
    course = Somewhere(tmp_path)
    rosters.change(course, lambda now: Roster.of([RosterLine("ada", late_days=3)]))
    before = rosters.path_of(course).read_bytes()

    def fails(now):
        raise RosterFault(["no"])

    with pytest.raises(RosterFault):
        rosters.change(course, fails)
    assert rosters.path_of(course).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if "new" in path.name] == []
