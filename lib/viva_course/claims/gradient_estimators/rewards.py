"""What Part C states: the box, the corridor, the ditch, the dark and the digits."""

import functools

import numpy as np
import torch

from viva_course.claiming import above, below, cause, claim, holds, literature, near


@claim(seeds=1)
def loss_by_hand(notebook, seed):
    logits = torch.zeros(1, 4, dtype=torch.float64, requires_grad=True)
    value = notebook.reward_loss(logits, lambda a: np.array([3.0]), np.random.default_rng(seed))
    found = np.sort(torch.autograd.grad(value, logits)[0].numpy().ravel())
    return tuple(near(each, stated, 1e-9)
                 for each, stated in zip(found, (-2.25, 0.75, 0.75, 0.75), strict=True))


@claim()
def largest_class(notebook, seed):
    points = notebook.draw_points(100_000, np.random.default_rng(seed))
    return near(np.bincount(notebook.label(points)).max() / 100_000, 0.34, 0.006)


@functools.cache
def box(notebook, name, seed):
    return notebook.train_box(getattr(notebook, name) if name else None, seed)


@claim()
def box_shares(notebook, seed):
    return (near(box(notebook, "", seed), 0.925, 0.01),
            near(box(notebook, "reward_loss", seed), 0.84, 0.025),
            near(box(notebook, "greedy_loss", seed), 0.885, 0.02),
            near(box(notebook, "probability_loss", seed), 0.905, 0.02))


@claim()
def gradient_errors(notebook, seed):
    return (below(notebook.gradient_error(notebook.reward_loss, seed), 0.15),
            above(notebook.gradient_error(notebook.greedy_loss, seed), 0.6),
            above(notebook.gradient_error(notebook.probability_loss, seed), 0.6))


@cause(control="the greedy learner with its baseline")
def greedy_needs_the_baseline(notebook, seed):
    def without(logits, ask, rng):
        log_p = torch.log_softmax(logits, dim=1)
        rewards = torch.tensor(ask(log_p.argmax(dim=1).numpy()), dtype=log_p.dtype)
        return -(rewards * log_p.max(dim=1).values).mean()

    return (near(notebook.train_box(without, seed), 0.71, 0.04),
            above(box(notebook, "greedy_loss", seed), 0.86))


@claim(seeds=1)
def credit_by_hand(notebook, seed):
    rewards = np.array([[-1.0, -1], [-1, -5], [20, -1]])
    to_go, credit = np.array([[18, -7], [19, -6], [20, -1]]), np.array([25, 25, 21])
    return (holds(np.array_equal(notebook.reward_to_go(rewards), to_go)),
            holds(np.allclose(notebook.walk_credit(rewards), np.stack([credit, -credit], axis=1))))


@claim(seeds=1)
def walk_by_hand(notebook, seed):
    found = notebook.walk_gradient(np.zeros((1, 2)), np.zeros((2, 1), int),
                                   np.array([[0], [1]]), np.array([[3.0], [1.0]]))
    return holds(np.allclose(found, [[1, -1]]))


@functools.cache
def corridor(notebook, version, seed):
    return notebook.corridor_variance(version, seed)


@claim(title="Luck at the gate spoils every later door")
def gate_in_every_room(notebook, seed):
    return tuple(above(corridor(notebook, version, seed)[1].min(), 7.5)
                 for version in ("total", "total minus others"))


@claim(title="Only the reward to go forgets the gate")
def forgotten_past(notebook, seed):
    for_all = corridor(notebook, "total minus others", seed)[1][-1]
    found = [corridor(notebook, version, seed)[1] for version in notebook.VERSIONS[2:]]
    return tuple(margin for each in found
                 for margin in (below(each[-1], 0.01), above(for_all / each[-1], 900)))


@claim()
def baseline_does_the_rest(notebook, seed):
    plain, less = (corridor(notebook, version, seed)[1][1] for version in notebook.VERSIONS[2:])
    return above(plain / less, 20)


@functools.cache
def doors(notebook, version, seed, luck=20.0):
    return notebook.learn_corridor(version, seed, luck)[-1]


@claim()
def who_learns_the_corridor(notebook, seed):
    return (near(doors(notebook, "to go minus others", seed), 38, within=1),
            below(doors(notebook, "total", seed), 35),
            below(doors(notebook, "total minus others", seed), 35))


@cause(control="a corridor without luck at the gate")
def luck_is_the_cause(notebook, seed):
    return (below(doors(notebook, "total minus others", seed), 35),
            near(doors(notebook, "total minus others", seed, 0.0), 38, within=1))


@functools.cache
def agent(notebook, version, each):
    """An agent's curve, (rounds,), and its logits."""
    return notebook.learn(version, each)


