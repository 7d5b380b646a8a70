"""Floating-point arithmetic of arith, bit for bit against NumPy."""

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import emit_assembly, emit_llvm_ir
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.target import Target

Native = Callable[..., Any]
Compile = Callable[..., Native]

needs_avx2 = pytest.mark.skipif(Target.host().vector_bits < 256, reason="needs AVX2 and FMA")

VALUES = [0.0, -0.0, 1.0, -1.0, 0.1, 1e8, 3.5, -2.5, 1e-40, 1e38, math.inf, -math.inf, math.nan]
DTYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}


def bits(value: float) -> bytes:
    """The value as bytes, all NaNs alike."""
    return struct.pack("d", math.nan if value != value else value)


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("name", ["addf", "subf", "mulf", "divf"])
def test_binary(call_body: Compile, name: str, type: str) -> None:
    f = call_body(f"%r = arith.{name} %0, %1 : {type}", "%r", type, type, type)
    ufunc = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide}[name]
    dtype = DTYPES[type]
    with np.errstate(all="ignore"):
        for a in VALUES:
            for b in VALUES:
                assert bits(f(a, b)) == bits(float(ufunc(dtype(a), dtype(b)))), (a, b)


def test_f32_is_computed_in_f32(call_body: Compile) -> None:
    body = "%s = arith.addf %0, %1 : f32\n%r = arith.subf %s, %0 : f32"
    assert call_body(body, "%r", "f32", "f32", "f32")(1e8, 1.0) == 0.0


@needs_avx2
def test_nothing_is_fused_without_permission(call_body: Compile) -> None:
    body = "%p = arith.mulf %0, %1 : f64\n%r = arith.addf %p, %2 : f64"
    x = 1.0 + 2.0**-30
    strict = call_body(body, "%r", "f64", "f64", "f64", "f64")
    assert strict(x, x, -1.0) == x * x - 1.0
    fused = call_body(
        body,
        "%r",
        "f64",
        "f64",
        "f64",
        "f64",
        attributes="polyopt.fastmath = #arith.fastmath<contract>",
        options=BackendOptions(march="x86-64-v3"),
    )
    assert fused(x, x, -1.0) == 2.0**-29 + 2.0**-60 != x * x - 1.0


def greater(a: float, b: float) -> bool:
    """a > b where -0.0 is less than 0.0."""
    return (a, math.copysign(1, a)) > (b, math.copysign(1, b))


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_maximum_and_minimum_carry_nan_and_order_zeros(call_body: Compile, type: str) -> None:
    largest = call_body(f"%r = arith.maximumf %0, %1 : {type}", "%r", type, type, type)
    least = call_body(f"%r = arith.minimumf %0, %1 : {type}", "%r", type, type, type)
    values = [float(DTYPES[type](value)) for value in VALUES]
    for a in values:
        for b in values:
            if a != a or b != b:
                assert math.isnan(largest(a, b))
                assert math.isnan(least(a, b))
            else:
                assert bits(largest(a, b)) == bits(a if greater(a, b) else b), (a, b)
                assert bits(least(a, b)) == bits(b if greater(a, b) else a), (a, b)


def test_maxnum_and_minnum_prefer_numbers(call_body: Compile) -> None:
    largest = call_body("%r = arith.maxnumf %0, %1 : f64", "%r", "f64", "f64", "f64")
    least = call_body("%r = arith.minnumf %0, %1 : f64", "%r", "f64", "f64", "f64")
    assert [largest(math.nan, 2.0), largest(2.0, math.nan), largest(1.0, 2.0)] == [2.0, 2.0, 2.0]
    assert [least(math.nan, 2.0), least(2.0, math.nan), least(1.0, 2.0)] == [2.0, 2.0, 1.0]
    assert math.isnan(largest(math.nan, math.nan))


PREDICATES: dict[str, Callable[[float, float], bool]] = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: a == a and b == b,
    "ueq": lambda a, b: not (a < b or a > b),
    "ugt": lambda a, b: not a <= b,
    "uge": lambda a, b: not a < b,
    "ult": lambda a, b: not a >= b,
    "ule": lambda a, b: not a > b,
    "une": lambda a, b: a != b,
    "uno": lambda a, b: a != a or b != b,
    "true": lambda a, b: True,
    "false": lambda a, b: False,
}


@pytest.mark.parametrize("predicate", list(PREDICATES))
def test_compare(call_body: Compile, predicate: str) -> None:
    body = f"%c = arith.cmpf {predicate}, %0, %1 : f64\n%r = arith.extui %c : i1 to i32"
    f = call_body(body, "%r", "i32", "f64", "f64")
    for a in VALUES:
        for b in VALUES:
            assert f(a, b) == PREDICATES[predicate](a, b), (a, b)


