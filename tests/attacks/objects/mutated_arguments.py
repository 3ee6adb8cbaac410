# Tries: to change hidden inputs so that a wrong answer becomes right
# Stock: safe
# Says: changed [0. 0.]
def row_sums(x):
    x[...] = 0
    return np.zeros(3)
def centre(x):
    x[...] = x.mean()
    return x
x = np.ones(2)
row_sums(x)
print("changed", x)
