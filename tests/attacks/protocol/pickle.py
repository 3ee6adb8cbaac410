# Tries: to send a pickle and hope that somebody loads it
# Told: malformed frame
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

import pickle
class Evil:
    def __reduce__(self):
        return (os.system, ("touch /tmp/viva-pwned",))
def square(x):
    frame(pickle.dumps(Evil()))
    return 1
