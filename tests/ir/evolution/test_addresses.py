"""Addresses in bytes: what gives a pointer adds to the one that it is computed from, or is it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import func
from xdsl.ir import SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Expr, Unknown

TEXT = """
func.func @f(%p : !llvm.ptr, %m : memref<4x?xf64>, %o : memref<?xf64>, %n : index, %a : i64,
             %w : i128) {
  %two = arith.constant 2 : index
  %view = cmem.view %p [] : memref<?xf64>
  %offset = cmem.offset %p, %n stride 24
  %of_offset = cmem.view %offset [] : memref<?xf64>
  %element = cmem.address %view[%two] : memref<?xf64>
  %known = arith.constant 1000 : i64
  %from_number = cmem.int_to_ptr %known
  %from_integer = cmem.int_to_ptr %a
  %one, %other = cmem.distinct_objects %view, %o : memref<?xf64>, memref<?xf64>
      -> memref<?xf64>, memref<?xf64>
  %cast = "memref.cast"(%o) : (memref<?xf64>) -> memref<8xf64>
  %wide = arith.addi %w, %w : i128
  func.return
}"""

ADDRESSES = [
    ("view", "p", 0),
    ("offset", "p", "n"),
    ("of_offset", "p", "n"),
    ("element", "p", 16),
    ("from_number", None, 1000),
    ("from_integer", "a", 0),
    ("one", "p", 0),
    ("other", "o", 0),
    ("cast", "o", 0),
]


def read() -> tuple[Evolution, Mapping[str, SSAValue]]:
    function = parse_affine(TEXT).body.block.first_op
    assert isinstance(function, func.FuncOp)
    values = [*function.args, *(one for op in function.walk() for one in op.results)]
    named = {one.name_hint: one for one in values if one.name_hint is not None}
    return Evolution(ControlFlow(function.body)), named


@pytest.mark.parametrize(("asked", "base", "further"), ADDRESSES)
def test_addresses_are_bytes_from_a_base(asked: str, base: str | None, further: int | str):
    evolution, named = read()
    block = evolution.flow.cfg.blocks[0]
    wanted = (
        Expr.constant(further) if isinstance(further, int) else Expr.of(Unknown(named["n"])) * 24
    )
    if base is not None:
        wanted += Expr.of(Unknown(named[base]))
    assert evolution.address(named[asked], block) == wanted


def test_what_is_wider_than_an_address_is_unknown_and_itself():
    evolution, named = read()
    block = evolution.flow.cfg.blocks[0]
    assert evolution.signed(named["wide"], block) == Expr.of(Unknown(named["wide"]))
