"""Real servers for tests, on loopback, ended by process id: a Dask cluster and PostgreSQL."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest


@contextlib.contextmanager
def processes():
    """Start processes with `start(*command)`; all of them are ended afterwards."""
    running = []

    def start(*command, **options):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        running.append(subprocess.Popen(command, **(quiet | options)))
        return running[-1]

    try:
        yield start
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(condition, seconds: float = 60):
    """Wait until a condition holds; the test fails if it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {condition.__name__}"
        time.sleep(0.05)


def wait_for_page(address: str, seconds: float = 120) -> None:
    """Wait until a server answers there."""
    def answers() -> bool:
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(address, timeout=5) as reply:
                return reply.status == 200
        return False

    wait_for(answers, seconds)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def dask_cluster(folder: Path, workers: int = 2, keys: Path | None = None):
    """(address, worker processes) of a scheduler with workers that share nothing but the port.

    keys: the folder of a certificate, for a cluster that speaks TLS
    """
    from dask.distributed import Client

    from viva_examiner.autograde.cluster_keys import CERTIFICATE, KEY, security

    address = f"{'tls' if keys else 'tcp'}://127.0.0.1:{free_port()}"
    options = ["--protocol", address[:3]] + (
        ["--tls-ca-file", str(keys / CERTIFICATE), "--tls-cert", str(keys / CERTIFICATE),
         "--tls-key", str(keys / KEY)] if keys else [])
    protected = security(address, keys) if keys else None
    dask = [sys.executable, "-m", "dask"]
    with processes() as start:
        port = address.split(":")[-1]
        scheduler = start(*dask, "scheduler", "--host", "127.0.0.1", "--port", port,
                          "--no-dashboard", "--no-show", *options, cwd=folder)
        started = []
        for number in range(workers):
            own = folder / f"worker-{number}"
            own.mkdir()
            started.append(start(
                *dask, "worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
                "--no-dashboard", "--local-directory", str(own), *options, cwd=own,
                env=os.environ | {"OMP_NUM_THREADS": "1"},
            ))
        with Client(address, timeout=60, set_as_default=False, security=protected) as client:
            client.wait_for_workers(workers, timeout=120)
        try:
            yield address, started
        finally:
            for each in (scheduler, *started):
                each.kill()  # asked to end, they wait ten seconds for each other


@contextlib.contextmanager
def postgres():
    """(URL of an empty database, its server process): a PostgreSQL of our own."""
    debian = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")))
    found = debian[-1] if debian else shutil.which("initdb")
    if found is None:
        pytest.skip("no PostgreSQL server here: install Debian's package postgresql")
    programs = Path(found).parent
    # Not below pytest's own folder, which only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="viva-postgres-"))
    who = {}
    if os.getuid() == 0:  # the server refuses to run as root
        other = pwd.getpwnam("nobody")
        os.chown(folder, other.pw_uid, other.pw_gid)
        who = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
    data, port = folder / "data", free_port()
    subprocess.run([programs / "initdb", "-D", data, "-U", "viva", "-A", "trust", "-N"],
                   check=True, capture_output=True, cwd=folder, **who)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        start = stack.enter_context(processes())
        server = start(programs / "postgres", "-D", data, "-p", str(port), "-k", str(folder),
                       "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", cwd=folder, **who)

        def accepts() -> bool:
            ready = [programs / "pg_isready", "-h", "127.0.0.1", "-p", str(port)]
            return subprocess.run(ready, capture_output=True).returncode == 0

        wait_for(accepts)
        yield f"postgresql+psycopg://viva@127.0.0.1:{port}/postgres", server
