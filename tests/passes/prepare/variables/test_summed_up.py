"""What elements of arrays are among what a value is computed of, by a search for each value too."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, memref
from xdsl.dialects.cf import Cf
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.parser import Parser

from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.prepare.ssa_construction import find_variables
from polyopt.passes.prepare.variables.summed_up import DataIn

FUNCTION = """
func.func @f(%A: memref<9xi32>, %i: index, %n: i32, %c: i1) -> i32 {
  %s = memref.alloca() : memref<i32>
  %t = memref.alloca() : memref<i32>
  %u = memref.alloca() : memref<i32>
  memref.store %n, %s[] : memref<i32>
  memref.store %n, %u[] : memref<i32>
  cf.br ^head(%n : i32)
^head(%k : i32):
  %0 = memref.load %s[] : memref<i32>
  %1 = memref.load %A[%i] : memref<9xi32>
  %2 = arith.addi %0, %1 : i32
  memref.store %2, %s[] : memref<i32>
  %3 = memref.load %u[] : memref<i32>
  %4 = arith.addi %3, %n : i32
  memref.store %4, %u[] : memref<i32>
  cf.cond_br %c, ^head(%4 : i32), ^after(%2, %4 : i32, i32)
^after(%5 : i32, %6 : i32):
  memref.store %5, %t[] : memref<i32>
  %7 = memref.load %t[] : memref<i32>
  %8 = arith.addi %6, %k : i32
  %9 = arith.addi %7, %8 : i32
  func.return %9 : i32
}
"""


def is_data(value: SSAValue, seen: set[SSAValue], variables: set[SSAValue]) -> bool:
    if value in seen:
        return False
    seen.add(value)
    owner = value.owner
    if isinstance(owner, Block):
        assert isinstance(value, BlockArgument)
        passed = [edge.values[value.index] for edge in incoming(owner)]
        return any(is_data(one, seen, variables) for one in passed)
    if isinstance(owner, memref.LoadOp):
        stores = [use.operation for use in owner.memref.uses]
        return bool(owner.indices) or any(
            is_data(one.value, seen, variables)
            for one in stores
            if isinstance(one, memref.StoreOp) and owner.memref in variables
        )
    return any(is_data(one, seen, variables) for one in owner.operands)


def test_data_reach_what_a_search_from_each_value_finds():
    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, func.Func, memref.MemRef, Cf):
        context.load_dialect(dialect)
    function = Parser(context, FUNCTION).parse_module().body.block.first_op
    assert isinstance(function, func.FuncOp)
    flow = ControlFlow(function.body)
    variables = find_variables(flow)
    found = DataIn(flow, variables).values
    blocks = list(function.body.blocks)
    values = [result for block in blocks for op in block.ops for result in op.results]
    values += [argument for block in blocks for argument in block.args]
    wanted = {one for one in values if is_data(one, set(), set(variables))}
    assert found == wanted
    assert len(wanted) == 6
