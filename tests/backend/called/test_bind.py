"""C functions called from Python: what is taken, what is refused and how it is said.

The modules are what the front end makes of the C in each comment, as far as binding looks at it.
"""

import ctypes
import inspect
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polyopt.backend.called.bind import Library, bind
from polyopt.backend.called.signature_reader import read_signatures
from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import load_objects

SCALE = """
// double scale(int n, double f, double a[n][2*n - 1], const float *w)
func.func @scale(%n : i32, %f : f64, %a : !llvm.ptr, %w : !llvm.ptr) -> f64 attributes {
  cmem.result = "f64",
  cmem.parameters = [
    {name = "n", ctype = "int", kind = "scalar", element = "i32"},
    {name = "f", ctype = "double", kind = "scalar", element = "f64"},
    {name = "a", ctype = "double (*)[2 * n - 1]", kind = "array", element = "f64",
     shape = ["n", "2 * n - 1"]},
    {name = "w", ctype = "const float *", kind = "pointer", element = "f32", const,
     nullable}
  ]
} {
  %zero = arith.constant 0 : index
  %A = cmem.view %a [] : memref<?xf64>
  %x = memref.load %A[%zero] : memref<?xf64>
  %y = arith.mulf %x, %f : f64
  memref.store %y, %A[%zero] : memref<?xf64>
  %zi = arith.constant 0 : i64
  %p = cmem.ptr_to_int %w
  %null = arith.cmpi eq, %p, %zi : i64
  cf.cond_br %null, ^end(%y : f64), ^more
^more:
  %W = cmem.view %w [] : memref<?xf32>
  %v = memref.load %W[%zero] : memref<?xf32>
  %u = arith.extf %v : f32 to f64
  %r = arith.mulf %y, %u : f64
  cf.br ^end(%r : f64)
^end(%result : f64):
  func.return %result : f64
}
"""

OTHERS = """
// static, a declaration, a variadic function, a struct by value: not for Python
func.func private @hidden() {
  func.return
}
func.func private @usleep(i32) -> i32
func.func @many(%n : i32) attributes {
  cmem.variadic, cmem.result = "void",
  cmem.parameters = [{name = "n", ctype = "int", kind = "scalar", element = "i32"}]
} {
  func.return
}
func.func @pair(%x : i64, %y : f64) attributes {
  cmem.result = "void",
  cmem.parameters = [{name = "p", ctype = "struct pair", kind = "scalar", element = "struct"}]
} {
  func.return
}
// unsigned char low(unsigned x, _Bool b, unsigned char c)
func.func @low(%x : i32, %b : i1 {llvm.zeroext}, %c : i8 {llvm.zeroext}) -> i8 attributes {
  cmem.result = "u8",
  cmem.parameters = [
    {name = "x", ctype = "unsigned int", kind = "scalar", element = "u32"},
    {name = "b", ctype = "_Bool", kind = "scalar", element = "bool"},
    {name = "c", ctype = "unsigned char", kind = "scalar", element = "u8"}
  ]
} {
  %t = arith.trunci %x : i32 to i8
  %r = arith.select %b, %t, %c : i8
  func.return %r : i8
}
// void wait(void)
func.func @wait() attributes {cmem.result = "void", cmem.parameters = []} {
  %t = arith.constant 300000 : i32
  %r = func.call @usleep(%t) : (i32) -> i32
  func.return
}
// void *same(void *p)
func.func @same(%p : !llvm.ptr) -> !llvm.ptr attributes {
  cmem.result = "pointer",
  cmem.parameters = [{name = "p", ctype = "void *", kind = "pointer", element = "void"}]
} {
  func.return %p : !llvm.ptr
}
// another compiler's: a memref of 3 columns
func.func @sum(%m : memref<?x3xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f32
  %rows = memref.dim %m, %zero : memref<?x3xf32>
  %r = scf.for %i = %zero to %rows step %one iter_args(%s = %start) -> (f32) {
    %x = memref.load %m[%i, %one] : memref<?x3xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  func.return %r : f32
}
"""


