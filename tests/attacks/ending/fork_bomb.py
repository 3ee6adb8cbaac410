# Tries: a fork bomb
# Limits: cell_seconds=1, processes=16
import os
def square(x):
    while True:
        try:
            os.fork()
        except OSError:
            pass
