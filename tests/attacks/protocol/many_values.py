# Tries: to fill the examiner's memory with a small message
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

from safetensors.numpy import save
def square(x):
    text = ("[" + "[]," * 5_000_000 + "[]]").encode()
    frame(save({"tree": np.frombuffer(text, np.uint8)}))
    return 1
