# Tries: to hold memory that no process is charged for
# Says: held 0 MB
import ctypes, mmap, os
held = 0
try:
    while True:
        fd = os.memfd_create("hidden")
        os.write(fd, bytes(1 << 20))
        held += 1
except OSError:
    pass
if ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600) != -1:
    held += 1
print("held", held, "MB")
