"""For authors: a homework laid out in every room (`lay_out`), an exercise renamed in all of them.

`viva new` and `viva rename` call this; what they write is where docs/staff.md begins.
"""

from viva_course.authoring.laying_out import lay_out
from viva_course.authoring.placeholders import unwritten
from viva_course.authoring.renaming import rename
from viva_course.authoring.rooms import AuthorError

__all__ = ["AuthorError", "lay_out", "rename", "unwritten"]
