"""What the opening says about the literature."""

from viva_course.claiming import literature


@literature("McCulloch and Pitts (1943)", place="abstract")
def nets_for_logic():
    """For any logical expression satisfying certain conditions one can find a net behaving in the
    fashion it describes."""


@literature("Weiss, Goldberg and Yahav (2021), arXiv:2106.06981", place="abstract")
def programs_in_rasp():
    """RASP programs for histograms, sorting and Dyck languages."""


@literature("Lindner and others (2023), arXiv:2301.05062", place="abstract")
def compiler_of_programs():
    """Tracr compiles human-readable programs into transformer weights."""


@literature("Elhage and others (2021), A Mathematical Framework", place="summary of results")
def induction_heads_in_two_layers():
    """Two-layer attention-only transformers implement induction heads."""


@literature("Olsson and others (2022), arXiv:2209.11895", place="abstract")
def evidence_for_induction():
    """Induction heads might constitute the mechanism for the majority of in-context learning."""
