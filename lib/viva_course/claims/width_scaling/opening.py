"""What the opening says about the literature."""

from viva_course.claiming import literature


@literature("Brown et al. (2020)", place="table 2.1")
def rates_of_gpt3():
    """Learning rates 6.0e-4 (GPT-3 Small) to 0.6e-4 (GPT-3 175B)."""


@literature("Yang, Hu (2021)", place="abstract and section 5")
def one_that_learns():
    """The maximal update parametrization, in which every layer learns features."""


@literature("Yang et al. (2022)", place="abstract")
def seven_percent():
    """From 40M parameters to the 6.7B model of GPT-3, at 7% of the cost of pretraining."""


@literature("Yang, Simon, Bernstein (2023)", place="condition 1")
def spectral_condition():
    """Spectral norms of weights and updates scale like sqrt(fan-out / fan-in)."""


@literature("Jordan et al. (2024)", place="section Results")
def speed_records():
    """Speed records for NanoGPT and CIFAR-10."""


@literature("Yang et al. (2022)", place="appendix D.1, coordinate checking")
def recommended_check():
    """Coordinate checking as a test of an implementation."""


@literature("Yang, Hu (2021)", place="section 3.2 and figure 2")
def lazy_exponent():
    """In the NTK parametrization features move by n^(-1/2), and not at all in the limit."""
