"""How many rows and vectors of a register tile: a model of the loops that run most often.

An iteration of the innermost loop of a tile of R rows and V vectors takes at least as long as its
loads, as its arithmetic, as its operations together, and as the longest way from a held value to
itself, which R * V ways hide by going side by side:

    cycles = max(loads / LOADS, arithmetic / PIPES, all / WIDTH, LATENCY * length of the way)

Loads that rows or vectors share count once; vectors of elements with a stride of s are picked from
s that are loaded, one at a time on one of the two pipes; iterations that run together load these
once (`serial_steps.py`), and what does not move with it is computed in front of it. A loop whose
trip count is known is cut into tiles without a rest where that is cheaper. Strided columns are
gathered, at so much for each lane, which pays where rows share what is gathered, or where sums in
the order of the source have nothing to be vectors of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from xdsl.dialects import affine
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.idioms.updates import is_order_free
from polyopt.passes.loops.divider import waits_for_divider
from polyopt.passes.loops.registers.folded_rows import folded, most_folded
from polyopt.passes.loops.registers.nest_groups import Group
from polyopt.passes.loops.registers.register_nest import RegisterNest, element_bytes
from polyopt.passes.loops.registers.tile_body import TileBody, arithmetic_of, least_rows
from polyopt.passes.loops.registers.uniform_values import uniform_values
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class Plan:
    """`rows` iterations of `row_loop` by `vectors` of `lanes` iterations of `columns`."""

    columns: AffineLoop
    row_loop: AffineLoop | None
    lanes: int
    vectors: int
    rows: int
    cycles: float
    """For each instance of the columns and rows."""
    steady: float
    """The same in whole tiles."""
    rests: tuple[int, ...]
    """The heights of the tiles that rows are left to, where their number is not known."""
    repeats: bool = False
    """Whether a row stands in, in such tiles, for a few that are not there (`least_rows`)."""
    most_folded: int = 1
    """How many rows a vector may hold (`folded_rows.py`)."""


def extent_of(loop: AffineLoop) -> int | None:
    """The number of iterations, where it is known."""
    is_known = len(loop.lowers or ()) == 1 == len(loop.uppers or ())
    return most_of(loop) if is_known else None


def most_of(loop: AffineLoop) -> int | None:
    """A number that the iterations do not exceed, where the bounds show one."""
    extents = [upper - lower for upper in loop.uppers or () for lower in loop.lowers or ()]
    return min((one.constant for one in extents if not one.terms), default=None)


def best_plan(nest: RegisterNest, target: Target) -> Plan | None:
    extents = [most_of(loop) for loop in nest.parallel]
    if any(extent is not None and extent <= 0 for extent in extents):
        return None
    plans = [plan for plan in _plans(nest, target) if plan.lanes > 1]

    # As good are fewer vectors, and of those narrow ones. Sums of the same parts are the same: what
    # they differ by as floating-point numbers would choose the largest code at random.
    # Where a line takes as long as two halves, it does.
    def order(plan: Plan) -> tuple[float, int, int]:
        is_line = plan.lanes * element_bytes(nest) == target.line_bytes
        times = 2 if is_line and target.halves_lines else 1
        return round(times * plan.cycles, 9), plan.rows * plan.vectors, plan.lanes

    return min(plans, key=order, default=None)


def cycles_along(nest: RegisterNest, target: Target) -> float | None:
    """What an instance takes if the innermost serial loop is the one in vectors, which its sums
    must permit; None where that is no way to go."""
    group = max(nest.groups, key=lambda group: (len(group.loops), len(group.operations)))
    if not group.loops:
        return None
    loop, lanes = group.loops[-1], target.lanes(element_bytes(nest))
    extent = extent_of(loop)
    if extent is not None and extent < 2 * lanes:
        return None
    loads = 0
    for op, (array, forms) in group.elements.items():
        if (array, forms) in nest.held:
            continue
        *others, last = [form.coefficient(loop.iv) for form in forms] or [0]
        if any(others) or last not in (0, 1):
            return None
        loads += last if isinstance(op, affine.LoadOp) else 0
    updates = [op.value.owner for op in group.accesses if isinstance(op, affine.StoreOp)]
    if not all(isinstance(op, Operation) and is_order_free(op) for op in updates):
        return None
    work = arithmetic_of(group)
    return (
        max(
            loads / CORE.registers.loads,
            work / CORE.registers.pipes,
            (loads + work) / CORE.registers.issue,
        )
        / lanes
    )


def _plans(nest: RegisterNest, target: Target) -> Iterator[Plan]:
    widest = target.lanes(element_bytes(nest))
    main = max(nest.groups, key=lambda group: (len(group.loops), len(group.operations)))
    if waits_for_divider(main.operations, target):
        widest //= 2
    still = _standing_still(nest, main)
    for columns in nest.column_loops():
        body = TileBody.of(nest, main, columns, target, still)
        least = _least_rows(main)
        most = most_of(columns)
        for lanes in _widths(widest, element_bytes(nest)):
            if lanes < widest and not _may_be_narrower(most, lanes, widest, target):
                continue
            for vectors in CORE.registers.vectors:
                for plan in _with_rows(nest, body, columns, lanes, vectors, target):
                    if not body.scattered.places or (plan.rows >= least and _spares(plan, body)):
                        yield plan


def _may_be_narrower(most: int | None, lanes: int, widest: int, target: Target) -> bool:
    """Are columns no more than one vector, or such that halves of a line, which take half as long,
    leave less over than lines do?"""
    if most is None or most <= widest:
        return most is not None
    return target.halves_lines and 2 * lanes == widest and 0 < most % widest <= lanes


def _standing_still(nest: RegisterNest, main: Group) -> set[SSAValue]:
    """What all iterations of the innermost serial loop compute alike, which LLVM does in front of
    it, where they are so many that once is nothing."""
    most = most_of(main.loops[-1]) if main.loops else 0
    if most is not None and most < CORE.registers.standing:
        return set()
    return uniform_values(nest, main, main.loops[-1])


def _least_rows(main: Group) -> int:
    """One row is better off transposed, in lanes around one serial loop (`affine-lanes`), or in
    vectors along the sum, where that may have any order."""
    sums = [op.value.owner for op in main.accesses if isinstance(op, affine.StoreOp)]
    is_free = all(isinstance(op, Operation) and is_order_free(op) for op in sums)
    return 2 if len(main.loops) == 1 or is_free else 1


def _spares(plan: Plan, body: TileBody) -> bool:
    """Is a tile that gathers its columns enough ahead of one iteration at a time?"""
    return plan.steady <= CORE.registers.gathered_gain * body.alone()


def _widths(widest: int, element: int) -> Iterator[int]:
    lanes = widest
    while lanes >= 2 and lanes * element * 8 >= CORE.registers.least_bits:
        yield lanes
        lanes //= 2


def _with_rows(
    nest: RegisterNest,
    body: TileBody,
    columns: AffineLoop,
    lanes: int,
    vectors: int,
    target: Target,
) -> Iterator[Plan]:
    known, likely = extent_of(columns), _likely(nest, columns)
    if likely is not None and vectors > 1 and (vectors - 1) * lanes >= likely:
        return
    across = _per_column(known, likely, lanes, vectors)
    for row_loop in (None, *nest.row_loops(columns)):
        count = None if row_loop is None else extent_of(row_loop)
        tall_enough = None if row_loop is None else _likely(nest, row_loop)
        for rows in CORE.registers.rows if row_loop is not None else (1,):
            if tall_enough is not None and rows > tall_enough:
                continue
            if not body.fits(row_loop, rows, vectors, target.vector_registers):
                continue
            folds = _folds(nest, body, columns, row_loop, lanes, target)
            rests = body.rest_heights(rows, vectors)
            repeats = folds == (1,) and body.may_repeat(row_loop, rests, vectors, lanes)
            least = [(height, least_rows(height, repeats=repeats)) for height in rests]
            tiles = _per_row(count, tall_enough, rows, least)
            for most in folds:
                total = sum(
                    share * times * body.cycles(row_loop, tall, wide, lanes, folded(tall, most))
                    for tall, share in tiles
                    for wide, times in across
                )
                steady = body.cycles(row_loop, rows, vectors, lanes, folded(rows, most))
                steady /= rows * vectors * lanes
                yield Plan(
                    *(columns, row_loop, lanes, vectors, rows, total, steady, rests),
                    repeats,
                    most,
                )


def _folds(
    nest: RegisterNest,
    body: TileBody,
    columns: AffineLoop,
    rows: AffineLoop | None,
    lanes: int,
    target: Target,
) -> tuple[int, ...]:
    """How many rows a vector may hold: one, or as many as there is room for; half a line where two
    halves take no longer, which need no shuffles (Zen 4: batches of products of 4 x 4 doubles 42.1
    and 40.1 us, of which the memory takes the most)."""
    if rows is None or extent_of(columns) != lanes or body.scattered.places:
        return (1,)
    widest = target.lanes(element_bytes(nest))
    if target.halves_lines:
        widest = min(widest, target.line_bytes // 2 // element_bytes(nest))
    most = most_folded(nest, columns, rows, lanes, widest)
    return (1,) if most == 1 else (1, most)


def _per_row(
    count: int | None, likely: int | None, rows: int, rests: Sequence[tuple[int, int]]
) -> list[tuple[int, float]]:
    """The heights of tiles, and how many there are of each for an iteration of the row loop. Where
    nothing is known of its length, any number of a tile's rows is left over, and goes to `rests`,
    each a height with the least number of rows that is not left to others."""
    if count is None:
        total = likely or CORE.registers.assumed
        left = list(range(rows)) if likely is None else [likely % rows]
        tiles = [(rows, (total - sum(left) / len(left)) / rows / total)]
        for height, least in rests:
            numbers = [(one + height - least) // height for one in left]
            left = [max(0, one - number * height) for one, number in zip(left, numbers)]
            tiles.append((height, sum(numbers) / len(left) / total))
        return tiles
    rest = count % rows
    return [(rows, count // rows / count), *([(rest, 1 / count)] if rest else [])]


def _per_column(
    known: int | None, likely: int | None, lanes: int, vectors: int
) -> list[tuple[int, float]]:
    """The same for vectors of a strip, for an iteration of the columns."""
    width, total = lanes * vectors, known or likely or CORE.registers.assumed
    if known is None:
        # What is left over goes one vector at a time.
        rest = vectors / 2 if likely is None else ceil(likely % width / lanes)
        whole = total / width if likely is None else total // width
        return [(vectors, whole / total), (1, rest / total)]
    rest = ceil(total % width / lanes)
    return [(vectors, total // width / total), *([(rest, 1 / total)] if rest else [])]


def _likely(nest: RegisterNest, loop: AffineLoop) -> int | None:
    """How many iterations there are at most, or so many as arrays of constant extents have room
    for; None where nothing tells."""
    found = [most] if (most := most_of(loop)) is not None else []
    for group in nest.groups:
        for array, forms in group.elements.values():
            for form, extent in zip(forms, memref_type(array).get_shape(), strict=True):
                if form.coefficient(loop.iv) == 1 and extent != DYNAMIC_INDEX:
                    found.append(extent)
    return min((one for one in found if one > 0), default=None)
