"""Whether IR is what it was: every kind of change is one, and looking changes nothing."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import ModuleOp, StringAttr, i64
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter

from polyopt.driver.units.module_texts import make_context
from polyopt.ir.same_objects import are_same, objects_in

TEXT = """
func.func @f(%c : i1, %a : i32, %b : i32) -> i32 {
  %s = arith.addi %a, %b : i32
  %t = arith.muli %s, %s : i32
  cf.cond_br %c, ^one, ^two
^one:
  %u = arith.subi %t, %a : i32
  func.return %u : i32
^two:
  func.return %t : i32
}
"""


Kind = TypeVar("Kind", bound=Operation)


def find(module: ModuleOp, kind: type[Kind]) -> Kind:
    return next(op for op in module.walk() if isinstance(op, kind))


def other_operand(module: ModuleOp) -> None:
    find(module, arith.SubiOp).operands[1] = find(module, arith.AddiOp).result


def other_attribute(module: ModuleOp) -> None:
    find(module, arith.AddiOp).attributes["kind"] = StringAttr("sum")


def other_property(module: ModuleOp) -> None:
    function = find(module, func.FuncOp)
    function.properties["sym_name"] = StringAttr("g")


def other_result_type(module: ModuleOp) -> None:
    Rewriter.replace_value_with_new_type(find(module, arith.SubiOp).result, i64)


def other_argument_type(module: ModuleOp) -> None:
    Rewriter.replace_value_with_new_type(find(module, func.FuncOp).body.blocks[0].args[1], i64)


def other_successor(module: ModuleOp) -> None:
    branch = find(module, cf.ConditionalBranchOp)
    branch.successors[0] = branch.successors[1]


def erased(module: ModuleOp) -> None:
    block = find(module, func.FuncOp).body.blocks[1]
    assert block.last_op is not None
    block.erase_op(block.last_op)


def moved_over_a_border(module: ModuleOp) -> None:
    """The same operations one after the other, one of them in another block."""
    function = find(module, func.FuncOp)
    moved = find(module, cf.ConditionalBranchOp)
    moved.detach()
    function.body.blocks[1].insert_ops_before([moved], find(module, arith.SubiOp))


def replaced_by_its_like(module: ModuleOp) -> None:
    old = find(module, arith.MuliOp)
    Rewriter.replace_op(old, arith.MuliOp(old.lhs, old.rhs))


CHANGES: list[Callable[[ModuleOp], None]] = [
    other_operand,
    other_attribute,
    other_property,
    other_result_type,
    other_argument_type,
    other_successor,
    erased,
    moved_over_a_border,
    replaced_by_its_like,
]


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_one(change: Callable[[ModuleOp], None]):
    module = Parser(make_context(), TEXT).parse_module()
    before = objects_in(module)
    assert are_same(before, objects_in(module))
    change(module)
    assert not are_same(before, objects_in(module))


def test_looking_changes_nothing():
    module = Parser(make_context(), TEXT).parse_module()
    before = objects_in(module)
    str(module)
    module.verify()
    module.clone()
    assert are_same(before, objects_in(module))
    assert not are_same(None, before)
