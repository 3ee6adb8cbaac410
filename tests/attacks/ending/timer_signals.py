# Tries: signals and timers that fire in the middle of questions
import signal
signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
