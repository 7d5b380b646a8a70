"""Stencils that other compilers make, with their time loops, compute what NumPy computes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.utils.exceptions import PassFailedException

from polyopt.backend.called.bind import bind
from polyopt.backend.called.signature_reader import read_signatures
from polyopt.backend.loaded.jit import load_objects
from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, object_code, parse
from polyopt.passes.raising.stencil_to_loops import StencilToLoopsPass
from polyopt.report.verdicts import verdicts
from polyopt.support.diagnostics import SourceMap
from polyopt.support.remarks import collect_remarks

FIELD = "!stencil.field<[-1,9]x[-1,13]xf64>"
TEMP = "!stencil.temp<?x?xf64>"


def over_time(fields: Sequence[str], body: str) -> str:
    """A function with as many fields that change places at each step."""
    given = ", ".join(f"%{name} : {FIELD}" for name in fields)
    carried = ", ".join(f"%{name}_t = %{name}" for name in fields)
    types = ", ".join(FIELD for _ in fields)
    turned = ", ".join(f"%{name}_t" for name in (*fields[1:], fields[0]))
    return f"""
func.func @steps({given}, %from : index, %to : index) {{
  %one = arith.constant 1 : index
  %r:{len(fields)} = scf.for %t = %from to %to step %one iter_args({carried}) -> ({types}) {{
    {body}
    scf.yield {turned} : {types}
  }}
  func.return
}}
"""


HEAT = f"""
    %in = stencil.load %a_t : {FIELD} -> {TEMP}
    %out = stencil.apply(%u = %in : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[-1, 0] : {TEMP}
      %e = stencil.access %u[1, 0] : {TEMP}
      %n = stencil.access %u[0, -1] : {TEMP}
      %h = arith.constant 0.5 : f64
      %two = arith.constant 2 : i64
      %q = math.fpowi %h, %two : f64, i64
      %x = arith.addf %w, %e : f64
      %y = arith.addf %x, %n : f64
      %z = arith.mulf %y, %q : f64
      stencil.return %z : f64
    }}
    stencil.store %out to %b_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
"""
EDGE = f"""
    %new = stencil.load %b_t : {FIELD} -> {TEMP}
    %edge = stencil.apply(%u = %new : {TEMP}) -> ({TEMP}) {{
      %x = stencil.access %u[0, 1] : {TEMP}
      stencil.return %x : f64
    }}
    stencil.store %edge to %b_t(<[0, 0], [8, 1]>) : {TEMP} to {FIELD}
"""
WAVE = f"""
    %now = stencil.load %b_t : {FIELD} -> {TEMP}
    %before = stencil.load %a_t : {FIELD} -> {TEMP}
    %out = stencil.apply(%u = %now : {TEMP}, %v = %before : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[-1, 0] : {TEMP}
      %e = stencil.access %u[1, 0] : {TEMP}
      %o = stencil.access %v[0, 0] : {TEMP}
      %x = arith.addf %w, %e : f64
      %y = arith.subf %x, %o : f64
      stencil.return %y : f64
    }}
    stencil.store %out to %c_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
"""
IN_PLACE = f"""
    %in = stencil.load %a_t : {FIELD} -> {TEMP}
    %out = stencil.apply(%u = %in : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[-1, 0] : {TEMP}
      stencil.return %w : f64
    }}
    stencil.store %out to %a_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
"""

CHAINED = f"""
    %in = stencil.load %a_t : {FIELD} -> {TEMP}
    %mid = stencil.apply(%u = %in : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[0, 0] : {TEMP}
      %e = stencil.access %u[0, 1] : {TEMP}
      %x = arith.subf %e, %w : f64
      stencil.return %x : f64
    }}
    %out = stencil.apply(%u = %mid : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[-1, -1] : {TEMP}
      %e = stencil.access %u[1, 0] : {TEMP}
      %x = arith.mulf %e, %w : f64
      stencil.return %x : f64
    }}
    stencil.store %out to %b_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
"""
PLACES = f"""
    %in = stencil.load %a_t : {FIELD} -> {TEMP}
    %mid = stencil.apply(%u = %in : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[0, 1] : {TEMP}
      stencil.return %w : f64
    }}
    %out = stencil.apply(%u = %mid : {TEMP}, %v = %in : {TEMP}) -> ({TEMP}) {{
      %i = stencil.index 0 <[0, 0]>
      %j = stencil.index 1 <[0, 0]>
      %left = stencil.index 1 <[0, -1]>
      %zero = arith.constant 0 : index
      %w = stencil.dyn_access %u[%i, %j] in <[0, 0]> : <[0, 0]> : {TEMP}
      %e = stencil.dyn_access %v[%i, %left] in <[0, -1]> : <[0, -1]> : {TEMP}
      %f = stencil.dyn_access %v[%i, %zero] in <[0, -1]> : <[0, 0]> : {TEMP}
      %x = arith.subf %e, %w : f64
      %y = arith.addf %x, %f : f64
      stencil.return %y : f64
    }}
    stencil.store %out to %b_t(<[0, 0], [8, 2]>) : {TEMP} to {FIELD}
"""
TWICE = f"""
    %in = stencil.load %a_t : {FIELD} -> {TEMP}
    %out = stencil.apply(%u = %in : {TEMP}) -> ({TEMP}) {{
      %w = stencil.access %u[0, 0] : {TEMP}
      stencil.return %w : f64
    }}
    stencil.store %out to %b_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
    stencil.store %out to %c_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
