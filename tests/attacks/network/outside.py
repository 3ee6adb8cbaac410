# Tries: to reach the world outside, by name and by an address for documentation
# Says: 0 reached
import socket, urllib.request
reached = 0
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for attempt in (lambda: socket.create_connection(("192.0.2.1", 80), timeout=0.5),
                lambda: socket.getaddrinfo("example.org", 80),
                lambda: datagrams.sendto(b"x", ("192.0.2.1", 53)),
                lambda: urllib.request.urlopen("http://192.0.2.1/", timeout=0.5)):
    try:
        attempt()
        reached += 1
    except OSError:
        pass
print(reached, "reached")
