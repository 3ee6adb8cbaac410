"""torch's compiler, asleep until somebody compiles.

Every optimizer of torch imports `torch._dynamo` at its first step, for a second and 80 MB, only to
tell the compiler to keep away. Here a stand-in answers these two calls, which do nothing where
nothing is compiled. Whatever else is asked of it, it makes way for the real module.
"""

import importlib
import importlib.util
import sys
import types
from importlib.machinery import ModuleSpec

NAME = "torch._dynamo"
CONFIG = f"{NAME}.config"  # what checkpointing reads; light, and needs none of the rest


class Sleeping(types.ModuleType):
    """The stand-in. Its functions are those that torch calls in every program."""

    def __init__(self, spec: ModuleSpec):
        super().__init__(NAME)
        self.__path__ = list(spec.submodule_search_locations)

    def graph_break(self, msg: str = "") -> None:
        """Nothing is compiled: there is no graph to break."""

    def disable(self, fn=None, recursive: bool = True, **options):
        """The function itself, for as long as nothing is compiled."""
        if fn is None:
            return awake().disable(fn, recursive, **options)

        def call(*args, **kwargs):
            if sys.modules.get(NAME) is self:
                return fn(*args, **kwargs)
            return awake().disable(fn, recursive, **options)(*args, **kwargs)

        return call

    def __getattr__(self, name: str):
        if name.startswith("__"):  # what the import system looks for
            raise AttributeError(name)
        return getattr(awake(), name)


class Alarm:
    """Wakes the compiler when a part of it is imported, and finds the part where it then lies."""

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        if not name.startswith(f"{NAME}.") or name == CONFIG:
            return None
        awake()
        importlib.import_module(name)
        # Out of the table until our loader puts it back: else it would be loaded once more.
        return ModuleSpec(name, Loaded(sys.modules.pop(name)))


class Loaded:
    """A loader for a module that is there already: to load it twice would give two of it."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec):
        return self.module

    def exec_module(self, module) -> None:
        module.__spec__ = self.spec


def lull() -> None:
    """Put the stand-in where torch looks for its compiler, unless that is loaded already."""
    spec = None if NAME in sys.modules else importlib.util.find_spec(NAME)
    if spec is not None and spec.submodule_search_locations:
        sys.modules[NAME] = sys.modules["torch"]._dynamo = Sleeping(spec)
        sys.meta_path.insert(0, Alarm())
        importlib.import_module(CONFIG)


def awake():
    """The real module, loaded now if it was not."""
    if isinstance(sys.modules.get(NAME), Sleeping):
        sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, Alarm)]
        del sys.modules[NAME]
        vars(sys.modules["torch"]).pop("_dynamo", None)
        sys.modules["torch"]._dynamo = importlib.import_module(NAME)
        sys.modules[NAME].config = sys.modules[CONFIG]
    return sys.modules[NAME]
