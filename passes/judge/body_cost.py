"""What one iteration of straight code keeps busy: the ports of the core, and its divider.

Of code for one lane this is asked twice, as it stands and as LLVM would write it for several
iterations at once.
"""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects import affine, arith
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.fast_math import is_summand, permits
from polyopt.ir.vector_calls import has_vector_forms
from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.needed_width import kept_bits
from polyopt.passes.judge.operation_costs import NOTHING, PortUse, bits_of, cost_of, lanes_of
from polyopt.passes.judge.typical_access import TypicalAccess
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity
from polyopt.support.target import LINE_BYTES, Target

_HALF_LINE = LINE_BYTES // 2


@entity
class BodyCost:
    body: LoopBody
    target: Target
    core: CoreCosts

    def ports(self, lanes: int, bits: int) -> PortUse:
        """What an iteration takes, or so many of them as lanes of LLVM's vectors of `bits`."""
        total = PortUse()
        core = self.core
        seen: set[tuple[object, ...]] = set()
        for op in self.body.operations:
            access = self.body.accesses.get(op)
            if access is not None:
                if self.body.is_register(access) or (
                    access.element in seen and not access.is_write
                ):
                    continue
                seen.add(access.element)
                times = self._times(access)
                self._add_access(total, access, lanes, bits, times)
            elif op.name in ("memref.alloc", "memref.dealloc"):
                total.alone += core.allocation
            elif self.body.loop is None or any(value in self.body.changing for value in op.results):
                is_product = self._is_by_reciprocal(op)
                bits_there = self.target.vector_bits
                cost = cost_of(op, core, bits_there, lanes, by_reciprocal=is_product)
                times = self.body.code.operations[op]
                if is_summand(op):
                    is_single = lanes == 1 and not lanes_of(op.results[0].type)
                    times *= core.fused_single if is_single else core.fused
                if lanes == 1 or cost is NOTHING:
                    total.add(cost, times)
                elif op not in self._short_products and not self._is_kept_as_it_is(op):
                    wide = max(map(self._bits, self._moving(op)), default=32)
                    registers = max(1.0, lanes * wide / bits)
                    is_divided = cost.alone and not has_vector_forms(op)
                    slower = core.wide_division if is_divided else 1.0
                    total.add(cost, times * registers * slower)
        total.issue += 1.0 if self.body.loop is not None else 0.0
        return total

    def _is_by_reciprocal(self, op: Operation) -> bool:
        """A division by what stays is a product with its reciprocal, where that is permitted."""
        return (
            isinstance(op, arith.DivfOp)
            and self.body.loop is not None
            and op.rhs not in self.body.changing
            and permits(op, FastMathFlag.ALLOW_RECIP)
        )

    @cached_property
    def _kept(self) -> dict[SSAValue, int]:
        return kept_bits(self.body.operations)

    def _bits(self, value: SSAValue) -> int:
        """The size of a lane of what LLVM makes of it."""
        return self._kept.get(value, bits_of(value.type))

    def _moving(self, op: Operation) -> list[SSAValue]:
        """What of it there is another one of in each lane."""
        return [one for one in (*op.results, *op.operands) if one in self.body.changing]

    def _is_kept_as_it_is(self, op: Operation) -> bool:
        """Whether it makes of a value one of the size that LLVM has for it already."""
        return isinstance(op, arith.ExtUIOp | arith.ExtSIOp | arith.TruncIOp) and (
            self._bits(op.operands[0]) == self._bits(op.results[0])
        )

    @cached_property
    def _short_products(self) -> set[Operation]:
        """Products of numbers of 16 bits that are added up, which one operation does for two, and
        their extensions."""
        found: set[Operation] = set()
        short = self.core.short_product_bits
        for op in self.body.operations:
            if not isinstance(op, arith.MuliOp):
                continue
            extended = [one.owner for one in op.operands]
            if all(
                isinstance(one, (arith.ExtSIOp, arith.ExtUIOp)) and bits_of(one.input.type) <= short
                for one in extended
            ) and any(isinstance(use.operation, arith.AddiOp) for use in op.result.uses):
                found.update(one for one in extended if isinstance(one, Operation))
        return found

    def _times(self, access: TypicalAccess) -> float:
        """In unrolled code an element is loaded and stored once, however often it is used."""
        code = self.body.code
        times = code.operations[access.op]
        for k in code.within.get(access.op, ()):
            if not any(access.by(self.body.depth + 1 + k)):
                times /= code.inner[k]
        return times

    def _is_whole(self, access: TypicalAccess, step: float) -> bool:
        """Whether an iteration touches all that it goes over, so that no lane is left out."""
        alike = {
            one.element: self._times(one)
            for one in self.body.by_array[access.array]
            if one.is_write == access.is_write and self.body.step(one) == step
        }
        return sum(alike.values()) >= step

    def _is_sum_with_counters_around(self, access: TypicalAccess) -> bool:
        """Whether a counter of a loop around is added to this loop's, as in a[3 * i + b], and other
        elements between are left to other iterations of that."""
        last = access.subscripts[-1]
        return any(map(last.by, range(self.body.depth))) and not self._is_whole(
            access, self.body.step(access) or 0
        )

    def _rounds(self, access: TypicalAccess, step: float) -> float | None:
        """So many shuffles LLVM has for each of the vectors that lie between lanes `step` apart:
        one for each of the others, or, where groups are put together of which nothing is left out,
        one for each time that two vectors become two others, and one for bytes of such that are
        looked up in whole registers; None where it takes them singly."""
        if step > 1 and self.body.may_wrap and self._is_sum_with_counters_around(access):
            return None  # it does not see that they are so far apart
        sizes = self.core.whole_groups
        is_looked_up = access.is_write and access.element_bytes == 1 and self.target.shuffles_bytes
        if is_looked_up and sizes[0] < step <= sizes[-1] and self._is_whole(access, step):
            return 1.0
        if step in sizes and self._is_whole(access, step):
            return sizes.index(int(step)) + 1.0 if access.is_write else step - 1
        return step - 1 if step <= self.core.short_moves else None

    def _split(self, access: TypicalAccess, lanes: int) -> float:
        """How many accesses it takes where vectors go across lines: those that begin where stores
        of the loop do are taken to begin with a line, or a half, but where LLVM makes vectors of
        rows that are seen to begin elsewhere."""
        count = lanes if lanes > 1 else access.lanes
        if count == 1 or not access.subscripts or not self._begins:
            return 1.0
        apart = access.subscripts[-1].number - self._begins[0]
        if lanes > 1:
            apart += self._first
        return self.core.split_loads if apart % count else 1.0

    @cached_property
    def _first(self) -> int:
        """Where the first store of the loop is in its row, which begins where a line does; 0 where
        nobody knows."""
        loop = self.body.loop
        if not isinstance(loop, affine.ForOp):
            return 0
        lowers, stores = AffineLoop(loop).lowers or (), self._stores
        if len(lowers) != 1 or lowers[0].terms or not isinstance(stores[0].op, affine.StoreOp):
            return 0
        forms, shape = subscripts_of(stores[0].op), memref_type(stores[0].array).get_shape()
        if not forms or any(
            form.terms for form in [forms[-1] - Linear.of(loop.body.block.args[0])]
        ):
            return 0
        is_whole = len(shape) == 1 or shape[-1] * stores[0].element_bytes % _HALF_LINE == 0
        return forms[-1].constant + lowers[0].constant if is_whole else 0

    @cached_property
    def _begins(self) -> list[float]:
        """Where stores are in their rows."""
        return [one.subscripts[-1].number for one in self._stores]

    @cached_property
    def _stores(self) -> list[TypicalAccess]:
        accesses = self.body.accesses.values()
        return [one for one in accesses if one.is_write and one.subscripts]

    def _add_access(
        self, total: PortUse, access: TypicalAccess, lanes: int, bits: int, times: float
    ) -> None:
        core = self.core
        size = access.element_bytes
        each = core.scattered if access.is_write else core.gathered
        if lanes == 1:
            if access.is_scattered:
                total.alone += times * access.lanes * each
                return
            count = max(1.0, access.lanes * size * 8 / self.target.vector_bits)
        else:
            step = self.body.step(access)
            rounds = None if step is None else self._rounds(access, step)
            if step is None or rounds is None:
                if self.target.gathers_apart and not access.is_write:
                    each += core.taken_out
                total.alone += times * lanes * (each if size >= 4 else core.singly)
                return
            count = max(1.0, lanes * size * 8 / bits) if step else 1.0
            if step > 1:
                shuffles = core.shuffles * rounds * size * 8 / bits
                is_cheap = size >= 4 or self._is_whole(access, step)
                each = min(core.interleaved, shuffles) if is_cheap else core.interleaved
                if self.target.halves_lines and step > core.short_moves and size >= 4:
                    each *= core.moves_of_halves
                elif size >= 4 and step <= core.short_moves:
                    each *= core.moves_across_halves
                total.arithmetic += times * lanes * each
                total.issue += times * lanes * each
        if access.is_write:
            total.stores += times * count * (self._split(access, lanes) if lanes > 1 else 1.0)
        else:
            total.loads += times * count * self._split(access, lanes)
        if access.is_masked_by_data:
            total.alone += times * (core.chosen_store if access.is_write else core.chosen_load)
        elif access.is_masked and access.is_write and access.array in self.body.never_loaded:
            total.alone += times * core.unread_store
        elif access.is_masked:
            total.alone += times * (core.masked_store if access.is_write else core.masked_load)
