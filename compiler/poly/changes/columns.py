"""Arrays that loops read down their columns, and whether rows would be worth a copy.

    for i, for j { C[i, j] = max(C[i, j], A[j, 8] + A[3, i]) }         lanes along j

Lanes of an access that moves to another row with each of them are gathered; of the array
transposed (`layouts`) they are a part of a row. A copy reads each element that is used once
in the same bad way, so it pays where each is used often: by a loop around the one in lanes, which
the access does not move with. What lies in loops inside is loaded once anyway.

    for t, for i, for j { s = s / 2 + A[i, j] * C[j, i] }              one after the other

Where nothing is in lanes, a column costs no more than a row, as long as its lines stay until the
next one comes: not where rows lie a multiple of `set_bytes` apart, and meet in few sets.

Asked of loops in the order in which they will run. Arrays that are written stay as they are, since
what comes back costs as much again; so do those that contractions pack, and those of which a row
has as many columns in use as a vector has lanes, side by side: these are read as squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

import islpy as isl

from polyopt.poly.analysis.strides import AccessMatrices, Direction, steps_of
from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.changes.turns import parameters_with_turns
from polyopt.poly.isl.lists import sets
from polyopt.poly.isl.names import parameters_of
from polyopt.poly.isl.numbers import val
from polyopt.poly.linear.linear_forms import apply
from polyopt.poly.schedule_tree import TILE, Band, Mark, Member, Tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target

_IN, _PARAM, _SET = isl.dim_type.in_, isl.dim_type.param, isl.dim_type.set


@record(eq=False)
class Columns:
    """An array, the order of its dimensions that loops read rows of, and the parameters for which
    that pays."""

    array: str
    order: tuple[int, ...]
    often: isl.Set


def columns_as_rows(scop: Scop, tree: Tree, target: Target) -> tuple[Columns, ...]:
    """The arrays that are worth a copy in rows while the SCoP runs in this order."""
    names = [one.name for one in scop.arrays if len(one.extents) > 1 and _is_only_read(scop, one)]
    if not names:
        return ()
    matrices = AccessMatrices(scop)
    nests = [_Nest.of(matrices, *one) for one in _leaves(tree, [s.name for s in scop.statements])]
    found = (_of_array(nests, scop.array(name), target) for name in names)
    return tuple(one for one in found if one is not None)


def _is_only_read(scop: Scop, array: Array) -> bool:
    accesses = [
        access
        for statement in scop.statements
        for access in statement.accesses
        if access.array == array.name
    ]
    return bool(accesses) and all(one.is_exact and not one.is_write for one in accesses)


def _leaves(
    tree: Tree,
    names: Sequence[str],
    outer: tuple[Member, ...] = (),
    marks: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, tuple[Member, ...], frozenset[str]]]:
    """Each statement with the loops and marks around it, once for each place that it is in."""
    match tree:
        case Band(members, child):
            yield from _leaves(child, names, (*outer, *members), marks)
        case Mark(name, child):
            yield from _leaves(child, names, outer, marks | {name})
        case TreeSequence(children):
            for instances, child in children:
                here = {one.get_tuple_name() for one in sets(instances)}
                yield from _leaves(child, [one for one in names if one in here], outer, marks)
        case _:
            yield from ((name, outer, marks) for name in names)


@record(eq=False)
class _Nest:
    """A statement in its loops. `steps`: how its iterators change from one iteration of each loop
    to the next. `walk` is the loop whose iterations are next to each other when an access is made:
    that in lanes, or, where none can be, the innermost one; None where that is not known."""

    scop: Scop
    matrices: AccessMatrices
    statement: Statement
    steps: Sequence[Direction | None]
    marks: frozenset[str]
    lanes: int | None

    @staticmethod
    def of(
        matrices: AccessMatrices, name: str, members: Sequence[Member], marks: frozenset[str]
    ) -> _Nest:
        statement, steps = matrices.scop.statement(name), steps_of(name, members)
        free = [
            k
            for k, member in enumerate(members)
            if member.coincident and _iterator(steps[k]) is not None
        ]
        writes = [access for access in statement.accesses if access.is_write]
        in_rows = [
            k
            for k in free
            if all(matrices.stride(name, access, steps[k]) == 1 for access in writes)
        ]
        lanes = max(in_rows or free, default=None)
        return _Nest(matrices.scop, matrices, statement, steps, marks, lanes)

    @property
    def walk(self) -> int | None:
        known = [k for k, step in enumerate(self.steps) if _iterator(step) is not None]
        return max(known, default=None) if self.lanes is None else self.lanes

    @property
    def domain(self) -> isl.Set:
        return self.statement.domain.intersect_params(self.scop.known)

    def dimension(self, access: Access) -> int | None:
        """Along which the access goes to a neighbour in each iteration of `walk`; -1 where it
        stands still, None where it does anything else."""
        rows = self.matrices.subscripts(self.statement.name, access)
        step = None if self.walk is None else self.steps[self.walk]
        if rows is None or step is None:
            return None
        moves = [(k, abs(by)) for k, by in enumerate(apply(rows, step)) if by]
        if not moves:
            return -1
        return moves[0][0] if len(moves) == 1 and moves[0][1] == 1 else None

    def _outside(self) -> list[int]:
        """The iterators of the loops around `walk`."""
        around = self.steps[: self.walk]
        return [k for k in map(_iterator, around) if k is not None]

    def turns(self, access: Access, least: int, *, outside: bool) -> isl.Set:
        """The parameters for which a loop that the access does not move with has so many, one
        around `walk` or any."""
        rows = self.matrices.subscripts(self.statement.name, access)
        enough = isl.Set.empty(self.scop.context.get_space())
        if rows is None:
            return enough
        for k in self._outside() if outside else range(self.statement.domain.dim(_SET)):
            if not any(row[k] for row in rows):
                enough = enough.union(parameters_with_turns(self.domain, k, least))
        return enough

    def fills_squares(self, accesses: Sequence[Access], side: int) -> bool:
        """Whether so many columns side by side are used of one row, outer loops standing still."""
        columns: isl.Set | None = None
        for access in accesses:
            touched = access.relation.intersect_domain(self.domain)
            for k in sorted(self._outside(), reverse=True):
                touched = touched.move_dims(_PARAM, touched.dim(_PARAM), _IN, k, 1)
                touched = touched.set_dim_name(_PARAM, touched.dim(_PARAM) - 1, f"outside{k}")
            row = touched.range()
            row = row.project_out(_SET, 0, row.dim(_SET) - 1)
            columns = row if columns is None else columns.union(row)
        if columns is None:
            return False
        shift = isl.Map("{ [c] -> [c - 1] }")
        run = columns
        for _ in range(side - 1):
            columns = columns.apply(shift)
            run = run.intersect(columns)
        return not run.is_empty()


def _iterator(step: Direction | None) -> int | None:
    """The only one that changes, by one."""
    if step is None:
        return None
    moved = [(k, by) for k, by in enumerate(step) if by]
    return moved[0][0] if len(moved) == 1 and abs(moved[0][1]) == 1 else None


def _of_array(nests: Sequence[_Nest], array: Array, target: Target) -> Columns | None:
    rank = len(array.extents)
    chosen = set[int]()
    often: isl.Set | None = None
    for nest in nests:
        accesses = [one for one in nest.statement.accesses if one.array == array.name]
        if not accesses:
            continue
        if CONTRACT in nest.marks:
            return None
        for access in accesses:
            dimension = nest.dimension(access)
            if dimension is None or dimension == rank - 1:
                return None
            if dimension >= 0:
                chosen.add(dimension)
            enough = _pays(nest, access, array, is_still=dimension < 0)
            often = enough if often is None else often.intersect(enough)
        down = [one for one in accesses if nest.dimension(one) != -1]
        side = min(target.lanes(array.element_bytes), max(CORE.nests.whole_groups))
        if nest.lanes is not None and nest.fills_squares(down, side):
            return None
    if len(chosen) != 1 or often is None:
        return None
    (last,) = chosen
    often = often.intersect(nests[0].scop.known).coalesce()
    order = (*(k for k in range(rank) if k != last), last)
    return None if often.is_empty() else Columns(array.name, order, often)


def _pays(nest: _Nest, access: Access, array: Array, *, is_still: bool) -> isl.Set:
    """The parameters for which a copy of what the access reads is little beside what it saves, or
    beside the other uses of it."""
    model = CORE.columns
    if is_still:
        return nest.turns(access, model.uses, outside=False)
    if nest.lanes is not None:
        return nest.turns(access, model.uses, outside=True)
    walked = None if nest.walk is None else _iterator(nest.steps[nest.walk])
    if walked is None or TILE in nest.marks:
        return isl.Set.empty(nest.scop.context.get_space())
    rows = parameters_with_turns(nest.domain, walked, model.rows)
    meeting = _rows_meet(nest.scop, array).intersect(rows)
    return nest.turns(access, model.serial_uses, outside=True).intersect(meeting)


def _rows_meet(scop: Scop, array: Array) -> isl.Set:
    """The parameters for which the rows of an array lie multiples of `set_bytes` apart."""
    space, length = scop.context.get_space(), array.extents[-1] or ""
    factor = CORE.columns.set_bytes // gcd(CORE.columns.set_bytes, array.element_bytes)
    if length.isdigit():
        every = isl.Set.universe(space) if int(length) % factor == 0 else isl.Set.empty(space)
        return every.params()
    names = parameters_of(space)
    if length not in names:
        return isl.Set.empty(space).params()
    local = isl.LocalSpace.from_space(space.params())
    size = isl.PwAff.var_on_domain(local, _PARAM, names.index(length))
    return size.mod_val(val(factor)).zero_set().params()
