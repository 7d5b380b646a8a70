"""vector: registers of several lanes, accesses that need not be aligned."""

import ctypes
import mmap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polyopt.backend.processors.options import BackendOptions

Native = Callable[..., Any]
Compile = Callable[..., Native]

MARCHES = ["x86-64", ""]


@pytest.mark.parametrize("march", MARCHES)
def test_unaligned_load_fma_store(call_ir: Compile, march: str) -> None:
    """y[i+1..] = a*x[i+1..] + y[i+1..]: one element off any alignment."""
    f = call_ir(
        """
        func.func @f(%a : f64, %x : !llvm.ptr, %y : !llvm.ptr) {
          %X = cmem.view %x [] : memref<?xf64>
          %Y = cmem.view %y [] : memref<?xf64>
          %one = arith.constant 1 : index
          %s = vector.broadcast %a : f64 to vector<4xf64>
          %v = vector.load %X[%one] : memref<?xf64>, vector<4xf64>
          %w = vector.load %Y[%one] : memref<?xf64>, vector<4xf64>
          %r = vector.fma %s, %v, %w : vector<4xf64>
          vector.store %r, %Y[%one] : memref<?xf64>, vector<4xf64>
          func.return
        }""",
        "void",
        "f64",
        "ptr",
        "ptr",
        options=BackendOptions(march=march),
    )
    x, y = np.arange(6.0), np.arange(6.0) * 10
    expected = y.copy()
    expected[1:5] += 2.0 * x[1:5]
    f(2.0, x.ctypes.data, y.ctypes.data)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize(("element", "lanes"), [("f64", 4), ("f64", 8), ("f32", 8), ("f32", 16)])
