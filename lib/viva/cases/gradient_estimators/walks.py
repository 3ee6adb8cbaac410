"""Public cases of section 7: many steps, and who gets the credit."""

import numpy as np

from viva.case import case

PAID = np.array([[-1.0, -1.0], [-1.0, -5.0], [20.0, -1.0]])  # two walks of three steps


def some_walks(rng, steps, walks, states, actions):
    """Arguments of walk_gradient: every state is visited several times, the last one never."""
    return (rng.normal(size=(states, actions)), rng.integers(states - 1, size=(steps, walks)),
            rng.integers(actions, size=(steps, walks)), rng.normal(size=(steps, walks)))


@case("reward_to_go")
def by_hand(rng, reward_to_go):
    """paid -1, -1, 20 and -1, -5, -1: to go 18, 19, 20 and -7, -6, -1"""
    return reward_to_go(PAID)


@case("reward_to_go")
def five_steps(rng, reward_to_go):
    """five steps, three walks"""
    return reward_to_go(rng.normal(size=(5, 3)))


@case("reward_to_go")
def credit_by_hand(rng, walk_credit):
    """the same two walks: 25, 25, 21 and -25, -25, -21"""
    return walk_credit(PAID)


@case("reward_to_go")
def credit_of_four(rng, walk_credit):
    """six steps, four walks"""
    return walk_credit(rng.normal(size=(6, 4)))


@case("reward_to_go")
def single_walk(rng, walk_credit):
    """one walk: nothing is subtracted"""
    return walk_credit(rng.normal(size=(4, 1)))


@case("reward_to_go")
def gradient_by_hand(rng, walk_gradient):
    """one state, actions 0 and 1, credits 3 and 1: (1, -1)"""
    return walk_gradient(np.zeros((1, 2)), np.zeros((2, 1), int), np.array([[0], [1]]),
                         np.array([[3.0], [1.0]]))


@case("reward_to_go")
def one_visit_each(rng, walk_gradient):
    """three steps, one walk, every state visited once"""
    return walk_gradient(rng.normal(size=(3, 4)), rng.permutation(3)[:, None],
                         rng.integers(4, size=(3, 1)), rng.normal(size=(3, 1)))


@case("reward_to_go")
def many_visits(rng, walk_gradient):
    """seven steps, five walks, three states of which one is never visited, four actions"""
    return walk_gradient(*some_walks(rng, 7, 5, 3, 4))


@case("reward_to_go")
def large_logits(rng, walk_gradient):
    """logits near 1000 in one state and near -1000 in another: no overflow"""
    return walk_gradient(np.array([[1000.0, 999.0, -1000.0], [-1000.0, -1001.0, -999.0]]),
                         np.array([[0, 1], [1, 0]]), np.array([[0, 1], [2, 0]]),
                         rng.normal(size=(2, 2)))
