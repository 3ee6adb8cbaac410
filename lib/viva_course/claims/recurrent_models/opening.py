"""What the opening states."""

from viva_course.claiming import literature


@literature("Bengio, Simard and Frasconi (1994)", place="abstract")
def dilemma_of_bengio():
    """A trade-off between efficient learning by gradient descent and latching on information for
    long periods."""


@literature("Gu, Goel and Ré (2022), arXiv:2111.00396", place="abstract")
def s4_solved_path_x():
    """Path-X, of length 16,384, on which all prior work failed."""
