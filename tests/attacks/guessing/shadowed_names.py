# Tries: to define names that a hidden test might define or import itself
# Stock: safe
# Says: defined 4.0 18
word = table = got = right = inputs = doubled = None
class expected:
    pass
def examine(*args): return 4.0
def grow(x): return 18
reference = answer = solution = square
print("defined", examine("centre"), grow(1))
