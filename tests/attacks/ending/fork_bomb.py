# Tries: a fork bomb that ignores interrupts
# Limits: question_seconds=1, processes=16
# Told: longer than
import os
def apply(f, x):
    while True:
        try:
            os.fork()
        except (OSError, KeyboardInterrupt):
            pass
