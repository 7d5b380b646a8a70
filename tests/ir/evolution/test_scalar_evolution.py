"""What scalar evolution says of a value is what the value is, in every iteration of a run."""

from __future__ import annotations

import pytest
from oracles.checked_run import CheckedRun
from oracles.prepared import function_named, prepare, source_module
from oracles.random_counting import SIGNATURE, counting_program
from oracles.source_ir import Counters, TooLong, Undefined, Values
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.evolution.scalar_evolution import Evolution

ARGUMENTS = ((5, 3, 4, 6), (0, 1, 0, -1), (-2, 4, 7, 2), (7, 7, 1, 0), (3, -3, 2, 5))
ADDRESS = 1 << 40


@pytest.mark.parametrize(
    "seed", [n if n < 15 else pytest.param(n, marks=pytest.mark.slow) for n in range(150)]
)
def test_expressions_are_the_values(seed: int):
    function = function_named(prepare(source_module(counting_program(seed))))
    flow = ControlFlow(function.body)
    evolution = Evolution(flow)
    for arguments in ARGUMENTS:
        run = CheckedRun(steps=2000)

        def visit(block: Block, values: Values, counters: Counters, run: CheckedRun = run) -> None:
            run.check(flow, evolution, block)

        run.visit = visit
        try:
            run.run(flow, (*arguments, ADDRESS))
        except (TooLong, Undefined):
            continue


IN_DISGUISE = {
    "halves": "A[(int)(i * 0.5)] = 1;",
    "quarters of what is below zero": "A[(int)((i - 5) * 0.25 - 0.5)] = 1;",
    "unsigned": "A[(unsigned)(u * 0.125 + i)] = 1;",
    "compared": "if (i * 0.5 < m - 1.25) A[i] = 1;",
    "to a byte": "A[(unsigned char)(i * 0.5)] = 1;",
    "known bits": "for (int j = 0; j < 8; j++) A[(i << 3) | j] = A[(i << 3) ^ (j >> 1)];",
    "halves of bits": "A[((i & 7) << 3) | ((i >> 3) & 7)] = A[(i & 0xf0) | (i & 15)];",
    "below zero": "A[(-i << 2) | 3] = A[(-i * 4) ^ (i & 3)];",
    "unsigned bits": "A[((unsigned)-i & 0xfffffff0u) | (i & 15u)] = 1;",
    "bytes": "for (size_t o = 0; o < i * 8ul; o += 8) A[o / 8] = A[(o + 24) >> 3];",
    "bytes that wrap": "for (unsigned o = 0xfffffff0u; o != 16; o += 4) A[o / 4] = 1;",
    "small bytes": "for (unsigned char o = 200; o != 20; o += 4) A[o / 4] = A[(o + 3) / 4];",
    "bits of a signed byte": "A[(signed char)(i * 40) | 256] = A[(signed char)(i * 40) ^ 512];",
    "shifted out": "A[(int)((unsigned)i << 30) / 1024] = A[(unsigned)(i << 28) >> 25];",
    "shifted back": "A[((int)((unsigned)i << 29) >> 28) + 8] = A[(int)((unsigned)-i >> 28)];",
    "bits below a sign": "A[(((int)((unsigned)i << 29) >> 4) | (1 << 30)) >> 20] = 1;",
    "both or neither": "if ((i < m) == (2 * i < u)) A[i] = 1; if ((i < m) != (i < 3)) A[8] = 1;",
    "lesser bytes": "A[(8 * i < 4 * m ? 8 * i : 4 * m) / 4] = 1;",
}


@pytest.mark.parametrize("body", IN_DISGUISE.values(), ids=IN_DISGUISE)
def test_values_in_disguise(body: str):
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    text = f"#include <stddef.h>\nvoid f({SIGNATURE}) {{ {loop} }}"
    function = function_named(prepare(source_module(text)))
    flow = ControlFlow(function.body)
    evolution = Evolution(flow)
    for arguments in ARGUMENTS:
        run = CheckedRun(steps=20_000)

        def visit(block: Block, values: Values, counters: Counters, run: CheckedRun = run) -> None:
            run.check(flow, evolution, block)

        run.visit = visit
        run.memory = Zeros()
        run.run(flow, (*arguments, ADDRESS))


class Zeros(dict[int, float]):
    def __contains__(self, address: object) -> bool:
        return True

    def __missing__(self, address: int) -> float:
        return 0.0


def test_a_wrong_expression_is_noticed():
    """The oracle itself: it does not accept another recurrence."""
    text = f"void f({SIGNATURE}) {{ for (int i = 0; i < n; i++) A[i] = 1; }}"
    function = function_named(prepare(source_module(text)))
    flow = ControlFlow(function.body)
    evolution = Evolution(flow)
    run = CheckedRun()
    run.run(flow, (3, 0, 0, 0, ADDRESS))
    (loop,) = flow.loops.top_level
    run.check(flow, evolution, loop.header)
    run.counters[loop] += 1
    with pytest.raises(AssertionError):
        run.check(flow, evolution, loop.header)


def machine_of_states(states: int) -> str:
    """A loop around a `switch` that goes on in another way from each of its cases."""
    cases = "\n".join(
        f"case {n}: m = m * {n + 2} + u; u = u + m + {n}; i = i + (m & {n}); break;"
        for n in range(states)
    )
    return f"void f({SIGNATURE}) {{ int i = 0; while (i < n) switch (m & 63) {{ {cases} }} }}"


def test_ways_that_differ_are_not_all_looked_at(monkeypatch: pytest.MonkeyPatch):
    """Of what each way back passes, the first two that differ decide: twice as many ways take no
    longer."""
    computed = 0
    compute = getattr(Evolution, "_compute")

    def counted(self: Evolution, value: SSAValue, is_signed: bool) -> object:
        nonlocal computed
        computed += 1
        return compute(self, value, is_signed)

    monkeypatch.setattr(Evolution, "_compute", counted)
    counts = list[int]()
    for states in (20, 40):
        flow = ControlFlow(function_named(prepare(source_module(machine_of_states(states)))).body)
        (loop,) = flow.loops.top_level
        computed = 0
        evolution = Evolution(flow)
        for value in loop.header.args:
            evolution.signed(value, loop.header)
            evolution.unsigned(value, loop.header)
        counts.append(computed)
    assert counts[1] <= counts[0] + 10
