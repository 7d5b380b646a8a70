"""Variables of the function's own that a region uses stand for themselves elsewhere.

    s = …; region(&s); … s …      =>      t = s; region(&t); s = t; … s …

A variable whose place a region is given has to be in memory wherever it is used, in the code for
one thread as well: sums of the rows of a sparse matrix were stored at each element. It is given a
copy's place, and the variable stays in a register.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from xdsl.dialects import memref, omp
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.passes.parallel.code import Code
from polyopt.support.core_model import CORE


def stand_ins(parallel: omp.ParallelOp, given: Iterable[SSAValue]) -> dict[SSAValue, SSAValue]:
    """By value that the region is given, the copy of the variable that it is: filled in front of
    the region and taken back behind it."""
    found = dict[SSAValue, SSAValue]()
    for value in given:
        variable = _variable(value)
        if variable is None:
            continue
        copy = variable.clone()
        copy.memref.name_hint = value.name_hint
        Rewriter.insert_op(copy, InsertPoint.after(variable))
        found[value] = copy.memref
        before, behind = Code(Block(), parallel), Code(Block(), parallel)
        _copy(before, value, copy.memref)
        Rewriter.inline_block(before.block, InsertPoint.before(parallel))
        if _may_change(parallel, value):
            _copy(behind, copy.memref, value)
            Rewriter.inline_block(behind.block, InsertPoint.after(parallel))
    return found


def _variable(value: SSAValue) -> memref.AllocaOp | None:
    """Where a variable is made that is small and has no other name."""
    origin = value
    while isinstance(origin, OpResult) and isinstance(origin.op, cmem.DistinctObjectsOp):
        origin = origin.op.memrefs[origin.index]
    if not isinstance(origin, OpResult) or not isinstance(origin.op, memref.AllocaOp):
        return None
    count = 1
    for extent in memref_type(origin).get_shape():
        count *= CORE.threads.in_registers + 1 if extent == DYNAMIC_INDEX else extent
    return origin.op if count <= CORE.threads.in_registers and not _has_an_address(origin) else None


def _has_an_address(variable: SSAValue) -> bool:
    """Whether anybody may know its place but by its name."""
    names = [variable]
    for name in names:
        for use in name.uses:
            if isinstance(use.operation, cmem.DistinctObjectsOp):
                names.append(use.operation.res[use.index])
            elif not use.operation.name.endswith(("load", "store")):
                return True
    return False


def _may_change(parallel: omp.ParallelOp, value: SSAValue) -> bool:
    return any(
        parallel.is_ancestor(use.operation) and not use.operation.name.endswith("load")
        for use in value.uses
    )


def _copy(code: Code, source: SSAValue, target: SSAValue) -> None:
    for place in _places(source):
        indices = [code.index(number) for number in place]
        element = code.insert(memref.LoadOp.get(source, indices))
        _store(code, element, target, indices)


def _store(code: Code, element: SSAValue, target: SSAValue, indices: list[SSAValue]) -> None:
    store: Operation = memref.StoreOp.get(element, target, indices)
    store.location = code.like.location
    code.block.add_op(store)


def _places(array: SSAValue) -> Iterator[tuple[int, ...]]:
    return product(*(range(extent) for extent in memref_type(array).get_shape()))
