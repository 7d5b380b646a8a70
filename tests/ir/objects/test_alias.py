"""Which memrefs may share memory."""

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, llvm, memref
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from polyopt.dialects.cmem import CMem
from polyopt.ir.objects.alias import may_overlap

TEXT = """
cmem.global "internal" @g size 80 align 8
cmem.global "internal" @h size 80 align 8
func.func @f(%a : !llvm.ptr {llvm.noalias}, %b : !llvm.ptr, %c : !llvm.ptr, %n : index) {
  %view_a = cmem.view %a [] : memref<?xf64>
  %view_a2 = cmem.view %a [%n] : memref<?x?xf64>
  %view_b = cmem.view %b [] : memref<?xf64>
  %view_c = cmem.view %c [] : memref<?xf64>
  %further = cmem.offset %b, %n stride 8
  %view_further = cmem.view %further [] : memref<?xf64>
  %condition = arith.constant true
  %chosen = arith.select %condition, %b, %further : !llvm.ptr
  %view_chosen = cmem.view %chosen [] : memref<?xf64>
  %local = memref.alloca() : memref<10xf64>
  %heap = memref.alloc() : memref<10xf64>
  %address_g = cmem.address_of @g
  %view_g = cmem.view %address_g [] : memref<?xf64>
  %address_h = cmem.address_of @h
  %view_h = cmem.view %address_h [] : memref<?xf64>
  %slot = memref.alloca() : memref<!llvm.ptr>
  %loaded = memref.load %slot[] : memref<!llvm.ptr>
  %view_loaded = cmem.view %loaded [] : memref<?xf64>
  %apart_b, %apart_c = cmem.distinct_objects %view_b, %view_c
      : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  func.return
}
"""

APART = [
    ("view_a", "view_b"),
    ("view_b", "local"),
    ("local", "heap"),
    ("local", "view_g"),
    ("view_g", "view_h"),
    ("apart_b", "apart_c"),
    ("apart_b", "local"),
    ("view_a", "view_g"),
    ("view_chosen", "local"),
    ("view_chosen", "heap"),
]
TOGETHER = [
    ("view_a", "view_a"),
    ("view_a", "view_a2"),
    ("view_b", "view_c"),
    ("view_b", "view_further"),
    ("view_b", "view_g"),
    ("view_loaded", "view_b"),
    ("view_loaded", "view_a"),
    ("view_loaded", "local"),
    ("apart_b", "view_c"),
    ("apart_b", "view_b"),
    ("view_chosen", "view_b"),
    ("view_chosen", "view_c"),
    ("view_chosen", "view_g"),
]


@pytest.fixture(scope="module")
def values() -> dict[str, SSAValue]:
    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, func.Func, llvm.LLVM, memref.MemRef, CMem):
        context.load_dialect(dialect)
    module = Parser(context, TEXT).parse_module()
    results = [result for op in module.walk() for result in op.results]
    return {value.name_hint: value for value in results if value.name_hint}


@pytest.mark.parametrize(("a", "b"), APART)
def test_apart(values: dict[str, SSAValue], a: str, b: str):
    assert not may_overlap(values[a], values[b])
    assert not may_overlap(values[b], values[a])


@pytest.mark.parametrize(("a", "b"), TOGETHER)
def test_may_overlap(values: dict[str, SSAValue], a: str, b: str):
    assert may_overlap(values[a], values[b])
    assert may_overlap(values[b], values[a])
