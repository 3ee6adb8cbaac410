# Tries: to flood the examiner with output messages
# Says: flooded
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

stream = {"o": "stream", "name": "stdout", "text": "x" * 100_000}
piece = plain.pack({"op": "output", "output": stream})
for _ in range(500):
    frame(piece)
strange = [{"o": "error", "traceback": 7}, {"o": "display", "data": {"text/html": [1]}}, 7, None,
           {"o": "stream", "name": "stdin", "text": "x"}, {"o": "clear"},
           {"o": "result", "data": {}},
           {"o": "display", "data": {"image/png": "x" * 5_000_000, "text/plain": "\ud800"}}]
for output in strange:
    frame(plain.pack({"op": "output", "output": output}))
# %% after the tests
print("flooded")
