"""Each pass that prepares functions for the search for loops, alone and one after the other,
against the function as the front end wrote it: both are run, operation by operation."""

import pytest
from oracles.checked_run import CheckedRun
from oracles.prepared import PREPARE, function_named, prepare, source_module
from oracles.random_branches import ARRAY, branching_function
from oracles.random_counting import counting_program
from oracles.source_ir import Counters, SourceRun, TooLong, Undefined, Values
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.evolution.scalar_evolution import Evolution

ARGUMENTS = ((5, 3, 4, 6), (0, 1, 0, -1), (2, 4, 7, 2), (3, 0, 1, 0))
ADDRESS = 1 << 40
LONG = 30
"""Lines from which on expressions are too long to be evaluated by their definition."""
SLOW = pytest.mark.slow
LONGEST = 4000
"""Steps of programs that are run: where both arms are computed, there are more of them."""

SNIPPETS = {
    "comparisons of comparisons": "A[0] = (n < m) != (m < 3); A[1] = (n < m) == (m < 3);",
    "a truth as a number": "int b = n < m; if (b != 0) A[0] = 1; if (b == 0) A[1] = 2;",
    "division by minus one": "for (int i = 0; i < 4; i++) A[i] = i / -1;",
    "unknown divisors": "for (int i = 0; i < 4; i++) A[i] = i / (n + 9) + i % (m + 9);",
    "masks": "for (int i = -5; i < 5; i++) { A[(i & 3)] = i & 5; A[4 + (i & 1)] = i & -4; }",
    "a scalar set on one way": "int x; if (n > m) x = n; if (n > m) A[0] = x; A[1] = n;",
    "a chain": "if (n > 0 && m > 0 && l > 0) A[0] = 1; else if (n < 0 || m == 1) A[1] = 2;",
    "both arms": "if (n > m) { A[0] = 1; A[1] = A[2]; } else { A[1] = 3; }",
    "an empty arm": "if (n > m) ; else A[1] = 3; if (m > 1) A[2] = 2; else ;",
    "a load before its store": "if (A[0] > 0) A[0] = A[1]; if (A[1] > 1) A[1] = A[0];",
}


def memory_after(
    module: ModuleOp, arguments: tuple[int, ...], steps: int = 16_000
) -> list[float] | None:
    run = SourceRun({ADDRESS + 8 * k: float(k % 3) for k in range(64)}, steps=steps)
    try:
        run.run(ControlFlow(function_named(module).body), (*arguments, ADDRESS))
    except (TooLong, Undefined):
        return None
    return [run.memory[ADDRESS + 8 * k] for k in range(ARRAY)]


def check_meaning(text: str) -> None:
    modules = {"all": prepare(source_module(text))}
    for step in PREPARE:
        module = source_module(text)
        step.apply(Context(), module)
        module.verify()
        modules[step.name] = module
    original = source_module(text)
    for arguments in ARGUMENTS:
        wanted = memory_after(original, arguments, LONGEST)
        if wanted is not None:
            for name, module in modules.items():
                assert memory_after(module, arguments) == wanted, (name, arguments, text)


def check_expressions(text: str) -> None:
    flow = ControlFlow(function_named(prepare(source_module(text))).body)
    evolution = Evolution(flow)
    for arguments in ARGUMENTS:
        run = CheckedRun({ADDRESS + 8 * k: float(k % 3) for k in range(64)}, steps=40000)

        def visit(block: Block, values: Values, counters: Counters, run: CheckedRun = run) -> None:
            run.check(flow, evolution, block)

        run.visit = visit
        try:
            run.run(flow, (*arguments, ADDRESS))
        except (TooLong, Undefined):
            continue


@pytest.mark.parametrize("name", SNIPPETS)
def test_small_functions(name: str):
    text = f"void f(int n, int m, unsigned u, long l, double *A) {{ {SNIPPETS[name]} }}"
    check_meaning(text)
    check_expressions(text)


@pytest.mark.parametrize("seed", [n if n < 10 else pytest.param(n, marks=SLOW) for n in range(300)])
def test_random_branches(seed: int):
    text = branching_function(seed)
    check_meaning(text)
    if text.count("\n") < LONG:
        check_expressions(text)


@pytest.mark.parametrize("seed", [n if n < 8 else pytest.param(n, marks=SLOW) for n in range(100)])
def test_random_counters(seed: int):
    check_meaning(counting_program(1000 + seed))
