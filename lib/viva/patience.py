"""An endless loop in a student's function ends with a sentence, not with a hung kernel."""

import _thread
import os
import signal
import threading
import time

LIMIT = 45.0  # seconds of processor time of one check: the slowest takes a few
ASLEEP = 10  # by the clock it may take so many times as long: for others' work, and for sleep


class Patience:
    """`with Patience() as patience:` interrupts what takes too long; then `patience.lost` is true.

    What counts is the processor time of this process: on a busy machine a right solution is given
    the time that it needs.
    The main thread is interrupted as by the stop button, wherever Python runs: nothing is killed,
    and no timer of ours meets the student's. Elsewhere it waits: in another thread, and while a
    notebook is graded, where the grader has limits of its own. A program that was started in the
    background may ignore interrupts; for as long as it waits here, it does not.
    """

    def __init__(self, seconds: float = LIMIT) -> None:
        self.seconds, self.lost, self.over = seconds, False, False
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None
        self.deaf = False

    def __enter__(self) -> "Patience":
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and not os.environ.get("NBGRADER_EXECUTION"):
            self.deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            if self.deaf:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            self.worked, self.began = time.process_time(), time.monotonic()
            self._wait(self.seconds)
        return self

    def _wait(self, seconds: float) -> None:
        timer = self.timer = threading.Timer(seconds, self._ring)
        timer.daemon = True
        timer.start()

    def _ring(self) -> None:
        left = self.seconds - (time.process_time() - self.worked)
        asleep = time.monotonic() - self.began > ASLEEP * self.seconds
        with self.lock:
            if self.over:
                return
            if left > 0 and not asleep:
                self._wait(max(left, self.seconds / 100))
            else:
                self.lost = True
                _interrupt()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: object) -> bool:
        try:
            with self.lock:
                self.over = True
        except KeyboardInterrupt:  # it rang while we came to an end
            self.over, kind = True, KeyboardInterrupt
        if self.timer is not None:
            self.timer.cancel()
        if self.deaf:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        return self.lost and kind is KeyboardInterrupt


def _interrupt() -> None:
    """As by the stop button; a real signal where there is one, which ends a sleep too."""
    main = threading.main_thread().ident
    send = getattr(signal, "pthread_kill", None)  # Windows has none
    if send and main and callable(signal.getsignal(signal.SIGINT)):
        send(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
