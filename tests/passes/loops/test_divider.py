"""Vectors of half a line where loops wait for the divider, and only there."""

from dataclasses import replace

import pytest
from xdsl.dialects import affine

from polyopt.dialects.inside import operations_in
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.passes.loops.divider import waits_for_divider
from polyopt.passes.loops.registers.register_nest import find_register_nest
from polyopt.passes.loops.registers.register_plan import best_plan
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.stream_width import lanes_for
from polyopt.support.diagnostics import SourceMap
from polyopt.support.target import Target

INTEL = Target(
    name="x86-64-v4", l1_bytes=48 * 1024, vector_bits=512, vector_registers=32, narrow_divider=True
)
ARRAYS = (
    "#include <math.h>\ndouble a[900], b[900], c[900], M[9][900]; float x[900], y[900], z[900];"
)
WAITS = {
    "a division": "for (int i = 0; i < 900; i++) a[i] = b[i] / c[i];",
    "a root": "for (int i = 0; i < 900; i++) a[i] = sqrt(b[i] * b[i] + c[i]);",
    "a sum": "double s = 0; for (int i = 0; i < 900; i++) s += 1 / b[i]; a[0] = s;",
}
STAYS = {
    "a parameter": "for (int i = 0; i < 900; i++) a[i] = b[i] / d - c[i] / (2 * d);",
    "an element": "for (int j = 0; j < 9; j++)"
    " for (int i = 0; i < 900; i++) M[j][i] = b[i] / c[j];",
}
FLOATS = {
    "a division": "for (int i = 0; i < 900; i++) x[i] = y[i] / z[i];",
    "a root": "for (int i = 0; i < 900; i++) x[i] = sqrtf(y[i]);",
}
BUSY = {
    "no division": "for (int i = 0; i < 900; i++) a[i] = b[i] * c[i];",
    "a lot beside": "for (int i = 0; i < 900; i++) { double t = b[i] / c[i];"
    + "t = t * t - b[i] * t + 1;" * 5
    + "a[i] = t; }",
    "one divisor": "for (int i = 0; i < 900; i++) { double t = b[i];"
    "a[i] = (t / c[i] + 2 / c[i]) * (3 / c[i] + t);"
    + "t = t * t - b[i] * t + 1;" * 5
    + "b[i] = t; }",
}
CALLS = {
    "none": "for (int i = 0; i < 900; i++) a[i] = b[i] / fabs(c[i]);",
    "one": "for (int i = 0; i < 900; i++) a[i] = b[i] / exp(c[i]);",
}
TILE = (
    "for (int i = 0; i < 900; i++) { double s = 0;"
    "for (int j = 0; j < 900; j++) s += c[j] / (b[i] - b[j]); a[i] = s; }"
)


def loops_of(body: str, *, is_fast: bool) -> list[affine.ForOp]:
    text = f"{ARRAYS} void f(int n, double d) {{ {body} }}"
    settings = Settings(
        opt_level=3,
        march="x86-64-v4",
        associative_math=is_fast,
        reciprocal_math=is_fast,
        approximate_functions=is_fast,
    )
    unit = parse(Source("p.c", text), settings, SourceMap())
    lower(unit, "affine")
    return operations_in(unit.module, affine.ForOp)


def lanes_of(body: str, target: Target, *, is_fast: bool = True) -> int:
    *_, loop = loops_of(body, is_fast=is_fast)
    found = find_vector_loop(loop)
    assert found is not None
    return lanes_for(found, target)


@pytest.mark.parametrize("name", WAITS)
def test_what_waits_takes_half_a_line_at_a_time(name: str):
    assert lanes_of(WAITS[name], INTEL) == 4


@pytest.mark.parametrize("name", BUSY)
def test_all_else_takes_a_line(name: str):
    assert lanes_of(BUSY[name], INTEL) == 8


@pytest.mark.parametrize("name", STAYS)
def test_by_what_stays_reciprocals_are_taken_once(name: str):
    assert lanes_of(STAYS[name], INTEL) == 8
    assert lanes_of(STAYS[name], INTEL, is_fast=False) == 4


@pytest.mark.parametrize("name", FLOATS)
def test_floats_wait_where_nothing_is_estimated(name: str):
    assert lanes_of(FLOATS[name], INTEL, is_fast=False) == 8
    assert lanes_of(FLOATS[name], INTEL, is_fast=True) == 16


def test_it_is_the_machine_that_is_so():
    assert lanes_of(WAITS["a root"], replace(INTEL, narrow_divider=False)) == 8
    assert lanes_of(WAITS["a root"], replace(INTEL, vector_bits=256)) == 4


def test_tiles_of_registers_do_so_too():
    loops = loops_of(TILE, is_fast=False)
    roots = (one for one in loops if not isinstance(one.parent_op(), affine.ForOp))
    (nest,) = filter(None, (find_register_nest(root, serial=True) for root in roots))
    plans = [best_plan(nest, replace(INTEL, narrow_divider=narrow)) for narrow in (True, False)]
    assert [plan is not None and plan.lanes for plan in plans] == [4, 8]


def test_calls_of_libraries_are_as_wide_as_can_be():
    found = {name: loops_of(body, is_fast=True)[-1].body.block.ops for name, body in CALLS.items()}
    assert waits_for_divider(found["none"], INTEL)
    assert not waits_for_divider(found["one"], INTEL)
