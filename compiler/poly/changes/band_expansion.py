"""Expansion of temporaries where it sets loops free.

    for i { s = 0; for j s += A[i, j]; C[i] = s }     s -> s_x[i]: the rows may run in any order

The values of a temporary fall apart into webs (`storage.find_webs`); of a web, only its false
dependences tie the iterations of the loops outside of its zones. What these loops could be without
is asked of the source's own loops, nest by nest: their freedom (`poly/changes/freedom.py`) with
every web expanded over its innermost loops, one loop, then two, and so on. The first number of
loops wins that makes a permutable band larger, else the first that makes a loop parallel: the loops
further out keep using the same places again. A web that turns out not to matter stays where it is.

After D. E. Maydan, S. P. Amarasinghe, M. S. Lam, Array Data-Flow Analysis and its Use in Array
Privatization, POPL 1993, with P. Feautrier's exact values (Array Expansion, ICS 1988) instead of
last-write trees.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.changes.expansion import is_subscript, move_over
from polyopt.poly.changes.freedom import Freedom, freedom
from polyopt.poly.changes.storage import Move, Web, apply_moves, find_webs
from polyopt.poly.dependences import OPERATIONS, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.isl.lists import sets
from polyopt.poly.schedule_tree import Sequence, Tree, bands
from polyopt.poly.scop import Array, Scop, Statement
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record(eq=False)
class Candidate:
    """A web and the loops that it may be expanded over, as dimensions, outermost first."""

    web: Web
    dims: tuple[int, ...]

    def innermost(self, count: int) -> tuple[int, ...]:
        return self.dims[-count:]


def find_candidates(scop: Scop, arrays: Collection[str] = ()) -> list[Candidate]:
    """The webs with loops to be expanded over, of all arrays or of those named."""
    found: list[Candidate] = []
    for array in scop.arrays:
        if (arrays and array.name not in arrays) or not _is_temporary(scop, array.name):
            continue
        if not arrays and _is_small_block(scop, array):
            continue
        for web in find_webs(scop, array):
            dims = tuple(dim for dim in range(web.depth) if not is_subscript([web], dim))
            if dims:
                found.append(Candidate(web, dims))
    return found


def _is_small_block(scop: Scop, array: Array) -> bool:
    """Whether it has two dimensions or more, and takes little memory as a whole, whatever the
    parameters are."""
    rank = len(array.extents)
    touched = [
        one.domain.intersect_params(scop.known).apply(access.relation)
        for one in scop.statements
        for access in one.accesses
        if access.array == array.name and rank > 1
    ]
    size = array.element_bytes
    for dim in range(rank):
        ends = [one.dim_max_val(dim) for one in touched]
        if not all(end.is_int() for end in ends):
            return False
        size *= max((end.to_python() for end in ends), default=0) + 1
    return rank > 1 and size <= CORE.code.small_block


def _is_temporary(scop: Scop, array: str) -> bool:
    """Written and read, by fewer subscripts than there are loops around."""
    accesses = [(a, s) for s in scop.statements for a in s.accesses if a.array == array]
    if {a.is_write for a, _ in accesses} != {True, False}:
        return False
    return any(
        s.domain.dim(isl.dim_type.set) > a.relation.dim(isl.dim_type.out) for a, s in accesses
    )


Choice = dict[Candidate, tuple[int, ...]]
"""The loops that each web is expanded over."""


def choose(scop: Scop, tree: Tree, candidates: Seq[Candidate]) -> Choice:
    """Which webs to expand over which loops; empty where that frees nothing."""
    if not candidates:
        return {}
    dependences = _Dependences(scop, candidates)
    choice: Choice = {}
    for nest, instances in _nests(tree):
        inside = [one for one in candidates if _statements(one.web) <= _names(instances)]
        if _only_meet_rows(scop, inside):
            continue
        choice |= _choose_in(_Judge(nest, instances, dependences), inside)
    return choice


def _only_meet_rows(scop: Scop, candidates: Seq[Candidate]) -> bool:
    """Whether what most loops are around only takes elements of rows, which one loop each goes
    along, into the temporaries: `for x { r = 0; for k r = r * x[i] + c[k]; … }`. Every element of
    one row meets every one of another; that is little data, of which tiles of registers hold what
    is used again, and expanded temporaries would be rows more to load and store. Where no row is
    met, as in a network that sorts, the temporaries are all there is."""
    temporaries = {one.web.array.name for one in candidates}
    names = {name for one in candidates for name in _innermost(one.web)}
    inner = [s for s in scop.statements if s.name in names]
    others = [(s, a) for s in inner for a in s.accesses if a.array not in temporaries]
    return (
        bool(others)
        and all(s.domain.dim(isl.dim_type.set) > 1 for s in inner)
        and not any(a.is_write for _, a in others)
        and all(_moving_loops(a.relation) <= 1 for _, a in others)
    )


def _moving_loops(relation: isl.Map) -> int:
    """How many of a statement's loops the subscripts change with."""
    dims = range(relation.dim(isl.dim_type.in_))
    return sum(relation.involves_dims(isl.dim_type.in_, dim, 1) for dim in dims)


