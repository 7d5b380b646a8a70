"""memref and cmem: where elements lie, what storage holds, how pointers and objects behave."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import load_objects

Native = Callable[..., Any]
Compile = Callable[..., Native]


def test_dynamic_rows_of_dynamic_size(call_ir: Compile) -> None:
    """double (*a)[n][m]: element [1, 2, 3]."""
    f = call_ir(
        """
        func.func @f(%a : !llvm.ptr, %n : index, %m : index) -> f64 {
          %A = cmem.view %a [%n, %m] : memref<?x?x?xf64>
          %i = arith.constant 1 : index
          %j = arith.constant 2 : index
          %k = arith.constant 3 : index
          %x = memref.load %A[%i, %j, %k] : memref<?x?x?xf64>
          func.return %x : f64
        }""",
        "f64",
        "ptr",
        "i64",
        "i64",
    )
    a = np.arange(2 * 5 * 7, dtype=np.float64).reshape(2, 5, 7)
    assert f(a.ctypes.data, 5, 7) == a[1, 2, 3]


def test_static_rows_inside_dynamic_ones(call_ir: Compile) -> None:
    """double a[][n][4], and a size known in the middle but not at the end."""
    text = """
        func.func @f(%a : !llvm.ptr, %n : index, %i : index, %j : index, %k : index) -> f64 {{
          %A = cmem.view %a [%n] : {type}
          %x = memref.load %A[%i, %j, %k] : {type}
          func.return %x : f64
        }}"""
    types = ["i64"] * 4
    last = call_ir(text.format(type="memref<?x?x4xf64>"), "f64", "ptr", *types)
    middle = call_ir(text.format(type="memref<?x4x?xf64>"), "f64", "ptr", *types)
    a = np.random.default_rng(1).random((3, 5, 4))
    b = np.random.default_rng(2).random((3, 4, 6))
    for i in range(3):
        for j in range(4):
            for k in range(4):
                assert last(a.ctypes.data, 5, i, j, k) == a[i, j, k]
                assert middle(b.ctypes.data, 6, i, j, k) == b[i, j, k]


def test_negative_indices(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%a : !llvm.ptr, %i : index) -> i32 {
          %A = cmem.view %a [] : memref<?xi32>
          %x = memref.load %A[%i] : memref<?xi32>
          func.return %x : i32
        }""",
        "i32",
        "ptr",
        "i64",
    )
    a = np.arange(10, dtype=np.int32)
    assert f(a[5:].ctypes.data, -3) == 2


@pytest.mark.parametrize(
    ("element", "dtype"), [("i8", "int8"), ("i16", "int16"), ("f32", "float32"), ("i64", "int64")]
)
def test_elements_of_every_size(call_ir: Compile, element: str, dtype: str) -> None:
    f = call_ir(
        f"""
        func.func @f(%a : !llvm.ptr, %i : index, %j : index) {{
          %A = cmem.view %a [] : memref<3x4x{element}>
          %x = memref.load %A[%i, %j] : memref<3x4x{element}>
          memref.store %x, %A[%j, %i] : memref<3x4x{element}>
          func.return
        }}""",
        "void",
        "ptr",
        "i64",
        "i64",
    )
    a = np.arange(12).astype(dtype).reshape(3, 4)
    f(a.ctypes.data, 1, 2)
    assert a[2, 1] == a[1, 2] == 6


def test_pointers_in_memory_and_addresses(call_ir: Compile) -> None:
    """*(p[1] + 2), then its address as a difference of integers."""
    f = call_ir(
        """
        func.func @f(%p : !llvm.ptr) -> i64 {
          %one = arith.constant 1 : index
          %two = arith.constant 2 : index
          %P = cmem.view %p [] : memref<?x!llvm.ptr>
          %q = memref.load %P[%one] : memref<?x!llvm.ptr>
          %Q = cmem.view %q [] : memref<?xi64>
          %a = cmem.address %Q[%two] : memref<?xi64>
          %b = cmem.offset %q, %two stride 8
          %ai = cmem.ptr_to_int %a
          %bi = cmem.ptr_to_int %b
          %d = arith.subi %ai, %bi : i64
          %R = cmem.view %a [] : memref<i64>
          %x = memref.load %R[] : memref<i64>
          %r = arith.addi %x, %d : i64
          func.return %r : i64
        }""",
        "i64",
        "ptr",
    )
    rows = [np.arange(4, dtype=np.int64), np.arange(4, dtype=np.int64) * 11]
    pointers = np.array([row.ctypes.data for row in rows])
    assert f(pointers.ctypes.data) == 22


