"""When instances run: { S[i] -> [t_0, ..., t_d] }, for whole subtrees of a schedule and for pieces.

What a loop carries is judged on what it runs. If that is all that a statement has below one level
of the tree, the schedule tree's own functions say when; only parts of it have to be put together
from the pieces, which isl finds much harder to reason about.
"""

from __future__ import annotations

from functools import cached_property

import islpy as isl

from polyopt.poly.schedule_tree import Member, joint_function
from polyopt.support.record import entity

_Out = isl.dim_type.out


@entity
class Order:
    """All `instances` of a statement below one level, of which `pieces` pieces were made, and the
    `members` of the bands down to that level."""

    instances: isl.Set
    members: tuple[Member, ...]
    pieces: int = 0

    @cached_property
    def times(self) -> isl.Map:
        """{ S[i] -> [t] }."""
        if not self.members:
            nothing = isl.Map.from_domain(self.instances)
            return nothing.add_dims(_Out, 0)
        union = isl.UnionSet.from_set(self.instances)
        times = isl.UnionMap.from_multi_union_pw_aff(joint_function(self.members))
        return isl.Map.from_union_map(times.intersect_domain(union))

    @cached_property
    def times_and_iterators(self) -> isl.Map:
        """{ S[i] -> [t, i] }."""
        space = self.instances.get_space()
        itself = isl.Map.identity(space.map_from_set()).intersect_domain(self.instances)
        itself = itself.set_tuple_name(_Out, "")
        return self.times.flat_range_product(itself) if self.members else itself