@pytest.fixture(scope="module")
def library(parse_ir: Callable[[str], Any]) -> Library:
    module = parse_ir(SCALE + OTHERS)
    return bind(read_signatures(module), load_objects([emit_object(module)]))


def arguments() -> dict[str, Any]:
    return {"n": 2, "f": 10.0, "a": np.ones((2, 3)), "w": np.full(5, 0.5, np.float32)}


def test_numbers_and_arrays(library: Library) -> None:
    values = arguments()
    assert library.scale(*values.values()) == 5.0
    assert values["a"][0, 0] == 10.0


def test_numbers_of_numpy_and_integers_for_floats(library: Library) -> None:
    values = arguments() | {"n": np.int64(2), "f": 3}
    assert library.scale(**values) == 1.5
    assert library.scale(**(arguments() | {"f": np.float32(2.0)})) == 1.0


def test_null_and_ctypes_pointers(library: Library) -> None:
    assert library.scale(**(arguments() | {"w": None})) == 10.0
    weights = (ctypes.c_float * 3)(4.0, 0.0, 0.0)
    for pointer in (
        weights,
        ctypes.cast(weights, ctypes.POINTER(ctypes.c_float)),
        ctypes.cast(weights, ctypes.c_void_p),
        ctypes.byref(weights),
    ):
        assert library.scale(**(arguments() | {"w": pointer})) == 40.0


def test_a_constant_array_may_be_read_only(library: Library) -> None:
    values = arguments()
    values["w"].flags.writeable = False
    assert library.scale(**values) == 5.0


A = "scale: argument 'a' (double a[n][2 * n - 1]): "
N = "scale: argument 'n' (int n): "
W = "scale: argument 'w' (const float *w): "
FLOATS = "expected a NumPy array of float64, got "

TYPE_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"n": 2.0}, N + "expected an integer, got float"),
    ({"n": "2"}, N + "expected an integer, got str"),
    ({"n": None}, N + "expected an integer, got None"),
    ({"f": "1"}, "scale: argument 'f' (double f): expected a number, got str"),
    (
        {"f": 1j},
        "scale: argument 'f' (double f): expected a number, got complex; C takes .real and .imag "
        "as numbers of their own",
    ),
    ({"a": [[1.0]]}, A + FLOATS + "list; numpy.array(…, 'float64') makes one"),
    ({"a": None}, A + FLOATS + "None"),
    ({"a": 140000}, A + FLOATS + "int"),
    (
        {"a": np.ones((2, 3), np.float32)},
        A + FLOATS + "an array of float32; astype('float64') makes one",
    ),
    ({"a": np.ones((2, 3), ">f8")}, A + FLOATS + "an array of >f8; astype('float64') makes one"),
    (
        {"w": np.ones(3)},
        W + "expected a NumPy array of float32, a ctypes pointer or None, got an array of float64; "
        "astype('float32') makes one",
    ),
    (
        {"w": (ctypes.c_double * 2)()},
        W + "expected a NumPy array of float32, a ctypes pointer or None, got c_double_Array_2",
    ),
]


