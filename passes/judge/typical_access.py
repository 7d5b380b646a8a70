"""One load or store in a typical iteration: at which subscripts, and how it moves with each loop.

Accesses of one element, of vectors that lie closely, and of vectors whose lanes lie anywhere
(`is_scattered`) are told apart, since each has its own cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xdsl.dialects import affine, arith, memref, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, i1
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.pvec_accesses import StridedLoadOp, StridedStoreOp
from polyopt.dialects.shaped_types import is_vector
from polyopt.ir.expressions.shapes import element_bytes, is_row_major
from polyopt.ir.objects.alias import underlying_object
from polyopt.passes.judge.index_values import IndexValues, Typical
from polyopt.passes.judge.operation_costs import lanes_of
from polyopt.support.record import record

_LOADS = frozenset(
    """affine.load affine.vector_load memref.load vector.load vector.maskedload pvec.strided_load
    pvec.gather""".split()
)
STORES = frozenset(
    """affine.store affine.vector_store memref.store vector.store vector.maskedstore
    pvec.strided_store""".split()
)
_SCATTERED = frozenset(("pvec.strided_load", "pvec.gather", "pvec.strided_store"))


@record
class TypicalAccess:
    """Of one element, or of a vector of `lanes`, at these subscripts; `spelt` are those that the
    operation has, one for each dimension of the array."""

    op: Operation
    array: SSAValue
    subscripts: tuple[Typical, ...]
    is_write: bool
    lanes: int
    is_scattered: bool
    steps: tuple[int, ...] = ()
    """From lane to lane, in each dimension, where that is known of scattered ones."""
    spelt: tuple[Typical, ...] = ()

    @property
    def is_masked(self) -> bool:
        """By what is computed: lanes that are left out in every run cost nothing."""
        if not isinstance(self.op, (vector.MaskedLoadOp, vector.MaskedStoreOp)):
            return False
        return not isinstance(self.op.mask.owner, arith.ConstantOp)

    @property
    def is_masked_by_data(self) -> bool:
        """By comparisons alone: no lane is left out because the loop ends."""
        return self.is_masked and _is_of_comparisons(self.op.operands)

    @property
    def element(self) -> tuple[object, ...]:
        """Equal for accesses of the same elements."""
        return (self.array, self.subscripts, self.lanes)

    @property
    def element_bytes(self) -> int:
        return element_bytes(memref_type(self.array).element_type) or 8

    @property
    def stored(self) -> SSAValue:
        """The value that a store writes."""
        op = self.op
        if isinstance(op, (affine.StoreOp, affine.VectorStoreOp, memref.StoreOp)):
            return op.value
        return next(one for one in op.operands if not hasattr(one.type, "memory_space"))

    def by(self, depth: int) -> tuple[float, ...]:
        """How it moves with the loop at `depth`."""
        return tuple(one.by(depth) for one in self.subscripts)

    def iterations_after(self, store: TypicalAccess, depth: int) -> int | None:
        """So many iterations before, the store wrote what this access touches, or will write it so
        many later, where the number is negative; None where that is none."""
        found: float | None = None
        for ours, theirs in zip(store.subscripts, self.subscripts, strict=True):
            if ours.moves != theirs.moves:
                return None
            distance, step = ours.number - theirs.number, ours.by(depth)
            if step == 0:
                if distance:
                    return None
                continue
            if found is not None and found != distance / step:
                return None
            found = distance / step
        if found is None or found != int(found):
            return None
        return int(found)


def access_in(op: Operation, of: IndexValues, line_bytes: int) -> TypicalAccess | None:
    """What the operation touches; None where it touches nothing. Rows that are no longer than a
    line are no rows: their elements are those of one long row."""
    found = _access_in(op, of)
    return None if found is None else _with_long_rows(found, line_bytes)


def arrays_loaded(operations: Iterable[Operation]) -> set[SSAValue | str | None]:
    """What the loads in the operations read of; None where one of them may read of anything."""
    return {
        underlying_object(next(one for one in op.operands if hasattr(one.type, "memory_space")))
        for outer in operations
        for op in outer.walk()
        if op.name in _LOADS
    }


def _with_long_rows(access: TypicalAccess, line_bytes: int) -> TypicalAccess:
    type_ = memref_type(access.array)
    if not is_row_major(type_):
        return access
    subscripts, steps, row = access.subscripts, access.steps, 1
    for extent in reversed(type_.get_shape()[1:]):
        row *= extent
        if extent == DYNAMIC_INDEX or row * access.element_bytes > line_bytes:
            break
        subscripts = (*subscripts[:-2], subscripts[-2] * row + subscripts[-1])
        if steps:
            steps = (*steps[:-2], steps[-2] * row + steps[-1])
    return replace(access, subscripts=subscripts, steps=steps)


def _access_in(op: Operation, of: IndexValues) -> TypicalAccess | None:
    match op:
        case affine.LoadOp() | affine.VectorLoadOp():
            return _access(op, op.memref, of.results(op.map.data, op.indices), op.result)
        case affine.StoreOp() | affine.VectorStoreOp():
            return _access(op, op.memref, of.results(op.map.data, op.indices), op.value)
        case memref.LoadOp():
            return _access(op, op.memref, [of.of(one) for one in op.indices], op.res)
        case memref.StoreOp():
            return _access(op, op.memref, [of.of(one) for one in op.indices], op.value)
        case _:
            return _vector_access(op, of)


def _vector_access(op: Operation, of: IndexValues) -> TypicalAccess | None:
    """Those of vectors, by the names that they have in common."""
    if op.name not in _LOADS and op.name not in STORES:
        return None
    array = next(one for one in op.operands if hasattr(one.type, "memory_space"))
    rank = memref_type(array).get_num_dims()
    first = op.operands.index(array) + 1
    indices = [of.of(one) for one in op.operands[first : first + rank]]
    value = op.results[0] if op.results else next(one for one in op.operands if lanes_of(one.type))
    return _access(op, array, indices, value)


def _access(
    op: Operation, array: SSAValue, subscripts: Sequence[Typical], value: SSAValue
) -> TypicalAccess:
    lanes = max(1, lanes_of(value.type))
    is_scattered = op.name in _SCATTERED
    is_strided = isinstance(op, (StridedLoadOp, StridedStoreOp))
    steps = tuple(map(int, op.steps.get_values())) if is_strided else ()
    is_write = op.name in STORES
    spelt = tuple(subscripts)
    return TypicalAccess(op, array, spelt, is_write, lanes, is_scattered, steps, spelt)


def _is_of_comparisons(values: Sequence[SSAValue]) -> bool:
    """Of the masks among the values."""
    for value in values:
        op = value.owner
        if not is_vector(value.type) or value.type.element_type != i1:
            continue
        if not isinstance(op, Operation) or isinstance(op, vector.CreateMaskOp):
            return False
        if not isinstance(op, arith.ConstantOp) and not _is_of_comparisons(op.operands):
            return False
    return True
