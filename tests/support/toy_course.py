"""The toy homework as a part of the course, for a judge: it imports this beside the library."""

import toy
from viva_course import rubric

rubric.EXERCISES["centre"] = toy.toy
