# Tries: to claim shapes and dtypes that its bytes do not have
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

import json
from safetensors.numpy import save
def lie(node):
    text = json.dumps({"d": [["op", "done"], ["id", 7], ["value", node]]}).encode()
    return save({"tree": np.frombuffer(text, np.uint8), "0": np.zeros(4, np.uint8)})
def row_sums(x):
    frame(lie({"a": "0", "shape": [3000000000], "dtype": "float64"}))
    return 1
def square(x):
    frame(lie({"a": "0", "shape": [4], "dtype": "object"}))
    return 1
def apply(f, x):
    frame(lie({"a": "0", "shape": [-1, 10**12], "torch": "float32"}))
    return 1
