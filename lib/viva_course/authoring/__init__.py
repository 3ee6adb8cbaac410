"""For authors: a homework laid out in every room (`lay_out`), an exercise renamed in all of them.

`viva new` and `viva rename` call this; what they write is where docs/staff.md begins.
"""

from viva_course.authoring.laying_out import lay_out
from viva_course.authoring.renaming import rename
from viva_course.authoring.rooms import Slip

__all__ = ["Slip", "lay_out", "rename"]
