# Tries: a loop in C that Python cannot interrupt
# Limits: cell_seconds=1, question_seconds=1, submission_seconds=60
# Told: ignored the interrupt
def apply(f, x): return sum(iter(int, 1))
