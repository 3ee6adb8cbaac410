# Tries: a loop that ignores every interrupt
# Limits: cell_seconds=1, question_seconds=1, submission_seconds=60
# Told: ignored the interrupt
import signal
def apply(f, x):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
