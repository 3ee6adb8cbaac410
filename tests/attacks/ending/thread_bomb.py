# Tries: a bomb of threads
# Limits: processes=24
# Says: stopped at
import threading, time
made = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
        made += 1
except RuntimeError:
    print("stopped at", made)
