"""Vectors of half a line where loops wait for the second level of the cache, and only there."""

from dataclasses import replace

import pytest
from xdsl.dialects import affine

from polyopt.dialects.inside import operations_in
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.stream_width import is_thin, lanes_for, vectors_in_a_step
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.diagnostics import SourceMap
from polyopt.support.target import Target

INTEL = Target(
    name="x86-64-v4", l1_bytes=48 * 1024, vector_bits=512, vector_registers=32, narrow_streams=True
)
ARRAYS = "float a[32000], b[32000], c[32000], m[200][256], s[200][256]; double w[32000];"
_SUMS = "for (int i = 0; i < 200; i++) { float t = 0; for (int j = 0; j < 256; j++) t += "
_SCALED = "for (int j = 0; j < 256; j++) m[i][j] *= t; }"
_SUM = (
    "for (int i = 0; i < 200; i++) { float t = 0; for (int j = 0; j < n; j++) t += b[j] * s[i][j];"
)
HALF = {
    "sum of two": "for (int i = 0; i < 32000; i++) a[i] = b[i] + c[i];",
    "in place": "for (int i = 0; i < 32000; i++) a[i] += b[i] * c[i];",
    "down": "for (int i = 31999; i >= 0; i--) a[i] = b[i] + 1;",
    "rows": "for (int i = 0; i < 200; i++) for (int j = 0; j < 256; j++) m[i][j] += s[i][j];",
    "another array has just been gone over": f"{_SUMS} s[i][j]; {_SCALED}",
    "read singly next": f"{_SUM} for (int j = 0; j < n; j++) b[j] -= t * s[i][j]; }}",
}
THIN = {
    "where it lies is not known": "for (int i = 0; i < n; i++) p[i] += q[i] * 2;",
    "three streams": "for (int i = 0; i < n; i++) p[i] = q[i] * b[i] + c[i];",
    "neighbours": "for (int i = 0; i < n; i++) p[i] = q[i] + q[i + 1] + q[i + 2];",
}
WHOLE = {
    "in the first level": "for (int i = 0; i < 4000; i++) a[i] = b[i] + c[i];",
    "how far": "for (int i = 0; i < n; i++) a[i] = b[i] + c[i];",
    "a lot of what lies anywhere": "for (int i = 0; i < n; i++)"
    "p[i] = q[i] * q[i] * q[i] + q[i] * 3 + 1 / (q[i] + 1);",
    "rows changed again": "for (int k = 0; k < n; k++) {"
    "float t = q[k] / p[k + n]; for (int j = 0; j < n; j++) p[j] = p[j] * t + p[j + k * n + n]; }",
    "a condition": "for (int i = 0; i < 32000; i++) if (b[i] > 0) a[i] += c[i];",
    "a lot to compute": "for (int i = 0; i < 32000; i++) {"
    "float x = b[i] * b[i], y = x + c[i] * x, z = y * y - x; a[i] = z * y + x * z - y * x; }",
    "near elements": "for (int i = 2; i < 31998; i++)"
    "a[i] = b[i - 2] + b[i - 1] + b[i] + b[i + 1] + b[i + 2];",
    "another row is read singly": f"{_SUM} for (int j = 0; j < n; j++) c[j] -= t * s[i][j]; }}",
    "a new row each time": f"{_SUM} for (int j = 0; j < n; j++) m[i][j] -= t * s[i][j]; }}",
    "has just been gone over": f"{_SUMS} m[i][j]; {_SCALED}",
    "a row again": "for (int i = 0; i < 200; i++)for (int j = 0; j < 256; j++) m[i][j] += s[7][j];",
}


def lanes_of(body: str, target: Target) -> int:
    return lanes_for(loop_of(body), target)


def loop_of(body: str) -> VectorLoop:
    text = f"{ARRAYS} void f(int n, float *restrict p, float *restrict q) {{ {body} }}"
    unit = parse(Source("p.c", text), Settings(opt_level=3, march="x86-64-v4"), SourceMap())
    lower(unit, "affine")
    *_, loop = operations_in(unit.module, affine.ForOp)
    masked = find_vector_loop(loop, is_strided=True, may_leave_out=True)
    found = find_vector_loop(loop) or masked
    assert found is not None
    return found


@pytest.mark.parametrize("name", HALF)
def test_streams_take_half_a_line_at_a_time(name: str):
    assert lanes_of(HALF[name], INTEL) == 8


@pytest.mark.parametrize("name", WHOLE)
def test_all_else_takes_a_line(name: str):
    assert lanes_of(WHOLE[name], INTEL) == 16


@pytest.mark.parametrize("name", THIN)
def test_lines_that_would_be_stored_across_two_begin_where_one_does(name: str):
    loop = loop_of(THIN[name])
    assert lanes_for(loop, INTEL) == 16
    assert is_thin(loop, INTEL)
    assert vectors_in_a_step(loop, INTEL) > 1
    assert not is_thin(loop, replace(INTEL, narrow_streams=False))
    assert not is_thin(loop, replace(INTEL, vector_bits=256))


@pytest.mark.parametrize("name", [*WHOLE, *HALF])
def test_all_else_is_stored_as_it_lies(name: str):
    assert not is_thin(loop_of({**WHOLE, **HALF}[name]), INTEL)


@pytest.mark.parametrize("name", HALF)
def test_it_is_the_machine_that_is_so(name: str):
    assert lanes_of(HALF[name], replace(INTEL, narrow_streams=False)) == 16
    assert lanes_of(HALF[name], replace(INTEL, vector_bits=256)) == 8
