"""Runs affine loops one instance at a time and remembers who touched what: the oracle for
everything that is said about affine loops without running them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser

from polyopt.dialects.poly import Poly
from polyopt.dialects.team import Team


def parse_module(text: str) -> ModuleOp:
    context = Context()
    dialects = (affine.Affine, arith.Arith, builtin.Builtin, func.Func, memref.MemRef, Poly, Team)
    for dialect in dialects:
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def only_loop(module: ModuleOp) -> affine.ForOp:
    """The first outermost loop."""
    return next(op for op in module.walk() if isinstance(op, affine.ForOp))


@dataclass(frozen=True)
class Touch:
    """`op` ran at this iteration of the loops around it and touched this element."""

    op: Operation
    iteration: tuple[int, ...]
    element: tuple[object, ...]
    is_write: bool


def trace(root: Operation, values: dict[SSAValue, int]) -> list[Touch]:
    """Everything that `root` touches, in order; `values` are those of the parameters."""
    return list(_run(root, dict(values), ()))


def _run(op: Operation, values: dict[SSAValue, int], iteration: tuple[int, ...]) -> Iterator[Touch]:
    if isinstance(op, affine.ForOp):
        lower = max(_results(op.lowerBoundMap.data, op.lowerBoundOperands, values))
        upper = min(_results(op.upperBoundMap.data, op.upperBoundOperands, values))
        block = op.body.block
        for index in range(lower, upper, op.step.value.data):
            values[block.args[0]] = index
            yield from _block(block, values, (*iteration, index))
    elif isinstance(op, affine.ApplyOp):
        (values[op.result],) = _results(op.map.data, op.mapOperands, values)
    elif isinstance(op, (affine.LoadOp, affine.StoreOp)):
        element = (op.memref, *_results(op.map.data, op.indices, values))
        yield Touch(op, iteration, element, isinstance(op, affine.StoreOp))


def _block(
    block: Block, values: dict[SSAValue, int], iteration: tuple[int, ...]
) -> Iterator[Touch]:
    for op in block.ops:
        yield from _run(op, values, iteration)


def _results(
    affine_map: AffineMap, operands: object, values: dict[SSAValue, int]
) -> tuple[int, ...]:
    assert isinstance(operands, tuple | list) or hasattr(operands, "__iter__")
    numbers = [values[operand] for operand in operands]  # pyright: ignore
    cut = affine_map.num_dims
    return tuple(expr.eval(numbers[:cut], numbers[cut:]) for expr in affine_map.results)
