"""Causal linear attention of the reference library against its peers, in time and memory.

    python bench/reference.py                      # about five minutes on one core
    python bench/reference.py --lengths 1024 4096
    python bench/reference.py --peers DIR          # where performer-pytorch was installed by
        pip install --no-deps --target DIR performer-pytorch einops local-attention \\
            axial-positional-embedding hyper-connections

Each figure comes from its own fresh process with one thread: float32, batch 1, `--heads` heads,
C = M = 64 features and values per head. Time is the best of several calls; memory is the
growth of the process's peak resident size (VmHWM) over the first call, inputs excluded.
A ratio above 1 means that the reference is better. Ends in 1 when a peer that was measured
is faster than the reference from 4096 tokens on, or the reference's memory is not linear.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent.parent / "lib"
PEERS = ("naive", "sdpa", "performer")
PASSES = ("forward", "backward")
WIDTH = 64
NAIVE_LIMIT = 8192  # a float32 N x N array per head: 256 MB at 8192, 4.3 GB at 32768
BUDGET = 2.0  # seconds of repeated calls per figure


def implementation(name):
    """The function (phiQ, phiK, V) -> output of a row, all (1, heads, N, WIDTH)."""
    import torch

    if name == "reference":
        from viva_course.reference.kernel_attention import differentiable

        return differentiable.causal_linear_attention
    if name == "sdpa":
        attention = torch.nn.functional.scaled_dot_product_attention
        return lambda q, k, v: attention(q, k, v, is_causal=True)
    if name == "performer":
        from performer_pytorch.performer_pytorch import causal_linear_attention_noncuda

        return causal_linear_attention_noncuda

    def naive(q, k, v):
        weights = (q @ k.mT).tril()
        return weights @ v / weights.sum(dim=-1, keepdim=True)

    return naive


def peak_kb():
    """The process's peak resident size, in kB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise RuntimeError("no VmHWM in /proc/self/status: this bench needs Linux")


def measure(name, N, heads, backward):
    """Seconds of the best call and MB of the first, in this process."""
    import torch

    torch.set_num_threads(1)
    attend = implementation(name)

    def inputs(length):
        generator = torch.Generator().manual_seed(0)
        shape = (1, heads, length, WIDTH)
        q, k, v = (torch.rand(shape, generator=generator) for _ in range(3))
        return [x.requires_grad_(backward) for x in (q, k, v)]

    def call(args):
        out = attend(*args)
        if backward:
            out.backward(torch.ones_like(out))
        for x in args:
            x.grad = None
        return out

    call(inputs(256))  # loads what is loaded lazily
    args = inputs(N)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again at the present size
    before = peak_kb()
    started = time.perf_counter()
    call(args)
    times, grown = [time.perf_counter() - started], peak_kb() - before
    while sum(times) < BUDGET and len(times) < 20:
        started = time.perf_counter()
        call(args)
        times.append(time.perf_counter() - started)
    return {"seconds": min(times), "mb": grown / 1024}


def in_fresh_process(name, N, heads, backward, peers):
    """The figures of `measure` from a new process."""
    paths = [str(LIBRARY), *([peers] if peers else []), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    job = json.dumps([name, N, heads, backward])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, "--measure", job],
        env=environment, capture_output=True, text=True, check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{name}, N = {N}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout.splitlines()[-1])


def table(lengths, heads, names, peers):
    """Measure and print row by row; returns {(name, N, pass): figures}."""
    figures = {}
    print(f"{'N':>6} {'pass':9}{'reference':>20}", *(f"{name:>22}" for name in names[1:]))
    print(f"{'':16}{'time, memory':>20}", *(f"{'time x, memory x':>22}" for _ in names[1:]))
    for N in lengths:
        for way in PASSES:
            own = in_fresh_process("reference", N, heads, way == "backward", peers)
            figures["reference", N, way] = own
            row = f"{N:6d} {way:9}{own['seconds'] * 1e3:9.1f} ms{own['mb']:6.0f} MB"
            for name in names[1:]:
                if name == "naive" and N > NAIVE_LIMIT:
                    row += f"{'N x N too large':>23}"
                    continue
                other = in_fresh_process(name, N, heads, way == "backward", peers)
                figures[name, N, way] = other
                times = other["seconds"] / own["seconds"]
                row += f"{times:14.1f}x{other['mb'] / max(own['mb'], 1):7.1f}x"
            print(row, flush=True)
    return figures


def verdict(figures, lengths, names):
    """Print the two claims and whether they hold; True when both do."""
    slower = [
        f"{name} at N = {N}, {way}"
        for (name, N, way), other in figures.items()
        if N >= 4096 and other["seconds"] < figures["reference", N, way]["seconds"]
    ]
    answer = "no: " + "; ".join(slower) if slower else "yes"
    if max(lengths) < 4096:
        answer = "not measured"
    print(f"\nfaster than {', '.join(names[1:])} from N = 4096 on: {answer}")
    linear, long = True, [N for N in lengths if N >= 8192]  # below, pages count more than arrays
    for way in PASSES if len(long) > 1 else ():
        first, last = (figures["reference", N, way]["mb"] for N in (long[0], long[-1]))
        slope = math.log(last / first) / math.log(long[-1] / long[0])
        linear &= slope < 1.15  # 1 when exactly linear; pages and caches leave a little
        print(f"memory of the reference grows like N^{slope:.2f} ({way})")
    return not slower and linear


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    lengths = [1024, 2048, 4096, 8192, 16384, 32768]
    parser.add_argument("--lengths", type=int, nargs="+", default=lengths)
    parser.add_argument("--heads", type=int, default=1)
    parser.add_argument("--peers", help="a directory that holds performer-pytorch")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*json.loads(options.measure))))
        return 0
    if options.peers:
        sys.path.append(options.peers)
    names = ["reference", *PEERS]
    if find_spec("performer_pytorch") is None:
        names.remove("performer")
        print("performer: skipped, the package performer-pytorch is not installed; see --help\n")
    figures = table(options.lengths, options.heads, names, options.peers)
    return 0 if verdict(figures, options.lengths, names) else 1


if __name__ == "__main__":
    sys.exit(main())
