# Tries: to read or trace processes outside by their numbers
# Says: tried | 0 succeeded
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
count = 0
for pid in {os.getppid(), *range(2, 3000)} - {os.getpid()}:
    count += libc.ptrace(16, pid, 0, 0) == 0
    try:
        with open(f"/proc/{pid}/mem", "rb") as memory:
            count += 1
    except OSError:
        pass
print("tried", f"{count} succeeded")
