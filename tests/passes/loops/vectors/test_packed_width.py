"""Lanes fill a vector of what is stored, without AVX-512, where registers and the loop do."""

import pytest
from xdsl.dialects import affine

from polyopt.dialects.inside import operations_in
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.stream_width import lanes_for
from polyopt.support.diagnostics import SourceMap
from polyopt.support.target import Target

AVX2 = Target(name="x86-64-v3", vector_bits=256, vector_registers=16)
AVX512 = Target(name="x86-64-v4", vector_bits=512, vector_registers=32)
ARRAYS = "float x[9999], y[9999], z[9999]; short h[9999]; signed char q[9999]; int w[9999];"
MANY = (
    "float a = x[i], b = y[i], c = z[i], d = h[i], e = w[i], f = x[i + 1], g = y[i + 1];"
    "float u = a * b - c * d + e * f - g, v = a * d * g + b * e - c * f;"
    "q[i] = (signed char)(u * (a + c + e + g) + v * (b + d + f + a * e));"
)
LANES = {
    "q[i] = (signed char)(x[i] * 3);": 32,
    "h[i] = (short)(x[i] * 3);": 16,
    "h[i] = (short)(x[i] * 3); q[i] = (signed char)x[i];": 16,
    "w[i] = (int)(x[i] * 3); q[i] = (signed char)x[i];": 8,
    "x[i] = q[i] * 3;": 8,
    MANY: 8,
}


def lanes_of(body: str, extent: str, target: Target) -> int:
    text = f"{ARRAYS} void f(int n) {{ for (int i = 0; i < {extent}; i++) {{ {body} }} }}"
    unit = parse(Source("p.c", text), Settings(opt_level=3, march=target.name), SourceMap())
    lower(unit, "affine")
    *_, loop = operations_in(unit.module, affine.ForOp)
    found = find_vector_loop(loop)
    assert found is not None
    return lanes_for(found, target)


@pytest.mark.parametrize("body", LANES)
def test_vectors_of_what_is_stored_are_whole(body: str):
    assert lanes_of(body, "n", AVX2) == LANES[body]


def test_short_loops_have_no_lanes_to_spare():
    assert lanes_of("q[i] = (signed char)(x[i] * 3);", "20", AVX2) == 16


def test_an_instruction_narrows_whatever_fits_a_vector():
    assert lanes_of("q[i] = (signed char)(x[i] * 3);", "n", AVX512) == 16


HALVES = {
    "q[i] = (signed char)(w[i] * 3000000000l >> 32);": 8,
    "int u = (int)(w[i] * 3000000000l >> 32) + 5; q[i] = u < 0 ? 0 : u > 99 ? 99 : u;": 16,
    "long u = (w[i] * 3000000000l >> 32) + 5; q[i] = u < 0 ? 0 : u > 99 ? 99 : u;": 8,
    "w[i] = (int)(w[i] * 3000000000l >> 32) * w[i];": 8,
}


@pytest.mark.parametrize("body", HALVES)
def test_what_is_computed_of_halves_fills_vectors(body: str):
    assert lanes_of(body, "n", AVX512) == HALVES[body]


SUMS = {
    "if (x[i] < 2) a++; else if (x[i] > 7) b++; else s += x[i];": 16,
    "s += x[i];": 8,
    "double u = x[i] * 0.1; if (u < 2) a++; else if (u > 7) b++; else s += x[i];": 8,
    "s += (x[i] - 2) * (x[i] - 2);": 8,
    "if (x[i] < 2) a++; else b++;": 16,
}


@pytest.mark.parametrize("body", SUMS)
def test_sums_wider_than_what_decides_on_them(body: str):
    """The widest of these are of eight bytes, but for the last ones."""
    text = f"""{ARRAYS} void f(int n, int *c, double *d) {{
        int a = 0, b = 0; double s = 0;
        for (int i = 0; i < n; i++) {{ {body} }}
        c[0] = a; c[1] = b; d[0] = s;
    }}"""
    settings = Settings(opt_level=3, march=AVX512.name, associative_math=True, signed_zeros=False)
    unit = parse(Source("p.c", text), settings, SourceMap())
    lower(unit, "affine")
    *_, loop = operations_in(unit.module, affine.ForOp)
    found = find_vector_loop(loop)
    assert found is not None
    assert lanes_for(found, AVX512) == SUMS[body]
