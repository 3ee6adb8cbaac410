# Tries: to overflow the stack of whoever reads its answer
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

import json
from safetensors.numpy import save
def square(x):
    text = ("[" * 100_000 + "]" * 100_000).encode()
    frame(save({"tree": np.frombuffer(text, np.uint8)}))
    return 1
