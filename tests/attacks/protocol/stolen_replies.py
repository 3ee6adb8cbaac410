# Tries: to read what the examiner sends before the agent does
# Limits: question_seconds=1, cell_seconds=1, submission_seconds=60
# Told: ignored the interrupt
import os, socket, struct
from viva import plain
wire = socket.socket(fileno=os.dup(3))
def frame(payload):
    wire.sendall(struct.pack(">I", len(payload)) + payload)

import threading
def steal():
    while True:
        data = wire.recv(1 << 20)
        with open("/tmp/stolen", "ab") as file:
            file.write(data)
threading.Thread(target=steal, daemon=True).start()
