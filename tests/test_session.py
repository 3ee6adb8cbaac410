"""Sessions: cells, questions, proxies, gradients and ends of a candidate."""

import contextlib
import io
import math
import random
import re
import textwrap
import time

import numpy as np
import pytest
import torch

from viva_examiner import clock
from viva_examiner.errors import (
    CandidateDied,
    CandidateError,
    CandidateTimeout,
    CannotCross,
    EngineError,
    NotData,
)
from viva_examiner.limits import Limits
from viva_examiner.markup import clean_markup
from viva_examiner.warm import Warm

QUICK = Limits(cell_seconds=10, question_seconds=5, submission_seconds=60)


@pytest.fixture(scope="module")
def warm():
    with Warm() as warm:
        yield warm


@pytest.fixture
def session(warm):
    with warm.fork("ada", {"data.txt": b"seven"}, QUICK) as session:
        yield session


@pytest.fixture
def define(session):
    """Run a cell and resolve names in it."""

    def define(source, *names):
        result = session.run_cell(textwrap.dedent(source))
        assert result.error is None, result.error
        found = session.resolve(names)
        return found[names[0]] if len(names) == 1 else [found[name] for name in names]

    return define


def text_of(result, name="stdout"):
    return "".join(o["text"] for o in result.outputs if o.get("name") == name)


# cells


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


def test_errors_carry_a_traceback_and_the_session_goes_on(session):
    result = session.run_cell("def f():\n    1 / 0\nf()")
    assert result.error["ename"] == "ZeroDivisionError"
    assert len(result.error["traceback"]) > 1
    assert result.outputs[-1]["output_type"] == "error"
    assert session.run_cell("x = = 1").error["ename"] == "SyntaxError"
    assert session.run_cell("import sys; sys.exit()").error["ename"] == "SystemExit"
    assert session.run_cell("input()").error["ename"] == "StdinNotImplementedError"
    assert session.run_cell("1").error is None


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
    cleaned = clean_markup(text)
    assert time.process_time() - began < 1  # 60 KB; a quadratic parser needs minutes for some
    opened = re.findall(r"<([a-z]+)[ >]", cleaned)
    assert len(opened) == len(re.findall(r"</[a-z]+>", cleaned)) < 100


@pytest.mark.parametrize("text, clean", [
    ("a < b & c", "a &lt; b &amp; c"),
    ("<a href='javascript:x()'>text</a>", "text"),
    ("<img src='https://example.org/x.png' alt='a \"b\"'>", '<img alt="a &quot;b&quot;">'),
    ("<td style='color:red; position:fixed; background:url(x)'>1", '<td style="color:red">1</td>'),
    ("<sCript>x</scRIPT >left", "left"),
    ("<<b>script>alert(1)<</b>/script>", "&lt;<b>script&gt;alert(1)&lt;</b>/script&gt;"),
])
def test_markup_is_written_anew(text, clean):
    assert clean_markup(text) == clean


def test_a_slow_cell_is_interrupted_and_the_session_lives(session):
    result = session.run_cell("x = 1\nwhile True: pass", seconds=0.5)
    assert result.timed_out and not result.died
    assert result.error["ename"] == "CellTimeoutError"
    assert session.resolve(["x"]) == {"x": 1}


def test_a_cell_that_ignores_interrupts_is_killed(session):
    began = time.monotonic()
    result = session.run_cell("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
                              "while True: pass", seconds=0.5)
    assert result.timed_out and result.died and time.monotonic() - began < 30
    assert "ignored the interrupt" in session.incidents[0]
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
        assert result.died and words in session.incidents[0]
        assert result.error["ename"] == "DeadKernelError"
    with warm.fork(limits=QUICK) as session:
        assert session.run_cell("1").error is None


def test_forked_children_do_not_disturb_the_conversation(session):
    result = session.run_cell("import os\nprint('parent', flush=True)\npid = os.fork()\n1 + 1")
    assert result.error is None
    assert result.outputs[-1]["data"]["text/plain"] == "2"
    assert session.resolve(["pid"])["pid"] > 0


# data


