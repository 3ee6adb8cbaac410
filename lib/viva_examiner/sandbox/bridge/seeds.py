"""Seeding of global generators in hidden tests, forwarded to the candidate."""

import contextlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viva_examiner.sandbox.session import Session

SEEDS = (("random", "seed"), ("numpy.random", "seed"), ("torch", "manual_seed"))


@contextlib.contextmanager
def forwarded_seeds(session: "Session") -> Iterator[None]:
    """In this block, `np.random.seed` and its like act on both sides."""
    with contextlib.ExitStack() as stack:
        for module, name in SEEDS:
            if module in sys.modules:
                stack.enter_context(_forwarded(session, sys.modules[module], module, name))
        yield


@contextlib.contextmanager
def _forwarded(session: "Session", module: ModuleType, place: str, name: str) -> Iterator[None]:
    original = getattr(module, name)

    def seed(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if session.dead is None:
            session.call_global(place, name, args, kwargs)
        return result

    setattr(module, name, seed)
    try:
        yield
    finally:
        setattr(module, name, original)