def test_negation_changes_the_sign_only(call_body: Compile) -> None:
    f = call_body("%r = arith.negf %0 : f64", "%r", "f64", "f64")
    assert bits(f(0.0)) == bits(-0.0)
    assert math.copysign(1, f(math.copysign(math.nan, 1.0))) == -1


def test_conversions_between_integers_and_floats(call_body: Compile) -> None:
    from_signed = call_body("%r = arith.sitofp %0 : i64 to f64", "%r", "f64", "i64")
    from_unsigned = call_body("%r = arith.uitofp %0 : i64 to f64", "%r", "f64", "i64")
    to_f32 = call_body("%r = arith.sitofp %0 : i32 to f32", "%r", "f32", "i32")
    for a in (0, 1, -1, 2**53 + 1, -(2**63), 2**63 - 1):
        assert from_signed(a) == float(a)
        assert from_unsigned(a) == float(a & (2**64 - 1))
    assert to_f32(16777217) == 16777216.0
    to_signed = call_body("%r = arith.fptosi %0 : f64 to i32", "%r", "i32", "f64")
    assert [to_signed(a) for a in (1.9, -1.9, -0.5, 2147483647.0)] == [1, -1, 0, 2147483647]
    to_unsigned = call_body("%r = arith.fptoui %0 : f64 to i64", "%r", "i64", "f64")
    assert to_unsigned(2.0**63) == -(2**63)


INDEFINITE = {32: -(2**31), 64: -(2**63)}


@pytest.mark.parametrize("march", ["x86-64", "native"])
@pytest.mark.parametrize("level", [0, 3])
def test_what_no_integer_holds_is_what_the_machine_makes_of_it(
    call_body: Compile, level: int, march: str
) -> None:
    """cvttsd2si gives the least integer for all that it cannot hold (Intel's manual, volume 1,
    table E-1); a conversion of a converted integer and of a constant are conversions too."""
    options = BackendOptions(opt_level=level, march=march)
    for width in (32, 64):
        code = f"%r = arith.fptosi %0 : f64 to i{width}"
        f = call_body(code, "%r", f"i{width}", "f64", options=options)
        large = 2.0 ** (width - 1)
        for a in (math.nan, math.inf, -math.inf, large, 1e300, -1e300, -2 * large, -large):
            assert f(a) == INDEFINITE[width]
        assert [f(a) for a in (large / 2, -large / 2, -7.9)] == [large / 2, -large / 2, -7]
    again = "%a = arith.sitofp %0 : i64 to f64\n %r = arith.fptosi %a : f64 to i32"
    assert call_body(again, "%r", "i32", "i64", options=options)(2**40 + 5) == INDEFINITE[32]
    known = "%a = arith.constant 3.0e9 : f64\n %r = arith.fptosi %a : f64 to i32"
    assert call_body(known, "%r", "i32", "i32", options=options)(0) == INDEFINITE[32]
    unsigned = call_body("%r = arith.fptoui %0 : f64 to i64", "%r", "i64", "f64", options=options)
    for a, wanted in ((2.0**63, -(2**63)), (2.0**64, 0), (-1.0, -1), (math.nan, -(2**63))):
        assert unsigned(a) == wanted


@pytest.mark.parametrize("march", ["x86-64", "native"])
@pytest.mark.parametrize("lanes", [2, 3, 16])
@pytest.mark.parametrize("real", ["f32", "f64"])
def test_vectors_are_converted_as_numbers_are(
    call_ir: Callable[..., Native], real: str, lanes: int, march: str
) -> None:
    wanted = [(-1) ** k * (k + 0.75) * 10.0**k for k in range(lanes)]
    wanted[0], wanted[-1] = math.nan, 1e19
    for width in (8, 32, 64):
        text = f"""
        func.func @f(%from : !llvm.ptr, %to : !llvm.ptr) {{
          %zero = arith.constant 0 : index
          %A = cmem.view %from [] : memref<{lanes}x{real}>
          %B = cmem.view %to [] : memref<{lanes}xi{width}>
          %x = vector.load %A[%zero] : memref<{lanes}x{real}>, vector<{lanes}x{real}>
          %i = pvec.convert "fptosi", %x : vector<{lanes}x{real}>
              -> vector<{lanes}xi{width}>
          vector.store %i, %B[%zero] : memref<{lanes}xi{width}>, vector<{lanes}xi{width}>
          func.return
        }}"""
        f = call_ir(text, "void", "ptr", "ptr", options=BackendOptions(march=march))
        numbers = np.array(wanted, dtype={"f32": np.float32, "f64": np.float64}[real])
        result = np.zeros(lanes, dtype=f"int{width}")
        f(numbers.ctypes.data, result.ctypes.data)
        machine = max(width, 32)
        for x, integer in zip(numbers.tolist(), result.tolist(), strict=True):
            fits = abs(x) < 2.0 ** (machine - 1)
            whole = int(x) if fits else INDEFINITE[machine]
            assert (integer - whole) % 2**width == 0