def _nests(tree: Tree) -> list[tuple[Tree, isl.UnionSet]]:
    """What runs one after the other: webs of different nests have nothing to do with each other."""
    if isinstance(tree, Sequence):
        return [(child, instances) for instances, child in tree.children]
    return [(tree, bands(tree)[0].members[0].function.domain())] if bands(tree) else []


def _choose_in(judge: _Judge, candidates: Seq[Candidate]) -> Choice:
    names = {name for candidate in candidates for name in _innermost(candidate.web)}
    base = reached = judge.freedom({}, names) if candidates else Freedom(0, 0)
    best: Choice = {}
    for others in range(max((len(c.dims) for c in candidates), default=0)):
        choice = {candidate: candidate.innermost(others + 1) for candidate in candidates}
        found = judge.freedom(choice, names)
        if found.band > base.band:
            best, reached = choice, found
            break
        if not best and found.parallel > base.parallel:
            best, reached = choice, found
    for candidate in list(best):
        without = {one: dims for one, dims in best.items() if one is not candidate}
        if judge.freedom(without, names) == reached:
            best = without
    return best


def _statements(web: Web) -> set[str]:
    return {statement.name for statement in web.statements}


def _innermost(web: Web) -> set[str]:
    """The statements that most loops are around: the others only begin and end what these do."""
    depths = {s.name: s.domain.dim(isl.dim_type.set) for s in web.statements}
    return {name for name, depth in depths.items() if depth == max(depths.values())}


def _names(instances: isl.UnionSet) -> set[str]:
    return {one.get_tuple_name() or "" for one in sets(instances)}


@record(eq=False)
class _Judge:
    """Says how free the loops of a nest are with some webs expanded."""

    tree: Tree
    instances: isl.UnionSet
    dependences: _Dependences

    def freedom(self, choice: Choice, statements: Collection[str]) -> Freedom:
        pairs = self.dependences.after(choice)
        inside = pairs.intersect_domain(self.instances).intersect_range(self.instances)
        return freedom(self.tree, inside.coalesce(), statements)


class _Dependences:
    """The dependences with some webs expanded. Those by each array are computed once for each
    choice of its webs."""

    def __init__(self, scop: Scop, candidates: Seq[Candidate]):
        self._scop = scop
        self._arrays = sorted({candidate.web.array.name for candidate in candidates})
        others = {array.name for array in scop.arrays}.difference(self._arrays)
        self._rest = self._validity(_restricted(scop, others), reassociate=True)
        self._known: dict[tuple[object, ...], isl.UnionMap] = {}

    def after(self, choice: Choice) -> isl.UnionMap:
        pairs = self._rest
        for array in self._arrays:
            own = {one: dims for one, dims in choice.items() if one.web.array.name == array}
            pairs = pairs.union(self._by_array(array, own))
        return pairs

    def _by_array(self, array: str, choice: Choice) -> isl.UnionMap:
        """The dependences by one array and those that take over from it."""
        key = (array, *choice.items())
        if key not in self._known:
            moves = moves_of(self._scop, choice)
            names = {array, *(move.array.name for move in moves)}
            moved = _restricted(apply_moves(self._scop, moves), names)
            self._known[key] = self._validity(moved)
        return self._known[key]

    @staticmethod
    def _validity(scop: Scop, *, reassociate: bool = False) -> isl.UnionMap:
        """Raises BudgetExceeded where all that is known is that what comes later comes later:
        such an order frees no loop, whatever is expanded."""
        found = compute_dependences(scop, reassociate=reassociate)
        if found.precision == "order":
            raise BudgetExceeded("dependences with temporaries expanded", OPERATIONS)
        return found.validity


def moves_of(scop: Scop, choice: Choice) -> list[Move]:
    """The places of the webs chosen, each in an array of its own."""
    moves: list[Move] = []
    for candidate, dims in choice.items():
        known = apply_moves(scop, moves)
        moves.append(move_over(known, [candidate.web], dims))
    return moves


def _restricted(scop: Scop, arrays: set[str]) -> Scop:
    """The SCoP as far as these arrays see it."""
    statements: list[Statement] = []
    for one in scop.statements:
        accesses = tuple(a for a in one.accesses if a.array in arrays)
        reductions = tuple(r for r in one.reductions if r.array in arrays)
        if accesses:
            statements.append(replace(one, accesses=accesses, reductions=reductions))
    seen = replace(scop, statements=tuple(statements))
    return seen.with_schedule(scop.schedule.intersect_domain(seen.domain))
