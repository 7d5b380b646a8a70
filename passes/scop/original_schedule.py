"""The schedule tree of the original execution order."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl
from xdsl.ir import Block

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.passes.scop.access_relations import StatementSpace


def original_schedule(
    space: AffineSpace, blocks: Sequence[Block], statements: Sequence[StatementSpace]
) -> isl.Schedule:
    """Bands for loops, sequences for what follows each other. `blocks` are the region's in
    reverse postorder, `statements` stand in that order and in their block's."""
    by_block: dict[Block, list[StatementSpace]] = {}
    for statement in statements:
        by_block.setdefault(statement.block, []).append(statement)
    builder = _Builder(space, by_block, {block: place for place, block in enumerate(blocks)})
    schedule = builder.sequence(None, list(by_block))
    assert schedule is not None
    return schedule


class _Builder:
    def __init__(
        self,
        space: AffineSpace,
        statements: dict[Block, list[StatementSpace]],
        position: dict[Block, int],
    ):
        self.space = space
        self.statements = statements
        self.position = position

    def sequence(self, scope: NaturalLoop | None, blocks: Sequence[Block]) -> isl.Schedule | None:
        """The order of the statements of `blocks`, all inside `scope`."""
        inner: dict[NaturalLoop, list[Block]] = {}
        parts: list[tuple[int, Block | NaturalLoop]] = []
        for block in blocks:
            child = self._child(scope, block)
            if child is None:
                parts.append((self.position[block], block))
                continue
            if child not in inner:
                parts.append((self.position[child.header], child))
            inner.setdefault(child, []).append(block)
        result: isl.Schedule | None = None
        for _, part in sorted(parts, key=lambda part: part[0]):
            if isinstance(part, Block):
                schedule = self._statements(part)
            else:
                schedule = self._loop(part, inner[part])
            result = schedule if result is None else result.sequence(schedule)
        return result

    def _child(self, scope: NaturalLoop | None, block: Block) -> NaturalLoop | None:
        """The loop directly inside `scope` that `block` is in."""
        around = self.space.loops_around(block)
        depth = 0 if scope is None else around.index(scope) + 1
        return around[depth] if depth < len(around) else None

    def _statements(self, block: Block) -> isl.Schedule:
        first, *others = (
            isl.Schedule.from_domain(isl.UnionSet.from_set(statement.domain()))
            for statement in self.statements[block]
        )
        for other in others:
            first = first.sequence(other)
        return first

    def _loop(self, loop: NaturalLoop, blocks: Sequence[Block]) -> isl.Schedule:
        body = self.sequence(loop, blocks)
        assert body is not None
        value = isl.UnionPwAff.empty(self.space.space(0).params())
        for block in blocks:
            for statement in self.statements[block]:
                value = value.union_add(isl.UnionPwAff.from_pw_aff(self._iterator(loop, statement)))
        return body.insert_partial_schedule(isl.MultiUnionPwAff.from_union_pw_aff(value))

    def _iterator(self, loop: NaturalLoop, statement: StatementSpace) -> isl.PwAff:
        """{ S[.., i, ..] -> [i] }, or -i where the loop counts down."""
        domain = isl.Set.universe(statement.domain().get_space())
        local = isl.LocalSpace.from_space(domain.get_space())
        place = self.space.loops_around(statement.block).index(loop)
        value = isl.Aff.var_on_domain(local, isl.dim_type.set, place)
        if self.space.iterators[loop].direction < 0:
            value = value.neg()
        return isl.PwAff.from_aff(value)
