"""A candidate: its cells, their outputs and limits, and how it ends."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from types import SimpleNamespace

import pytest

from candidates import QUICK, text_of
from viva_examiner.allowed import harmless_html
from viva_examiner.limits import Limits
from viva_examiner.sandbox.errors import (
    CandidateDied,
    EngineError,
)
from viva_examiner.sandbox.inside.candidates import WarmLoop, reaped_seconds
from viva_examiner.sandbox.interpreter import WarmInterpreter


def test_outputs_come_in_order_as_nbformat(session):
    result = session.run_cell("print('a'); display(3)\nimport sys\nprint('b', file=sys.stderr)\n7")
    kinds = [o["output_type"] for o in result.outputs]
    assert kinds == ["stream", "display_data", "stream", "execute_result"]
    assert result.outputs[0]["text"] == "a\n" and result.outputs[2]["name"] == "stderr"
    assert result.outputs[3]["data"] == {"text/plain": "7"}
    assert result.error is None and result.seconds > 0 and not result.died


def test_a_semicolon_silences_the_last_value(session):
    assert session.run_cell("7;").outputs == []


def test_output_of_c_code_and_of_processes_is_caught(session):
    source = ("import os, subprocess\nos.write(1, b'raw\\n')\n!echo shell\n"
              "subprocess.run('echo sub', shell=True);")
    assert text_of(session.run_cell(source)).split() == ["raw", "shell", "sub"]


def test_figures_come_as_png(session):
    source = ("%matplotlib inline\nimport matplotlib.pyplot as plt\n"
              "plt.plot([1, 2]); plt.title('t');")
    shown = [o for o in session.run_cell(source).outputs if "image/png" in o.get("data", {})]
    assert len(shown) == 1


def test_await_magics_and_display_updates(session):
    source = """
        import asyncio
        await asyncio.sleep(0)
        %timeit -n1 -r1 -q 1
        from IPython.display import clear_output
        print('gone'); clear_output()
        handle = display('one', display_id=True); handle.update('two')
    """
    result = session.run_cell(textwrap.dedent(source))
    assert result.error is None
    assert [o["data"]["text/plain"] for o in result.outputs] == ["'two'"]


def test_pasted_prompts_and_a_notebooks_own_transformers(session):
    assert text_of(session.run_cell("In [1]: print(6 * 7)")) == "42\n"
    assert session.run_cell("\n\n?int").error is None
    session.run_cell("get_ipython().input_transformers_post.append("
                     "lambda lines: [line.replace('minus', '-') for line in lines])")
    assert text_of(session.run_cell("print(minus 5)")) == "-5\n"


def test_errors_carry_a_traceback_and_the_session_goes_on(session):
    result = session.run_cell("def f():\n    1 / 0\nf()")
    assert result.error["ename"] == "ZeroDivisionError"
    assert len(result.error["traceback"]) > 1
    assert result.outputs[-1]["output_type"] == "error"
    assert session.run_cell("x = = 1").error["ename"] == "SyntaxError"
    assert session.run_cell("import sys; sys.exit()").error["ename"] == "SystemExit"
    assert session.run_cell("input()").error["ename"] == "StdinNotImplementedError"
    assert session.run_cell("1").error is None


def test_the_kit_is_warm(session):
    """No candidate has to import the kit's modules or to read the expected outputs."""
    source = """
        import sys
        from viva import tables
        from viva.checking import expected_of
        print("viva.cases.purification.truth" in sys.modules, "matplotlib.pyplot" in sys.modules,
              expected_of.cache_info().currsize == len(tables.homeworks()) > 3)
    """
    assert text_of(session.run_cell(textwrap.dedent(source))).split() == ["True"] * 3


def test_where_the_examiner_runs_its_candidate_runs(session):
    cores = text_of(session.run_cell("import os; print(sorted(os.sched_getaffinity(0)))"))
    assert cores.strip() == str(sorted(os.sched_getaffinity(0)))


def test_files_and_environment(session):
    source = """
        import os
        print(open('data.txt').read(), os.environ['VIVA_STUDENT'], os.environ['NBGRADER_EXECUTION'])
        open('made.txt', 'w').write('hello');
    """
    assert text_of(session.run_cell(textwrap.dedent(source))) == "seven ada autograde\n"
    assert session.read_file("made.txt") == b"hello"
    assert session.read_file("missing") == b""


