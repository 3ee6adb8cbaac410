# Tries: to take all memory through many processes
# Told: memory
# Limits: memory_mb=250, cell_seconds=20
import os, time
for _ in range(10):
    if os.fork() == 0:
        block = bytearray(b"1") * (100 << 20)
        time.sleep(30)
        os._exit(0)
time.sleep(18)
