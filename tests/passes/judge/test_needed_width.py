"""How wide LLVM's vectors keep integers, and what groups of which nothing is left out cost."""

import pytest
from oracles.affine_trace import parse_module
from xdsl.dialects import affine, func

from polyopt.passes.judge.needed_width import kept_bits
from polyopt.passes.judge.nest_reader import read_parts
from polyopt.poly.cost.nest_cost import core_cycles
from polyopt.support.core_model import CoreCosts
from polyopt.support.target import Target

BYTES = """
func.func @f(%x: memref<1000xi8>, %z: memref<1000xi8>, %c: i32) {{
  affine.for %i = 0 to 1000 {{
    %a = affine.load %x[%i] : memref<1000xi8>
    %wide = arith.extui %a : i8 to i32
    {computed}
    %cut = arith.trunci %r : i32 to i8
    affine.store %cut, %z[%i] : memref<1000xi8>
  }}
  func.return
}}
"""
MASKED = "%s = arith.shrsi %wide, %c : i32\n%r = arith.andi %s, %c : i32"
SHIFTED_SUM = "%s = arith.addi %wide, %wide : i32\n%r = arith.shrsi %s, %c : i32"
COMPARED = "%t = arith.cmpi slt, %wide, %c : i32\n%r = arith.select %t, %wide, %c : i32"

GROUPS = """
func.func @f(%x: memref<8000xi8>, %y: memref<1000xi8>) {{
  affine.for %i = 0 to 1000 {{
    affine.for %b = 0 to {many} {{
      {body}
    }}
  }}
  func.return
}}
"""
STORED = """%a = affine.load %y[%i] : memref<1000xi8>
affine.store %a, %x[%i * 8 + %b] : memref<8000xi8>"""
LOADED = """%a = affine.load %x[%i * 8 + %b] : memref<8000xi8>
%c = affine.load %y[%i] : memref<1000xi8>
%s = arith.addi %a, %c : i8
affine.store %s, %y[%i] : memref<1000xi8>"""


def function_in(text: str) -> func.FuncOp:
    (function,) = parse_module(text).ops
    assert isinstance(function, func.FuncOp)
    return function


def cycles(text: str, machine: str = "x86-64-v4") -> float:
    target = Target.named(machine)
    body = function_in(text).body.block
    parts = read_parts(body.ops, {}, target, CoreCosts.of(target), any_order=False)
    return sum(core_cycles(one, CoreCosts.of(target)) for one in parts)


@pytest.mark.parametrize(
    ("computed", "widths"),
    [
        (MASKED, {"wide": 8, "s": 8, "r": 8}),
        # Of a sum a bit that is carried comes down again.
        (SHIFTED_SUM, {"wide": 32, "s": 32, "r": 8}),
        # Both the comparison and the choice use it.
        (COMPARED, {"wide": 32, "r": 8}),
    ],
)
def test_what_is_cut_off_is_not_computed(computed: str, widths: dict[str, int]):
    loop = function_in(BYTES.format(computed=computed)).body.block.first_op
    assert isinstance(loop, affine.ForOp)
    ops = list(loop.body.block.ops)
    kept = kept_bits(ops)
    named = {one.name_hint: kept.get(one, 32) for op in ops for one in op.results}
    assert {name: named[name] for name in widths} == widths


def test_narrow_values_take_fewer_registers():
    masked, summed = (cycles(BYTES.format(computed=one)) for one in (MASKED, SHIFTED_SUM))
    assert masked < summed / 2


def test_whole_groups_are_put_together_by_halves():
    whole, part = (cycles(GROUPS.format(many=many, body=STORED)) for many in (8, 7))
    assert whole < part / 4


def test_groups_are_taken_apart_one_by_one():
    stored, loaded = (cycles(GROUPS.format(many=8, body=one)) for one in (STORED, LOADED))
    assert 1.5 * stored < loaded


@pytest.mark.parametrize(("type", "is_more"), [("f64", True), ("i8", False)])
def test_words_far_apart_take_longer_where_lines_are_halves(type: str, is_more: bool):
    body = STORED if type == "i8" else STORED.replace("xi8", "xf64")
    text = GROUPS.format(many=8, body=body).replace("xi8", f"x{type}")
    zen, other = (cycles(text, f"{name}+avx512dq") for name in ("znver4", "znver5"))
    assert (zen > 1.2 * other) == is_more