def test_output_is_cut(warm):
    with warm.fork(limits=Limits(output_kb=8)) as session:
        result = session.run_cell("print('x' * 10_000_000)")
        assert 8_000 < len(text_of(result)) < 9_000 and "cut here" in text_of(result)
        raw = session.run_cell("import os\nfor _ in range(1000): os.write(1, b'y' * 1000)")
        assert len(text_of(raw)) < 9_000 and not raw.died


def test_what_is_printed_takes_no_memory(warm):
    with warm.fork(limits=Limits(memory_mb=300)) as session:
        printed = session.run_cell("for _ in range(40_000): print('x' * 10_000)")  # 400 MB
        assert printed.error is None
        assert session.run_cell("import numpy as np\nheld = np.ones((20, 2**17))").error is None


def test_markup_is_cleaned_and_strange_types_dropped(session):
    source = """
        from IPython.display import HTML, Javascript, display
        display(HTML('<b onclick="x()">hi</b><script>alert(1)</script>'))
        display(Javascript('alert(1)'))
        display({'image/png': 'bm90IGEgcG5n', 'text/plain': 'p'}, raw=True)
        display({'text/plain': 7}, raw=True)
    """
    outputs = session.run_cell(textwrap.dedent(source)).outputs
    assert outputs[0]["data"]["text/html"].startswith("<b>hi</b>")
    assert all("javascript" not in mime for o in outputs for mime in o["data"])
    assert outputs[-1]["data"] == {"text/plain": "p"}


@pytest.mark.parametrize("text", [
    "<b>" * 20_000, "<div><p>" * 8_000, "<b " * 20_000, "<!--" * 15_000, "<script>" * 8_000,
    "<b a='" * 10_000, "&#" * 30_000, "<b style='" + "color:red;" * 6_000 + "'>", "</" * 30_000,
])
def test_hostile_markup_takes_little_time_and_stays_balanced(text):
    began = time.process_time()
    cleaned = harmless_html(text)
    assert time.process_time() - began < 1  # 60 KB; a quadratic parser needs minutes for some
    opened = re.findall(r"<([a-z]+)[ >]", cleaned)
    assert len(opened) == len(re.findall(r"</[a-z]+>", cleaned)) < 100


@pytest.mark.parametrize("text, clean", [
    ("a < b & c", "a &lt; b &amp; c"),
    ("<a href='javascript:x()'>text</a>", "text"),
    ("<img src='https://example.org/x.png' alt='a \"b\"'>", '<img alt="a &quot;b&quot;">'),
    ("<i style='color:red; position:fixed; background:url(x)'>1", '<i style="color:red">1</i>'),
    ("<img src='data:image/svg+xml;base64,AA=='><svg><script>1</script></svg>", "<img>"),
    ("<sCript>x</scRIPT >left", "left"),
    ("<<b>script>alert(1)<</b>/script>", "&lt;<b>script&gt;alert(1)&lt;</b>/script&gt;"),
])
def test_markup_is_written_anew(text, clean):
    assert harmless_html(text) == clean


def test_a_slow_cell_is_interrupted_and_the_session_lives(session):
    result = session.run_cell("x = 1\nwhile True: pass", seconds=0.5)
    assert result.timed_out and not result.died
    assert result.error["ename"] == "CellTimeoutError"
    assert session.resolve(["x"]) == {"x": 1}


def test_what_a_slow_cell_has_started_ends_with_it(session):
    crowd = "import os\nkept = 1\nfor _ in range(4):\n    os.fork()\nwhile True: pass"
    assert session.run_cell(crowd, 1.0).timed_out and session.dead is None
    left = session.run_cell("""
        import time
        def alive():
            states = [open(f"/proc/{p}/stat").read().rpartition(")")[2].split()[0]
                      for p in os.listdir("/proc") if p.isdigit()]
            return len(states) - states.count("Z")
        ended = time.monotonic() + 10
        while alive() > 1 and time.monotonic() < ended:
            time.sleep(0.05)  # they have to be given a processor to die
        print(kept, alive())""")
    assert text_of(left) == "1 1\n"


def test_a_cell_that_ignores_interrupts_is_killed(session):
    began = time.monotonic()
    result = session.run_cell("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
                              "while True: pass", seconds=0.5)
    assert result.timed_out and result.died and time.monotonic() - began < 30
    assert "ignored the interrupt" in session.incidents[0].text
    with pytest.raises(CandidateDied):
        session.run_cell("1")
    with pytest.raises(CandidateDied):
        session.resolve(["x"])


