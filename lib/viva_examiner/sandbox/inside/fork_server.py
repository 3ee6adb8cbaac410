"""The fork server: imports what everyone needs once, then forks warm interpreters and workers.

It holds nothing but public libraries. What is secret (the exam, the environment of the course)
reaches a worker over the worker's own channel, after it was forked, so that no later child can
find a trace of it in its memory.
"""

import contextlib
import gc
import importlib
import io
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from types import ModuleType

from viva_examiner.sandbox.inside import frames, lazy_compiler, linux
from viva_examiner.sandbox.inside.protocol import Control

NUMBERS = ("numpy", "torch")  # of what is preloaded, all that a worker needs


def main(control_fd: int) -> None:
    """Entry of the process that the examiner starts; lives until the examiner hangs up."""
    linux.name_process("viva-fork-server")
    owner = socket.socket(fileno=control_fd)
    request, _ = frames.receive_json(owner)
    server = ForkServer(owner)
    try:
        warm_up(request["preload"], server.fork_workers)
        if not is_alone():
            raise RuntimeError("a thread is running in the fork server; it cannot be forked")
    except BaseException as error:
        server.fail(f"{type(error).__name__}: {error}")
        os._exit(1)
    server.serve()
    os._exit(0)


def is_alone() -> bool:
    """A fork has none of its parent's threads, but all the locks that they hold."""
    return len(os.listdir("/proc/self/task")) == 1


class ForkServer:
    """Forks on request: the examiner asks for workers, and each worker for its warm interpreter."""

    def __init__(self, owner: socket.socket) -> None:
        self.owner = owner
        self.clients: dict[int, socket.socket] = {}
        self.poll = select.poll()
        self.held: list[tuple[dict, list[int]]] = []  # what the owner asked for too early
        self.listen_to(owner)

    def listen_to(self, client: socket.socket) -> None:
        self.clients[client.fileno()] = client
        self.poll.register(client, select.POLLIN)

    def fork_workers(self) -> None:
        """Between two imports: a worker has imports of its own to do, and none of the later ones
        are for it. A warm interpreter needs them all and waits. So does a worker while a library
        has a thread at work, as matplotlib when it looks for fonts.
        """
        while not self.held and is_alone() and select.select([self.owner], [], [], 0)[0]:
            try:
                request, fds = frames.receive_json(self.owner)
            except (EOFError, OSError):
                os._exit(0)
            if request["op"] == Control.WORKER:
                self.fork(self.owner, request, fds)
            else:
                self.held.append((request, fds))

    def fail(self, why: str) -> None:
        """Tell everybody who asks, or will ask, for a fork that there will be none."""
        for client in self.clients.values():
            with contextlib.suppress(OSError):
                frames.send_json(client, {"op": Control.FAILED, "why": why})

    def serve(self) -> None:
        """Everything is imported: fork until the owner hangs up."""
        for request, fds in self.held:
            self.fork(self.owner, request, fds)
        while True:
            for fd, _ in self.poll.poll():
                client = self.clients[fd]
                try:
                    request, fds = frames.receive_json(client)
                except (EOFError, OSError):
                    if client is self.owner:
                        return
                    self.poll.unregister(fd)
                    self.clients.pop(fd).close()
                    continue
                self.fork(client, request, fds)

    def fork(self, client: socket.socket, request: dict, fds: list[int]) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever asks for a child watches it
        mine, theirs = socket.socketpair()  # a worker's own line to the fork server
        pid = os.fork()
        if pid == 0:
            become(request["op"], [*fds, theirs.detach()])
        frames.send_json(client, {"op": Control.BORN}, [os.pidfd_open(pid)])
        for each in fds:
            os.close(each)
        theirs.close()
        if request["op"] == Control.WORKER:
            self.listen_to(mine)
        else:
            mine.close()


def become(kind: str, fds: list[int]) -> None:
    """In the child: nothing of the fork server but these files, then its own life."""
    try:
        linux.name_process(f"viva-{kind}")
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        gc.freeze()
        gc.enable()
        high = [os.dup2(fd, 1000 + index) for index, fd in enumerate(fds)]
        os.closerange(3, 1000)
        kept = [os.dup2(fd, 3 + index) for index, fd in enumerate(high)]
        os.closerange(1000, 1000 + len(fds))
        LIVES[kind](*kept)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def live_as_warm(control: int, line: int) -> None:
    from viva_examiner.sandbox.inside import candidates

    os.close(line)
    candidates.main(control)


def live_as_worker(channel: int, errors: int, line: int) -> None:
    from multiprocessing.connection import Connection

    os.dup2(errors, 2)
    os.close(errors)
    talk = Connection(channel)
    place = frames.json.loads(talk.recv_bytes())
    os.environ.clear()
    os.environ.update(place["environment"])
    sys.path[:] = place["path"]
    os.chdir(place["directory"])
    os.sched_setaffinity(0, place["cores"])
    importlib.import_module(place["worker"]).main(talk, socket.socket(fileno=line))
    os._exit(0)


LIVES: dict[str, Callable[..., None]] = {Control.WARM: live_as_warm, Control.WORKER: live_as_worker}


def warm_up(preload: Sequence[str], between: Callable[[], object] = lambda: None) -> None:
    """Import what students use and trigger what libraries do lazily, once for all forks.

    A preloaded package, as a course's own kit, may have a function `warm_up` for its part.
    between: called between two imports, once there is what workers need
    """
    gc.disable()  # nothing that is imported becomes garbage, and to look for it takes its time
    for name in NUMBERS:
        if name in preload:
            importlib.import_module(name)
    _warm_numbers()
    modules = []
    for name in preload:
        between()
        modules.append(importlib.import_module(name))
    if preload:
        between()
        importlib.import_module("viva_examiner.sandbox.inside.agent")
    if "matplotlib.pyplot" in sys.modules:
        between()
        _warm_matplotlib(sys.modules["matplotlib.pyplot"])
    for module in modules:
        between()
        getattr(module, "warm_up", lambda: None)()
    if "matplotlib.pyplot" in sys.modules:
        _let_go_of_fonts()
    gc.freeze()
    gc.enable()


def _warm_numbers() -> None:
    if torch := sys.modules.get("torch"):
        _warm_torch(torch)
    if numpy := sys.modules.get("numpy"):
        numpy.einsum("ij,jk->ik", numpy.eye(2), numpy.eye(2), optimize=True)
        numpy.linalg.svd(numpy.eye(2))


def _warm_torch(torch: ModuleType) -> None:
    torch.set_num_threads(1)
    lazy_compiler.install()
    layer = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(layer.parameters())
    x = torch.ones(1, 1, 2, 2)
    loss = layer(torch.nn.functional.scaled_dot_product_attention(x, x, x)).sum()
    torch.einsum("...ij,...jk->...ik", x, x)
    loss.backward()
    optimizer.step()
    torch.linalg.svd(torch.eye(2))


def _warm_matplotlib(pyplot: ModuleType) -> None:
    from viva_examiner.sandbox.inside import drawing

    drawing.install()
    figure, axes = pyplot.subplots(1, 2)
    axes[0].plot([0, 1], label="$x_1^2$")
    axes[1].imshow([[0, 1], [1, 0]])
    axes[0].legend()
    axes[0].set_title("text")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    pyplot.close("all")


def _let_go_of_fonts() -> None:
    # Both caches hold open font files, which a candidate does not inherit.
    sys.modules["matplotlib.font_manager"]._get_font.cache_clear()
    sys.modules["matplotlib.mathtext"].MathTextParser._parse_cached.cache_clear()