def test_null(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%p : !llvm.ptr) -> i32 {
          %z = arith.constant 0 : i64
          %null = cmem.int_to_ptr %z
          %a = cmem.ptr_to_int %p
          %b = cmem.ptr_to_int %null
          %c = arith.cmpi eq, %a, %b : i64
          %r = arith.extui %c : i1 to i32
          func.return %r : i32
        }""",
        "i32",
        "ptr",
    )
    assert [f(None), f(16)] == [1, 0]


def test_slots_in_loops_do_not_grow_the_stack(call_ir: Compile) -> None:
    """A million iterations with 4 KB each would be 4 GB."""
    f = call_ir(
        """
        func.func @f(%n : index) -> f64 {
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %start = arith.constant 0.0 : f64
          %r = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f64) {
            %a = memref.alloca() : memref<512xf64>
            %k = arith.remsi %i, %c512 : index
            %x = arith.index_cast %i : index to i64
            %y = arith.sitofp %x : i64 to f64
            memref.store %y, %a[%k] : memref<512xf64>
            %z = memref.load %a[%k] : memref<512xf64>
            %t = arith.addf %s, %z : f64
            scf.yield %t : f64
          }
          func.return %r : f64
        }""".replace("%one = ", "%c512 = arith.constant 512 : index\n%one = "),
        "f64",
        "i64",
    )
    assert f(10**6) == float(sum(range(10**6)))


def test_vla_is_freed_at_the_end_of_its_scope(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%n : index, %m : index) -> i32 {
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %start = arith.constant 0 : i32
          %r = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (i32) {
            %mark = cmem.stack_save
            %a = memref.alloca(%m, %m) : memref<?x?xi32>
            %x = arith.index_cast %i : index to i32
            memref.store %x, %a[%i, %i] : memref<?x?xi32>
            %y = memref.load %a[%i, %i] : memref<?x?xi32>
            %d = memref.dim %a, %one : memref<?x?xi32>
            %e = arith.index_cast %d : index to i32
            %t = arith.addi %y, %e : i32
            %u = arith.addi %s, %t : i32
            cmem.stack_restore %mark
            scf.yield %u : i32
          }
          func.return %r : i32
        }""",
        "i32",
        "i64",
        "i64",
    )
    assert f(300, 300) == sum(range(300)) + 300 * 300


@pytest.mark.parametrize("align", [16, 64, 4096])
def test_heap_buffers_are_aligned(call_ir: Compile, align: int) -> None:
    f = call_ir(
        f"""
        func.func @f(%n : index) -> i64 {{
          %i = arith.constant 2 : index
          %a = memref.alloc(%n) {{alignment = {align} : i64}} : memref<?x5xi64>
          %x = arith.constant 77 : i64
          memref.store %x, %a[%i, %i] : memref<?x5xi64>
          %zero = arith.constant 0 : index
          %p = cmem.address %a[%zero, %zero] : memref<?x5xi64>
          %b = cmem.ptr_to_int %p
          %m = arith.constant {align} : i64
          %r = arith.remui %b, %m : i64
          memref.dealloc %a : memref<?x5xi64>
          func.return %r : i64
        }}""",
        "i64",
        "i64",
    )
    assert f(1000) == f(3) == 0


@pytest.mark.parametrize("rows", [0, 1, 51, 52, 100_000])
def test_small_buffers_are_in_the_frame(call_ir: Compile, rows: int) -> None:
    """On either side of 2048 bytes, once more in each iteration: each has its own elements, and
    none of them is there when the next one is."""
    f = call_ir(
        """
        func.func @f(%n : index, %times : index) -> i64 {
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %start = arith.constant 0 : i64
          %s = scf.for %t = %zero to %times step %one iter_args(%sum = %start) -> (i64) {
            %a = memref.alloc(%n) : memref<?x5xi64>
            %b = memref.alloc(%n) : memref<?x5xi64>
            scf.for %i = %zero to %n step %one {
              %x = arith.index_cast %i : index to i64
              memref.store %x, %a[%i, %one] : memref<?x5xi64>
              %y = arith.addi %x, %x : i64
              memref.store %y, %b[%i, %one] : memref<?x5xi64>
            }
            %r = scf.for %i = %zero to %n step %one iter_args(%so = %sum) -> (i64) {
              %x = memref.load %a[%i, %one] : memref<?x5xi64>
              %y = memref.load %b[%i, %one] : memref<?x5xi64>
              %u = arith.addi %so, %x : i64
              %v = arith.addi %u, %y : i64
              scf.yield %v : i64
            }
            memref.dealloc %b : memref<?x5xi64>
            memref.dealloc %a : memref<?x5xi64>
            scf.yield %r : i64
          }
          func.return %s : i64
        }""",
        "i64",
        "i64",
        "i64",
    )
    assert f(rows, 3) == 3 * 3 * sum(range(rows))


