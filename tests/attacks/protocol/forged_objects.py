# Tries: to describe objects that are none, with handles of its choice
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

def square(x):
    for note in ({"k": "obj"}, {"k": "obj", "h": "x", "kind": "class"}, {"k": "yours", "i": 10**9},
                 {"k": "tuple", "fields": ["__class__"], "values": [1], "name": "T"},
                 {"k": "graph", "call": 1, "i": 0, "t": 3}, {"k": "param", "h": 1, "t": "x"}):
        class Stand:
            pass
        frame(plain.pack({"op": "done", "id": 5, "value": Stand()},
                         lambda v: note if isinstance(v, Stand) else None))
    return 1
