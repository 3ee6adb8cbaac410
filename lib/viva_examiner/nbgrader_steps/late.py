"""A late policy for nbgrader: so much grace, then a share of the score per day, up to a cap."""

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

DAY = 24 * 60 * 60


class LatePolicy(LateSubmissionPlugin):
    """penalty = score * min(days * percent_per_day, cap_percent) / 100.

    days counts every day that has begun after the grace; within the grace nothing is lost, after
    it nothing of it is given back. Switch it on with
    `c.AssignLatePenalties.plugin_class = LatePolicy`. The penalty is of all that a student has
    earned, a TA's marks included, from the time of the submission, the homework's due date and the
    roster (`viva roster`): extensions and late days.
    """

    grace_minutes = Float(60, min=0, help="how late is not late yet").tag(config=True)
    percent_per_day = Float(10, min=0, help="of the score, lost per day begun").tag(config=True)
    cap_percent = Float(50, min=0, max=100, help="never lose more than this").tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        """The points to subtract, or None for none."""
        days = self.days_late(total_seconds_late)
        if not days or not score:
            return None
        return score * min(days * self.percent_per_day, self.cap_percent) / 100

    def days_late(self, seconds: float) -> int:
        """The days begun after the grace; a late day of the roster covers one of them."""
        return max(0, math.ceil((seconds - 60 * self.grace_minutes) / DAY))
