"""What the lesson states about its sources."""

from viva_course.claiming import literature


@literature("Wiener (1949), Extrapolation, Interpolation, and Smoothing of Stationary Time Series",
            place="the publisher's page of the book")
def wiener_in_the_war():
    """The work was circulated as a classified memorandum in 1942."""


@literature("Saxe, McClelland and Ganguli (2014), arXiv:1312.6120", place="section 1")
def modes_of_saxe():
    """Each singular mode is learned on its own; the time it takes is inverse to its strength."""


@literature("Bishop (1995), Neural Computation 7(1)", place="abstract")
def bishop_on_noise():
    """Training with small noise is a penalty of Tikhonov's kind, on first derivatives."""


@literature("Hastie, Tibshirani and Friedman (2009)", place="section 3.4.1, equation 3.50")
def dof_of_a_textbook():
    """df(lambda) is the trace of the ridge fit, the sum of d_j^2 / (d_j^2 + lambda)."""


@literature("Baldi and Hornik (1989), Neural Networks 2(1)", place="abstract")
def no_other_minima():
    """A unique minimum, the projection on the first principal vectors; else saddle points."""


@literature("Steck (2019), arXiv:1905.03375", place="abstract")
def steck_beats_deeper():
    """Better ranking accuracy than deep non-linear models on most of the public data sets."""


@literature("Gavish and Donoho (2014), arXiv:1305.5870", place="abstract")
def gavish_and_donoho():
    """With known noise and square matrices the best hard threshold is 4/sqrt(3) sqrt(n) sigma."""


@literature("Batson and Royer (2019), arXiv:1901.11365", place="abstract")
def noise_to_self():
    """No prior on the signal, no estimate of the noise, no clean data; independent noise."""
