"""The exam of `purification`, in the order of the notebook."""

from viva_course.exams.purification import (  # noqa: I001
    losses, minimiser, filters, interval, descent, denoising, dimensions, bottleneck, others, truth,
)

__all__ = ["losses", "minimiser", "filters", "interval", "descent", "denoising", "dimensions",
           "bottleneck", "others", "truth"]
