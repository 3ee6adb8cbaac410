# Tries: a fork bomb
# Limits: question_seconds=1, processes=16
# Told: longer than
import os
def apply(f, x):
    while True:
        try:
            os.fork()
        except OSError:
            pass
