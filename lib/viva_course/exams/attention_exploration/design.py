"""Exam of `design_kqv`: only what the matrices do counts."""

import numpy as np

from viva.cases.attention_exploration.design import contexts, frame
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise

plan = Exercise(
    "design_kqv",
    expects="K, Q, V, each (d, d), for which c_1 is u_b - u_c and c_2 is u_b, to 0.1% of rho",
    survivors={
        "design_kqv: Q = (np.outer(ud, ua) + np.outer(uc, ud)) / rho2 -> "
        "Q = np.outer(ud, ua) + np.outer(uc, ud)": "a sharper query is as good",
    },
)

plan.values(3, "c_1 = u_b - u_c and c_2 = u_b for u's along the axes.", name="along the axes",
            only=("shapes", "along_the_axes"))
plan.values(2, "c_1 = u_b - u_c and c_2 = u_b for any orthogonal u's.", name="any frame",
            only=("turned_frame", "longer_frame"))


@plan.item(3, "Both targets are met within 0.1% for rho from 3.5 to 5, and no score exceeds 700.")
def twenty_frames(exam, design_kqv):
    for i in range(20):
        ua, ub, uc, ud = frame(exam.rng, 4 + i % 4, (3.5, 4.0, 5.0)[i % 3])
        found, largest = contexts(design_kqv, ua, ub, uc, ud)
        exam.same(found, np.stack([ub - uc, ub]) / np.linalg.norm(ua), rtol=0, atol=1e-3)
        exam.true(largest < 700, f"a score of {largest:.0f}")


plan.unmodified(1, "The u's must stay as they were.")


def _wrong(slug, hint, change):
    def design_kqv(ua, ub, uc, ud):
        K, Q, V = reference.design_kqv(ua, ub, uc, ud)
        return change(K, Q, V, ua @ ua, (ua, ub, uc, ud))

    plan.mistake(slug, hint)(design_kqv)


_wrong("identity_all", "With three identities every token finds itself: c_2 is u_a.",
       lambda K, Q, V, square, u: (K, np.eye(len(K)), np.eye(len(K))))
_wrong("V_identity", "The weights are right; V must still pick u_b and turn the sign of u_c.",
       lambda K, Q, V, square, u: (K, Q, np.eye(len(K))))
_wrong("V_unnormalised", "u u^T stretches by rho^2: divide V by it.",
       lambda K, Q, V, square, u: (K, Q, V * square))
_wrong("V_once", "u u^T stretches by rho^2, not by rho: divide V by its square.",
       lambda K, Q, V, square, u: (K, Q, V * square**0.5))
_wrong("Q_transposed", "u v^T maps v to u: the pairs of Q stand the wrong way round, or K and Q "
       "are exchanged.",
       lambda K, Q, V, square, u: (K, Q.T, V))
_wrong("only_c2", "Row 2 is right; token 1 has no query of its own.",
       lambda K, Q, V, square, u: (K, np.outer(u[3], u[0]) / square, V))
_wrong("only_c1", "Row 1 is right; token 2 has no query of its own.",
       lambda K, Q, V, square, u: (K, np.outer(u[2], u[3]) / square, V))
_wrong("weak", "The scores are too small: the softmax still blends the tokens.",
       lambda K, Q, V, square, u: (K, Q / square, V))
_wrong("copies_b_from_x3", "The two targets are exchanged.",
       lambda K, Q, V, square, u: (K, (np.outer(u[2], u[0]) + np.outer(u[3], u[3])) / square, V))
_wrong("plus_c", "c_1 holds u_c with a minus sign.",
       lambda K, Q, V, square, u: (K, Q, V + 2 * np.outer(u[2], u[2]) / square))
_wrong("no_c", "V drops u_c; c_1 needs it, with a minus sign.",
       lambda K, Q, V, square, u: (K, Q, np.outer(u[1], u[1]) / square))
_wrong("V_keeps_d", "V keeps u_d, which x_1 holds as well: c_2 is u_b + u_d.",
       lambda K, Q, V, square, u: (K, Q, V + np.outer(u[3], u[3]) / square))
_wrong("sign", "Both contexts have the opposite sign.",
       lambda K, Q, V, square, u: (K, Q, -V))
_wrong("away", "Large negative scores: the queries point away from their keys.",
       lambda K, Q, V, square, u: (K, -Q, V))
_wrong("overflow", "The scores are far larger than needed: a plain exp would overflow.",
       lambda K, Q, V, square, u: (1000 * K, Q, V))
_wrong("asks_for_b", "u_b is part of x_1 and of x_3: a query for it cannot tell them apart.",
       lambda K, Q, V, square, u: (K, np.outer(u[1], u[0] + u[3]) / square, V))
_wrong("c2_asks_for_b", "u_b is part of x_1 and of x_3: a query for it cannot tell them apart.",
       lambda K, Q, V, square, u: (
           K, 4 * (np.outer(u[1], u[0]) + np.outer(u[2], u[3])) / square, V))
_wrong("both_read_x3", "Both tokens read x_3, so that c_2 holds u_c as well.",
       lambda K, Q, V, square, u: (K, np.outer(u[2], u[0] + u[3]) / square, V))
_wrong("axes_only", "This takes the u's for multiples of the axes.",
       lambda K, Q, V, square, u: reference.design_kqv(*(4 * np.eye(len(K))[:4])))


@plan.mistake("rho_is_four", "rho is the length of the u's, not always 4.")
def design_kqv(ua, ub, uc, ud):
    K, Q, V = reference.design_kqv(ua, ub, uc, ud)
    return K, Q, V * (ua @ ua) / 16


@plan.mistake("in_place", "The u's belong to the caller: normalise copies.")
def design_kqv(ua, ub, uc, ud):
    found = reference.design_kqv(ua, ub, uc, ud)
    ua /= np.linalg.norm(ua)
    return found


@plan.variant("unscaled_Q_beta2")
def design_kqv(ua, ub, uc, ud):
    K, Q, V = reference.design_kqv(ua, ub, uc, ud)
    return K, Q * (ua @ ua), V


@plan.variant("keys carry the design")
def design_kqv(ua, ub, uc, ud):
    K, Q, V = reference.design_kqv(ua, ub, uc, ud)
    return Q.T, K, V


@plan.variant("another token in between")
def design_kqv(ua, ub, uc, ud):
    a, b, c, d = (u / np.linalg.norm(u) for u in (ua, ub, uc, ud))
    K = 6 * (np.outer(a, d) + np.outer(b, c))
    Q = np.outer(a, a) + np.outer(b, d)
    V = np.outer(b, b) - np.outer(c, c) + np.outer(d, a)
    return K, Q, V
