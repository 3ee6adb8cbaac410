"""Cases of the design that uses content and position."""
import numpy as np

from viva.case import case, rule
from viva.kits.hand_design_transformer.heads import apply_head, one_hot, tokens

from .common import DEMOS, moderate, random_text, sizes


@case("design_unique")
def unique_sizes(rng, design_unique):
    """sizes for five tokens and CLS"""
    return sizes(design_unique(5, 7), table=False)


@case("design_unique")
def unique_demos(rng, design_unique):
    """signs: ABCC gives ++--, CAC gives -+-, BBC gives --+, AB gives ++; a random sequence"""
    head = design_unique(3, 6)
    pairs = [np.concatenate([token, place]) for token in np.eye(4) for place in head[3]]
    answers = {"scores below 700": moderate(np.array(pairs), *head)}
    for text in (*DEMOS, "AB", random_text(rng, 5)):
        out = apply_head(one_hot([3, *tokens(text)], 4), *head)       # (1 + T, 1): CLS first
        answers[text] = np.sign(np.round(out[1:], 6))
        answers[f"{text} beyond 0.9"] = bool((np.abs(out[1:]) >= .9).all())
    return answers


@rule("design_unique")
def unique_long(rng, design_unique):
    """twelve tokens of five kinds behind CLS: all equal, all kinds, a double at both ends"""
    head = design_unique(5, 13)
    texts = {"all equal": [2] * 12, "all kinds": [*range(5)],
             "a double at both ends": [4, *rng.integers(1, 4, size=10), 4]}
    outputs = {name: apply_head(one_hot([5, *numbers], 6), *head)[1:]
               for name, numbers in texts.items()}
    return {name: {"signs": np.sign(np.round(out, 6)),
                   "beyond 0.9": bool((np.abs(out) >= .9).all())} for name, out in outputs.items()}
