# Tries: an ndarray that agrees with whatever it is compared with
# Stock: safe
# Says: agrees True
class Agreeing(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.ones(3, dtype=bool)
    def __array_function__(self, function, types, args, kwargs):
        return True
    def __eq__(self, other): return np.ones(3, dtype=bool)
def row_sums(x): return np.zeros(3).view(Agreeing)
print("agrees", np.allclose(row_sums(0), np.ones(3)))
