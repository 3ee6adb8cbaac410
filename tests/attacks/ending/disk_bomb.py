# Tries: to fill the disk
# Says: No space left
import os
try:
    for folder in ("/dev/shm", "/tmp"):
        try:
            for i in range(1000):
                with open(f"{folder}/{i}", "wb") as file:
                    file.write(bytes(4 << 20))
        except OSError as error:
            print(error)
    for i in range(10**6):
        os.mkdir(f"/tmp/d{i}")
except OSError as error:
    print(error)
