"""What the lesson states about its sources."""

from viva_course.claiming import literature


@literature("Garg et al. (2022), arXiv:2208.01066", place="abstract")
def garg_least_squares():
    """Trained transformers learn linear functions from examples about as well as least squares."""


@literature("Akyürek et al. (2022), arXiv:2211.15661", place="abstract")
def akyurek_predictors():
    """They match gradient descent, ridge and least squares, and pass from one to another with
    depth and noise."""


@literature("von Oswald et al. (2022), arXiv:2212.07677", place="section 2, proposition 1")
def oswald_one_step():
    """One layer of linear self-attention with given weights is one step of gradient descent."""


@literature("von Oswald et al. (2023), arXiv:2309.05858", place="abstract")
def oswald_mesa_layer():
    """The mesa-layer solves the regression on its context."""


@literature("Sherman and Morrison (1950), Annals of Mathematical Statistics 21(1)", place="title")
def sherman_and_morrison():
    """How an inverse is adjusted when one element of the matrix changes."""


@literature("Belkin et al. (2019), arXiv:1812.11118", place="abstract")
def belkin_double_descent():
    """The curve of double descent, with its peak where the model begins to interpolate."""


@literature("Ahn et al. (2023), arXiv:2306.00297", place="abstract")
def ahn_preconditioned():
    """The optimum of a single linear attention layer is a step of preconditioned descent."""
