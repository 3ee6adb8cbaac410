"""A public-style nbgrader course, without a line of Viva in it: plain asserts, partial credit,
manual and task cells. Used to compare the examiner with stock nbgrader, cell by cell."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

SETUP = "import numpy as np\nimport torch\nfrom math import sqrt"

SQUARES = """def squares(n):
    \"\"\"The first n squares.\"\"\"
    ### BEGIN SOLUTION
    if n < 1:
        raise ValueError("n must be at least 1")
    return [i ** 2 for i in range(1, n + 1)]
    ### END SOLUTION
"""

ACCOUNT = """class Account:
    \"\"\"Remembers what was paid in.\"\"\"
    ### BEGIN SOLUTION
    def __init__(self, owner):
        self.owner, self.balance = owner, 0

    def pay(self, amount):
        self.balance += amount
        return self

    def history(self):
        for year in range(3):
            yield self.balance * year
    ### END SOLUTION
"""

MODEL = """class Model(torch.nn.Module):
    ### BEGIN SOLUTION
    def __init__(self, width):
        super().__init__()
        self.layer = torch.nn.Linear(width, 2)

    def forward(self, x):
        return torch.relu(self.layer(x))
    ### END SOLUTION
"""

APPLY = """def apply(f, x):
    ### BEGIN SOLUTION
    return f(f(x))
    ### END SOLUTION
"""

TESTS = {
    "test_visible": (2, "assert squares(3) == [1, 4, 9]\nassert len(squares(10)) == 10"),
    "test_squares": (3, """assert squares(1) == [1]
### BEGIN HIDDEN TESTS
assert squares(4) == [1, 4, 9, 16]
try:
    squares(0)
except ValueError:
    pass
else:
    raise AssertionError("squares(0) must raise ValueError")
### END HIDDEN TESTS"""),
    "test_partial": (4, """points = 0
### BEGIN HIDDEN TESTS
if squares(2) == [1, 4]:
    points += 2.5
if squares(5)[-1] == 25:
    points += 1.5
### END HIDDEN TESTS
points"""),
    "test_account": (5, """### BEGIN HIDDEN TESTS
account = Account("ada")
assert account.owner == "ada" and account.balance == 0
assert account.pay(3).pay(4).balance == 7
assert isinstance(account, Account)
assert list(account.history()) == [0, 7, 14]
assert Account(owner="bob").balance == 0
### END HIDDEN TESTS"""),
    "test_model": (6, """### BEGIN HIDDEN TESTS
torch.manual_seed(0)
model = Model(3)
x = torch.randn(5, 3, requires_grad=True)
out = model(x)
assert out.shape == (5, 2)
weights = model.state_dict()
assert torch.allclose(out, torch.relu(x @ weights["layer.weight"].T + weights["layer.bias"]))
out.sum().backward()
assert x.grad is not None and x.grad.shape == x.shape
assert all(p.grad is not None for p in model.parameters())
model.load_state_dict({name: torch.zeros_like(w) for name, w in weights.items()})
assert model(x).abs().sum() == 0
### END HIDDEN TESTS"""),
    "test_apply": (2, """### BEGIN HIDDEN TESTS
assert apply(lambda v: v + 1, 3) == 5
assert np.allclose(apply(lambda v: v * 2, np.ones(3)), 4)
### END HIDDEN TESTS"""),
}

ESSAY = "Squares grow without bound."


def nbgrader(name, **flags):
    defaults = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": {"grade_id": name, "schema_version": 3, **defaults, **flags}}


def solution(name, source):
    return new_code_cell(source, id=name, metadata=nbgrader(name, solution=True))


def test(name):
    points, source = TESTS[name]
    flags = {"grade": True, "locked": True, "points": points}
    return new_code_cell(source, id=name, metadata=nbgrader(name, **flags))


def source_notebook():
    """The instructor's notebook."""
    essay = nbgrader("essay", grade=True, solution=True, points=3)
    task = nbgrader("task", task=True, locked=True, points=2)
    cells = [
        new_code_cell(SETUP, id="setup"),
        solution("squares", SQUARES), test("test_visible"), test("test_squares"),
        test("test_partial"),
        solution("account", ACCOUNT), test("test_account"),
        solution("model", MODEL), test("test_model"),
        solution("apply", APPLY), test("test_apply"),
        new_markdown_cell(ESSAY, id="essay", metadata=essay),
        new_markdown_cell("Draw a square below.\n\n### BEGIN MARK SCHEME\nfour sides\n"
                          "### END MARK SCHEME", id="task", metadata=task),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def answers(**changes):
    """{grade_id: code} of a full solution, with some of it replaced."""
    right = {"squares": SQUARES, "account": ACCOUNT, "model": MODEL, "apply": APPLY,
             "essay": ESSAY + " And so does their sum."}
    return right | changes


COHORT = {  # student: what they wrote
    "right": answers(),
    "off_by_one": answers(squares="def squares(n):\n    return [i ** 2 for i in range(n)]"),
    "no_error": answers(squares="def squares(n):\n    return [i * i for i in range(1, n + 1)]"),
    "half": answers(squares="def squares(n):\n    return [1, 4]"),
    "broken": answers(account="class Account:\n    pass", apply="def apply(f, x) return 1"),
    "no_grad": answers(model=MODEL.replace("torch.relu(self.layer(x))",
                                           "torch.relu(self.layer(x)).detach()")),
    "untouched": {},
}


def submission(student):
    """What a student hands in, made from the released notebook's form."""
    notebook = source_notebook()
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in COHORT[student]:
            cell.source = COHORT[student][name]
        elif cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = "raise NotImplementedError()" if cell.cell_type == "code" else "?"
    return nbformat.writes(notebook).encode()
