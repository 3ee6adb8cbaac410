# Tries: gigabytes of output
# Limits: cell_seconds=2
# Says: cut here
import os, sys
print("x" * 50_000_000)
while True:
    os.write(1, b"y" * 65536)
    sys.stderr.write("z" * 65536)
