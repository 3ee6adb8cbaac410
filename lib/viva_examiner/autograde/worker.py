"""A worker: a process that grades one submission after another with an engine of its own.

It gets its order and its works over a socket from the coordinator, as bytes, and ends when the
coordinator does. Forked from the fork server, which forks its warm interpreter as well.
"""

import socket
import sys
from multiprocessing.connection import Connection

from viva_examiner.examination.engine import Engine
from viva_examiner.failure import sentence_of
from viva_examiner.records import Order, Work
from viva_examiner.sandbox import forks


def main(channel: Connection, line: socket.socket) -> None:
    """Serve a coordinator until it hangs up. `line`: to the fork server."""
    forks.INHERITED.append(forks.ForkClient(line))
    engine = None
    try:
        engine = Engine(Order.from_bytes(channel.recv_bytes()))
        engine.start()
        channel.send_bytes(b"ready")
        while True:
            work = Work.from_bytes(channel.recv_bytes())
            channel.send_bytes(engine.grade(work).to_bytes())
    except (EOFError, ConnectionError, KeyboardInterrupt):
        pass
    except Exception as error:
        if not (sentence := sentence_of(error)):
            raise
        print(sentence, file=sys.stderr)  # the coordinator tells it
    finally:
        if engine is not None:
            engine.close()
