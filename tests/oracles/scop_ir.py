"""SCoPs as IR, and the accesses that they must make: for tests that start from `notation`.

Each array and parameter is an argument of the function. A statement's body reads all that it
reads, combines it, and writes; an update has the accumulator on the left of its operator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl
from oracles.polyhedral import Point, Sizes, accesses_of
from xdsl.builder import Builder
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, MemRefType, ModuleOp, f64
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from polyopt.dialects.poly import (
    MapAttr,
    ReadOp,
    ScheduleAttr,
    ScopOp,
    SetAttr,
    StmtOp,
    WriteOp,
)
from polyopt.poly.scop import Scop, Statement

INDEX = IndexType()
_UPDATES = {
    one.name: one for one in (arith.AddfOp, arith.MulfOp, arith.MaximumfOp, arith.MinimumfOp)
}
ELSEWHERE = 3
"""The subscript that every access with a run-time index takes at run time."""


def scop_module(scop: Scop) -> ModuleOp:
    """A function that runs the SCoP and nothing else."""
    names = [
        scop.context.get_dim_name(isl.dim_type.param, k) or ""
        for k in range(scop.context.dim(isl.dim_type.param))
    ]
    types = [MemRefType(f64, [-1] * len(array.extents)) for array in scop.arrays]
    block = Block(arg_types=[*types, *[INDEX] * len(names)])
    arrays, parameters = block.args[: len(types)], block.args[len(types) :]
    for argument, name in zip(block.args, [*(a.name for a in scop.arrays), *names], strict=True):
        argument.name_hint = name
    of_name = {array.name: value for array, value in zip(scop.arrays, arrays, strict=True)}
    body = Block([_statement(statement, of_name) for statement in scop.statements])
    block.add_op(
        ScopOp(
            scop.name,
            parameters,
            names,
            arrays,
            [array.name for array in scop.arrays],
            SetAttr.of(scop.context),
            ScheduleAttr.of(scop.schedule),
            Region(body),
            local=[array.name for array in scop.arrays if array.is_local],
        )
    )
    block.add_op(func.ReturnOp())
    module = ModuleOp([func.FuncOp("f", (block.arg_types, ()), Region(block))])
    module.verify()
    return module


def _statement(statement: Statement, arrays: Mapping[str, SSAValue]) -> StmtOp:
    block = Block(arg_types=[INDEX] * statement.domain.dim(isl.dim_type.set))
    for argument, name in zip(block.args, statement.iterators, strict=True):
        argument.name_hint = name
    builder = Builder(InsertPoint.at_end(block))
    value: SSAValue = builder.insert(arith.ConstantOp(FloatAttr(0.5, f64))).result
    accumulator: SSAValue | None = None
    operator = "" if statement.reduction is None else statement.reduction.operator
    for access in sorted(statement.accesses, key=lambda one: one.position):
        array, relation = arrays[access.array], MapAttr.of(access.relation)
        index: list[SSAValue] = []
        if not access.is_must:
            rank = access.relation.dim(isl.dim_type.out)
            here = builder.insert(arith.ConstantOp(IntegerAttr(ELSEWHERE, INDEX)))
            index = [here.result] * rank
        if access.is_write:
            if accumulator is not None:
                value = builder.insert(_UPDATES[operator](accumulator, value)).result
                accumulator = None
            builder.insert(WriteOp(value, array, relation, may=not access.is_must, index=index))
            continue
        read = builder.insert(ReadOp(array, relation, may=not access.is_must, index=index))
        if statement.reduction is not None and access.position == statement.reduction.read:
            accumulator = read.result
        else:
            halved = builder.insert(arith.MulfOp(value, read.result))
            value = builder.insert(arith.SubfOp(read.result, halved)).result
    domain = SetAttr.of(statement.domain)
    return StmtOp(statement.name, domain, Region(block), iterators=statement.iterators)


Touch = tuple[str, str, tuple[int, ...]]


def touches(scop: Scop, order: Sequence[Point], sizes: Sizes) -> list[Touch]:
    """("load" or "store", array, element) of all accesses, instance after instance."""
    accesses = accesses_of(scop, sizes)
    found: list[Touch] = []
    for instance in order:
        seen = set[int]()
        for access, (array, element) in accesses[instance]:
            if access.position in seen:
                continue
            seen.add(access.position)
            if not access.is_must:
                element = (ELSEWHERE,) * len(element)
            found.append(("store" if access.is_write else "load", array, element))
    return found
