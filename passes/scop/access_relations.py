"""Domains and access relations in the spaces of statements and arrays."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl
from xdsl.ir import Block

from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.expressions.integer_expr import Expr
from polyopt.support.record import record


@record
class StatementSpace:
    """The space of one statement's instances: its name, and the iterators around its block.
    `iterations` is where the block runs."""

    space: AffineSpace
    block: Block
    name: str
    iterations: isl.Set

    @property
    def iterators(self) -> list[str]:
        loops = self.space.loops_around(self.block)
        return [self.space.iterators[loop].name for loop in loops]

    def domain(self) -> isl.Set:
        """{ S[i] : i in `iterations` }"""
        named = self.iterations.set_tuple_name(self.name)
        for place, name in enumerate(self.iterators):
            named = named.set_dim_name(isl.dim_type.set, place, name)
        return named

    def relation(
        self, array: str, indices: Sequence[Expr | None], extents: Sequence[Expr | None]
    ) -> isl.Map:
        """{ S[i] -> A[a] }; an index None may be anything within its extent."""
        relation = self._values([index for index in indices if index is not None])
        for place, index in enumerate(indices):
            if index is None:
                relation = relation.insert_dims(isl.dim_type.out, place, 1)
        for place, (index, extent) in enumerate(zip(indices, extents, strict=True)):
            if index is None:
                relation = relation.intersect_range(self._extent(len(indices), place, extent))
        relation = relation.set_tuple_name(isl.dim_type.in_, self.name)
        for place, name in enumerate(self.iterators):
            relation = relation.set_dim_name(isl.dim_type.in_, place, name)
        return relation.set_tuple_name(isl.dim_type.out, array)

    def _values(self, indices: Sequence[Expr]) -> isl.Map:
        """The map to the values of affine indices."""
        values = isl.PwAffList.alloc(isl.DEFAULT_CONTEXT, len(indices))
        for index in indices:
            value = self.space.pw_aff(index, self.block)
            if value.n_piece() > 1:
                value = value.gist(self.iterations).coalesce()
            values = values.add(value)
        domain, range = self.space.space(len(self.iterators)), self.space.space(len(indices))
        space = domain.map_from_domain_and_range(range)
        return isl.Map.from_multi_pw_aff(isl.MultiPwAff.from_pw_aff_list(space, values))

    def _extent(self, rank: int, place: int, extent: Expr | None) -> isl.Set:
        """{ [a] : 0 <= a[place] < extent }; anything where there is no extent: a pointer may lead
        into the middle of its object."""
        space = self.space.space(rank)
        result = isl.Set.universe(space)
        if extent is None:
            return result
        result = result.lower_bound_val(isl.dim_type.set, place, 0)
        local = isl.LocalSpace.from_space(space)
        index = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.set, place))
        limit = self.space.constant_pw_aff(extent).add_dims(isl.dim_type.in_, rank)
        return result.intersect(index.lt_set(limit))
