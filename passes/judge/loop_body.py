"""Straight code in the loop that it is the body of, or in none: what changes, what stays.

A value that is the same in each iteration is computed in front of the loop. An element that is in
the same place all through it is kept in a register. Everything else is done in every iteration.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from functools import cached_property
from math import prod

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import i8
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind

from polyopt.dialects.cmem import element_type
from polyopt.dialects.pvec_accesses import StridedLoadOp
from polyopt.passes.judge.operation_costs import is_free, lanes_of
from polyopt.passes.judge.typical_access import TypicalAccess
from polyopt.support.record import entity

_QUOTIENTS = (AffineBinaryOpKind.Mod, AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv)


@entity
class Code:
    """Operations that run one after the other, so often each; `inner`: how often the loops ran that
    have been unrolled for that, and `within`: in which of these an operation stood."""

    operations: dict[Operation, float]
    inner: list[float] = field(default_factory=list[float])
    within: dict[Operation, tuple[int, ...]] = field(
        default_factory=dict[Operation, tuple[int, ...]]
    )

    def add(self, op: Operation, within: tuple[int, ...]) -> None:
        self.operations[op] = self.times(within)
        self.within[op] = within

    def times(self, within: tuple[int, ...]) -> float:
        """How often what stands in these loops runs."""
        return prod(self.inner[k] for k in within)

    @property
    def size(self) -> float:
        """As LLVM counts it before it unrolls a loop: integers that are made wider where they are
        loaded, or narrower, are nothing."""
        return sum(times for op, times in self.operations.items() if not _has_no_size(op))


def _has_no_size(op: Operation) -> bool:
    if isinstance(op, arith.ExtSIOp | arith.ExtUIOp):
        return isinstance(op.input.owner, affine.LoadOp | memref.LoadOp)
    return isinstance(op, arith.TruncIOp) or is_free(op)


@entity
class LoopBody:
    """`depth` is how many loops are around `loop`; `may_meet`: nobody knows that what two pointers
    lead to is apart; `may_wrap`: nor that integers do not wrap."""

    loop: affine.ForOp | scf.ForOp | None
    code: Code
    accesses: dict[Operation, TypicalAccess]
    depth: int
    may_meet: bool = False
    may_wrap: bool = False
    never_loaded: Collection[SSAValue] = ()
    """Arrays that nothing around loads what is stored under masks of."""

    @cached_property
    def operations(self) -> list[Operation]:
        return list(self.code.operations)

    @cached_property
    def is_vector(self) -> bool:
        return any(
            lanes_of(value.type) for op in self.operations for value in (*op.results, *op.operands)
        )

    @cached_property
    def written(self) -> set[SSAValue]:
        """The arrays that are stored to."""
        return {one.array for one in self.accesses.values() if one.is_write}

    @cached_property
    def element_bits(self) -> int:
        """The size of the widest element that is touched."""
        sizes = [8 * one.element_bytes for one in self.accesses.values() if one.subscripts]
        return max(sizes, default=64)

    @cached_property
    def order(self) -> dict[Operation, int]:
        return {op: k for k, op in enumerate(self.operations)}

    @cached_property
    def by_array(self) -> dict[SSAValue, list[TypicalAccess]]:
        """The accesses by their arrays."""
        found: dict[SSAValue, list[TypicalAccess]] = {}
        for access in self.accesses.values():
            found.setdefault(access.array, []).append(access)
        return found

    @cached_property
    def stores(self) -> dict[SSAValue, list[TypicalAccess]]:
        return {
            array: stores
            for array, accesses in self.by_array.items()
            if (stores := [one for one in accesses if one.is_write])
        }

    @cached_property
    def changing(self) -> set[SSAValue]:
        """The values that are others in each iteration."""
        if self.loop is None:
            return {value for op in self.operations for value in op.results}
        found: set[SSAValue] = set(self.loop.body.block.args)
        for op in self.operations:
            access = self.accesses.get(op)
            if access is not None and not access.is_write:
                if access.array in self.written or self.moves(access) or access.is_scattered:
                    found.update(op.results)
                elif any(operand in found for operand in op.operands) and access.is_scattered:
                    found.update(op.results)
                elif isinstance(op, memref.LoadOp) and any(one in found for one in op.indices):
                    found.update(op.results)
            elif any(operand in found for operand in op.operands):
                found.update(op.results)
        return found

    def moves(self, access: TypicalAccess) -> bool:
        return any(access.by(self.depth))

    def goes_round(self, access: TypicalAccess) -> bool:
        """Whether it comes back to its places as the loop goes on, as `x[i % 4]` does, which moves
        by nothing in the end."""
        op = access.op
        if self.loop is None or not isinstance(op, affine.LoadOp | affine.StoreOp):
            return False
        counter = self.loop.body.block.args[0]
        places = {at for at, one in enumerate(op.indices) if one is counter}
        parts = (part for result in op.map.data.results for part in result.dfs())
        return any(
            isinstance(part, AffineBinaryOpExpr)
            and part.kind in _QUOTIENTS
            and not places.isdisjoint(part.used_dims())
            for part in parts
        )

    def is_register(self, access: TypicalAccess) -> bool:
        """Whether it stays in a register: a variable, or one element all through the loop, or a
        vector of elements that nothing in it writes."""
        is_local = isinstance(access.array.owner, memref.AllocaOp)
        if not access.subscripts or (is_local and access.array in self._unrolled):
            return is_local
        if self.loop is None or self.moves(access):
            return False
        if access.is_scattered:
            is_at_steps = isinstance(access.op, StridedLoadOp)
            return is_at_steps and access.array not in self.written
        if isinstance(access.op, (memref.LoadOp, memref.StoreOp)) and any(
            one in self.changing for one in access.op.operands
        ):
            return False
        if self.waits_in_memory(access):
            return False
        return access.array not in self.written or all(
            one.subscripts == access.subscripts or not (one.is_write or access.is_write)
            for one in self.by_array[access.array]
        )

    def _is_where_data_says(self, access: TypicalAccess) -> bool:
        """Whether each iteration computes anew which element it is, as of h[p[i]]: that is seldom
        the one that the iteration before has stored."""
        if not isinstance(access.op, (memref.LoadOp, memref.StoreOp)):
            return False
        return any(one in self.changing for one in access.op.indices)

    def waits_in_memory(self, access: TypicalAccess) -> bool:
        """Whether an element that is written over and over has to be in memory each time: another
        pointer may lead there."""
        if not self.may_meet or self.moves(access) or access.array not in self.written:
            return False
        if isinstance(access.array.owner, memref.AllocaOp) or self._is_where_data_says(access):
            return False
        type = element_type(access.array)
        return any(
            array is not access.array
            and not isinstance(array.owner, memref.AllocaOp)
            and element_type(array) in (type, i8)
            for array in self.by_array
        )

    @cached_property
    def _unrolled(self) -> set[SSAValue]:
        """Arrays of which straight code touches the same elements in every iteration, of this loop
        and of those around: each of their elements is like a variable."""
        return {
            array
            for array, accesses in self.by_array.items()
            if self.loop is not None
            and not any(
                one.is_scattered
                or isinstance(one.op, (memref.LoadOp, memref.StoreOp))
                or any(any(one.by(depth)) for depth in range(self.depth + 1))
                for one in accesses
            )
        }

    def step(self, access: TypicalAccess) -> float | None:
        """By how many elements it goes along its row, where that is all that it does."""
        if isinstance(access.op, (memref.LoadOp, memref.StoreOp)) and any(
            one in self.changing for one in access.op.operands
        ):
            return None
        *others, last = access.by(self.depth) or (0.0,)
        return None if any(others) else abs(last)
