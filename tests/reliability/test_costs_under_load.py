"""Questions about memory give the same marks every time: on a busy machine, with a third of it."""

import ast

import nbformat
import pytest

from candidates import busy_machine
from repository import ROOT
from viva_course import exercises
from viva_examiner.demo.cohort import solutions

COSTS = {  # every exercise with a question about memory
    "efficient_attention": ("separable_attention", "performer_attention", "linformer_attention"),
    "graph_networks": ("gnn_update_edges",),
    "kernel_attention": ("linear_attention", "rff_softmax_attention", "causal_linear_attention",
                         "LinearAttentionState"),
    "optimizers": ("newton_schulz",),
    "purification": ("purifier",),
    "recurrent_models": ("diag_ssm_kernel", "rank1_power_coef", "causal_conv_fft"),
    "ridge_attention": ("RunningMean", "RidgeAttentionState", "ridge_attention"),
    "width_scaling": ("power_norm",),
}
NATURAL_LOOP = """
def causal_linear_attention(phiQ, phiK, V):
    S, Z, rows = 0, 0, []
    for i in range(V.shape[-2]):
        q, k, v = phiQ[..., i, :], phiK[..., i, :], V[..., i, :]
        S = S + k[..., :, None] * v[..., None, :]
        Z = Z + k
        rows.append((q[..., None, :] @ S)[..., 0, :] / np.sum(q * Z, axis=-1, keepdims=True))
    return np.stack(rows, axis=-2)
"""
FEW = {"kernel_attention": ("linear_attention", "causal_linear_attention")}


def imports(notebook) -> str:
    """What the notebook itself imports, without the staff's library of its hidden tests."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    lines = [ast.unparse(node) for source in code if "%" not in source
             for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(line for line in dict.fromkeys(lines) if "viva_course" not in line)


def rows(warm, homework: str, names, factor: float, changes: str = "") -> list[tuple]:
    """(exercise, item, points, message) of the staff's solutions, graded anew."""
    notebook = nbformat.read(ROOT / "source" / homework / f"{homework}.ipynb", as_version=4)
    found = []
    with warm.fork("ada", {}) as session:
        for cell in (imports(notebook), *solutions(notebook).values(), changes):
            session.run_cell(cell)  # written answers are no code, and do not matter here
        for name in names:
            exercise = exercises(homework)[name]
            candidates = session.resolve(exercise.candidates)
            exercise.memory_factor = factor
            try:
                report = exercise.examine(tuple(candidates[each] for each in exercise.candidates),
                                          "a secret")
            finally:
                exercise.memory_factor = 1.0
            found += [(name, o.item, o.earned == o.points, o.message) for o in report.outcomes]
    return found


@pytest.mark.parametrize("costs, times", [
    (FEW, 2), pytest.param(COSTS, 20, marks=pytest.mark.soak)], ids=["few", "all"])
@pytest.mark.parametrize("changes", ["", NATURAL_LOOP], ids=["staff's", "rows stacked"])
def test_right_solutions_keep_all_points_on_a_busy_machine(warm, costs, times, changes):
    for homework, names in costs.items():
        if changes and homework != "kernel_attention":
            continue
        with busy_machine(3):
            every = [rows(warm, homework, names, 1.0, changes) for _ in range(times)]
        assert all(each == every[0] for each in every)
        assert [row for row in every[0] if not row[2]] == []


@pytest.mark.parametrize("homework", COSTS)
def test_right_solutions_need_at_most_a_third_of_the_memory(warm, homework):
    """In a candidate's process, where the messages take memory too; the audit asks without one."""
    for changes in ("", NATURAL_LOOP) if homework == "kernel_attention" else ("",):
        third = rows(warm, homework, COSTS[homework], 1 / 3, changes)
        assert [row for row in third if not row[2]] == []
