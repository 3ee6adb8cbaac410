"""What the opening and the texts of the sections take from the literature."""

from viva_course.claiming import claim, holds, literature


@literature("Zachary (1977)", place="table 3 and the discussion of individual number 9")
def zachary_foretold_the_split():
    """33 of 34 members on the predicted side; number 9 was three weeks before his test."""


@literature("Zachary (1977)", place="table 3")
def zachary_same_error():
    """The minimum cut puts number 9 on the officer's side, and only him wrongly."""


@literature("Stokes et al. (2020)", place="abstract")
def halicin_was_found():
    """A message passing network predicted halicin, which acts against resistant bacteria."""


@literature("Derrow-Pinion et al. (2021), arXiv:2108.11482", place="abstract")
def maps_estimate_arrivals():
    """A graph network in production in Google Maps."""


@literature("Zaheer et al. (2017), arXiv:1703.06114", place="theorem 2")
def deep_sets_converse():
    """rho of a sum of phi, for elements from a countable universe."""


@literature("Xu et al. (2019), arXiv:1810.00826", place="lemma 2 and theorem 3; Morris et al. "
            "(2019), arXiv:1810.02244, theorems 1 and 2")
def networks_are_no_finer():
    """At most as powerful as the Weisfeiler-Lehman test, and as powerful with injective sums."""


@literature("Li, Han and Wu (2018), arXiv:1801.07606", place="abstract and theorem 1")
def li_named_it():
    """Many convolutional layers bring a concern of over-smoothing."""


@literature("Oono and Suzuki (2020), arXiv:1905.10947", place="theorem 2 and its corollaries")
def oono_suzuki_proved_it():
    """Exponential approach to signals without information if the weights' singular values are
    small compared with the spectrum of the graph."""


@literature("Kipf and Welling (2017), arXiv:1609.02907", place="appendix A.1, figure 3")
def kipf_untrained():
    """A network of three layers with random weights embeds the karate club by its communities."""


@claim(title="Zachary's karate club: 34 members, 78 friendships, two sides", seeds=1)
def road_map_of_europe(notebook, seed):
    club, sides = notebook.club, notebook.sides
    return (holds(club.shape == (34, 34) and club.sum() == 2 * 78 and len(set(sides)) == 2),
            holds(10**7 * 10**7 * 8 == 800 * 10**12))


@claim(seeds=1)
def dense_needs(notebook, seed):
    return holds(12000**2 * 8 == 1152 * 10**6)
