# Tries: to call functions of the examiner that were never handed over
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

def apply(f, x):
    for index in (-1, 1, 5, 10**6):
        frame(plain.pack({"op": "callback", "id": 1, "fn": index, "args": [], "kwargs": {}}))
    return 18