@pytest.mark.parametrize("value", [
    3, 2.5, "text", None, True, [1, [2, "x"]], (1, 2), {"a": 1, 2: "b"}, {1, 2}, 1 + 2j, b"bytes",
    range(3), slice(1, 2), 2**100,
])
def test_plain_values_cross_both_ways(define, value):
    same = define("def same(x): return x", "same")
    got = same(value)
    assert got == value and type(got) is type(value)


def test_arrays_and_tensors_cross_exactly(define):
    same = define("def same(x): return x", "same")
    for array in (np.arange(6.0).reshape(2, 3), np.zeros((0, 3), np.float32), np.array(True),
                  np.array([1 + 1j]), np.arange(4, dtype=np.int8)[::2]):
        got = same(array)
        assert got.dtype == array.dtype and got.shape == array.shape
        np.testing.assert_array_equal(got, array)
    assert isinstance(same(np.float32(1.5)), np.float32)
    assert math.isnan(same(math.nan))
    tensor = torch.randn(2, 3, dtype=torch.bfloat16)
    assert torch.equal(same(tensor), tensor)
    assert same(torch.float64) is torch.float64


def test_names_resolve_to_data_proxies_and_module_names(session):
    session.run_cell("import numpy as np\nx = np.arange(3)\ndef f(): pass\nclass C: pass")
    found = session.resolve(["np", "x", "f", "C", "missing"])
    assert found["np"] == "numpy" and found["np"].viva_module == "numpy"
    np.testing.assert_array_equal(found["x"], np.arange(3))
    assert found["f"].__viva_kind__ == "function" and found["C"].__viva_kind__ == "class"
    assert "missing" not in found
    assert found["f"].__name__ == "f"


def test_named_tuples_keep_their_names(define):
    f = define("""
        from collections import namedtuple
        Pair = namedtuple('Pair', 'left right')
        def f(): return Pair(1, [2])
    """, "f")
    assert f().left == 1 and f().right == [2] and f() == (1, [2])


def test_object_arrays_do_not_cross(define):
    f = define("import numpy as np\ndef f(): return np.array([object()])", "f")
    with pytest.raises(NotData, match="object"):
        f()


def test_what_the_examiner_cannot_send_is_named(define):
    f = define("def f(x): return x", "f")
    with pytest.raises(CannotCross, match="StringIO"):
        f(io.StringIO())
    assert f(3) == 3


# proxies


def test_functions_take_keywords_and_print(define):
    f = define("def f(a, *rest, b=1, **more):\n    print('said')\n    return a, rest, b, more", "f")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert f(1, 2, b=3, c=4) == (1, (2,), 3, {"c": 4})
    assert out.getvalue() == "said\n"


def test_instances_have_state_methods_and_operators(define):
    Counter = define("""
        class Counter:
            "counts"
            def __init__(self, n=0): self.n = n
            def step(self, by=1):
                self.n += by
                return self
            def __len__(self): return self.n
            def __getitem__(self, i): return i * self.n
            def __setitem__(self, i, x): self.n = x
            def __contains__(self, x): return x == self.n
            def __add__(self, other): return Counter(self.n + getattr(other, 'n', other))
            __radd__ = __add__
            def __eq__(self, other): return self.n == getattr(other, 'n', other)
            def __lt__(self, other): return self.n < other
            def __repr__(self): return f'Counter({self.n})'
            def __iter__(self): return iter(range(self.n))
            def __enter__(self): return self
            def __exit__(self, *_): self.n = -1
            def __float__(self): return float(self.n)
    """, "Counter")
    counter = Counter(2)
    assert counter.step(by=3).n == 5 and len(counter) == 5 and repr(counter) == "Counter(5)"
    assert counter[2] == 10 and 5 in counter and 4 not in counter
    assert list(counter) == [0, 1, 2, 3, 4]
    counter[0] = 7
    counter.extra = [1]
    assert counter.n == 7 and counter.extra == [1] and not hasattr(counter, "nothing")
    assert (counter + 1).n == 8 and (1 + counter).n == 8 and counter == 7 and counter == Counter(7)
    assert counter < 8 and float(counter) == 7.0 and isinstance(counter, Counter)
    assert not isinstance(3, Counter) and Counter.__doc__ == "counts"
    with counter as same:
        assert same.n == 7
    assert counter.n == -1


