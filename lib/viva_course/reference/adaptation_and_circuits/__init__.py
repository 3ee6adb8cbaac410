"""Low-rank adaptation, and the circuits of attention-only transformers.

The adapter is a torch module; all else is numpy. From `stream` on columns are tokens: X (d, n).
"""

from viva_course.sections import exported

globals().update(exported(__name__))
