"""The loops that scanning gives for the kernel programs run what isl's loops run.

Each SCoP of `benchmarks/kernels`, as the front end finds it and as a scheduler has left it: what
the loops run is recomputed from the loops and compared with domains and dependences, for all sizes.
Programs that are compiled with these loops print what an unoptimised build prints.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from oracles.kernel_runs import KernelRuns

from polyopt import pipeline
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import lower, parse
from polyopt.ir.problem import Problem, problems_in
from polyopt.pipeline_options import PipelineOptions
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.scanning.generate import scan_loops
from polyopt.support.diagnostics import SourceMap
from polyopt.tools.bench.contenders import reference_contender
from polyopt.tools.bench.programs import default_directory, find_programs

PROGRAMS = {program.name: program for program in find_programs(default_directory())}

COSTLY = frozenset(("fdtd-2d", "heat-3d", "nussinov", "seidel-2d"))
"""In skewed tiles the order of these costs more than the budget; tests/poly/scanning runs them."""


def problems(kernel: str, configuration: str) -> Iterator[Problem]:
    flags = ("-O3", "-DMINI_DATASET", "-ffast-math", f"--poly={configuration}")
    source = read_source(str(PROGRAMS[kernel].source))
    unit = parse(source, read_settings(flags), SourceMap())
    lower(unit, "schedule")
    yield from problems_in(unit.module)


def check(kernel: str, configuration: str) -> None:
    found = 0
    for problem in problems(kernel, configuration):
        scop = problem.scop
        nodes = scan_loops(scop, problem.dependences, scop.schedule)
        assert nodes is not None
        found += 1
        fault = check_executed(scop, nodes, operations=2_000_000)
        assert fault is None, f"{scop.name}: {fault}"
        budget = 200_000 if kernel in COSTLY else 2_000_000
        fault = check_executed(scop, nodes, problem.dependences, operations=budget)
        is_open = fault is not None and fault.kind == "unknown" and kernel in COSTLY
        assert fault is None or is_open, f"{scop.name}: {fault}"
    assert found


@pytest.mark.parametrize("kernel", ["redblack"])
def test_loops_of_a_kernel(kernel: str):
    check(kernel, "isl+tile")


@pytest.mark.slow
@pytest.mark.parametrize("configuration", ["identity", "isl+tile"])
@pytest.mark.parametrize("kernel", PROGRAMS)
def test_loops_of_all_kernels(kernel: str, configuration: str):
    check(kernel, configuration)


def by_scanning(options: PipelineOptions) -> dict[str, str]:
    return {"engine": "scan"}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KernelRuns:
    """Programs whose loops are made by scanning."""
    steps = (
        replace(step, arguments=by_scanning) if step.name == "poly-to-affine" else step
        for step in pipeline.STEPS
    )
    monkeypatch.setattr(pipeline, "STEPS", tuple(steps))
    return KernelRuns(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(reference_contender() is None, reason="no gcc on the PATH")
@pytest.mark.parametrize("kernel", PROGRAMS)
def test_programs_with_scanned_loops(kernel: str, runs: KernelRuns):
    assert runs.difference(kernel, "MINI", "isl+tile", "strict") is None
