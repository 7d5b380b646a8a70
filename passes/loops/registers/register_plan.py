"""How many rows and vectors of a register tile: a model of the loops that run most often.

An iteration of the innermost loop of a tile of R rows and V vectors takes at least as long as its
loads, as its arithmetic, as its operations together, and as the longest way from a held value to
itself, which R * V ways hide by going side by side:

    cycles = max(loads / LOADS, arithmetic / PIPES, all / WIDTH, LATENCY * length of the way)

Loads that rows or vectors share count once; vectors of elements with a stride of s are picked from
s that are loaded, one at a time on one of the two pipes. A loop whose trip count is known is cut
into tiles without a rest where that is cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from xdsl.dialects import affine
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.fast_math import is_fused, may_reassociate
from polyopt.passes.loops.registers.nest_groups import Group
from polyopt.passes.loops.registers.register_nest import RegisterNest, element_bytes
from polyopt.passes.loops.registers.row_places import RowPlaces
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

    # As good are fewer vectors, and of those narrow ones.
    def order(plan: Plan) -> tuple[float, int, int]:
        return plan.cycles, plan.rows * plan.vectors, plan.lanes

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
    if not all(isinstance(op, Operation) and may_reassociate(op) for op in updates):
        return None
    work = _arithmetic(group)
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
    for columns in nest.column_loops():
        body = _Body.of(nest, main, columns)
        most = most_of(columns)
        for lanes in _widths(widest, element_bytes(nest)):
            if lanes < widest and (most is None or most > widest):
                continue
            for vectors in CORE.registers.vectors:
                yield from _with_rows(nest, body, columns, lanes, vectors, target)


def _widths(widest: int, element: int) -> Iterator[int]:
    lanes = widest
    while lanes >= 2 and lanes * element * 8 >= CORE.registers.least_bits:
        yield lanes
        lanes //= 2


def _with_rows(
    nest: RegisterNest,
    body: _Body,
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
        for rows in CORE.registers.rows if row_loop is not None else (1,):
            tall_enough = None if row_loop is None else _likely(nest, row_loop)
            if tall_enough is not None and rows > tall_enough:
                continue
            if not body.fits(row_loop, rows, vectors, target.vector_registers):
                continue
            total, rests = 0.0, body.rest_heights(rows, vectors)
            for tall, share in _per_row(count, tall_enough, rows, rests):
                for wide, times in across:
                    total += share * times * body.cycles(row_loop, tall, wide)
            steady = body.cycles(row_loop, rows, vectors) / (rows * vectors * lanes)
            yield Plan(columns, row_loop, lanes, vectors, rows, total, steady, rests)


def _per_row(
    count: int | None, likely: int | None, rows: int, heights: Sequence[int]
) -> list[tuple[int, float]]:
    """The heights of tiles, and how many there are of each for an iteration of the row loop. Where
    nothing is known of its length, any number of a tile's rows is left over, and goes to `heights`.
    """
    if count is None:
        total = likely or CORE.registers.assumed
        left = range(rows) if likely is None else [likely % rows]
        tiles = [(rows, (total - sum(left) / len(left)) / rows / total)]
        for above, height in zip((rows, *heights), heights, strict=False):
            number = sum(one % above // height for one in left) / len(left)
            tiles.append((height, number / total))
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


@record
class _Body:
    """The innermost code, counted."""

    moving: RowPlaces
    fixed: RowPlaces
    """What is loaded, as a vector and as one element that all lanes share."""
    arithmetic: float
    by_row: float
    """Operations in each cell, and those whose result all lanes of a row share."""
    way: float
    held: int

    @staticmethod
    def of(nest: RegisterNest, group: Group, columns: AffineLoop) -> _Body:
        loads = {
            element: None
            for op, element in group.elements.items()
            if isinstance(op, affine.LoadOp) and element not in nest.held
        }
        moving = [p for p in loads if any(f.coefficient(columns.iv) for f in p[1])]
        fixed = [p for p in loads if p not in moving]
        held = {element for element in group.elements.values() if element in nest.held}
        uniform = uniform_values(nest, group, columns)
        return _Body(
            RowPlaces(moving, columns.iv),
            RowPlaces(fixed, columns.iv),
            _arithmetic(group, lambda op: not uniform.issuperset(op.results)),
            _arithmetic(group, lambda op: uniform.issuperset(op.results)),
            _longest_way(nest, group),
            max(1, len(held)),
        )

    def fits(self, row_loop: AffineLoop | None, rows: int, vectors: int, registers: int) -> bool:
        spread = 0 if not self.fixed.places else 1
        moving = len(self.moving.places)
        in_use = rows * vectors * self.held + min(vectors, moving * vectors) + spread
        is_short = (self.arithmetic + moving) * rows * vectors <= CORE.registers.largest
        return in_use <= registers - 1 and (is_short or rows * vectors == 1)

    def rest_heights(self, rows: int, vectors: int) -> tuple[int, ...]:
        """Powers of two below the tile's, each in a loop of its own that runs once at most: a tile
        of few rows waits for its sums. Of long bodies the code is worth more: single rows."""
        operations = (self.arithmetic + len(self.moving.places)) * rows * vectors
        if operations > CORE.registers.largest_of_rests:
            return (1,)
        return tuple(1 << n for n in reversed(range((rows - 1).bit_length()))) or (1,)

    def cycles(self, row_loop: AffineLoop | None, rows: int, vectors: int) -> float:
        """One iteration of the innermost loop, for a whole tile."""
        row = None if row_loop is None else row_loop.iv
        moving, picked = self.moving.distinct(row, rows)
        fixed, _ = self.fixed.distinct(row, rows)
        picks = vectors * picked
        loads = vectors * moving + picks + fixed
        work = self.arithmetic * rows * vectors + picks * CORE.registers.pipes
        work += self.by_row * rows
        return max(
            loads / CORE.registers.loads,
            work / CORE.registers.pipes,
            (loads + work) / CORE.registers.issue,
            CORE.registers.latency * self.way,
        )


def _arithmetic(group: Group, counts: Callable[[Operation], bool] = lambda op: True) -> float:
    """A product that only a sum takes up is computed with it."""
    count = 0
    for op in group.operations:
        if isinstance(op, ElementAccess) or not op.operands or not counts(op):
            continue
        count += 0 if is_fused(op) else 1
    return count


def _longest_way(nest: RegisterNest, group: Group) -> float:
    """The most operations, one waiting for the other, from a held element to itself."""
    since: dict[SSAValue, float] = {}
    longest = 0.0
    for op in group.operations:
        if isinstance(op, affine.LoadOp):
            if group.elements[op] in nest.held:
                since[op.result] = 0.0
            continue
        known = [since[operand] for operand in op.operands if operand in since]
        if isinstance(op, affine.StoreOp):
            longest = max([longest, *known])
        elif known:
            since |= dict.fromkeys(op.results, max(known) + (0.0 if is_fused(op) else 1.0))
    return longest
