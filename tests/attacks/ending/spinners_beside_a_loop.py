# Tries: to stretch every limit by making itself wait for a processor
# Told: ran longer than | ignored the interrupt
# Limits: cell_seconds=2, question_seconds=2, submission_seconds=8
import os, signal, time
for _ in range(12):
    if os.fork() == 0:
        while True:
            pass
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    pass