def test_vectorised_conversions_are_instructions_again(parse_ir: Callable[[str], ModuleOp]) -> None:
    """LLVM's vectoriser sees calls; nothing of them is left."""
    text = """
    func.func @f(%from : !llvm.ptr {llvm.noalias}, %to : !llvm.ptr {llvm.noalias}, %n : index) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %A = cmem.view %from [] : memref<?xf32>
      %B = cmem.view %to [] : memref<?xi32>
      scf.for %i = %zero to %n step %one {
        %x = memref.load %A[%i] : memref<?xf32>
        %y = arith.fptosi %x : f32 to i32
        memref.store %y, %B[%i] : memref<?xi32>
      }
      func.return
    }"""
    module = parse_ir(text)
    assert "cvttps2dq" in emit_assembly(module, BackendOptions())
    assert "polyopt.truncate" not in emit_llvm_ir(module, BackendOptions())
    assert "polyopt.truncate" not in emit_llvm_ir(module, BackendOptions(), optimised=False)


def test_functions_that_convert_are_inlined(parse_ir: Callable[[str], ModuleOp]) -> None:
    """A conversion is no call to LLVM's inliner, which would find sixteen of them too much."""
    lines = "\n".join(
        f"%i{at} = arith.fptosi %x{at} : f32 to i32\n%x{at + 1} = arith.sitofp %i{at} : i32 to f32"
        for at in range(16)
    )
    module = parse_ir(
        f"""
    func.func @whole(%x0 : f32) -> f32 {{
      {lines}
      func.return %x16 : f32
    }}
    func.func @caller(%x : f32) -> f32 {{
      %y = func.call @whole(%x) : (f32) -> f32
      func.return %y : f32
    }}"""
    )
    assert "@whole(" in emit_llvm_ir(module, BackendOptions(), optimised=False).split("@caller")[1]
    assert "@whole(" not in emit_llvm_ir(module, BackendOptions()).split("@caller")[1]


def test_quotients_of_products_are_of_the_whole_product(
    parse_ir: Callable[[str], ModuleOp],
) -> None:
    """`width * i / n` is `width` where i is n, whatever may be regrouped; sums divided are free."""
    text = """
    func.func @f(%a : f64, %b : f64, %c : f64) -> (f64, f64) {
      %p = arith.mulf %a, %b fastmath<fast> : f64
      %q = arith.divf %p, %c fastmath<fast> : f64
      %s = arith.addf %a, %b fastmath<fast> : f64
      %r = arith.divf %s, %c fastmath<fast> : f64
      func.return %q, %r : f64, f64
    }"""
    llvm = emit_llvm_ir(parse_ir(text), BackendOptions(), optimised=False)
    first, second = (line for line in llvm.splitlines() if " fdiv " in line)
    assert "fast" in second
    assert "reassoc" not in first
    assert "fast" not in first
    assert "arcp" in first


def test_conversions_between_floats(call_body: Compile) -> None:
    narrow = call_body("%r = arith.truncf %0 : f64 to f32", "%r", "f32", "f64")
    wide = call_body("%r = arith.extf %0 : f32 to f64", "%r", "f64", "f32")
    assert narrow(0.1) == float(np.float32(0.1))
    assert narrow(1e300) == math.inf
    assert wide(0.1) == float(np.float32(0.1))


def test_bits_are_reinterpreted(call_body: Compile) -> None:
    f = call_body("%r = arith.bitcast %0 : f64 to i64", "%r", "i64", "f64")
    assert f(-2.0) == int.from_bytes(struct.pack(">d", -2.0), "big", signed=True)


CONSTANTS = ["0.1", "1.0e-300", "-0.0", "0x7FF0000000000000", "1.0e22", "3.14159265358979312"]


@pytest.mark.parametrize("text", CONSTANTS)
def test_constants_are_exact(call_body: Compile, text: str) -> None:
    f = call_body(f"%r = arith.constant {text} : f64", "%r", "f64")
    assert bits(f()) == bits(math.inf if text.startswith("0x") else float(text))


def test_f32_constants_are_rounded_once(call_body: Compile) -> None:
    f = call_body("%r = arith.constant 0.1 : f32", "%r", "f32")
    assert f() == float(np.float32(0.1))


@needs_avx2
def test_half_precision(call_body: Compile) -> None:
    body = """
    %a = arith.truncf %0 : f32 to f16
    %b = arith.constant 0.1 : f16
    %s = arith.addf %a, %b : f16
    %r = arith.extf %s : f16 to f32
    """
    f = call_body(body, "%r", "f32", "f32", options=BackendOptions(march="x86-64-v3"))
    assert f(1.0) == float(np.float16(1.0) + np.float16(0.1))
