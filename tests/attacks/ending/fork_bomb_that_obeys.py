# Tries: a fork bomb that ends at the first interrupt, and leaves its children
# Limits: question_seconds=1, processes=16
# Says: apply ended
import os
def apply(f, x):
    while True:
        try:
            os.fork()
        except OSError:
            pass
# %% after the tests
print("apply ended")