def group(notebook, version, seed, agents=4):
    """Curves of some agents, (agents, rounds)."""
    return np.array([agent(notebook, version, each)[0]
                     for each in range(8 * seed, 8 * seed + agents)])


@claim()
def ditch_begins_badly(notebook, seed):
    return near(group(notebook, "total", seed, 8)[:, 0].mean(), -70, within=8)


@claim(title="Without a baseline some agents stay stuck (a line for each of 8 agents)")
def stuck_without_baseline(notebook, seed):
    ends = group(notebook, "total", seed, 8)[:, -10:].mean(axis=1)
    return below(ends.min(), -25)


@claim(seeds=1)
def pressed_against_a_wall(notebook, seed):
    world, resting = notebook.Ditch(0.1), []
    for each in range(8):
        curve, logits = agent(notebook, "total", each)
        states, *_ = notebook.walks(world, logits, 400, 50, np.random.default_rng(each))
        if curve[-10:].mean() < -25:
            resting.append(np.mean(states[1:] == states[:-1]))
    return near(sum(share > 0.9 for share in resting), 2, within=0.5)


@claim()
def all_learn_with_baseline(notebook, seed):
    return tuple(above(group(notebook, version, seed)[:, -10:].mean(axis=1).min(), 0)
                 for version in notebook.VERSIONS[1::2])


@claim()
def to_go_no_wonder(notebook, seed):
    total, to_go = (group(notebook, version, seed)[:, -10:].mean()
                    for version in notebook.VERSIONS[1::2])
    return near(to_go - total, 0, within=3)


@claim(seeds=1)
def shortest_way(notebook, seed):
    world, place, total = notebook.Ditch(0.0), None, 0.0
    place = np.array([world.start])
    for move in [0] + [1] * 6 + [2]:
        place, paid = world.step(place, np.array([move]), np.random.default_rng(0))
        total += paid[0]
    return holds(total == 13 and place[0] == world.goal)


@claim(title="Slippery or not, the likeliest way leaves the edge of the ditch")
def edge_is_left(notebook, seed):
    found = []
    for slip in (0.0, 0.4):
        shares = [notebook.edge_share(notebook.learn("to go minus others", each, slip, rounds=120,
                                                     eta=0.1)[1], slip)
                  for each in range(2 * seed, 2 * seed + 2)]
        found.append(below(np.mean(shares), 1 / 3))
    return tuple(found)


@literature("Sutton, Barto (2018)", place="example 6.6, cliff walking")
def sarsa_keeps_away():
    """Sarsa learns the longer and safer path away from the cliff, Q-learning that on its edge."""


@claim(title="The best policy in the dark is a random one", seeds=1)
def best_is_random(notebook, seed):
    chances = np.linspace(0.01, 0.99, 9801)
    values = notebook.dark_value(chances)
    rng, steps, places = np.random.default_rng(seed), 0.0, np.zeros(20_000, int)
    for _ in range(300):
        actions = (rng.random(20_000) < 2 - 2**0.5).astype(int)
        places, paid = notebook.dark_steps(places, actions)
        steps -= paid.mean()
    return (near(chances[values.argmax()], 2 - 2**0.5, 1e-3), near(2 - 2**0.5, 0.59, 0.005),
            near(-values.max(), 11.7, 0.05), near(steps, 11.7, 0.3))


@functools.cache
def dark(notebook, greedy, seed):
    return notebook.learn_dark(greedy, seed)


@claim()
def drawn_learns_the_dark(notebook, seed):
    return above(dark(notebook, False, seed)[0, -20:].mean(), -13.66)


@cause(control="the same learner, which draws its actions",
       title="The likeliest action never arrives")
def likeliest_is_stuck(notebook, seed):
    stuck, drawn = (dark(notebook, greedy, seed) for greedy in (True, False))
    return (min(near(stuck[0].max(), -100, 1e-9), near(np.ptp(stuck[1]), 0, 1e-12)),
            above(drawn[0, -20:].mean(), -14))


@functools.cache
def digits(notebook, way, seed, baseline=0.0):
    return notebook.read_digits(way, seed, baseline=baseline)


@claim(title="One bit per answer is enough, unless a constant drowns it")
def one_bit_suffices(notebook, seed):
    known, bit = (digits(notebook, way, seed)[-1] for way in ("all rewards known", "1 or 0"))
    return above(bit, 0.92), below(known - bit, 0.02)


@claim()
def constant_drowns(notebook, seed):
    return below(digits(notebook, "6 or 5", seed)[-1], 0.25)


@claim()
def baseline_cures(notebook, seed):
    return holds(np.allclose(digits(notebook, "6 or 5", seed, 5.0),
                             digits(notebook, "1 or 0", seed), atol=1e-12))