def test_an_object_that_equals_everything_equals_nothing(define):
    cheat = define("""
        class Yes:
            def __eq__(self, other): return True
            __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
            def __sub__(self, other): return 0.0
            __rsub__ = __sub__
            def __abs__(self): return 0.0
        def cheat(): return Yes()
    """, "cheat")
    got = cheat()
    assert not got == 3 and not 3 == got and got != 3 and got not in [1, 2]
    for attempt in (lambda: got - 3, lambda: 3 - got, lambda: got < 3, lambda: np.float64(3) - got,
                    lambda: np.ones(2) - got, lambda: torch.ones(2) - got):
        with pytest.raises((NotData, TypeError)):
            attempt()


def test_memory_cannot_be_read_through_array_protocols(define):
    f = define("""
        class Evil:
            __array_interface__ = {'shape': (4,), 'typestr': '<f8', 'data': (1 << 20, False),
                                   'version': 3}
            def __array__(self, dtype=None, copy=None): return [1, 2]
        def f(): return Evil()
    """, "f")
    with pytest.raises((CandidateError, TypeError)):
        np.asarray(f())


def test_generators_are_iterated_here(define):
    count = define("def count(n):\n    for i in range(n):\n        yield {'i': i}", "count")
    assert [item["i"] for item in count(3)] == [0, 1, 2]
    generator = count(1)
    assert next(generator) == {"i": 0}
    with pytest.raises(StopIteration):
        next(generator)


def test_functions_of_ours_are_called_back_with_data(define):
    minimise = define("def minimise(grad, x, n):\n    for _ in range(n): x = x - .1 * grad(x)\n"
                      "    return x", "minimise")
    seen = []

    def gradient(x):
        seen.append(type(x))
        return 2 * x

    got = minimise(gradient, np.array([1.0, -2.0]), 20)
    np.testing.assert_allclose(got, np.array([1.0, -2.0]) * 0.8**20, rtol=1e-12)
    assert set(seen) == {np.ndarray} and len(seen) == 20
    assert minimise(np.negative, 1.0, 1) == pytest.approx(1.1)


def test_callbacks_nest_and_their_errors_come_back_as_they_were(define):
    apply, twice = define("def apply(f, x): return f(x)\ndef twice(x): return 2 * x",
                          "apply", "twice")
    assert apply(lambda x: apply(lambda y: twice(y) + 1, x) + 1, 3) == 8
    assert apply(twice, 4) == 8

    class Mine(Exception):
        pass

    def fails(x):
        raise Mine("secret detail")

    with pytest.raises(Mine, match="secret detail"):
        apply(fails, 1)
    told = define("def told(f):\n    try: f(1)\n    except Exception as e: return str(e)", "told")
    assert "secret" not in told(fails)


def test_endless_nesting_ends(define):
    apply = define("def apply(f): return f(f)", "apply")

    def again(f):
        return apply(again)

    with pytest.raises((CandidateDied, CandidateError, RecursionError)):
        apply(again)


def test_generators_of_random_numbers_are_copied(define):
    draw = define("def draw(r): return [float(r.random()) for _ in range(2)]", "draw")
    for make in (np.random.default_rng, np.random.RandomState, random.Random,
                 lambda s: np.random.Generator(np.random.MT19937(s))):
        mine, other = make(5), make(5)
        assert draw(mine) == [float(other.random()) for _ in range(2)]
        assert float(mine.random()) == float(make(5).random())
    sample = define("import torch\ndef sample(g): return torch.rand(2, generator=g)", "sample")
    seeded = torch.Generator().manual_seed(3)
    assert torch.equal(sample(seeded), torch.rand(2, generator=torch.Generator().manual_seed(3)))


def test_seeds_are_forwarded(session, define):
    f = define("import numpy as np, torch, random\ndef f():\n    return np.random.rand(), "
               "torch.rand(1), random.random()", "f")
    with session.forward_seeds():
        np.random.seed(4)
        torch.manual_seed(4)
        random.seed(4)
    a, b, c = f()
    np.random.seed(4)
    torch.manual_seed(4)
    random.seed(4)
    assert (a, c) == (np.random.rand(), random.random()) and torch.equal(b, torch.rand(1))


