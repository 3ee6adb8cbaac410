# Tries: to crash in C
# Told: crashed with SIGSEGV
import ctypes
def square(x): ctypes.string_at(1)