"""
BUFFERISED = f"""
    stencil.apply(%u = %a_t : {FIELD}) outs (%b_t : {FIELD}) {{
      %w = stencil.access %u[0, 0] : {FIELD}
      stencil.return %w : f64
    }} to <[0, 0], [8, 12]>
"""


def heat(a: np.ndarray, b: np.ndarray) -> None:
    b[1:9, 1:13] = (a[:8, 1:13] + a[2:, 1:13] + a[1:9, :12]) * 0.25
    b[1:9, 1] = b[1:9, 2]


def wave(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    c[1:9, 1:13] = b[:8, 1:13] + b[2:, 1:13] - a[1:9, 1:13]


def chained(a: np.ndarray, b: np.ndarray) -> None:
    mid = a[:, 1:] - a[:, :-1]
    b[1:9, 1:13] = mid[2:, 1:13] * mid[:8, :12]


def places(a: np.ndarray, b: np.ndarray) -> None:
    """Places are absolute: column 0 is the second one of the arrays."""
    b[1:9, 1:3] = (a[1:9, :2] - a[1:9, 2:4]) + a[1:9, 1:2]


@pytest.mark.parametrize(
    ("fields", "body", "step"),
    [
        ("ab", HEAT + EDGE, heat),
        ("abc", WAVE, wave),
        ("ab", CHAINED, chained),
        ("ab", PLACES, places),
    ],
    ids=["heat", "wave", "chained", "places"],
)
def test_fields_that_take_turns(fields: str, body: str, step: Callable[..., None]) -> None:
    with collect_remarks() as remarks:
        text = over_time(fields, body)
        unit = parse(
            Source("test.mlir", text, is_module=True),
            read_settings(["-O3", "--poly=identity", "--assume-distinct"]),
            SourceMap(),
        )
        lower(unit)
        steps = bind(read_signatures(unit.module), load_objects([object_code(unit)]))["steps"]
    told = [one.message for one in remarks.items]
    assert any(f"unrolled by {len(fields)}: memrefs change places" in one for one in told)
    assert any(one.startswith("loops t, i, j: ") for one in told), told
    for first, last in [(0, 0), (0, 1), (3, 5), (0, 6), (2, 9), (5, 1)]:
        ours = [np.random.default_rng(k).standard_normal((10, 14)) for k in range(len(fields))]
        wanted = [one.copy() for one in ours]
        steps(*ours, first, last)
        turn = list(wanted)
        for _ in range(first, last):
            step(*turn)
            turn = [*turn[1:], turn[0]]
        assert all(np.array_equal(x, y) for x, y in zip(ours, wanted, strict=True)), (first, last)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (IN_PLACE, "no copies are made"),
        (TWICE, "'out' is stored 2 times: a stencil's result goes to one field"),
        (BUFFERISED, "a stencil is about fields, as stencil-bufferize leaves it"),
    ],
    ids=["in place", "stored twice", "bufferised"],
)
def test_what_is_not_lowered_is_refused(body: str, message: str) -> None:
    source = Source("test.mlir", over_time("abc", body), is_module=True)
    unit = parse(source, read_settings(["-O3"]), SourceMap())
    with pytest.raises(PassFailedException, match=message):
        StencilToLoopsPass().apply(Context(), unit.module)


def test_a_stencil_has_a_verdict_for_each_of_its_loops() -> None:
    source = Source("test.mlir", over_time("ab", HEAT), is_module=True)
    found = verdicts(
        observe(source, read_settings(["-O3", "--poly=identity", "--assume-distinct"]))
    )
    assert [(one.loop.name, one.status) for one in found] == [
        ("t", "held"),
        ("i", "free"),
        ("j", "free"),
    ]
    (example,) = [one for one in found[0].details if one.startswith("For example")]
    assert re.search(r"at t = 2, i = \d, j = \d needs a.*, which line \d+ at t = 1, ", example)


def test_what_a_conditional_gives_is_each_iteration_s_own() -> None:
    chosen = f"""
    %in = stencil.load %a_t : {FIELD} -> {TEMP}
    %out = stencil.apply(%u = %in : {TEMP}) -> ({TEMP}) {{
      %i = stencil.index 0 <[0, 0]>
      %three = arith.constant 3 : index
      %is_less = arith.cmpi slt, %i, %three : index
      %w = stencil.access %u[-1, 0] : {TEMP}
      %e = stencil.access %u[1, 0] : {TEMP}
      %x = "scf.if"(%is_less) ({{
        %y = stencil.store_result %w : !stencil.result<f64>
        scf.yield %y : !stencil.result<f64>
      }}, {{
        %y = stencil.store_result %e : !stencil.result<f64>
        scf.yield %y : !stencil.result<f64>
      }}) : (i1) -> (!stencil.result<f64>)
      stencil.return %x : !stencil.result<f64>
    }}
    stencil.store %out to %b_t(<[0, 0], [8, 12]>) : {TEMP} to {FIELD}
"""
    source = Source("test.mlir", over_time("ab", chosen), is_module=True)
    settings = read_settings(["-O3", "--poly=identity", "--assume-distinct"])
    inner = verdicts(observe(source, settings, code=False))[1:]
    assert {one.status for one in inner} == {"free"}