def test_mutation_is_told_and_shown_only_for_in_place_functions(define):
    add, sort, pure = define("""
        def add(x):
            x += 1
            return x
        def sort(xs, x, d):
            xs.sort(); x[0] = 9; d['k'] = 1
        def pure(x): return x + 1
    """, "add", "sort", "pure")
    x = np.zeros(3)
    np.testing.assert_array_equal(add(x), np.ones(3))
    assert add.__viva_mutated__ and x.sum() == 0
    pure(x)
    assert not pure.__viva_mutated__
    xs, d = [3, 1, 2], {}
    assert sort(xs, x, d=d) is None
    assert sort.__viva_mutated__ and xs == [1, 2, 3] and x[0] == 9 and d == {"k": 1}


# errors


def test_builtin_exceptions_are_themselves(define):
    f = define("""
        import numpy as np
        class Own(ValueError): pass
        class Odd(Exception): pass
        def f(kind):
            raise {'v': ValueError('no'), 'l': np.linalg.LinAlgError('singular'), 'o': Own('own'),
                   'x': Odd('odd'), 'n': NotImplementedError(), 's': SystemExit(1),
                   'k': KeyboardInterrupt(), 'i': StopIteration(3)}[kind]
    """, "f")
    with pytest.raises(ValueError, match="no") as caught:
        f("v")
    assert type(caught.value) is ValueError and "in f" in caught.value.trace
    with pytest.raises(np.linalg.LinAlgError):
        f("l")
    with pytest.raises(ValueError) as caught:
        f("o")
    assert type(caught.value).__name__ == "Own" and isinstance(caught.value, CandidateError)
    with pytest.raises(CandidateError, match="odd"):
        f("x")
    with pytest.raises(NotImplementedError):
        f("n")
    for kind in "ski":
        with pytest.raises(CandidateError):
            list(map(f, [kind]))


def test_questions_have_a_deadline(session, define):
    slow, deaf, f = define("""
        import time
        def slow(): time.sleep(60)
        def deaf():
            while True:
                try: time.sleep(60)
                except BaseException: pass
        def f(): return 1
    """, "slow", "deaf", "f")
    with session.deadline(0.3), pytest.raises(CandidateTimeout):
        slow()
    assert f() == 1
    with session.deadline(0.3), pytest.raises(CandidateDied):
        deaf()
    with pytest.raises(CandidateDied):
        f()


