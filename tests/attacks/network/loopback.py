# Tries: to reach services on this machine
# Says: 0 reached
import socket
reached = 0
for port in (22, 80, 443, 5432, 8000, 8888, 8787):
    for host in ("127.0.0.1", "::1", "0.0.0.0"):
        try:
            socket.create_connection((host, port), timeout=0.2)
            reached += 1
        except OSError:
            pass
print(reached, "reached")
