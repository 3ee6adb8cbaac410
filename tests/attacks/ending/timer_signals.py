# Tries: signals and timers that fire in the middle of questions
# Says: fires
import signal, time
def fire(*_):
    1 / 0
signal.signal(signal.SIGALRM, fire)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    time.sleep(1)
except ZeroDivisionError:
    print("fires", flush=True)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