@pytest.mark.parametrize("march", MARCHES)
def test_masked_access_touches_the_first_lanes_only(
    call_ir: Compile, march: str, element: str, lanes: int
) -> None:
    """Lanes at and after n are neither read nor written; n may lie outside 0..lanes."""
    vector = f"vector<{lanes}x{element}>"
    f = call_ir(
        f"""
        func.func @f(%n : index, %x : !llvm.ptr, %y : !llvm.ptr) {{
          %X = cmem.view %x [] : memref<?x{element}>
          %Y = cmem.view %y [] : memref<?x{element}>
          %zero = arith.constant 0 : index
          %m = vector.create_mask %n : vector<{lanes}xi1>
          %one = arith.constant dense<1.0> : {vector}
          %v = vector.maskedload %X[%zero], %m, %one
              : memref<?x{element}>, vector<{lanes}xi1>, {vector} into {vector}
          %w = arith.addf %v, %v : {vector}
          vector.maskedstore %Y[%zero], %m, %w : memref<?x{element}>, vector<{lanes}xi1>, {vector}
          func.return
        }}""",
        "void",
        "i64",
        "ptr",
        "ptr",
        options=BackendOptions(march=march),
    )
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    for n in (-5, -1, 0, 1, lanes - 1, lanes, lanes + 1, 2**33 + 1, 2**40):
        count = min(max(n, 0), lanes)
        x = np.arange(1, lanes + 1, dtype=dtype)
        y = np.zeros(lanes, dtype=dtype)
        f(n, x.ctypes.data, y.ctypes.data)
        expected = np.where(np.arange(lanes) < count, 2 * x, 0)
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize(("bits", "lanes"), [(8, 4), (8, 8), (8, 16), (8, 32), (16, 8), (16, 16)])
@pytest.mark.parametrize(("march", "behind"), [("x86-64", 0), ("x86-64-v3", 0), ("x86-64-v3", 5)])
def test_first_narrow_lanes_are_all_that_is_read(
    call_ir: Compile, march: str, behind: int, bits: int, lanes: int
) -> None:
    """Of arrays that end with a page, or begin with one, between pages that may not be touched."""
    element = f"i{bits}"
    f = call_ir(
        f"""
        func.func @f(%n : index, %x : !llvm.ptr, %y : !llvm.ptr) {{
          %X = cmem.view %x [] : memref<?x{element}>
          %Y = cmem.view %y [] : memref<?x{element}>
          %zero = arith.constant 0 : index
          %m = vector.create_mask %n : vector<{lanes}xi1>
          %behind = arith.constant dense<{behind}> : vector<{lanes}x{element}>
          %v = vector.maskedload %X[%zero], %m, %behind : memref<?x{element}>,
              vector<{lanes}xi1>, vector<{lanes}x{element}> into vector<{lanes}x{element}>
          vector.store %v, %Y[%zero] : memref<?x{element}>, vector<{lanes}x{element}>
          func.return
        }}""",
        "void",
        "i64",
        "ptr",
        "ptr",
        options=BackendOptions(march=march),
    )
    page = mmap.PAGESIZE
    with mmap.mmap(-1, 3 * page) as room:
        memory = np.frombuffer(room, dtype=np.uint8)
        memory[:] = np.arange(3 * page) % 255 + 1
        begin = memory.ctypes.data
        libc = ctypes.CDLL(None, use_errno=True)
        for border in (begin, begin + 2 * page):
            assert libc.mprotect(ctypes.c_void_p(border), ctypes.c_size_t(page), 0) == 0
        for n in (-3, *range(lanes + 1), lanes + 1, 2**40):
            size = min(max(n, 0), lanes) * bits // 8
            for first in (page, 2 * page - size):
                read = np.full(lanes, 7, dtype=f"u{bits // 8}")
                f(n, begin + first, read.ctypes.data)
                assert read.tobytes()[:size] == memory[first : first + size].tobytes()
                assert (read[size * 8 // bits :] == behind).all()
        del memory


def test_constant_masks(call_body: Compile) -> None:
    body = """
    %n = arith.constant 3 : index
    %m = vector.create_mask %n : vector<4xi1>
    %i = arith.index_cast %0 : i64 to index
    %b = vector.extract %m[%i] : i1 from vector<4xi1>
    %r = arith.extui %b : i1 to i32
    """
    f = call_body(body, "%r", "i32", "i64")
    assert [f(lane) for lane in range(4)] == [1, 1, 1, 0]


def test_extract_insert_shuffle(call_body: Compile) -> None:
    body = """
    %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf64>
    %i = arith.index_cast %0 : i64 to index
    %ten = arith.constant 10.0 : f64
    %w = vector.insert %ten, %v[%i] : f64 into vector<4xf64>
    %s = vector.shuffle %w, %v [3, 6, 0, -1] : vector<4xf64>, vector<4xf64>
    %a = vector.extract %s[0] : f64 from vector<4xf64>
    %b = vector.extract %s[1] : f64 from vector<4xf64>
    %c = vector.extract %s[2] : f64 from vector<4xf64>
    %hundred = arith.constant 100.0 : f64
    %d = arith.mulf %a, %hundred : f64
    %e = arith.addf %d, %b : f64
    %g = arith.mulf %e, %hundred : f64
    %r = arith.addf %g, %c : f64
    """
    f = call_body(body, "%r", "f64", "i64")
    assert f(0) == 4 * 10000 + 3 * 100 + 10
    assert f(3) == 10 * 10000 + 3 * 100 + 1


def test_bitcast(call_body: Compile) -> None:
    body = """
    %v = vector.broadcast %0 : f64 to vector<2xf64>
    %b = vector.bitcast %v : vector<2xf64> to vector<4xi32>
    %r = vector.extract %b[1] : i32 from vector<4xi32>
    """
    assert call_body(body, "%r", "i32", "f64")(1.0) == 0x3FF00000


INTEGER_KINDS: dict[str, Callable[[Any], Any]] = {
    "add": lambda v: v.sum(),
    "mul": lambda v: v.prod(),
    "and": np.bitwise_and.reduce,
    "or": np.bitwise_or.reduce,
    "xor": np.bitwise_xor.reduce,
    "minsi": lambda v: v.min(),
    "maxsi": lambda v: v.max(),
    "minui": lambda v: v.view(np.uint32).min(),
    "maxui": lambda v: v.view(np.uint32).max(),
}


@pytest.mark.parametrize("kind", list(INTEGER_KINDS))
def test_integer_reductions(call_ir: Compile, kind: str) -> None:
    f = call_ir(
        f"""
        func.func @f(%p : !llvm.ptr, %a : i32) -> i32 {{
          %P = cmem.view %p [] : memref<?xi32>
          %zero = arith.constant 0 : index
          %v = vector.load %P[%zero] : memref<?xi32>, vector<8xi32>
          %r = vector.reduction <{kind}>, %v, %a : vector<8xi32> into i32
          func.return %r : i32
        }}""",
        "i32",
        "ptr",
        "i32",
    )
    v = np.array([7, -3, 12, 5, 100, -1, 6, 9], dtype=np.int32)
    accumulator = np.int32(-4)
    expected = INTEGER_KINDS[kind](np.append(v, accumulator))
    assert f(v.ctypes.data, -4) == int(np.array(expected).astype(np.int32))


def test_float_sums_keep_the_order_of_the_lanes(call_ir: Compile) -> None:
    text = """
        func.func @f(%p : !llvm.ptr, %a : f64) -> f64 {
          %P = cmem.view %p [] : memref<?xf64>
          %zero = arith.constant 0 : index
          %v = vector.load %P[%zero] : memref<?xf64>, vector<4xf64>
          %r = vector.reduction <add>, %v, %a : vector<4xf64> into f64
          func.return %r : f64
        }"""
    f = call_ir(text, "f64", "ptr", "f64")
    v = np.array([1.0, 1e16, -1e16, 1.0])
    assert f(v.ctypes.data, 1e-3) == (((1e-3 + 1.0) + 1e16) + -1e16) + 1.0


def test_float_extremes(call_ir: Compile) -> None:
    for kind, expected in {"maximumf": 9.0, "minimumf": -7.0, "maxnumf": 9.0}.items():
        f = call_ir(
            f"""
            func.func @f(%p : !llvm.ptr) -> f64 {{
              %P = cmem.view %p [] : memref<?xf64>
              %zero = arith.constant 0 : index
              %v = vector.load %P[%zero] : memref<?xf64>, vector<4xf64>
              %r = vector.reduction <{kind}>, %v : vector<4xf64> into f64
              func.return %r : f64
            }}""",
            "f64",
            "ptr",
        )
        assert f(np.array([1.0, 9.0, -7.0, 2.0]).ctypes.data) == expected
