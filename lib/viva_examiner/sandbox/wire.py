"""The examiner's end of the wire: frames and raw output, with a deadline on every wait."""

import os
import select
import socket
import time

from viva_examiner.sandbox.errors import MalformedMessage
from viva_examiner.sandbox.inside.protocol import HEADER

CHUNK = 1 << 18


class ConnectionClosed(Exception):
    """The candidate's end is closed."""


class DeadlinePassed(Exception):
    """The deadline has passed."""


class Wire:
    """A socket that carries frames and two pipes that carry what C code and children print.

    on_text: called with ("stdout" or "stderr", bytes) as such output arrives
    """

    def __init__(self, sock: socket.socket, pipes: dict[int, str], max_bytes: int):
        self.sock, self.pipes, self.max_bytes = sock, dict(pipes), max_bytes
        self.sock.setblocking(False)
        self.buffer = bytearray()
        self.on_text = lambda name, data: None
        self.poll = select.poll()
        self.poll.register(sock, select.POLLIN)
        for fd in self.pipes:
            os.set_blocking(fd, False)
            self.poll.register(fd, select.POLLIN)

    def send(self, payload: bytes, deadline: float) -> None:
        """Write one frame. Raises DeadlinePassed or Gone."""
        view = memoryview(HEADER.pack(len(payload)) + payload)
        while view:
            try:
                view = view[self.sock.send(view):]
            except BlockingIOError:
                self._wait(deadline, writing=True)
            except OSError:
                raise ConnectionClosed from None

    def receive(self, deadline: float) -> bytes:
        """Read one frame. Raises DeadlinePassed, Gone or Malformed."""
        while True:
            frame = self._take()
            if frame is not None:
                self.drain()
                return frame
            self._wait(deadline)

    def _take(self) -> bytes | None:
        if len(self.buffer) < HEADER.size:
            return None
        (length,) = HEADER.unpack_from(self.buffer)
        if length > self.max_bytes:
            raise MalformedMessage(f"announced a message of {length >> 20} MB")
        end = HEADER.size + length
        if len(self.buffer) < end:
            return None
        frame = bytes(self.buffer[HEADER.size:end])
        del self.buffer[:end]
        return frame

    def _wait(self, deadline: float, writing: bool = False) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        if writing:
            self.poll.modify(self.sock, select.POLLOUT)
        events = self.poll.poll(left * 1000 + 1)
        if writing:
            self.poll.modify(self.sock, select.POLLIN)
        for fd, what in events:
            if fd in self.pipes:
                self._read_pipe(fd)
            elif what & (select.POLLIN | select.POLLHUP | select.POLLERR) and not writing:
                self._read_socket()

    def _read_socket(self) -> None:
        try:
            data = self.sock.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise ConnectionClosed
        self.buffer += data

    def _read_pipe(self, fd: int) -> bool:
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.poll.unregister(fd)
            os.close(fd)
            del self.pipes[fd]
            return False
        self.on_text(self.pipes[fd], data)
        return True

    def drain(self) -> None:
        """Take what the pipes hold now, but no more than they held when asked."""
        for fd in list(self.pipes):
            self._read_pipe(fd)

    def close(self) -> None:
        self.sock.close()
        for fd in self.pipes:
            os.close(fd)
        self.pipes = {}