def test_the_whole_submission_has_a_deadline(warm):
    with warm.fork(limits=Limits(submission_seconds=1)) as session:
        assert session.run_cell("while True: pass").died
        assert "whole submission" in session.dead


@pytest.mark.parametrize("source, words", [
    ("import os; os._exit(3)", "exit code 3"),
    ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ("import os, signal; signal.raise_signal(signal.SIGABRT); os.abort()", "crashed"),
])
def test_a_crash_is_told_and_engine_goes_on(warm, source, words):
    with warm.fork(limits=QUICK) as session:
        result = session.run_cell(source)
        assert result.died and words in session.incidents[0].text
        assert result.error["ename"] == "DeadKernelError"
    with warm.fork(limits=QUICK) as session:
        assert session.run_cell("1").error is None


def test_forked_children_do_not_disturb_the_conversation(session):
    result = session.run_cell("import os\nprint('parent', flush=True)\npid = os.fork()\n1 + 1")
    assert result.error is None
    assert result.outputs[-1]["data"]["text/plain"] == "2"
    assert session.resolve(["pid"])["pid"] > 0


def test_two_candidates_at_once_are_refused(warm, session):
    with pytest.raises(EngineError):
        warm.fork()


def test_a_lost_warm_interpreter_is_the_engines_failure():
    with WarmInterpreter(preload=("numpy", "IPython", "viva")) as warm:
        warm.process.kill()
        warm.process.wait()
        with pytest.raises(EngineError):
            warm.fork()


def test_state_does_not_pass_to_the_next_candidate(warm):
    with warm.fork(limits=QUICK) as session:
        session.run_cell("import numpy as np, builtins, os\nnp.poison = builtins.poison = 1\n"
                         "open('/tmp/poison', 'w').close(); x = 1; np.random.rand()")
    with warm.fork(limits=QUICK) as session:
        result = session.run_cell("import numpy as np, builtins, os\nprint(hasattr(np, 'poison'), "
                                  "hasattr(builtins, 'poison'), os.path.exists('/tmp/poison'))")
        assert text_of(result) == "False False False\n" and session.resolve(["x"]) == {}


def test_the_processor_clock_has_its_full_resolution(session):
    """A limit of the kernel on processor time would make it step by ten milliseconds."""
    result = session.run_cell("""
import time
steps, last = [], time.process_time()
while len(steps) < 50:
    now = time.process_time()
    if now != last:
        steps.append(now - last)
        last = now
print(sorted(steps)[25] < 0.001)
""")
    assert text_of(result) == "True\n"


def test_processor_time_is_bounded_for_all_processes_together():
    """Two processes that spin end their candidate, though each of them is below the limit."""
    spin = "import time\nwhile time.process_time() < 0.6: pass\ntime.sleep(60)"
    spinning = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(2)]
    candidate = subprocess.Popen(["sleep", "60"])
    try:
        family = [candidate.pid, *(each.pid for each in spinning)]
        loop = WarmLoop({}, SimpleNamespace(family=lambda: family, socket_kb=0), None)
        loop.child, loop.reaped = candidate.pid, reaped_seconds()
        loop.limits = {"memory_mb": 10**6, "submission_seconds": 0}  # and one of grace
        deadline = time.monotonic() + 60
        while not loop.reason and time.monotonic() < deadline:
            loop.watch()
            time.sleep(0.02)
        assert loop.reason == "processor" and candidate.wait(10) == -signal.SIGKILL
    finally:
        for each in (*spinning, candidate):
            each.kill()
            each.wait()


def test_a_candidate_cannot_take_another_share_of_the_processors(session):
    """Programs that ask for another core or session go on, with what they have."""
    result = session.run_cell("""
import os, subprocess
before = os.getsid(0), os.sched_getaffinity(0)
os.sched_setaffinity(0, {max(before[1])} if len(before[1]) > 1 else {0, 1, 2, 3})
if os.fork() == 0:
    os.setsid()
    os._exit(os.getsid(0) != before[0])
print(os.wait()[1], (os.getsid(0), os.sched_getaffinity(0)) == before)
print(subprocess.run(["true"], start_new_session=True).returncode)
""")
    assert text_of(result) == "0 True\n0\n", result
