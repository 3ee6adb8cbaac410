# Tries: to leave a process behind that outlives grading
# Says: left
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(0.1)
    os._exit(0)
print("left")
