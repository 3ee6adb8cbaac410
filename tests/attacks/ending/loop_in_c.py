# Tries: a loop in C that Python cannot interrupt
# Limits: cell_seconds=1, question_seconds=1
# Told: ignored the interrupt
import re
def square(x): return re.match(r"(a+)+$", "a" * 60 + "b")
