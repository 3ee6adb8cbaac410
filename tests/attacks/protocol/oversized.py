# Tries: to announce a message of four gigabytes
# Told: malformed frame | MB
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

def square(x):
    wire.sendall(b"\xff\xff\xff\xff" + b"x" * 1000)
    return 1
