"""bench/reference.py: its rows compute the same thing, and its verdict can fail."""

import importlib.util

import pytest
import torch

from repository import ROOT

PATH = ROOT / "bench" / "reference.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_reference", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_rows_of_one_problem_agree(bench):
    generator = torch.Generator().manual_seed(0)
    tokens = [torch.rand(1, 2, 200, bench.WIDTH, generator=generator) for _ in range(3)]
    outputs = [bench.implementation(name)(*tokens) for name in ("reference", "naive")]
    torch.testing.assert_close(*outputs, rtol=1e-4, atol=1e-5)  # float32 sums of 200 terms


@pytest.mark.parametrize("backward", [False, True])
def test_a_row_has_a_time_and_a_memory(bench, backward, monkeypatch):
    monkeypatch.setattr(bench, "BUDGET", 0.0)
    figures = bench.measure("reference", 512, 1, backward)
    assert figures["seconds"] > 0 and 0 <= figures["mb"] < 50


def figures_of(bench, peer_seconds, long_mb):
    lengths = [8192, 32768]
    figures = {}
    for way in bench.PASSES:
        for N, mb in zip(lengths, (10.0, long_mb), strict=True):
            figures["reference", N, way] = {"seconds": 1.0, "mb": mb}
            figures["sdpa", N, way] = {"seconds": peer_seconds, "mb": 10.0}
    return figures, lengths, ["reference", "sdpa"]


@pytest.mark.parametrize(
    "peer_seconds, long_mb, holds", [(2.0, 40.0, True), (0.5, 40.0, False), (2.0, 160.0, False)]
)
def test_the_verdict_fails_when_slower_or_not_linear(bench, peer_seconds, long_mb, holds):
    assert bench.verdict(*figures_of(bench, peer_seconds, long_mb)) is holds
