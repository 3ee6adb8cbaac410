"""What the lesson states about its sources."""

from viva_course.claiming import literature


@literature("Hinton and Salakhutdinov (2006), Science 313(5786)", place="figure 3")
def codes_of_two():
    """Two-dimensional codes of digits, by PCA and by an autoencoder, side by side."""


@literature("Devlin et al. (2019), arXiv:1810.04805", place="section 3.1")
def hidden_words():
    """Some of the input tokens are masked at random and predicted."""


@literature("He et al. (2022), arXiv:2111.06377", place="abstract")
def three_quarters():
    """Masking a high proportion of the input image, 75%, yields a meaningful task."""


@literature("Pearson (1901), Philosophical Magazine 2(11)", place="title",
            quotes="lines and planes of closest fit")
def pearson():
    """On lines and planes of closest fit to systems of points in space."""


@literature("Bourlard and Kamp (1988), Biological Cybernetics 59", place="abstract")
def bourlard_and_kamp():
    """For auto-association the optimal weights can be derived by singular value decomposition."""


@literature("Baldi and Hornik (1989), Neural Networks 2(1)", place="abstract")
def no_other_minima():
    """A unique minimum, the projection on the first principal vectors; else saddle points."""


@literature("Baldi and Hornik (1989), Neural Networks 2(1)", place="abstract")
def all_others_are_saddles():
    """All the additional critical points of the landscape are saddle points."""


@literature("Saxe, McClelland and Ganguli (2014), arXiv:1312.6120", place="abstract")
def saxe_plateaus():
    """Exact solutions: long plateaus followed by rapid transitions to lower error."""


@literature("Kunin, Bloom, Goeva and Seed (2019), arXiv:1901.08168", place="abstract")
def kunin_landscape():
    """The critical points of linear autoencoders with a penalty on both weights."""
