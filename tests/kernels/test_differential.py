"""Every kernel in every configuration computes what C says.

Strict programs have the same bits as unoptimised ones; those of `-ffast-math` are equal within
1e-9 (float: 1e-4). The quick part takes one configuration of each kernel in one mode, and one
kernel in each configuration.
"""

import shutil
from itertools import product

import pytest
from oracles.kernel_runs import ILL_CONDITIONED, MODES, PROGRAMS, KernelRuns

from polyopt.pipeline_options import POLY_CONFIGURATIONS
from polyopt.tools.bench.outputs import ill_conditioned

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> KernelRuns:
    return KernelRuns(tmp_path_factory.mktemp("kernels"))


AT_SMALL = ("none", "identity", "isl", "isl+tile", "auto")
SPREAD = [one for one in POLY_CONFIGURATIONS if one not in ("none", "isl+tile")]


def cases() -> list[object]:
    """Every configuration at MINI, some at SMALL. Slow but for a spread at MINI, in turns of strict
    and fast: tiled for all, and every configuration for some kernel."""
    result: list[object] = []
    for size, (number, kernel) in product(("MINI", "SMALL"), enumerate(PROGRAMS)):
        configurations = POLY_CONFIGURATIONS if size == "MINI" else AT_SMALL
        some = SPREAD[number // 2 % len(SPREAD)] if number % 2 == 1 else None
        for configuration, (turn, mode) in product(configurations, enumerate(MODES)):
            tiled = configuration == "isl+tile" and number % 2 == turn
            spread = configuration == some and number // 2 % 2 == turn
            quick = size == "MINI" and (tiled or spread)
            marks = () if quick else (pytest.mark.slow,)
            result.append(pytest.param(size, kernel, configuration, mode, marks=marks))
    return result


def test_the_spread_has_every_configuration():
    assert 2 * len(SPREAD) <= len(PROGRAMS)


@pytest.mark.parametrize(("size", "kernel", "configuration", "mode"), cases())
def test_results(runs: KernelRuns, size: str, kernel: str, configuration: str, mode: str):
    assert runs.difference(kernel, size, configuration, mode) is None


@pytest.mark.parametrize("size", ["1", "2", "(mini-1)/2", "mini+5", "small+1"])
@pytest.mark.parametrize("kernel", PROGRAMS)
@pytest.mark.slow
def test_odd_sizes(runs: KernelRuns, size: str, kernel: str):
    """Sizes that are multiples of nothing, and next to nothing."""
    assert runs.difference(kernel, size, "auto", "strict") is None


@pytest.mark.parametrize("kernel", sorted(ILL_CONDITIONED))
def test_most_of_an_ill_conditioned_result_is_compared(runs: KernelRuns, kernel: str):
    second = runs.otherwise_rounded(kernel, "MINI")
    if second is None:
        pytest.skip("needs gcc's x87 arithmetic")
    expected = runs.expected(kernel, "MINI")
    elements = sum(len(result.texts) for result in expected.results)
    assert 0 < ill_conditioned(expected, second) < elements / 2
