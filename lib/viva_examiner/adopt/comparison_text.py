"""What `viva adopt` says: what would differ, why, what to do, and the lines for the course."""

import re

from viva_examiner.adopt.adopted_course import TriedNotebook
from viva_examiner.adopt.both_ways import (
    EQUAL,
    LOST,
    MORE,
    ON_STDERR,
    ONLY_STOCK,
    OPEN,
    ComparedTest,
)
from viva_examiner.adopt.loops import SECONDS
from viva_examiner.examination import one_kernel, second_opinion
from viva_examiner.harmless import one_line
from viva_examiner.sandbox import wall
from viva_examiner.sandbox.bridge import forwarding

LINES = """\
from nbgrader.converters import GenerateFeedback
from viva_examiner.nbgrader_steps.exporters import ByHomework
from viva_examiner.nbgrader_steps.feedback_page import FeedbackPage
from viva_examiner.nbgrader_steps.formgrader_page import HarmlessPage
from viva_examiner.nbgrader_steps.preprocessors import Examine, HideTests, Restore

c.Autograde.sanitize_preprocessors = [Restore]
c.Autograde.autograde_preprocessors = [Examine]
c.GenerateFeedback.preprocessors = [
    HideTests, *GenerateFeedback.class_traits()["preprocessors"].default(),
]
c.GenerateFeedback.exporter_class = FeedbackPage
c.ExportApp.plugin_class = ByHomework
c.HTMLExporter.preprocessors = [HarmlessPage]
"""


def _ours(*sentences: str) -> str:
    """A pattern for sentences of the examiner's own, which stand in the modules that say them."""
    return "|".join(map(re.escape, sentences))


NO_NETWORK = (r"URLError|gaierror|Name or service|name resolution|[Nn]etwork\b|ConnectionError|"
              "HTTPError")
HERE_ALONE = _ours(f"{second_opinion.DIFFERS}: 0 here")
REPLACES = (
    r"\b(?:patch|monkeypatch|mock|MagicMock|setattr)\b",
    "the test replaces something in its own process, and the student's code, in another one, calls "
    "the real one. Only input, print, time, sleep and the functions of random are replaced there "
    "too: let the student's function take the other as an argument, or let a TA give this mark")
# A pattern in the reason and what helps, or two patterns, the second in the test's own text. The
# first that fits is said, so causes stand before their consequences: a test that is too slow also
# fails.
ADVICE = (
    (NO_NETWORK, *REPLACES),
    (NO_NETWORK, "student code has no network: put the data beside the notebook in source/"),
    (r"No module named|ModuleNotFoundError",
     "install the module where the examiner runs, or put it beside the notebook in source/"),
    (r"longer than [\d.]+ (?:s|seconds)\b|took more than|[Tt]ime ?out|ran too long",
     "give it more time: c.Examiner.cell_seconds, c.Examiner.question_seconds and "
     "c.Examiner.submission_seconds. A test that calls the student's function thousands of times "
     "pays 0.25 ms for each call: let it ask for fewer, or for all in one array"),
    (r"[Mm]emory", "give it more memory: c.Examiner.memory_mb"),
    (r"too large|larger than|too many (?:values|numbers)|MB cannot cross",
     "let the test ask for less data, or raise c.Examiner.message_mb"),
    (_ours(wall.TEXT, wall.PLACE),
     "let the test compare what the student's code returns instead of running it: ast.literal_eval "
     "reads a literal, json.loads reads data"),
    (_ours(one_kernel.REPLACED, one_kernel.STATE, forwarding.STATE, forwarding.WATCHED),
     "the test watches the process that the student's code runs in, which is another one here: "
     "pass what it shall use as an argument, or let a TA give this mark"),
    (_ours(one_kernel.SAME, one_kernel.KEPT, forwarding.CHANGED, forwarding.COPIED),
     "student and test have copies of the same object here: let the test compare values and make "
     "its own objects anew before it changes them"),
    (r"derives a class", "let an ordinary cell above the test define that class: there it lives "
     "beside the student's, and the test can use it"),
    (r"cannot cross|cannot be pickled",
     "an object of the test's cannot be handed to the student's code: let the test send plain data "
     "(numbers, strings, lists, arrays) or a function"),
    (r"of the candidate", "an object of the student's would decide about the test: let the test "
     "turn it into plain data first (list(...), float(...), str(...)) and compare that"),
    (r"not plain Python", "write it in plain Python: a hidden test has no % and ! lines"),
    (r"asserts nothing", "let the test assert something, or end in a number of points"),
    (r"a fault of the exam", "fix the test: its own code is wrong, whoever is graded"),
    (_ours(ONLY_STOCK), "give the cell an id that no other cell has, and release again"),
    (HERE_ALONE, *REPLACES),
    (HERE_ALONE, r"catch_warnings|\b(?:warns|assertWarns\w*)\b",
     "a warning is given in the process of the student's code, where the test does not see it: let "
     "a TA give this mark"),
    (HERE_ALONE, r"\b(?:perf_counter|monotonic|timeit|process_time)|\btime\.time\b|%%?timeit",
     "the test compares times, and here a call takes 0.25 ms more, and time for what it hands "
     "over: compare what takes a second, or count steps instead"),
    (HERE_ALONE, r"\b(?:tempfile|tmp_path|TemporaryDirectory|NamedTemporaryFile|mkdtemp)\b",
     "a temporary folder of the test is not there for the student's code: let both use a name in "
     "the notebook's own folder"),
    (HERE_ALONE,
     "this line holds in one kernel and not here: look for what it shares with a cell above, such "
     "as an object that both change, a file or a plot, and let the test make its own"),
)
OTHERWISE = {
    OPEN: "nothing is lost: a TA gives this mark in formgrader. To have none to give, set "
          'c.Examiner.second_opinion = "stock"',
    LOST: "keep this test as it is for stock nbgrader, and tell the authors of the examiner",
    MORE: "look at the test: it passes here and fails in stock nbgrader",
}
HIGHER = (  # the same, for what stock nbgrader says where it gives less
    (_ours(ON_STDERR), "nothing, if the answer is right: stock nbgrader gives 0 for any text "
     "on stderr, a warning included, and the examiner does not"),
    (r"No module named|ModuleNotFoundError", "install the module in the kernel of the course"),
    (r"time|Time", "nothing, if the answer is right: the test measures time, which differs"),
)
SAYS = {OPEN: "open for a TA", LOST: "lower, and nobody is told", MORE: "higher, look at it"}


