"""Kernels whose loops run in threads, as many as there are work for and more, compute what C says.

Strict programs have the same bits as unoptimised ones whatever the number of threads; those of
`-ffast-math` are compared as in test_differential.py. One build of a kernel runs with every number
of threads.
"""

import shutil
from itertools import product
from pathlib import Path

import pytest
from oracles.kernel_runs import MODES, PROGRAMS, KernelRuns, output_of

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import LIBRARIES, chosen_runtime
from polyopt.support.remarks import collect_remarks

THREADS = ("-fparallel", "-fparallel-threshold=0")


def has(family: str) -> bool:
    chosen = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    return chosen is not None and bool(chosen.path)


RUNTIMES = [
    pytest.param(family, marks=pytest.mark.skipif(not has(family), reason=f"there is no {family}"))
    for family in LIBRARIES
]
pytestmark = [
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle"),
    pytest.mark.skipif(not any(map(has, LIBRARIES)), reason="no library runs threads"),
]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> KernelRuns:
    return KernelRuns(tmp_path_factory.mktemp("threads"))


def faults(
    runs: KernelRuns, kernel: str, size: str, mode: str, counts: tuple[int, ...], *flags: str
) -> dict[int, str]:
    """What is wrong, by the number of threads."""
    program = runs.program(kernel, size, ("-O3", "-march=native", *MODES[mode], *THREADS, *flags))
    found = {count: runs.fault(kernel, size, mode, output_of(program, count)) for count in counts}
    return {count: fault for count, fault in found.items() if fault is not None}


def kinds_of(remarks: list[str]) -> set[str]:
    said = [text.partition(" in threads: ")[2] for text in remarks]
    return {text.split()[0] for text in said if text}


@pytest.mark.slow
@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize(("kernel", "mode"), [*product(PROGRAMS, MODES)])
def test_every_number_of_threads(runs: KernelRuns, kernel: str, mode: str, runtime: str):
    library = f"-fopenmp={runtime}"
    assert faults(runs, kernel, "SMALL", mode, (1, 2, 3, 4, 7), library, "-fno-openmp") == {}


@pytest.mark.slow
@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize(("kernel", "mode"), [*product(PROGRAMS, MODES)])
def test_more_threads_than_iterations(runs: KernelRuns, kernel: str, mode: str, runtime: str):
    library = f"-fopenmp={runtime}"
    assert faults(runs, kernel, "MINI", mode, (5, 64), library, "-fno-openmp") == {}


KINDS = {
    ("mvt", "strict"): "doall",
    ("cone", "strict"): "doall",
    ("atax", "fast"): "reduction",
    ("redblack", "strict"): "pipeline",
}
"""Of each kind of loop one that is compiled soon: cone's are triangles. Rows of a contraction are
in tests/passes/parallel."""


@pytest.mark.parametrize(("kernel", "mode"), KINDS)
def test_one_of_each_kind(tmp_path: Path, kernel: str, mode: str):
    with collect_remarks() as remarks:
        assert faults(KernelRuns(tmp_path), kernel, "MINI", mode, (1, 3, 64)) == {}
    source = str(PROGRAMS[kernel].source)
    texts = [one.message for one in remarks.items if one.span and one.span.file == source]
    assert KINDS[kernel, mode] in kinds_of(texts)
