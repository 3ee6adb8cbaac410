"""What the first page and the sources of the lesson state."""

from viva_course.claiming import literature


@literature("Gauss (1809), Theoria Motus, as told by Stigler (1981), Annals of Statistics 9(3)",
            place="section 186 of Gauss")
def gauss_and_legendre():
    """Legendre published in 1805; Gauss wrote that he had used the principle since 1795."""


@literature("Zhang et al. (2017), arXiv:1611.03530", place="section 2")
def random_labels():
    """Networks fit random labels without error; the same ones predict well with the true ones."""


@literature("Belkin et al. (2019), arXiv:1812.11118", place="abstract and figure 1")
def belkin_double_descent():
    """The risk peaks where the training data are interpolated and falls again beyond that."""


@literature("Cohen et al. (2021), arXiv:2103.00065", place="abstract")
def edge_of_stability():
    """The largest eigenvalue of the Hessian hovers just above 2 / step size."""


@literature("Strohmer and Vershynin (2009), arXiv:math/0702226", place="abstract and theorem 2")
def kaczmarz_is_geometric():
    """Kaczmarz with rows drawn by their squared lengths converges at an exponential rate."""


@literature("Bishop (1995), Neural Computation 7(1)", place="abstract")
def bishop_on_noise():
    """Training with small noise is a penalty of Tikhonov's kind, on first derivatives."""


@literature("Hoerl and Kennard (1970), Technometrics 12(1)", place="section 2")
def hoerl_and_kennard():
    """The estimator (X^T X + k I)^-1 X^T y, the least residual sum for its length."""


@literature("Belkin, Hsu and Xu (2020), arXiv:1903.07571", place="theorem 1")
def any_size():
    """The risk of the shortest solution for Gaussian inputs, for any numbers n and p."""


@literature("Loog et al. (2020), arXiv:2004.04328", place="the letter, one page")
def peak_of_1990():
    """The twofold descent has not been overlooked historically: Vallet et al. (1989) and others."""
