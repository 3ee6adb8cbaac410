# Tries: to change its answers from a thread while questions are asked
import threading, time
def turn():
    global square
    while True:
        square = lambda x: 1
        time.sleep(0)
threading.Thread(target=turn, daemon=True).start()
