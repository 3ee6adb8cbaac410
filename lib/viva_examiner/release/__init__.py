"""From source/ to what students get: nbgrader's generation, the reasons to refuse it, the trial
that the staff's own notebook earns all points and the untouched one none, and the bundle. Imports
examination and what lies below.
"""
