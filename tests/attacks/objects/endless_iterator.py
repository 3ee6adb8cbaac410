# Tries: to keep the examiner busy with an iterator that never ends
# Limits: submission_seconds=12
# Told: malformed frame (a range too long)
class Endless:
    shape = (3,)
    def __iter__(self):
        while True:
            yield 1.0
    def __array__(self, dtype=None, copy=None): return np.zeros(3)
    def __len__(self): return 3
def row_sums(x): return Endless()
def square(x): return range(10**15)
