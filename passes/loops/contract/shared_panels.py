"""Column panels that the threads of a team pack together.

    omp.wsloop (part) {                          for kb, jb: { meet; pack a share of (kb, jb); meet;
      for i in share, j, k:                =>                  for ib in share: … tiles … }
        C[i, j] += A[i, k] * B[k, j] }

Each thread has rows of its own, and all have the same columns: without sharing, each would pack all
of B, which for many threads takes longer than what they do with it. The members of the team run the
blocks in step, so the blocks are those of the whole range of rows, which is the same for all; the
tiles are those of the share.

Where the rows that a block has depend on its depth, shares of the whole range are not shares of it:
each block's own rows, which are as much to do as each other, are dealt out anew (`dealt_anew`).

    k <= i, 12 rows, 2 threads     shares of 0 to 12:  0 to 6, 6 to 12      k = 4: 4 to 6, 6 to 12
                                   of each block's                          k = 4: 4 to 8, 8 to 12

Threads that share rows out may take them in any order (the loop of the rows is doall): what one of
them writes no other one reads, so that of what the panels are packed from nothing is written, but
by the member itself, before it comes to the first block or behind its last one. All meet between.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from polyopt.dialects import team
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.affine.constraints import Bounds, Constraints
from polyopt.ir.affine.linear import Form, Linear, ceiling
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.passes.loops.affine_builder import AffineBuilder

if TYPE_CHECKING:
    from xdsl.dialects import omp


def part_around(op: Operation) -> omp.WsLoopOp | None:
    """The worksharing loop of a team, if each iteration of it runs `op` exactly once, and one that
    has an empty share of the range (`team.in_step`) does nothing."""
    nest = op.parent_op()
    if nest is None or not _is_of_teams(nest):
        return None
    from xdsl.dialects import omp

    loop = nest.parent_op()
    if not isinstance(nest, omp.LoopNestOp) or not isinstance(loop, omp.WsLoopOp):
        return None
    in_team = _run_alike(loop) and loop.schedule_chunk is None
    parts = nest.body.block.args
    return loop if in_team and len(parts) == 1 and _only_shares(parts[0]) else None


def _run_alike(op: Operation) -> bool:
    """Whether all members of the team around come to it equally often: in loops, if in any, whose
    bounds are the same for all of them."""
    team_ = team_around(op)
    around = op.parent_op()
    while around is not team_:
        if not isinstance(around, affine.ForOp) or team_ is None:
            return False
        if not all(is_alike(value, team_) for value in around.operands):
            return False
        around = around.parent_op()
    return team_ is not None


def is_alike(value: SSAValue, team_: Operation) -> bool:
    """Whether all members of a team have the same there: what is known before it, iterators of
    loops that all of them run alike, and what is computed of these."""
    if not is_defined_inside(value, team_):
        return True
    op = value.owner
    if isinstance(op, Block):
        loop = op.parent_op()
        return isinstance(loop, affine.ForOp) and value is op.args[0] and _run_alike_in(loop, team_)
    return is_pure(op) and not op.regions and all(is_alike(one, team_) for one in op.operands)


def _run_alike_in(loop: affine.ForOp, team_: Operation) -> bool:
    return _run_alike(loop) and all(is_alike(one, team_) for one in loop.operands)


def _is_of_teams(op: Operation) -> bool:
    """Most modules have no teams, and no use for their dialect."""
    return op.name.startswith("omp.")


def _only_shares(part: SSAValue) -> bool:
    """Whether nothing depends on the number of the part but which share of a range it has."""
    pending, seen = [part], set[Operation]()
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if op in seen or isinstance(op, team.ShareOp):
                continue
            if not is_pure(op) and not isinstance(op, memref.LoadOp):
                return False
            seen.add(op)
            pending += op.results
    return True


def team_around(op: Operation) -> omp.ParallelOp | None:
    around = op.parent_op()
    while around is not None and not _is_of_teams(around):
        around = around.parent_op()
    if around is None:
        return None
    from xdsl.dialects import omp

    return around if isinstance(around, omp.ParallelOp) else team_around(around)


def whole_domain(
    domain: Constraints, rows: SSAValue, iterators: Sequence[SSAValue], team_: Operation
) -> Constraints | None:
    """The points of all members, where a member's are those of its share of the rows, and nothing
    else that only it knows has a say in the domain; else None."""
    forms: list[Linear] = []
    shares = set[team.ShareOp]()
    for form in domain.forms:
        own = [v for v in form.values if v not in iterators and not is_alike(v, team_)]
        if not own:
            forms.append(form)
            continue
        if not all(_is_of_share(value) for value in own):
            return None
        shares |= shares_in([form])
        if any(form.coefficient(iv) for iv in iterators if iv is not rows):
            return None
    if len(shares) != 1:
        return None
    (share,) = shares
    lower, upper = _form(share.lower), _form(share.upper)
    if not all(is_alike(v, team_) for form in (lower, upper) for v in form.values):
        return None
    row = Linear.of(rows)
    if not any(form.coefficient(rows) > 0 for form in forms):
        forms.append(row - lower)
    if not any(form.coefficient(rows) < 0 for form in forms):
        forms.append(upper - row - 1)
    return Constraints(tuple(forms))


def _is_of_share(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, team.ShareOp)


def shares_in(forms: Iterable[Linear]) -> set[team.ShareOp]:
    """The shares that forms speak of."""
    owners = {value.owner for form in forms for value in form.values}
    return {op for op in owners if isinstance(op, team.ShareOp)}


def dealt_anew(
    builder: AffineBuilder, op: Operation, share: team.ShareOp, rows: Bounds, grain: int
) -> dict[SSAValue, Linear]:
    """What the ends of the share of `op` are to be among these rows, of those in the range that it
    is a part of: with n of them from l on, part p of t ends where the next one begins, at

        l + min(n, ceil(n (p + 1) / t, grain))"""
    nest = op.parent_op()
    while nest is not None and not _is_of_teams(nest):
        nest = nest.parent_op()
    assert nest is not None
    part, count = Linear.of(nest.regions[0].block.args[0]), nest.operands[1]
    start = builder.maximum([*rows.lowers, _form(share.lower)])
    end = builder.minimum([*rows.uppers, _form(share.upper)])
    length = builder.maximum([end - start, Linear()])
    places = dict[SSAValue, Linear]()
    for old, number in zip(share.results, (part, part + 1), strict=True):
        product = builder.insert(arith.MuliOp(builder.value(length), builder.value(number)))
        before = builder.insert(arith.DivUIOp(product.result, count)).result
        grains = builder.value(ceiling(Linear.of(before), grain))
        places[old] = start + builder.minimum([Linear.of(grains) * grain, length])
    return places


@contextmanager
def worksharing_loop(
    builder: AffineBuilder, uppers: Sequence[Form], name: str
) -> Generator[Linear]:
    """The iterations from 0 to before the least of the uppers, dealt out among the members of the
    team, who meet behind them."""
    from xdsl.dialects import omp

    count = builder.value(builder.minimum(uppers))
    zero, one = builder.value(Linear()), builder.value(Linear((), 1))
    body = Block(arg_types=[IndexType()])
    body.args[0].name_hint = name
    outside, builder.block = builder.block, body
    yield Linear.of(body.args[0])
    builder.insert(omp.YieldOp())
    builder.block = outside
    nest = omp.LoopNestOp.build(operands=[[zero], [count], [one]], regions=[Region(body)])
    nest.location = builder.like.location
    builder.insert(
        omp.WsLoopOp.build(
            operands=[[], [], [], [], [], [], []],
            properties={"schedule_kind": omp.ScheduleKindAttr(omp.ScheduleKind.STATIC)},
            regions=[Region(Block([nest]))],
        )
    )


def _form(value: SSAValue) -> Linear:
    number = constant_integer(value)
    return Linear.of(value) if number is None else Linear((), number)
