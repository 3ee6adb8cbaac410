"""Frames between processes: what has arrived is an answer, even if its reader has left."""

import socket

from viva_examiner.sandbox.inside import frames


class LeavesAtOnce:
    """A socket whose other side reads what it is sent and closes before the sender goes on."""

    def __init__(self):
        self.ours, self.theirs = socket.socketpair()
        self.heard = b""

    def send(self, data: bytes) -> int:
        sent = self.ours.send(data)
        self.heard = self.theirs.recv(sent)
        self.theirs.close()
        return sent

    def sendall(self, data: bytes) -> None:
        self.ours.sendall(data)


def test_an_answer_to_somebody_who_leaves_at_once_has_arrived():
    """A judge that had its last answer was told off as gone, and its record was lost."""
    line = LeavesAtOnce()
    frames.send_json(line, {"value": None})
    assert line.heard.endswith(b'{"value": null}')
    line.ours.close()
