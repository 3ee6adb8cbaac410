# Tries: to take all memory at once
# Says: MemoryError
try:
    x = np.ones(10**10)
except MemoryError:
    print("MemoryError")
def square(x): return bytearray(10**10)
