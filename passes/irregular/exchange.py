"""Two loops of blocks, one in the other, change places.

    header(j):  if (j < m) …        header(i):  if (i < n) …
      header(i):  if (i < n) …  =>    header(j):  if (j < m) …
        body(i, j)                      body(i, j)

The blocks stay where they are: each header counts what the other one did. What the loops count
with is computed from their own counter and from what is outside of both; whatever else stands
between them is only computed, and is computed in the body then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import cf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.ir.branches import Edge, incoming
from polyopt.ir.control.cfg import defining_block, enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_speculatable
from polyopt.support.record import record


@record
class Counted:
    """A loop that is left from its header alone, with one argument, `counter`: `start` at first,
    then `after`; as long as `stays` is what leads to `body`."""

    loop: NaturalLoop
    counter: BlockArgument
    enters: Edge
    returns: Edge
    branch: cf.ConditionalBranchOp
    body: Block
    stays_if: bool

    @property
    def start(self) -> SSAValue:
        return self.enters.values[0]

    @property
    def after(self) -> SSAValue:
        return self.returns.values[0]

    def computed(self, value: SSAValue) -> Iterator[Operation]:
        """The operations in the loop that the value is computed by, operands first."""
        return _tree(value, self.loop)

    @property
    def counts_alone(self) -> bool:
        """Its header only computes; whether it stays, and what it counts on with, is told by its
        counter and by what is outside of it."""
        return all(is_speculatable(op) for op in _computed(self.loop.header)) and _depends_only_on(
            self.counter, (self.branch.cond, self.after), self
        )


def counted(loop: NaturalLoop) -> Counted | None:
    header, exits, entries = loop.header, loop.exits(), loop.entries()
    back, branch = loop.back_edges(), header.last_op
    if len(header.args) != 1 or len(exits) != 1 or len(entries) != 1 or len(back) != 1:
        return None
    if exits[0].source is not header or not isinstance(branch, cf.ConditionalBranchOp):
        return None
    stays = Edge(branch, 1 - exits[0].position)
    body = stays.target
    if stays.values or body.args or len(incoming(body)) != 1:
        return None
    if not all(isinstance(edge.terminator, cf.BranchOp) for edge in (*entries, *back)):
        return None
    return Counted(loop, header.args[0], entries[0], back[0], branch, body, stays.position == 0)


def can_be_exchanged(outer: Counted, inner: Counted) -> bool:
    """There is nothing but arithmetic between them, and neither counts with the other's number."""
    between = [block for block in outer.loop.blocks if block not in inner.loop]
    if outer.loop.children != [inner.loop] or outer.stays_if != inner.stays_if:
        return False
    for block in between:
        if block is not outer.loop.header and not isinstance(block.last_op, cf.BranchOp):
            return False
    frame = [*between, inner.loop.header]
    if not all(is_speculatable(op) for block in frame for op in _computed(block)):
        return False
    if any(block.args for block in frame if block not in (outer.loop.header, inner.loop.header)):
        return False
    exits = (*outer.loop.exits(), *inner.loop.exits())
    if any(defining_block(value) in outer.loop for edge in exits for value in edge.values):
        return False
    return (
        _depends_only_on(outer.counter, (outer.branch.cond, outer.after), outer)
        and _depends_only_on(inner.counter, (inner.branch.cond, inner.after), outer)
        and _depends_only_on(None, (inner.start,), outer)
        and not any(_is_used_behind(block, outer.loop) for block in outer.loop.blocks)
    )


def exchange(outer: Counted, inner: Counted) -> None:
    """Requires: they can be exchanged."""
    new_outer = outer.loop.header.insert_arg(inner.counter.type, 1)
    new_inner = inner.loop.header.insert_arg(outer.counter.type, 1)
    new_outer.name_hint, new_inner.name_hint = inner.counter.name_hint, outer.counter.name_hint
    now: dict[SSAValue, SSAValue] = {outer.counter: new_inner, inner.counter: new_outer}
    starts = outer.start, inner.start
    _share_out(outer, inner, now)
    one, other = outer.branch, inner.branch
    here = _written(other.cond, one, outer.loop, now)
    there = _written(one.cond, other, outer.loop, now)
    one.operands[0], other.operands[0] = here, there
    one.location, other.location = other.location, one.location
    _pass(outer.enters, _written(starts[1], outer.enters.terminator, outer.loop, now))
    after = outer.after
    _pass(outer.returns, _written(inner.after, outer.returns.terminator, outer.loop, now))
    _pass(inner.returns, _written(after, inner.returns.terminator, outer.loop, now))
    _pass(inner.enters, starts[0])
    for block in reversed(list(outer.loop.blocks)):
        _drop_unused(block)
    for loop in (outer, inner):
        loop.loop.header.erase_arg(loop.counter)


def _pass(edge: Edge, value: SSAValue) -> None:
    """The new argument alone: the old one goes."""
    edge.redirect(edge.target, [value])


def _share_out(outer: Counted, inner: Counted, now: Mapping[SSAValue, SSAValue]) -> None:
    """What the body uses of what stood around it is computed in front of it."""
    first = inner.body.first_op
    assert first is not None
    inside = [block for block in inner.loop.blocks if block is not inner.loop.header]
    written = dict[SSAValue, SSAValue]()
    for block in inside:
        for op in block.walk():
            if op is inner.returns.terminator:
                continue
            for place, value in enumerate(op.operands):
                home = defining_block(value)
                if home in outer.loop and home not in inside:
                    if value not in written:
                        written[value] = _written(value, first, outer.loop, now)
                    op.operands[place] = written[value]


def _written(
    value: SSAValue, place: Operation, loop: NaturalLoop, now: Mapping[SSAValue, SSAValue]
) -> SSAValue:
    """The value, computed in front of `place` from the counters as they are now."""
    known = dict(now)
    for op in _tree(value, loop):
        new = op.clone(known)
        assert place.parent is not None
        place.parent.insert_op_before(new, place)
        known |= zip(op.results, new.results, strict=True)
    return known.get(value, value)


def _tree(value: SSAValue, loop: NaturalLoop) -> Iterator[Operation]:
    """The operations in the loop that the value is computed by, operands first."""
    seen = set[Operation]()

    def visit(value: SSAValue) -> Iterator[Operation]:
        op = value.owner
        if not isinstance(op, Operation) or op in seen or enclosing_block(op) not in loop:
            return
        seen.add(op)
        for operand in op.operands:
            yield from visit(operand)
        yield op

    return visit(value)


def _depends_only_on(
    counter: BlockArgument | None, values: tuple[SSAValue, ...], outer: Counted
) -> bool:
    """Besides arithmetic and what is outside of the outer loop."""
    for value in values:
        used = {value, *(operand for op in _tree(value, outer.loop) for operand in op.operands)}
        if not all(is_speculatable(op) for op in _tree(value, outer.loop)):
            return False
        for one in used:
            if isinstance(one, BlockArgument) and one is not counter:
                if one.owner in outer.loop:
                    return False
    return True


def _is_used_behind(block: Block, loop: NaturalLoop) -> bool:
    values = [*block.args, *(result for op in block.ops for result in op.results)]
    return any(enclosing_block(use.operation) not in loop for one in values for use in one.uses)


def _computed(block: Block) -> Iterator[Operation]:
    return (op for op in block.ops if op is not block.last_op)


def _drop_unused(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if op.results and is_speculatable(op) and not any(one.uses for one in op.results):
            block.erase_op(op)
