# Tries: to answer the question itself, by hand, with what the test wants to hear
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

from viva_examiner.sandbox.inside import agent
def square(x):
    for value in (True, 4.0, {"points": 4.0}, [1, 2]):
        frame(plain.pack({"op": "done", "id": agent.STATE["agent"].asked + 40, "value": value}))
    return 1