def comparison(tried: TriedNotebook) -> list[str]:
    """The lines about one notebook."""
    whose = f"handed in by {one_line(tried.student, 60)}" if tried.student else "solution"
    head = f"{tried.assignment}/{tried.notebook}, {whose}: "
    if tried.refused:
        return [head + one_line(tried.refused)]
    equal = sum(test.kind == EQUAL for test in tried.tests)
    lines = [f"{head}{equal} of {len(tried.tests)} tests as in stock nbgrader "
             f"({tried.stock.seconds:.1f} s there, {tried.ours.seconds:.1f} s here)"]
    for test in tried.tests:
        if test.kind != EQUAL:
            lines += _difference(test)
        elif not tried.student and test.stock < test.points:
            why = f": {one_line(test.theirs, 200)}" if test.theirs else ""
            lines.append(f"  {test.test}: the solution itself gets {test.stock:g} of "
                         f"{test.points:g}, both ways{why}")
    lines += [f"  {name} runs what a student's code made ({', '.join(calls)}): where that is not "
              "written in the test itself, the mark is open for a TA"
              for name, calls in tried.risky.items()]
    lines += [f"  {name} calls {one_line(function, 60)} {times:,} times, which takes about "
              f"{times * SECONDS:.1f} s more here: let it ask for fewer, or for all in one array"
              for name, calls in tried.often.items() for function, times in calls.items()]
    return lines


def _difference(test: ComparedTest) -> list[str]:
    ours = "no mark" if test.ours is None else f"{test.ours:g}"
    why = (f"stock nbgrader: {test.theirs}" if test.kind == MORE and test.theirs
           else test.reason or "nothing was said about it")
    table = HIGHER if test.kind == MORE else ADVICE
    advice = next((text for pattern, *in_test, text in table if re.search(pattern, why)
                   and all(re.search(each, test.source) for each in in_test)),
                  OTHERWISE[test.kind])
    lines = [f"  {test.test}: {SAYS[test.kind]}: {ours} here, {test.stock:g} of {test.points:g} "
             "in stock nbgrader", f"    why: {one_line(why, 400)}"]
    if test.line and test.kind != MORE:
        lines.append(f"    where: {one_line(test.line, 200)}")
    return [*lines, f"    what to do: {advice}"]


def summary(tests: list[ComparedTest]) -> str:
    """One line about all of them."""
    count = {kind: sum(test.kind == kind for test in tests) for kind in (EQUAL, *SAYS)}
    return (f"{len(tests)} automatic tests: {count[EQUAL]} equal, {count[OPEN]} open for a TA, "
            f"{count[LOST]} lower, {count[MORE]} higher than in stock nbgrader")


def own_steps(config: dict) -> list[str]:
    """What the course's configuration sets itself and the lines would replace or not know."""
    found = []
    for section, name, what in (
        ("Autograde", "sanitize_preprocessors", "the lines below replace it"),
        ("Autograde", "autograde_preprocessors", "the lines below replace it"),
        ("GenerateFeedback", "preprocessors", "the lines below replace it"),
        ("GenerateFeedback", "exporter_class", "the lines below replace it"),
        ("ExportApp", "plugin_class", "the lines below replace it; leave that line out to keep it"),
        ("ClearHiddenTests", "begin_test_delimeter", "the examiner knows nbgrader's own only: "
         "hidden tests between other marks are run as visible ones"),
        ("ClearHiddenTests", "end_test_delimeter", "the examiner knows nbgrader's own only"),
    ):
        if name in config.get(section, {}):
            found.append(f"c.{section}.{name} is set in this course: {what}")
    return found
