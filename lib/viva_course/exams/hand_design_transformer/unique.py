"""Content and position: design_unique."""
import numpy as np

from viva.kits.hand_design_transformer.heads import all_sequences
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise, then

from .common import batches, design, largest_score, random_sequences

unique = Exercise(
    "design_unique", expects="positive for tokens that occur once, negative for the others",
    survivors={
        ("design_unique: same_token, same_place = (np.full(n, 20.0), np.full(max_len, -40.0))"
         " -> same_token, same_place = (np.full(n, 20.0), np.full(max_len, -80.0))"):
            "another design: doubles beat CLS, CLS beats the rest",
        ("design_unique: same_token, same_place = (np.full(n, 20.0), np.full(max_len, -40.0))"
         " -> same_token, same_place = (np.full(n, 40.0), np.full(max_len, -40.0))"):
            "another design: doubles beat CLS, CLS beats the rest",
        ("design_unique: return (np.eye(d), scores * np.sqrt(d), Vm, np.eye(max_len))"
         " -> return (np.eye(d), scores * d, Vm, np.eye(max_len))"):
            "sharper than needed: as right",
    },
)

unique.values(3.5, "ABCC must give ++--, CAC must give -+-, BBC must give --+.")


def with_cls(sequences, n):
    """Token n is CLS, and stands in front."""
    return [(n, *sequence) for sequence in sequences]


def labels(exam, head, sequences, n):
    """Every token must get the right sign, and clearly."""
    for X in batches(sequences, n + 1):                                     # (B, T, n + 1)
        exam.true(len(head[3]) >= X.shape[1], "pos needs a row for CLS and for each token")
        out = reference.attention_head(X, *head)                            # (B, T, 1)
        exam.true(out.shape[-1] == 1, f"values have {out.shape[-1]} entries instead of 1")
        tokens = X[:, 1:]                                                   # (B, T - 1, n + 1)
        occurs = (tokens @ tokens.swapaxes(-1, -2)).sum(-1)                 # (B, T - 1)
        margin = out[:, 1:, 0] * np.where(occurs == 1, 1, -1)
        exam.true((margin > 0).all(), "a token has the wrong sign")
        exam.true((margin >= .9).all(), f"an output is only {margin.min():.2g} from 0")


# max_len is read here as the number of positions with CLS among them; a design with a row more,
# for max_len tokens and CLS, is as good.
@unique.item(4, "All sequences of up to 4 tokens, each output beyond 0.9.")
def every_short_sequence(exam, design_unique):
    head = design(exam, design_unique(3, 5), 4, positions=True)
    labels(exam, head, with_cls(all_sequences(3, 4), 3), 3)


@unique.item(2.5, "Six tokens, sequences of up to twelve.")
def larger(exam, design_unique):
    head = design(exam, design_unique(6, 13), 7, positions=True)
    distinct = [tuple(exam.rng.permutation(6)[:T]) for T in range(1, 7)]
    equal = [(int(exam.rng.integers(6)),) * T for T in (2, 7, 12)]
    apart = [(5, *exam.rng.integers(5, size=10), 5)]                 # first and last are doubles
    sequences = distinct + equal + apart + random_sequences(exam.rng, 6, 12, 190)
    labels(exam, head, with_cls(sequences, 6), 6)


@unique.item(1, "One value per token, and no score beyond 700.")
def one_finite_output(exam, design_unique):
    head = design(exam, design_unique(4, 9), 5, positions=True)
    exam.true(head[2].shape[1] == 1, f"values have {head[2].shape[1]} entries instead of 1")
    sequences = with_cls(random_sequences(exam.rng, 4, 8, 30), 4)
    labels(exam, head, sequences, 4)
    top = largest_score(head, sequences, 5)
    exam.true(top < 700, f"a score is {top:.2g}; far less is sharp enough")


def scored(n, max_len, double=20.0, itself=-40.0, cls=10.0, sign=1.0, nearby=None):
    """The design with other scores: token matches, its own position, CLS; `nearby` (L, L) adds
    a score to pairs of positions."""
    L = max_len + 1
    d = n + 1 + L
    Qm = np.zeros((d, d))
    Qm[:n, :n] = double * np.eye(n)
    Qm[:n, n] = cls
    Qm[n + 1:, n + 1:] = itself * np.eye(L) if nearby is None else nearby
    Vm = np.zeros((d, 1))
    Vm[:n], Vm[n] = -sign, sign
    return np.eye(d), Qm * np.sqrt(d), Vm, np.eye(L)


