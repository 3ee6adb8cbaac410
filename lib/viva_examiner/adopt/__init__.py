"""Another nbgrader course, graded by stock nbgrader and by the examiner, to see what differs."""