def test_copy_cast_and_dim(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%p : !llvm.ptr, %q : !llvm.ptr) -> i64 {
          %A = cmem.view %p [] : memref<3x4xf64>
          %B = cmem.view %q [] : memref<3x4xf64>
          %C = "memref.cast"(%A) : (memref<3x4xf64>) -> memref<?x?xf64>
          "memref.copy"(%A, %B) : (memref<3x4xf64>, memref<3x4xf64>) -> ()
          %one = arith.constant 1 : index
          %d = memref.dim %C, %one : memref<?x?xf64>
          %r = arith.index_cast %d : index to i64
          func.return %r : i64
        }""",
        "i64",
        "ptr",
        "ptr",
    )
    a, b = np.random.default_rng(3).random((3, 4)), np.zeros((3, 4))
    assert f(a.ctypes.data, b.ctypes.data) == 4
    np.testing.assert_array_equal(a, b)


def test_subview(call_ir: Compile) -> None:
    """a[1::2, j:] of a 6 by 8 array, then its row 1 alone."""
    f = call_ir(
        """
        func.func @f(%p : !llvm.ptr, %j : index, %k : index) -> f64 {
          %A = cmem.view %p [] : memref<6x8xf64>
          %S = memref.subview %A[1, %j][3, 4][2, 1]
              : memref<6x8xf64> to memref<3x4xf64, strided<[16, 1], offset: ?>>
          %R = memref.subview %S[1, 0][1, 4][1, 1]
              : memref<3x4xf64, strided<[16, 1], offset: ?>>
              to memref<4xf64, strided<[1], offset: ?>>
          %x = memref.load %R[%k] : memref<4xf64, strided<[1], offset: ?>>
          %one = arith.constant 1 : index
          %y = memref.load %S[%one, %k] : memref<3x4xf64, strided<[16, 1], offset: ?>>
          %r = arith.addf %x, %y : f64
          func.return %r : f64
        }""",
        "f64",
        "ptr",
        "i64",
        "i64",
    )
    a = np.random.default_rng(4).random((6, 8))
    assert f(a.ctypes.data, 3, 2) == 2 * a[1::2, 3:][1, 2]


def test_view_of_bytes(call_ir: Compile) -> None:
    """Rows of n doubles from byte 16 of a piece of memory on."""
    f = call_ir(
        """
        func.func @f(%p : !llvm.ptr, %n : index, %i : index) -> f64 {
          %B = cmem.view %p [] : memref<?xi8>
          %shift = arith.constant 16 : index
          %V = memref.view %B[%shift][%n, %n] : memref<?xi8> to memref<?x?xf64>
          %x = memref.load %V[%i, %i] : memref<?x?xf64>
          func.return %x : f64
        }""",
        "f64",
        "ptr",
        "i64",
        "i64",
    )
    a = np.random.default_rng(5).random(2 + 25)
    assert f(a.ctypes.data, 5, 3) == a[2:].reshape(5, 5)[3, 3]


def test_memref_chosen_at_run_time(call_ir: Compile) -> None:
    """Through a select, a branch and a loop: sizes travel with the pointer."""
    f = call_ir(
        """
        func.func @f(%p : memref<?x?xf64>, %q : memref<?x?xf64>, %which : i32) -> f64 {
          %zero = arith.constant 0 : i32
          %i = arith.constant 1 : index
          %n = arith.constant 3 : index
          %c = arith.cmpi eq, %which, %zero : i32
          %s = arith.select %c, %p, %q : memref<?x?xf64>
          cf.cond_br %c, ^next(%p : memref<?x?xf64>), ^next(%q : memref<?x?xf64>)
        ^next(%t : memref<?x?xf64>):
          %u, %v = scf.for %k = %i to %n step %i iter_args(%a = %p, %b = %t)
              -> (memref<?x?xf64>, memref<?x?xf64>) {
            scf.yield %b, %a : memref<?x?xf64>, memref<?x?xf64>
          }
          %x = memref.load %s[%i, %i] : memref<?x?xf64>
          %y = memref.load %v[%i, %i] : memref<?x?xf64>
          %z = memref.load %u[%i, %i] : memref<?x?xf64>
          %w = arith.subf %y, %x : f64
          %r = arith.addf %w, %z : f64
          func.return %r : f64
        }""",
        "f64",
        *["ptr", "i64", "i64"] * 2,
        "i32",
    )
    a, b = np.random.default_rng(5).random((3, 4)), np.random.default_rng(6).random((5, 6))
    arguments = (a.ctypes.data, 3, 4, b.ctypes.data, 5, 6)
    assert f(*arguments, 0) == a[1, 1]
    assert f(*arguments, 1) == a[1, 1]


def test_struct_assignment(call_ir: Compile) -> None:
    f = call_ir(
        """
        func.func @f(%p : !llvm.ptr, %q : !llvm.ptr) {
          cmem.copy %p to %q size 24 align 8
          cmem.copy %q to %q size 24 align 8
          func.return
        }""",
        "void",
        "ptr",
        "ptr",
    )
    a, b = np.arange(4.0), np.zeros(4)
    f(a.ctypes.data, b.ctypes.data)
    assert list(b) == [0.0, 1.0, 2.0, 0.0]


GLOBALS = """
  cmem.global "external" @table size 16 align 8
      bytes [1,0,0,0,0,0,0,0,-1,-1,-1,-1,-1,-1,-1,-1]
  cmem.global "internal" @zeros size 80 align 16
  cmem.global "common" @shared size 8 align 8
  cmem.global "internal" @pointers size 40 align 8 bytes [9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
      7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,5,0,0,0,0,0,0,0]
      relocations [[#builtin.int<8>, @table, #builtin.int<8>],
                   [#builtin.int<24>, @twice, #builtin.int<0>]]
  func.func @twice(%x : i64) -> i64 {
    %r = arith.addi %x, %x : i64
    func.return %r : i64
  }
  func.func @f(%i : index) -> i64 {
    %p = cmem.address_of @pointers
    %P = cmem.view %p [] : memref<?xi64>
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %Q = cmem.view %p [] : memref<?x!llvm.ptr>
    %t = memref.load %Q[%one] : memref<?x!llvm.ptr>
    %T = cmem.view %t [] : memref<i64>
    %minus = memref.load %T[] : memref<i64>
    %g = memref.load %Q[%three] : memref<?x!llvm.ptr>
    %x = memref.load %P[%i] : memref<?xi64>
    %y = cmem.call_indirect %g(%x) : (i64) -> i64
    %r = arith.addi %y, %minus : i64
    %z = cmem.address_of @zeros
    %Z = cmem.view %z [] : memref<10xi64>
    %old = memref.load %Z[%one] : memref<10xi64>
    memref.store %r, %Z[%one] : memref<10xi64>
    %s = arith.addi %r, %old : i64
    func.return %s : i64
  }
"""


def test_globals_and_addresses_in_them(call_ir: Compile) -> None:
    f = call_ir(GLOBALS, "i64", "i64")
    # 2*x - 1, plus what the call before left.
    assert [f(0), f(2), f(4)] == [17, 13 + 17, 9 + 13]


def test_objects_are_visible_from_outside(parse_ir: Callable[[str], Any]) -> None:
    code = load_objects([emit_object(parse_ir(GLOBALS))])
    assert code.names == {"f", "table", "twice", "shared"}
    assert list((ctypes.c_int64 * 2).from_address(code.address("table"))) == [1, -1]


def test_memref_globals(call_ir: Compile) -> None:
    f = call_ir(
        """
        "memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<2x3xf64>,
            initial_value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>,
            constant}> : () -> ()
        func.func @f(%i : index, %j : index) -> f64 {
          %g = memref.get_global @g : memref<2x3xf64>
          %x = memref.load %g[%i, %j] : memref<2x3xf64>
          func.return %x : f64
        }""",
        "f64",
        "i64",
        "i64",
    )
    assert [f(i, j) for i in range(2) for j in range(3)] == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_several_files_share_functions_and_objects(parse_ir: Callable[[str], Any]) -> None:
    first = """
      cmem.global "external" declaration @counter size 4 align 4
      func.func private @next() -> i32
      func.func @f() -> i32 {
        %a = func.call @next() : () -> i32
        %p = cmem.address_of @counter
        %P = cmem.view %p [] : memref<i32>
        %b = memref.load %P[] : memref<i32>
        %r = arith.addi %a, %b : i32
        func.return %r : i32
      }"""
    second = """
      cmem.global "external" @counter size 4 align 4 bytes [40,0,0,0]
      func.func @next() -> i32 {
        %p = cmem.address_of @counter
        %P = cmem.view %p [] : memref<i32>
        %x = memref.load %P[] : memref<i32>
        %one = arith.constant 1 : i32
        %y = arith.addi %x, %one : i32
        memref.store %y, %P[] : memref<i32>
        func.return %y : i32
      }"""
    code = load_objects([emit_object(parse_ir(text)) for text in (first, second)])
    f = ctypes.CFUNCTYPE(ctypes.c_int)(code.address("f"))
    assert [f(), f()] == [82, 84]
