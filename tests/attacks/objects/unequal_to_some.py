# Tries: the same, but clever enough to be unequal where a test wants that
# Stock: safe
# Says: clever True False
class Clever(float):
    def __eq__(self, other): return other != 8
    def __ne__(self, other): return other == 8
    def __sub__(self, other): return 0.0
    __hash__ = float.__hash__
def square(x): return Clever(1)
print("clever", square(3) == 9, square(3) == 8)
