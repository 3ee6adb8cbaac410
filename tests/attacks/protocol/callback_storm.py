# Tries: to keep the examiner busy with callbacks that nobody asked for
# Told: ignored the interrupt
# Limits: question_seconds=1, submission_seconds=60
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

def apply(f, x):
    while True:
        frame(plain.pack({"op": "callback", "id": 1, "fn": 0, "args": [], "kwargs": {}}))
