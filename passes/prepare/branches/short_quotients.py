"""Quotients and remainders of numbers that branches have bounded, without a division.

    if (c >= 'a' && c <= 'z')  c = (c - 'a' + 13) % 26 + 'a';        0 <= … < 2*26

Where the branch becomes a selection, LLVM no longer sees what it asked, and divides.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, OpResult, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer
from polyopt.ir.evolution.ranges import Ranges
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Compare, Expr, Unknown
from polyopt.ir.insertion import insert_before
from polyopt.passes.prepare.branches.hammocks import take_over_in

MOST_BLOCKS = 4
"""How far back, in branches, what is divided may have been loaded."""

_Division = arith.RemSIOp | arith.RemUIOp | arith.DivSIOp | arith.DivUIOp


def divisions_in_loops(flow: ControlFlow) -> Iterator[tuple[_Division, Block]]:
    """Those by positive numbers, in the order of the blocks, behind branches in loops."""
    for block in flow.cfg.blocks:
        loop = flow.loops.innermost(block)
        if loop is None or block is loop.header:
            continue
        for op in block.ops:
            if not isinstance(op, _Division) or not isinstance(op.result.type, IntegerType):
                continue
            if (constant_integer(op.rhs) or 0) > 0:
                yield op, block


def shorten(op: _Division, block: Block, evolution: Evolution, ranges: Ranges) -> None:
    """A dividend from 0 to less than twice the divisor is compared with it and less by it, or not.

    What counters bound stays as it is: the polyhedral middle knows quotients of them.
    """
    divisor = constant_integer(op.rhs)
    assert divisor is not None
    dividend = evolution.signed(op.lhs, block)
    if not _is_of_data(dividend):
        return
    if not _is_natural(dividend) and ranges.always(Compare("<=", -dividend), block) is not True:
        return
    is_remainder = isinstance(op, arith.RemSIOp | arith.RemUIOp)
    if ranges.always(Compare("<", dividend - divisor), block) is True:
        if is_remainder:
            _replace(op, op.lhs)
        return
    if ranges.always(Compare("<", dividend - 2 * divisor), block) is not True:
        return
    type_ = op.result.type
    assert isinstance(type_, IntegerType)
    (is_once,) = insert_before(arith.CmpiOp(op.lhs, op.rhs, "sge"), op)
    if not is_remainder:
        _replace(op, *insert_before(arith.ExtUIOp(is_once, type_), op))
        return
    (rest,) = insert_before(arith.SubiOp(op.lhs, op.rhs), op)
    _replace(op, *insert_before(arith.SelectOp(is_once, rest, op.lhs), op))


def take_over(block: Block) -> None:
    """What the block loads that was loaded on the only way to it is seen to be what was asked of;
    before the ranges are computed."""
    for _ in range(MOST_BLOCKS):
        edges = incoming(block)
        if len(edges) != 1:
            return
        take_over_in(list(block.ops), edges[0].terminator)
        block = edges[0].source


def _is_of_data(dividend: Expr) -> bool:
    atoms = list(dividend.all_atoms())
    return bool(atoms) and all(
        isinstance(atom, Unknown) and isinstance(atom.value, OpResult) for atom in atoms
    )


def _is_natural(dividend: Expr) -> bool:
    """For the types of what it is made of."""
    are_natural = all(
        isinstance(atom, Unknown) and not atom.is_signed for atom in dividend.all_atoms()
    )
    return are_natural and all(factor > 0 for factor in dividend.terms.values())


def _replace(op: _Division, value: SSAValue) -> None:
    op.result.replace_all_uses_with(value)
    op.detach()
    op.erase()
