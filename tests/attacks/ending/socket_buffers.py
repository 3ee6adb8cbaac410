# Tries: to fill the machine's memory with socket buffers, which belong to no process
# Told: memory
# Limits: cell_seconds=20
import os, socket, time
for _ in range(25):
    if os.fork() == 0:
        pairs = []
        for _ in range(120):
            pairs.append(socket.socketpair())
            pairs[-1][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
            pairs[-1][0].setblocking(False)
            try:
                while True:
                    pairs[-1][0].send(bytes(1 << 16))
            except BlockingIOError:
                pass
        time.sleep(30)
        os._exit(0)
time.sleep(18)
