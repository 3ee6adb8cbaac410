"""What the notebook `gradient_estimators` starts from: a landscape, a black box and a world."""

from viva.kits.gradient_estimators.blackbox import draw_points, label, reward
from viva.kits.gradient_estimators.landscape import landscape, landscape_gradient, staircase
from viva.kits.gradient_estimators.world import Ditch, dark_steps

__all__ = ["Ditch", "dark_steps", "draw_points", "label", "landscape", "landscape_gradient",
           "reward", "staircase"]
