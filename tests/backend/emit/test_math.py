"""math: rounding and roots exactly, libm's functions bit for bit as libm computes them."""

import ctypes
import math
from collections.abc import Callable
from typing import Any

import pytest

from polyopt.backend.compiled.codegen import emit_llvm_ir
from polyopt.backend.processors.options import BackendOptions

Native = Callable[..., Any]
Compile = Callable[..., Native]

VALUES = [0.5, -0.5, 1.5, 2.5, -2.5, 0.3, -0.7, 0.999, 3.999999, -0.0, 1e17]
FAST = "polyopt.fastmath = #arith.fastmath<fast>"


def away_from_zero(x: float) -> float:
    return math.copysign(math.floor(abs(x) + 0.5), x)


EXACT: dict[str, Callable[[float], float]] = {
    "absf": abs,
    "ceil": lambda x: float(math.ceil(x)),
    "floor": lambda x: float(math.floor(x)),
    "trunc": lambda x: float(math.trunc(x)),
    "roundeven": lambda x: float(round(x)),
    "round": away_from_zero,
}


@pytest.mark.parametrize("name", list(EXACT))
@pytest.mark.parametrize("march", ["x86-64", ""])
def test_rounding(call_body: Compile, name: str, march: str) -> None:
    f = call_body(
        f"%r = math.{name} %0 : f64", "%r", "f64", "f64", options=BackendOptions(march=march)
    )
    for x in VALUES:
        assert f(x) == EXACT[name](x), x


def test_square_root(call_body: Compile) -> None:
    f = call_body("%r = math.sqrt %0 : f64", "%r", "f64", "f64")
    assert [f(x) for x in (2.0, 0.0, 1e-310)] == [math.sqrt(x) for x in (2.0, 0.0, 1e-310)]
    assert math.isnan(f(-1.0))
    single = call_body("%r = math.sqrt %0 : f32", "%r", "f32", "f32")
    assert single(2.0) == ctypes.c_float(math.sqrt(2.0)).value
    inverse = call_body("%r = math.rsqrt %0 : f64", "%r", "f64", "f64")
    assert inverse(2.0) == 1.0 / math.sqrt(2.0)


@pytest.mark.parametrize("march", ["x86-64", ""])
def test_fused_multiply_add_rounds_once(call_body: Compile, march: str) -> None:
    f = call_body(
        "%r = math.fma %0, %1, %2 : f64",
        "%r",
        "f64",
        "f64",
        "f64",
        "f64",
        options=BackendOptions(march=march),
    )
    x = 1.0 + 2.0**-30
    assert f(x, x, -1.0) == 2.0**-29 + 2.0**-60


def test_copysign(call_body: Compile) -> None:
    f = call_body("%r = math.copysign %0, %1 : f64", "%r", "f64", "f64", "f64")
    assert [f(3.0, -0.0), f(-3.0, 1.0)] == [-3.0, 3.0]


UNARY = """acos acosh asin asinh atan atanh cbrt cos cosh erf exp exp2 expm1 log log10 log1p log2
    sin sinh tan tanh""".split()


def libm(name: str, type: str, count: int) -> Native:
    """The C library's own function."""
    function = getattr(ctypes.CDLL("libm.so.6"), name + ("f" if type == "f32" else ""))
    number = ctypes.c_float if type == "f32" else ctypes.c_double
    function.restype = number
    function.argtypes = [number] * count
    return function


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("name", UNARY)
def test_libm_unary(call_body: Compile, name: str, type: str) -> None:
    f = call_body(f"%r = math.{name} %0 : {type}", "%r", type, type)
    reference = libm(name, type, 1)
    for x in (0.1, 0.7, 0.999, 1.0, 2.5, 30.0):
        ours, theirs = f(x), reference(x)
        assert ours == theirs or (ours != ours and theirs != theirs), x


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize(("name", "c_name"), [("powf", "pow"), ("atan2", "atan2")])
def test_libm_binary(call_body: Compile, name: str, c_name: str, type: str) -> None:
    f = call_body(f"%r = math.{name} %0, %1 : {type}", "%r", type, type, type)
    reference = libm(c_name, type, 2)
    for x in (0.1, 1.0, 2.5):
        for y in (-3.0, 0.3, 7.0):
            assert f(x, y) == reference(x, y), (x, y)


def test_strict_powers_stay_calls(parse_ir: Callable[..., Any]) -> None:
    text = """
    func.func @f(%x : f64) -> f64 {
      %two = arith.constant 2.0 : f64
      %r = math.powf %x, %two : f64
      func.return %r : f64
    }"""
    strict = emit_llvm_ir(parse_ir(text))
    assert "@pow(double" in strict
    fast = emit_llvm_ir(parse_ir(f"builtin.module attributes {{{FAST}}} {{ {text} }}"))
    assert "fmul fast double %x, %x" in fast


def test_libm_of_vectors_goes_lane_by_lane(call_body: Compile) -> None:
    body = """
    %v = vector.broadcast %0 : f64 to vector<4xf64>
    %w = vector.insert %1, %v[2] : f64 into vector<4xf64>
    %e = math.exp %w : vector<4xf64>
    %a = vector.extract %e[2] : f64 from vector<4xf64>
    %b = vector.extract %e[3] : f64 from vector<4xf64>
    %r = arith.subf %a, %b : f64
    """
    f = call_body(body, "%r", "f64", "f64", "f64")
    assert f(1.0, 2.0) == math.exp(2.0) - math.exp(1.0)


def test_float_to_an_integer_power(call_body: Compile) -> None:
    f = call_body("%r = math.fpowi %0, %1 : f64, i32", "%r", "f64", "f64", "i32")
    assert [f(2.0, 10), f(2.0, -2), f(1.5, 0)] == [1024.0, 0.25, 1.0]


@pytest.mark.parametrize("flags", ["", FAST])
def test_the_lower_half_of_what_is_rounded(call_ir: Callable[..., Native], flags: str) -> None:
    """Ties go to even integers, and what int does not hold is cut to its lower 32 bits."""
    text = f"""
    builtin.module attributes {{{flags}}} {{
      func.func private @lrint(f64) -> i64
      func.func @f(%x : f64) -> i32 {{
        %r = func.call @lrint(%x) : (f64) -> i64
        %h = arith.trunci %r : i64 to i32
        func.return %h : i32
      }}
    }}"""
    f = call_ir(text, "i32", "f64")
    turns = [2.0**31 * k + d for k in (-5, -1, 1, 2, 3, 1001) for d in (-0.5, 0.0, 0.5, 1.5)]
    for x in [*VALUES, *turns, 2.0**62, -(2.0**51) - 0.5]:
        assert f(x) == ctypes.c_int32(round(x)).value, x
