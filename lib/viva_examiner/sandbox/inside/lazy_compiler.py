"""torch's compiler, loaded when somebody compiles and not before.

Every optimizer of torch imports `torch._dynamo` at its first step, for a second and 80 MB, only to
tell the compiler to keep away. Here a stand-in answers these two calls, which do nothing where
nothing is compiled. Whatever else is asked of it, it makes way for the real module.
"""

import importlib
import importlib.util
import sys
import types
from collections.abc import Callable, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from typing import Any

NAME = "torch._dynamo"
CONFIG = f"{NAME}.config"  # what checkpointing reads; light, and needs none of the rest


class LazyCompiler(types.ModuleType):
    """The stand-in. Its functions are those that torch calls in every program."""

    def __init__(self, spec: ModuleSpec) -> None:
        super().__init__(NAME)
        self.__path__ = list(spec.submodule_search_locations or ())

    def graph_break(self, msg: str = "") -> None:
        """Nothing is compiled: there is no graph to break."""

    def disable(self, fn: Callable | None = None, recursive: bool = True, **options: Any) -> Any:
        """The function itself, for as long as nothing is compiled."""
        if fn is None:
            return real_compiler().disable(fn, recursive, **options)

        def call(*args: Any, **kwargs: Any) -> Any:
            if sys.modules.get(NAME) is self:
                return fn(*args, **kwargs)
            return real_compiler().disable(fn, recursive, **options)(*args, **kwargs)

        return call

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what the import system looks for
            raise AttributeError(name)
        return getattr(real_compiler(), name)


class CompilerFinder:
    """Wakes the compiler when a part of it is imported, and finds the part where it then lies."""

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: types.ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith(f"{NAME}.") or name == CONFIG:
            return None
        real_compiler()
        importlib.import_module(name)
        # Out of the table until our loader puts it back: else it would be loaded once more.
        return ModuleSpec(name, Loaded(sys.modules.pop(name)))


class Loaded(Loader):
    """A loader for a module that is there already: to load it twice would give two of it."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return self.module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self.spec


def install() -> None:
    """Put the stand-in where torch looks for its compiler, unless that is loaded already."""
    spec = None if NAME in sys.modules else importlib.util.find_spec(NAME)
    if spec is not None and spec.submodule_search_locations:
        sys.modules[NAME] = vars(sys.modules["torch"])["_dynamo"] = LazyCompiler(spec)
        sys.meta_path.insert(0, CompilerFinder())
        importlib.import_module(CONFIG)


def real_compiler() -> Any:
    """The real module, loaded now if it was not."""
    if isinstance(sys.modules.get(NAME), LazyCompiler):
        sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, CompilerFinder)]
        del sys.modules[NAME]
        vars(sys.modules["torch"]).pop("_dynamo", None)
        vars(sys.modules["torch"])["_dynamo"] = importlib.import_module(NAME)
        vars(sys.modules[NAME])["config"] = sys.modules[CONFIG]
    return sys.modules[NAME]
