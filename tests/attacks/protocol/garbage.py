# Tries: to send bytes that are no message
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

def square(x):
    frame(os.urandom(5000))
    return 1
frame(b"")
