"""A bound on what one submission can make a trusted process take."""

import contextlib
import os
import resource
from collections.abc import Iterator


@contextlib.contextmanager
def bounded_memory(megabytes: int) -> Iterator[None]:
    """In this block the process gets only so much more memory; whoever wants more fails.

    No test runs in a worker; but it reads a notebook of up to 64 MB, brings it into its released
    form and compares its log, and what is parsed takes many times its size. A submission that
    takes more ends in a MemoryError, and the worker lives on. Counted from what the process has
    now, so that nobody pays for the submissions before.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as sizes:
        now = int(sizes.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    bound = now + (megabytes << 20)
    bounds = [each for each in (bound, soft, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
