"""Which tests run, or reach, what a student's code made: read off their text."""

import ast

from viva_examiner.notebook.cells import tree_of

RUNS = {"eval", "exec", "compile", "__import__", "import_module", "sympify", "parse_expr",
        "system", "popen", "Popen", "check_output", "check_call", "remove", "unlink", "rmtree",
        "listdir", "scandir", "run_path", "run_module", "unsafe_load", "lambdify", "read_pickle",
        "query", "getoutput", "from_file", "fromfile"}
LOADS = {"allow_pickle": True, "weights_only": False}  # of np.load and torch.load
PICKLES = {"pickle", "dill", "joblib", "cloudpickle", "marshal", "jit"}


def runs_theirs(source: str) -> list[str]:
    """The calls of a test that work on text, pickles, names or paths that it does not spell out."""
    tree, found = tree_of(source), []
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and node.args and not _is_spelled_out(node.args[0]):
            name = _last_name(node.func)
            if name in RUNS and not (name == "compile" and _owner(node.func) == "re"):
                found.append(name)
            elif name in ("load", "loads") and (_owner(node.func) in PICKLES or (
                    _owner(node.func) == "yaml" and "Safe" not in ast.dump(node)) or any(
                    word.arg in LOADS and getattr(word.value, "value", None) is LOADS[word.arg]
                    for word in node.keywords)):
                found.append(f"{_owner(node.func)}.{name}")
    return sorted(set(found))


def _is_spelled_out(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(map(_is_spelled_out, node.elts))
    return isinstance(node, ast.Constant)


def _last_name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def _owner(function: ast.expr) -> str:
    owner = getattr(function, "value", None)
    return getattr(owner, "attr", getattr(owner, "id", ""))
