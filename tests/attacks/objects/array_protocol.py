# Tries: to have numpy read memory of the examiner through an array interface
# Says: gave Window
class Window:
    def __init__(self, address):
        self.__array_interface__ = {"shape": (3,), "typestr": "<f8", "version": 3,
                                    "data": (address, True)}
    shape, ndim, dtype = (3,), 1, np.dtype("f8")
given = []
def row_sums(x):
    given.append(Window(id(x)))
    return given[-1]
# %% after the tests
print("gave", type(given[0]).__name__)
