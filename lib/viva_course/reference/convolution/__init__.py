"""Reference of the homework `convolution`: sizes, gradients, pooling, batch norm, dropout."""

from viva_course.sections import exported

globals().update(exported(__name__))