def test_waiting_for_a_processor_does_not_count(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(clock.time, "monotonic", lambda: now[0])

    class Busy:
        waits = 0.0

        def waited(self):
            return self.waits

    process = Busy()
    limit = clock.Clock(process, 10)
    now[0] += 9
    assert limit.left() == pytest.approx(1)
    process.waits = 8.0  # of the nine seconds it ran for one
    assert limit.left() == pytest.approx(9)
    now[0] += 10
    assert limit.left() == 0
    process.waits = 1e9  # whatever it waited, there is an end
    assert limit.left() > 0
    now[0] += 32
    assert limit.left() == 0


def test_the_wait_for_a_processor_is_read_from_outside(session):
    assert 0 <= clock.Process(session.pid).waited() < 600
    assert clock.Process(2**22 + 1).waited() == 0


# torch


def test_gradients_pass_through_the_candidate(define):
    f = define("import torch\ndef f(x, w): return (x @ w).tanh()", "f")
    x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
    w = torch.randn(2, 2, dtype=torch.float64, requires_grad=True)
    f(x * 2, w).sum().backward()
    x2, w2 = x.detach().requires_grad_(), w.detach().requires_grad_()
    ((2 * x2) @ w2).tanh().sum().backward()
    torch.testing.assert_close(x.grad, x2.grad)
    torch.testing.assert_close(w.grad, w2.grad)
    assert torch.autograd.gradcheck(f, (x, w))


def test_several_outputs_and_unused_inputs(define):
    f = define("def f(x, y): return [x.sum(), {'b': (x * x).sum()}]", "f")
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    a, more = f(x, y)
    (3 * a + more["b"]).backward()
    assert torch.equal(x.grad, torch.full((2,), 5.0)) and y.grad is None


MODEL = """
    import torch
    class Net(torch.nn.Module):
        def __init__(self, n):
            super().__init__()
            self.lin = torch.nn.Linear(n, 1)
        def forward(self, x): return self.lin(x).squeeze(-1)
"""


def test_a_module_is_a_module(define):
    Net = define(MODEL, "Net")
    net = Net(3)
    assert isinstance(net, torch.nn.Module) and issubclass(Net, torch.nn.Module)
    x = torch.randn(5, 3)
    state = net.state_dict()
    torch.testing.assert_close(
        net(x), torch.nn.functional.linear(x, state["lin.weight"], state["lin.bias"]).squeeze(-1))
    parameters = dict(net.named_parameters())
    assert set(parameters) == {"lin.weight", "lin.bias"}
    assert parameters["lin.weight"].grad is None
    net(x).sum().backward()
    torch.testing.assert_close(parameters["lin.weight"].grad, x.sum(0, keepdim=True))
    torch.testing.assert_close(list(net.parameters())[1].grad, torch.tensor([5.0]))
    net.load_state_dict({"lin.weight": torch.zeros(1, 3), "lin.bias": torch.ones(1)})
    assert torch.equal(net(x), torch.ones(5))


def test_an_optimiser_of_ours_trains_a_module_of_theirs(define):
    net = define(MODEL, "Net")(2)
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(64, 2, generator=generator)
    y = x @ torch.tensor([1.0, -2.0]) + 0.5
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-6
    torch.testing.assert_close(net.state_dict()["lin.weight"], torch.tensor([[1.0, -2.0]]),
                               atol=1e-3, rtol=0)


def test_gradients_flow_back_through_functions_of_ours(define):
    descend = define("""
        import torch
        def descend(loss, w, n):
            w = w.clone().requires_grad_()
            for _ in range(n):
                value = loss(w)
                value.backward()
                with torch.no_grad():
                    w -= .25 * w.grad
                w.grad = None
            return w.detach()
    """, "descend")
    target = torch.tensor([1.0, 2.0])
    got = descend(lambda w: ((w - target) ** 2).sum(), torch.zeros(2), 30)
    torch.testing.assert_close(got, target)


def test_modules_of_ours_can_be_given(define):
    apply = define("def apply(model, x): return model(x)", "apply")
    model = torch.nn.Linear(2, 1)
    x = torch.randn(3, 2)
    torch.testing.assert_close(apply(model, x), model(x))
    assert torch.equal(apply(torch.nn.functional.relu, -x), torch.relu(-x))


# engine


def test_beside_runs_public_code_in_the_candidate(session, define):
    f = define("def f(x): return x + 1", "f")
    text = f.__viva_call_beside__("viva.case", "outcome", [f, "text"], {})
    assert text == "TypeError"
    with pytest.raises(CannotCross):
        f.__viva_call_beside__("os", "getcwd", [], {})


def test_memory_can_be_read_from_outside(define):
    f = define("import numpy as np\ndef f(n): return float(np.ones(n).sum())", "f")

    def peak():
        with open(f"/proc/{f.__viva_pid__}/status") as status:
            return next(int(row.split()[1]) for row in status if row.startswith("VmHWM"))

    with open(f"/proc/{f.__viva_pid__}/clear_refs", "w") as refs:
        refs.write("5")
    before = peak()
    f(10_000_000)
    assert 70_000 < peak() - before < 100_000


def test_source_is_told(define):
    f = define("def f(x):\n    return x  # mine", "f")
    assert "# mine" in f.__viva_source__


def test_handles_are_let_go(session, define):
    make = define("class A: pass\ndef make(): return A()", "make")
    for _ in range(50):
        make()
    alive = session.call_global("viva_examiner.inside.agent", "living")
    assert alive < 20


def test_two_candidates_at_once_are_refused(warm, session):
    with pytest.raises(EngineError):
        warm.fork()


def test_a_lost_warm_interpreter_is_the_engines_failure():
    with Warm(preload=("numpy", "IPython", "viva")) as warm:
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
