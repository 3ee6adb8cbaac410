"""Questions to a candidate: what crosses, what proxies do, and what is refused."""

import contextlib
import io
import math
import random

import numpy as np
import pytest
import torch

from viva_examiner.sandbox import clock
from viva_examiner.sandbox.errors import (
    CandidateDied,
    CandidateError,
    CandidateTimeout,
    CannotCross,
    NotData,
)


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


def test_what_is_too_large_says_so_where_it_is_asked_for(session):
    session.run_cell("x = [(i,) for i in range(150_000)]\ny = 1")
    assert session.resolve(["x", "y"]) == {"y": 1}
    with pytest.raises(NotData, match="more than 200000 values"):
        session.look_up("x")


def test_named_tuples_keep_their_names(define):
    f = define("""
        from collections import namedtuple
        Pair = namedtuple('Pair', 'left right')
        def f(): return Pair(1, [2])
    """, "f")
    assert f().left == 1 and f().right == [2] and f() == (1, [2])


def test_arrays_of_objects_stay_there(define):
    f = define("import numpy as np\ndef f(): return np.array([object()])", "f")
    assert not isinstance(f(), np.ndarray)
    with pytest.raises(NotData, match="not an array"):
        np.asarray(f())


def test_what_the_examiner_cannot_send_is_named(define):
    f = define("def f(x): return x", "f")
    with pytest.raises(CannotCross, match="StringIO"):
        f(io.StringIO())
    assert f(3) == 3



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


JUDGE = """
    class Judge:
        "A class of the exercise, whose operators are always in favour of its author."
        def __eq__(self, other): return True
        __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
        def __sub__(self, other): return self
        __rsub__ = __add__ = __radd__ = __mul__ = __sub__
        def __abs__(self): return 0.0
        def __hash__(self): return 0
        def answer(self): return Judge()
    class Number:
        def __init__(self, x=3): self.x = x
        def __float__(self): return float(self.x)
        def __array__(self, dtype=None, copy=None): return np.full(2, float(self.x))
        def __eq__(self, other): return True
        __lt__ = __sub__ = __eq__
    import numpy as np
"""


@pytest.mark.parametrize("compare", [
    lambda got: got == 3, lambda got: got != 3, lambda got: got < 3, lambda got: abs(got - 3) < 1,
    lambda got: abs(got) < 1, lambda got: got == np.ones(2), lambda got: np.ones(2) - got,
    lambda got: got == "text", lambda got: 3 == got, lambda got: -got])
def test_an_object_of_a_named_class_decides_nothing_about_our_data(define, compare):
    """The test calls the class by name, and is handed another object of it as an answer."""
    judge = define(JUDGE, "Judge", "Number")[0]
    with pytest.raises((CannotCross, NotData, TypeError)):
        compare(judge().answer())


def test_data_that_an_object_gives_up_is_compared_here(define):
    number = define(JUDGE, "Judge", "Number")[1](3)
    assert number == 3 and not number == 4 and number < 4 and not number < 2
    assert number - 1 == 2 and (np.ones(2) * 3 == number).all() and not (number == np.ones(2)).any()


def test_a_class_that_an_earlier_test_named_judges_nothing_later(session, define):
    define(JUDGE + "    def f(): return Judge()", "Judge", "f")
    f = session.resolve(["f"])["f"]
    assert not f() == 3
    with pytest.raises(NotData):
        f() - 3


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
    assert limit.left() == pytest.approx(1)  # so much is certain without asking
    now[0] += 2
    assert limit.left() == pytest.approx(7)
    now[0] += 8
    assert limit.left() == 0
    process.waits = 1e9  # whatever it waited, there is an end
    assert limit.left() > 0
    now[0] += 32
    assert limit.left() == 0


def test_the_wait_for_a_processor_is_read_from_outside(session):
    assert 0 <= clock.Process(session.pid).waited() < 600
    assert clock.Process(2**22 + 1).waited() == 0


def test_beside_runs_public_code_in_the_candidate(session, define):
    f = define("def f(x): return x + 1", "f")
    text = f.__viva_call_in_candidate__("viva.case", "outcome", [f, "text"], {})
    assert text == "TypeError"
    with pytest.raises(CannotCross):
        f.__viva_call_in_candidate__("os", "getcwd", [], {})


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
    alive = session.call_global("viva_examiner.sandbox.inside.agent", "living")
    assert alive < 20
