"""An endless loop in a student's function ends with a sentence, not with a hung kernel."""

import _thread
import os
import signal
import threading

LIMIT = 45.0  # seconds of one check: the slowest takes a few


class Patience:
    """`with Patience() as patience:` interrupts what takes too long; then `patience.lost` is true.

    The main thread is interrupted as by the stop button, wherever Python runs: nothing is killed,
    and no signal of ours meets the student's. Elsewhere it waits: in another thread, and while a
    notebook is graded, where the grader has limits of its own. A program that was started in the
    background may ignore interrupts; for as long as it waits here, it does not.
    """

    def __init__(self, seconds: float = LIMIT):
        self.seconds, self.lost, self.over = seconds, False, False
        self.lock = threading.Lock()
        self.timer, self.deaf = None, False

    def __enter__(self):
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and not os.environ.get("NBGRADER_EXECUTION"):
            self.deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            if self.deaf:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            self.timer = threading.Timer(self.seconds, self._ring)
            self.timer.daemon = True
            self.timer.start()
        return self

    def _ring(self) -> None:
        with self.lock:
            if not self.over:
                self.lost = True
                _thread.interrupt_main()

    def __exit__(self, kind, error, trace) -> bool:
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
