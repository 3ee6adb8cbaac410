# Tries: to answer questions before they are asked, with what might be right
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

for number in range(1, 60):
    frame(plain.pack({"op": "done", "id": number, "value": 49, "mutated": False}))
