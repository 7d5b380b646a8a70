"""The tile-simd scheduler: the loop best for SIMD strip-mined by what L1 holds, and moved inside.

Huang Z., Shang J., Chen M., Han L., Automatic vectorization optimization based on LLVM-Polly,
2020. On every permutable band of isl's schedule that has one statement:

    Algorithm 1   the loop along which most accesses are of consecutive or of unchanging elements
    Algorithm 2   its strip, formula (1): what one loaded array may keep of L1, whole vectors only
                  T = floor(L1 / (loads * bytes) / lanes) * lanes
    formula (2)   where another loop was innermost, that one is unrolled by
                  U = ceil(sqrt(lanes * latency * throughput) / lanes) * lanes

    (f_1, ..., f_b, ..., f_n)   =>   (f_1, ..., T floor(f_b / T), ..., f_n, f_b)

As in the paper's figure 3(d) the loops outside the strip are not tiled; Algorithm 2, which sets
them to 32, is had with `outer_tile=32`. An invariant element counts for a loop only if it is
read: a write that does not move is a reduction, which is no gain for SIMD. Of loops that are
equally good the innermost is taken.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, sqrt

import islpy as isl

from polyopt.poly.changes.components import distribute
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.linear.linear_forms import (
    apply,
    directions,
    function_of,
    independent,
    subscripts_of,
)
from polyopt.poly.matrix.nests import join_bands
from polyopt.poly.schedule_tree import (
    POINT,
    TILE,
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    UnsupportedTree,
    build_schedule,
    read_tree,
)
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.isl_scheduler import schedule_with_isl
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.tiling import JAM, UNROLL, tile_function
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target

Functions = tuple[isl.UnionPwAff, ...]


@record
class Traffic:
    """What one iteration reads: `loads` array elements; the largest element touched has `bytes`."""

    loads: int
    bytes: int


def schedule_tile_simd(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """isl's schedule, its loops distributed so that nests are perfect, strip-mined for SIMD."""
    schedule = schedule_with_isl(scop, dependences, replace(options, fuse="min"))
    try:
        tree = read_tree(schedule)
    except UnsupportedTree:
        return schedule
    pairs = dependences.validity
    tree = join_bands(distribute(tree, pairs), pairs)
    target = Target.named(options.march)
    return build_schedule(schedule.get_domain(), _tile(scop, tree, (), target, options.outer_tile))


def strip_size(target: Target, traffic: Traffic) -> int:
    """Formula (1)."""
    lanes = target.lanes(traffic.bytes)
    elements = target.l1_bytes // (max(1, traffic.loads) * traffic.bytes)
    return max(lanes, elements // lanes * lanes)


def unroll_count(target: Target, traffic: Traffic) -> int:
    """Formula (2), within the registers."""
    lanes = target.lanes(traffic.bytes)
    in_flight = lanes * target.vector_load_latency * target.vector_load_throughput
    return min(CORE.tiles.unrolled_copies, ceil(sqrt(in_flight) / lanes) * lanes)


def simd_loop(statement: Statement, outer: Functions, members: tuple[Member, ...]) -> int | None:
    """Algorithm 1: the position among `members` of the loop best for SIMD; None if no loop
    without dependences writes consecutive elements, or the functions are unknown."""
    functions = (*outer, *(member.function for member in members))
    rows = [function_of(function, statement.name) for function in functions]
    known = [row for row in rows if row is not None]
    chosen = independent(known)
    if len(known) != len(rows) or not set(range(len(outer), len(rows))) <= set(chosen):
        return None
    steps = directions([known[k] for k in chosen])
    if steps is None:
        return None
    best, best_score = None, 0
    for axis in [k for k, member in enumerate(members) if member.coincident]:
        score = _suited(statement, steps[chosen.index(len(outer) + axis)])
        if score and score >= best_score:
            best, best_score = axis, score
    return best


def traffic_of(scop: Scop, statement: Statement) -> Traffic:
    arrays = [access for access in statement.accesses if scop.array(access.array).extents]
    sizes = [scop.array(access.array).element_bytes for access in arrays]
    return Traffic(sum(not access.is_write for access in arrays), max(sizes, default=8))


def _suited(statement: Statement, step: tuple[Fraction, ...]) -> int:
    """How many accesses are good for SIMD along `step`; 0 if what is written is scattered."""
    count = 0
    for access in statement.accesses:
        subscripts = subscripts_of(access.relation)
        if subscripts == ():
            continue
        *first, last = apply(subscripts, step) if subscripts else (Fraction(1),) * 2
        is_near = not any(first) and abs(last) <= 1
        if access.is_write and not (is_near and last):
            return 0
        count += is_near
    return count


def _tile(scop: Scop, tree: Tree, outer: Functions, target: Target, outer_tile: int) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=_tile(scop, child, outer, target, outer_tile))
        case Sequence(children):
            return replace(
                tree,
                children=tuple(
                    (one, _tile(scop, child, outer, target, outer_tile)) for one, child in children
                ),
            )
        case Band(members, child, permutable):
            statement = _only_statement(scop, tree)
            if statement is None or not permutable or not isinstance(child, Leaf):
                functions = tuple(member.function for member in members)
                below = _tile(scop, child, (*outer, *functions), target, outer_tile)
                return replace(tree, child=below)
            best = simd_loop(statement, outer, members)
            if best is None:
                return tree
            return _strip_mined(tree, best, target, traffic_of(scop, statement), outer_tile)


def _only_statement(scop: Scop, band: Band) -> Statement | None:
    """The statement of the band, if it has one only."""
    names = {
        part.get_domain_space().get_tuple_name(isl.dim_type.set)
        for part in pw_affs(band.members[0].function)
    }
    return scop.statement(str(names.pop())) if len(names) == 1 else None


def _strip_mined(band: Band, best: int, target: Target, traffic: Traffic, outer_tile: int) -> Tree:
    """The band with its loop `best` in strips, and the loop in a strip moved inside; the band
    itself where that loop is the innermost already."""
    *first, chosen = band.members[: best + 1]
    inner = band.members[best + 1 :]
    if not inner:
        return band
    size = strip_size(target, traffic)
    tiles = [_tiled(member, outer_tile) for member in first] + [_tiled(chosen, size)]
    points = first if outer_tile > 1 else []
    *middle, last = inner
    copies = unroll_count(target, traffic)
    inside = Mark(
        JAM, Mark(UNROLL, Band((last,), Mark(POINT, Band((chosen,), band.child)), permutable=True))
    )
    around = Band((*points, *middle, _tiled(last, copies)), inside, permutable=True)
    return Mark(TILE, Band(tuple(tiles), Mark(POINT, around), permutable=True))


def _tiled(member: Member, size: int) -> Member:
    return member if size <= 1 else Member(tile_function(member.function, size), member.coincident)