@pytest.mark.parametrize(("change", "message"), TYPE_ERRORS)
def test_wrong_types(library: Library, change: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as error:
        library.scale(**(arguments() | change))
    assert str(error.value) == message


def read_only() -> Any:
    array = np.ones((2, 3))
    array.flags.writeable = False
    return array


VALUE_ERRORS: list[tuple[dict[str, Any], str]] = [
    (
        {"n": 2**31},
        N + "2147483648 does not fit: it has to be in -2147483648..2147483647",
    ),
    ({"a": np.ones((3, 2))}, A + "expected the shape (2, 3), got (3, 2)"),
    ({"n": 3}, A + "expected the shape (3, 5), got (2, 3)"),
    ({"n": -1}, A + "its extent n is -1, and no array is that short"),
    ({"a": np.ones(6)}, A + "expected 2 dimensions, got 1"),
    (
        {"a": np.ones((3, 2)).T},
        A + "the array is not C-contiguous; numpy.ascontiguousarray copies it",
    ),
    ({"a": read_only()}, A + "the array is read-only, and the function may write to it"),
    (
        {"a": np.zeros(49, np.uint8)[1:].view(np.float64).reshape(2, 3)},
        A + "the elements of the array are not aligned",
    ),
]


@pytest.mark.parametrize(("change", "message"), VALUE_ERRORS)
def test_wrong_values(library: Library, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r"^scale") as error:
        library.scale(**(arguments() | change))
    assert str(error.value) == message


PROTOTYPE = "double scale(int n, double f, double a[n][2 * n - 1], const float *w)"

CALL_ERRORS: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    ((1, 2), {}, f"scale() takes 4 arguments, got 2: {PROTOTYPE}"),
    ((1,), {"n": 1}, f"scale(): 'n' is given twice: {PROTOTYPE}"),
    ((1,), {"z": 1}, f"scale(): 'z' is not a parameter: {PROTOTYPE}"),
    ((1,), {"f": 1}, f"scale(): no value for 'a': {PROTOTYPE}"),
]


@pytest.mark.parametrize(("args", "kwargs", "message"), CALL_ERRORS)
def test_wrong_calls(
    library: Library, args: tuple[Any, ...], kwargs: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError) as error:
        library.scale(*args, **kwargs)
    assert str(error.value) == message


def test_narrow_and_unsigned_numbers(library: Library) -> None:
    assert library.low(0xFFFFFFFF, True, 3) == 255
    assert library.low(0xFFFFFFFF, False, 200) == 200
    with pytest.raises(ValueError, match=r"-1 does not fit: it has to be in 0\.\.4294967295"):
        library.low(-1, True, 0)


def test_pointers_come_back_as_addresses(library: Library) -> None:
    array = np.ones(3)
    assert library.same(array) == array.ctypes.data
    assert library.same(ctypes.c_void_p(None)) is None


def test_memrefs_take_their_sizes_from_the_array(library: Library) -> None:
    array = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert library.sum(array) == array[:, 1].sum()
    with pytest.raises(ValueError, match=r"expected the shape \(\?, 3\), got \(3, 4\)"):
        library.sum(array.reshape(3, 4))


def test_what_python_cannot_call_says_why(library: Library) -> None:
    with pytest.raises(TypeError, match="many cannot be called from Python: it is variadic"):
        library.many(1)
    with pytest.raises(TypeError, match=r"pair cannot .*: 'p' is a struct pair, which Python has"):
        library.pair(1)


def test_functions_are_found_by_name(library: Library) -> None:
    assert list(library) == ["scale", "many", "pair", "low", "wait", "same", "sum"]
    assert dir(library).count("scale") == 1
    assert library["scale"] is library.scale
    with pytest.raises(AttributeError, match="there is no C function 'hidden'; there are: scale,"):
        library.hidden


def test_functions_describe_themselves(library: Library) -> None:
    assert str(library.scale) == PROTOTYPE
    assert repr(library.scale) == f"<C function {PROTOTYPE}>"
    assert (library.scale.__doc__ or "").startswith(f"The C function `{PROTOTYPE}`.\n")
    assert str(library.wait) == "void wait(void)"
    assert str(library.same) == "void *same(void *p)"
    assert list(inspect.signature(library.scale).parameters) == ["n", "f", "a", "w"]
    assert f"\n  {PROTOTYPE}\n" in repr(library)


def test_the_interpreter_runs_on_while_c_does(library: Library) -> None:
    """While one thread sleeps in C, this one counts."""
    thread = threading.Thread(target=library.wait)
    thread.start()
    began = time.perf_counter()
    for _ in range(1000):
        pass
    counted = time.perf_counter() - began
    assert thread.is_alive()
    assert counted < 0.25
    thread.join()
