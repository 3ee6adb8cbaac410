"""A worker: a process that grades one submission after another with an engine of its own.

It gets its order and its works over a socket from the coordinator, as bytes, and ends when the
coordinator does. Forked from the fork server, which forks its warm interpreter as well.
"""

import socket
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Protocol, TypeVar

from viva_examiner.examination.engine import Engine
from viva_examiner.failure import sentence_of
from viva_examiner.records import Order, Work
from viva_examiner.sandbox import forks


class WorkerTool(Protocol):
    """What a worker works with; it is started once and closed at the end."""

    def start(self) -> Any: ...

    def close(self) -> None: ...


T = TypeVar("T", bound=WorkerTool)


def main(channel: Connection, line: socket.socket) -> None:
    """Grade for a coordinator until it hangs up. `line`: to the fork server."""
    serve(channel, line, Engine,
          lambda engine, data: engine.grade(Work.from_bytes(data)).to_bytes())


def serve(channel: Connection, line: socket.socket, make: Callable[[Order], T],
          do: Callable[[T, bytes], bytes]) -> None:
    """Do what comes over a channel, one thing after the other, until the coordinator hangs up."""
    forks.INHERITED.append(forks.ForkClient(line))
    tool = None
    try:
        tool = make(Order.from_bytes(channel.recv_bytes()))
        tool.start()
        channel.send_bytes(b"ready")
        while True:
            channel.send_bytes(do(tool, channel.recv_bytes()))
    except (EOFError, ConnectionError, KeyboardInterrupt):
        pass
    except Exception as error:
        if not (sentence := sentence_of(error)):
            raise
        print(sentence, file=sys.stderr)  # the coordinator tells it
    finally:
        if tool is not None:
            tool.close()
