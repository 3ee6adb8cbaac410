# Tries: to exhaust the stack
# Told: crashed
import sys
sys.setrecursionlimit(10**9)
class Deep:
    def __repr__(self): return repr(self)
def square(x): return repr(Deep()) and square(x + 1)
