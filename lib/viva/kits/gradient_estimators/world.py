"""A small world: walk around the ditch. Many walkers at once, each in a world of its own."""

import numpy as np

MOVES = np.array([[-1, 0], [0, 1], [1, 0], [0, -1]])  # up, right, down, left
MAP = (".......",
       ".......",
       ".......",
       "S~~~~~G")  # S start, G goal, ~ ditch


class Ditch:
    """A grid of cells, numbered row by row. A step costs 1, but one into the ditch costs 5, and one
    onto the goal costs nothing and pays 20.

    With probability `slip` a walker moves in a random direction. Who would leave the map stays in
    place. The ditch sends a walker back to the start.
    """

    actions = ("up", "right", "down", "left")

    def __init__(self, slip: float = 0.1):
        self.slip = slip
        self.cells = np.array([list(row) for row in MAP])  # (rows, columns)
        self.rows, self.columns = self.cells.shape
        self.states = self.cells.size
        self.start = int(np.flatnonzero(self.cells.ravel() == "S")[0])
        self.goal = int(np.flatnonzero(self.cells.ravel() == "G")[0])

    def step(self, states, actions, rng):
        """New states and rewards of all walkers; who is at the goal stays there for nothing.

        states, actions: integer arrays of one shape
        """
        kinds = self.cells.ravel()
        slips = rng.random(np.shape(states)) < self.slip
        actions = np.where(slips, rng.integers(4, size=np.shape(states)), actions)
        row, column = states // self.columns, states % self.columns
        row = np.clip(row + MOVES[actions, 0], 0, self.rows - 1)
        column = np.clip(column + MOVES[actions, 1], 0, self.columns - 1)
        new = row * self.columns + column
        wet, done = kinds[new] == "~", states == self.goal
        rewards = np.where(new == self.goal, 20.0, np.where(wet, -5.0, -1.0))
        rewards = np.where(done, 0.0, rewards)
        return np.where(done, states, np.where(wet, self.start, new)), rewards

    def draw(self, ax, probabilities=None):
        """The map; with `probabilities` (states, 4) also an arrow to the likeliest neighbour."""
        colours = {".": 1.0, "S": 0.85, "G": 0.85, "~": 0.6}
        ax.imshow([[colours[kind] for kind in row] for row in self.cells], cmap="gray",
                  vmin=0, vmax=1)
        for (row, column), kind in np.ndenumerate(self.cells):
            if kind in "SG~":
                ax.text(column, row, kind, ha="center", va="center")
            elif kind == "." and probabilities is not None:
                chances = probabilities[row * self.columns + column]
                down, right = MOVES[chances.argmax()] * 0.7 * chances.max()
                ax.arrow(column - right / 2, row - down / 2, right, down, head_width=0.18,
                         color="C0", length_includes_head=True)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)


def dark_steps(places, actions):
    """New places and rewards of walkers in a dark corridor: places 0, 1, 2 and the goal, 3.

    Action 1 goes right and action 0 left, but in place 1 they are exchanged. Every step costs 1;
    who is at the goal stays there for nothing. Places and actions are integer arrays of one shape.
    """
    right = np.where(places == 1, 1 - actions, actions)
    there = places == 3
    return (np.where(there, 3, np.clip(places + 2 * right - 1, 0, 3)),
            np.where(there, 0.0, -1.0))
