"""The world of the homework `pretraining`, the patience for its training, and its full run."""

from viva.kits.pretraining.full_run import full_run
from viva.kits.pretraining.people import BORN
from viva.kits.pretraining.resume import in_pieces, training_wanted
from viva.kits.pretraining.world import MASK, PAD, World

__all__ = ["BORN", "MASK", "PAD", "World", "full_run", "in_pieces", "training_wanted"]
