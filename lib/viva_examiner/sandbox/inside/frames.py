"""Length-prefixed frames on a stream socket, as the candidate's side reads and writes them."""

import json
import socket
from collections.abc import Iterable

from viva_examiner.sandbox.inside.protocol import HEADER


def send(sock: socket.socket, payload: bytes) -> None:
    """One frame: four bytes of length, then the payload."""
    sock.sendall(HEADER.pack(len(payload)) + payload)


def receive(sock: socket.socket) -> bytes:
    """The next frame's payload. Raises EOFError when the other side has gone."""
    (length,) = HEADER.unpack(_exactly(sock, HEADER.size))
    return _exactly(sock, length)


def _exactly(sock: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = sock.recv(min(count - len(parts), 1 << 20))
        if not part:
            raise EOFError("the other side has gone")
        parts += part
    return bytes(parts)


def send_json(sock: socket.socket, message: dict, fds: Iterable[int] = ()) -> None:
    """A control message with open files; both sides of a control socket are trusted."""
    payload = json.dumps(message).encode()
    data = HEADER.pack(len(payload)) + payload
    sent = socket.send_fds(sock, [data], list(fds)) if fds else sock.send(data)
    if sent < len(data):  # to send nothing fails where the other side has its answer and has left
        sock.sendall(data[sent:])


def receive_json(sock: socket.socket) -> tuple[dict, list[int]]:
    """The next control message and its files. Raises EOFError when the other side has gone."""
    head, fds, _, _ = socket.recv_fds(sock, HEADER.size, 8)
    if not head:
        raise EOFError("the other side has gone")
    head += _exactly(sock, HEADER.size - len(head))
    return json.loads(_exactly(sock, HEADER.unpack(head)[0])), list(fds)
