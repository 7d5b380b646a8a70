"""What the threads of a parallel region have together: objects, and sizes that they agree on.

A variable that the region makes is another one in each thread; so may be a value.
"""

from __future__ import annotations

import islpy as isl
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.expressions.integer_expr import Unknown
from polyopt.passes.openmp.races.constructs import Construct
from polyopt.passes.openmp.races.part import Part
from polyopt.passes.openmp.races.reaches import (
    Reach,
    up_to,
)


class Sharing:
    """Asks that one region after the other; what is found of a region is kept."""

    def __init__(self, part: Part):
        self.part = part
        self._inside: dict[Construct, set[Block]] = {}

    def _blocks(self, region: Construct) -> set[Block]:
        """The blocks in which a parallel region's operations stand."""
        known = self._inside.get(region)
        if known is not None:
            return known
        assert region.begin is not None
        assert region.end is not None
        start, end = enclosing_block(region.begin), enclosing_block(region.end)
        seen, pending = {start, end}, [start] if start is not end else []
        while pending:
            for edge in outgoing(pending.pop()):
                if edge.target not in seen:
                    seen.add(edge.target)
                    pending.append(edge.target)
        self._inside[region] = seen
        return seen

    def _is_made_in(self, value: SSAValue, region: Construct) -> bool:
        """Whether a parallel region computes the value, perhaps in each thread another one."""
        owner = value.owner
        block = owner if isinstance(owner, Block) else enclosing_block(owner)
        if block not in self._blocks(region):
            return False
        assert region.begin is not None
        if block is not enclosing_block(region.begin):
            return True
        return isinstance(owner, Operation) and region.begin.is_before_in_block(owner)

    def is_shared(self, base: SSAValue, region: Construct | None, inner: Construct) -> bool:
        """Whether the threads of the region have the object together; without a region around the
        loop, all that is known to be so are globals."""
        if self._is_own(base, inner, region):
            return False
        variable = self.part.view.shadows.get(base, base)
        if variable in self.part.view.homes:
            home = self.part.view.homes[variable]
            return region is not None and home not in up_to(inner, region)
        if isinstance(base.owner, cmem.AddressOfOp):
            return base.owner.symbol.string_value() not in self.part.view.thread_local
        if region is None:
            return base in self.part.view.uniform
        return not self._is_made_in(base, region)

    def _is_own(self, base: SSAValue, inner: Construct, region: Construct | None) -> bool:
        return any(base in one.own for one in up_to(inner, region))

    def is_uniform(self, touch: Reach, region: Construct | None) -> bool:
        """Whether threads agree on all sizes that say where the access goes and when."""
        instances = touch.instances
        for monomial, name in self.part.space.parameters.items():
            if all(self._agreed(atom, region) for atom in monomial):
                continue
            for one in (instances.relation, *(() if region is None else (instances.domain,))):
                place = one.find_dim_by_name(isl.dim_type.param, name)
                if place >= 0 and one.involves_dims(isl.dim_type.param, place, 1):
                    return False
        return True

    def _agreed(self, atom: object, region: Construct | None) -> bool:
        if not isinstance(atom, Unknown):
            return False
        if region is None:
            return atom.value in self.part.view.uniform
        return not self._is_made_in(atom.value, region)
