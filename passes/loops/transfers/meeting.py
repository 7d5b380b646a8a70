"""Where transfers are, and whether two of them may touch one element.

Lane l of a spot is the element at `subscripts + l * steps`. Two spots of one array with the same
steps meet where the first lanes' places differ by a whole number of steps, less than there are
lanes; with other steps, where the ranges of no dimension are disjoint.
"""

from __future__ import annotations

from functools import cached_property

from xdsl.ir import SSAValue

from polyopt.dialects.pvec_group_transfers import WriteInTurnsOp
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.record import record


@record
class Spot:
    array: SSAValue
    subscripts: tuple[Linear, ...]
    steps: tuple[int, ...]
    lanes: int

    @staticmethod
    def of(op: ReadOp | WriteOp) -> Spot | None:
        """None where a subscript divides."""
        forms = linear_forms(op.map.data, op.indices)
        vector = op.result if isinstance(op, ReadOp) else op.value
        return None if forms is None else Spot(op.memref, forms, op.distances, lanes_of(vector))

    @staticmethod
    def of_turns(op: WriteInTurnsOp) -> list[Spot]:
        """Of each vector; none where a subscript divides."""
        forms = linear_forms(op.map.data, op.indices)
        if forms is None:
            return []
        *outer, last = forms
        lanes = lanes_of(op.values[0])
        return [Spot(op.memref, (*outer, last + one), op.distances, lanes) for one in op.at]

    @cached_property
    def _hash(self) -> int:
        return hash((self.array, self.subscripts))

    def __hash__(self) -> int:
        return self._hash

    def may_meet(self, other: Spot) -> bool:
        """May a lane of this one be the same element as a lane of the other?"""
        if self.array is not other.array:
            return may_overlap(self.array, other.array)
        differences: list[tuple[int, int, int]] = []
        for one, two, step, its in zip(
            self.subscripts, other.subscripts, self.steps, other.steps, strict=True
        ):
            difference = two - one
            if not difference.terms:
                differences.append((difference.constant, step, its))
        if self.steps == other.steps:
            return any(
                all(distance == step * lanes for distance, step, _ in differences)
                for lanes in range(1 - other.lanes, self.lanes)
            )
        return all(self._reach(*one, other.lanes) for one in differences)

    def _reach(self, distance: int, step: int, its: int, lanes: int) -> bool:
        """Do the ranges that the lanes take in one dimension overlap?"""
        own = sorted((0, step * (self.lanes - 1)))
        theirs = sorted((distance, distance + its * (lanes - 1)))
        return own[0] <= theirs[1] and theirs[0] <= own[1]
