# Tries: to stop itself so that grading waits for ever
# Limits: cell_seconds=1, question_seconds=1, submission_seconds=60
# Told: ignored the interrupt
import os, signal
def apply(f, x):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    os.kill(os.getpid(), signal.SIGSTOP)
    signal.pause()
