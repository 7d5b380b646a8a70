"""The programs of the kinds that people write compute what C says.

Strict ones have the same bits as unoptimised ones, fast ones are equal within 1e-9 (float: 1e-4).
The quick part takes a few that compile fast and go through reductions, gathers, buffers that
swap, triples of bytes and a batch.
"""

import shutil

import pytest
from oracles.kernel_runs import KINDS, MODES, KernelRuns

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")

QUICK = frozenset({"by_hex", "im_rgb_to_yuv", "rd_where", "sp_csr_mvm"})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> KernelRuns:
    return KernelRuns(tmp_path_factory.mktemp("kinds"))


def cases() -> list[object]:
    result: list[object] = []
    for size in ("MINI", "SMALL"):
        for number, kernel in enumerate(KINDS):
            for turn, mode in enumerate(MODES):
                quick = size == "MINI" and kernel in QUICK and number % 2 == turn
                marks = () if quick else (pytest.mark.slow,)
                result.append(pytest.param(size, kernel, mode, marks=marks))
    return result


def test_the_quick_ones_are_there():
    assert set(KINDS) >= QUICK


@pytest.mark.parametrize(("size", "kernel", "mode"), cases())
def test_results(runs: KernelRuns, size: str, kernel: str, mode: str):
    assert runs.difference(kernel, size, "auto", mode) is None


@pytest.mark.parametrize("size", ["2", "(mini-1)/2+2", "mini+5", "small+1"])
@pytest.mark.parametrize("kernel", KINDS)
@pytest.mark.slow
def test_odd_sizes(runs: KernelRuns, size: str, kernel: str):
    assert runs.difference(kernel, size, "auto", "strict") is None
