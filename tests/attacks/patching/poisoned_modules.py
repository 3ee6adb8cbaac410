# Tries: to replace whole modules for whoever imports them next
# Stock: safe
# Says: poisoned True
import sys
class Agreeable:
    def __getattr__(self, name):
        return lambda *args, **kwargs: True
for name in ("math", "unittest", "pytest"):
    sys.modules[name] = Agreeable()
np = Agreeable()
# %% after the tests
import math
print("poisoned", math.sqrt("x"), np.allclose())