unique.mistakes_of(design_unique={
    "no_self_exclusion": ("Every token finds itself: its own position must be excluded.",
                          lambda n_tokens, max_len: scored(n_tokens, max_len, itself=0)),
    "no_cls_offset": ("A token without a double needs somewhere to look: prefer CLS.",
                      lambda n_tokens, max_len: scored(n_tokens, max_len, cls=0)),
    "cls_too_strong": ("CLS beats the doubles: it must come second.",
                       lambda n_tokens, max_len: scored(n_tokens, max_len, cls=40)),
    "cls_a_little_too_strong": ("CLS beats the doubles: it must come second.",
                                lambda n_tokens, max_len: scored(n_tokens, max_len, cls=25)),
    "sign_flipped": ("The signs are exchanged: positive means that it occurs once.",
                     lambda n_tokens, max_len: scored(n_tokens, max_len, sign=-1)),
    "ties_cls_dup": ("CLS and a double have the same score: the output is near 0.",
                     lambda n_tokens, max_len: scored(n_tokens, max_len, cls=20)),
    "soft": ("The gaps are too small: outputs must be beyond 0.9.",
             lambda n_tokens, max_len: scored(n_tokens, max_len, double=4, itself=-8, cls=2)),
    "hard3": ("The number of tokens is n_tokens, not 3.",
              lambda n_tokens, max_len: scored(3, max_len)),
    "huge": ("Scores of thousands work here but overflow elsewhere.",
             lambda n_tokens, max_len: scored(n_tokens, max_len, double=2e3, itself=-4e3, cls=1e3)),
    "two_outputs": ("One number per token: Vm has one column.",
                    then(scored, lambda Km, Qm, Vm, pos: (Km, Qm, np.hstack([Vm, -Vm]), pos))),
})


@unique.mistake("only_earlier_duplicates", "A double may also stand later: CAC gives -+-.")
def design_unique(n_tokens, max_len):
    L = max_len + 1
    return scored(n_tokens, max_len, nearby=-40 * np.triu(np.ones((L, L))))


@unique.mistake("only_later_duplicates", "A double may also stand earlier: CAC gives -+-.")
def design_unique(n_tokens, max_len):
    nearby = -40 * np.tri(max_len + 1)
    nearby[:, 0] = 0                                     # CLS is always in sight
    return scored(n_tokens, max_len, nearby=nearby)


@unique.mistake("only_neighbours", "A double may stand anywhere, not only next to its token.")
def design_unique(n_tokens, max_len):
    far = np.abs(np.subtract.outer(np.arange(max_len + 1), np.arange(max_len + 1))) != 1
    nearby = np.where(far, -40.0, 0.0)
    nearby[:, 0] = 0
    return scored(n_tokens, max_len, nearby=nearby)


@unique.mistake("doubles_worth_nothing", "A token with a double looks at it and takes its value: "
                "it must be negative, not 0.")
def design_unique(n_tokens, max_len):
    Km, Qm, Vm, pos = scored(n_tokens, max_len)
    return Km, Qm, np.maximum(Vm, 0), pos


# Both give a token without a double nothing clear: one sentence must be true of both.
UNCLEAR = ("A token without a double must look at CLS alone, and CLS must have a positive value: "
           "here the value is 0, or the token itself has as much weight as CLS.")


@unique.mistake("self_ties_with_cls", UNCLEAR)
def design_unique(n_tokens, max_len):
    return scored(n_tokens, max_len, itself=-10.0)


@unique.mistake("cls_without_value", UNCLEAR)
def design_unique(n_tokens, max_len):
    Km, Qm, Vm, pos = scored(n_tokens, max_len)
    Vm[n_tokens] = 0
    return Km, Qm, Vm, pos


@unique.variant("the gap in the keys, CLS found by its position, table without a spare row")
def design_unique(n_tokens, max_len):
    d = n_tokens + 1 + max_len
    Km, Qm = np.eye(d), np.eye(d)
    Km[n_tokens + 1:] = -2 * np.eye(max_len, d, k=n_tokens + 1)
    Qm[:n_tokens, n_tokens + 1] -= .25                   # -0.25 times -2 is half a match
    gap = 24 * np.sqrt(d)
    Vm = np.vstack([-np.ones((n_tokens, 1)), [[1]], np.zeros((max_len, 1))])
    return gap * Km, Qm, Vm, np.eye(max_len)
