"""Reciprocals in front of loops, which stay there though instructions are combined once more."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.around_llvm.kept_reciprocals import with_kept_reciprocals
from polyopt.backend.compiled.codegen import emit_llvm_ir
from polyopt.backend.processors.options import BackendOptions

KEPT = "nnan ninf nsz arcp contract afn"


@pytest.mark.parametrize("one", ["double 1.000000e+00", "<4 x float> splat (float 1.000000e+00)"])
def test_only_reassociation_is_forbidden(one: str):
    assert with_kept_reciprocals(f"%r = fdiv fast {one}, %t") == f"%r = fdiv {KEPT} {one}, %t"


@pytest.mark.parametrize(
    "line",
    [
        "%r = fdiv fast double 2.000000e+00, %t",
        "%r = fdiv double 1.000000e+00, %t",
        "%r = fdiv fast double %x, %t",
        "%r = fadd fast double 1.000000e+00, %t",
    ],
)
def test_other_operations_are_left(line: str):
    assert with_kept_reciprocals(line) == line


def test_what_converts_to_integers_divides_once(parse_ir: Callable[[str], ModuleOp]):
    text = """
    func.func @f(%from : !llvm.ptr {llvm.noalias}, %to : !llvm.ptr {llvm.noalias},
                 %t : f64, %n : index) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %A = cmem.view %from [] : memref<?xf64>
      %B = cmem.view %to [] : memref<?xi32>
      scf.for %i = %zero to %n step %one {
        %x = memref.load %A[%i] : memref<?xf64>
        %q = arith.divf %x, %t fastmath<fast> : f64
        %y = arith.fptosi %q : f64 to i32
        memref.store %y, %B[%i] : memref<?xi32>
      }
      func.return
    }"""
    lines = emit_llvm_ir(parse_ir(text), BackendOptions()).splitlines()
    divisions = [line for line in lines if " fdiv " in line]
    assert divisions
    assert all("1.000000e+00" in line for line in divisions)
