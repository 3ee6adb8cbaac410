"""What the opening and the text take from the literature."""

from viva_course.claiming import literature


@literature("Hu and others (2021), arXiv:2106.09685", place="section 4.2, practical benefits")
def memory_of_gpt3():
    """1.2 TB of memory to train GPT-3 with 175 billion weights, 350 GB for a checkpoint."""


@literature("Aghajanyan, Zettlemoyer and Gupta (2020), arXiv:2012.13255", place="abstract")
def few_hundred_directions():
    """200 parameters, randomly projected, reach 90% of full performance with RoBERTa on MRPC."""


@literature("Hu and others (2021), arXiv:2106.09685", place="abstract")
def lora_on_gpt3():
    """10,000 times fewer trainable parameters, 3 times less memory, on par or better."""


@literature("Elhage and others (2021), A Mathematical Framework for Transformer Circuits",
            place="section Induction Heads")
def induction_heads_found():
    """A previous-token head in the first layer and K-composition in the second."""


@literature("Olsson and others (2022), arXiv:2209.11895", place="abstract")
def induction_in_context():
    """Preliminary and indirect evidence that induction heads might be the mechanism for the
    majority of all in-context learning in large transformer models."""


@literature("Hu and others (2021), arXiv:2106.09685", place="section 4.1")
def why_alpha_over_k():
    """Scaling by alpha / r reduces the need to retune hyperparameters when r varies."""


@literature("Kalajdzievski (2023), arXiv:2312.03732", place="abstract")
def rank_stabilised():
    """Dividing by the rank slows learning at higher ranks; the root of the rank is right."""


@literature("Wang, Yu and Li (2024), arXiv:2407.05000", place="section 3, algorithm 1")
def both_factors_of_lora_ga():
    """A and B start from singular vectors of the gradient; their product is subtracted from W."""


@literature("Biderman and others (2024), arXiv:2405.09673", place="abstract and figures 2 to 4")
def biderman_forgets_less():
    """LoRA underperforms full fine-tuning on the target domain and forgets less outside it."""


@literature("Olsson and others (2022), arXiv:2209.11895", place="argument 1")
def phase_change():
    """A bump in the loss early in training, in which induction heads form."""
