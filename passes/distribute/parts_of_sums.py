"""A SCoP with sums in parts: its statements, and its order.

    for t: for i: sum += f(i)         =>    for t: for c: part[c] = neutral
                                            for t: for c, r with i = chunk*c + r: part[c] += f(i)
                                            for t: for c: sum += part[c]

What a part is, `Sum` says, of one that `partial_sums` has found.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import islpy as isl
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.dialects.poly import MapAttr, ReadOp, ScheduleAttr, ScopOp, SetAttr, StmtOp, WriteOp
from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.ir.problem import Problem
from polyopt.passes.distribute.joined_parts import joined, without_overflow
from polyopt.passes.parallel.code import INDEX
from polyopt.poly.isl.lists import pieces, sets
from polyopt.poly.schedule_tree import (
    LEAF,
    Band,
    Mark,
    Member,
    Sequence,
    Tree,
    build_schedule,
    map_tree,
)
from polyopt.poly.scop import Reduction, Scop, Statement
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_Set = isl.dim_type.set


@record(eq=False)
class Sum:
    """The sum, the operation that combines, and how many loops there are around the one that is
    cut: in them, it goes on from what it was. `split`: { S[…, i, …] -> S[…, c, r, …] }, i is the
    r-th of chunk c; `chunks`: { [c] : chunk c has instances }."""

    statement: Statement
    reduction: Reduction
    op: StmtOp
    combine: Operation
    depth: int

    @cached_property
    def length(self) -> int:
        model = CORE.shared_sums
        return model.chunk if self.statement.domain.dim(_Set) == self.depth + 1 else model.rows

    @cached_property
    def split(self) -> isl.Map:
        names = [f"i{k}" for k in range(self.statement.domain.dim(_Set))]
        outer, rest = names[: self.depth], names[self.depth + 1 :]
        within = f"i{self.depth} = {self.length}c + r and 0 <= r < {self.length}"
        old, new = ", ".join(names), ", ".join([*outer, "c", "r", *rest])
        split = isl.Map(f"{{ S[{old}] -> S[{new}] : {within} }}")
        for end in (isl.dim_type.in_, isl.dim_type.out):
            split = split.set_tuple_name(end, self.statement.name)
        return split

    @cached_property
    def own(self) -> isl.Set:
        return self.statement.domain.apply(self.split).coalesce()

    @cached_property
    def turns(self) -> isl.Set:
        """{ [outer, c] }"""
        return self.own.project_out(_Set, self.depth + 1, self.own.dim(_Set) - self.depth - 1)

    @cached_property
    def chunks(self) -> isl.Set:
        return self.turns.project_out(_Set, 0, self.depth).coalesce()

    @cached_property
    def enough(self) -> isl.Set:
        """Parameters for which processes share it."""
        least = isl.Set(f"{{ [c] : c >= {CORE.shared_sums.least} }}")
        return least.intersect(self.chunks).params()

    def may_pay(self, scop: Scop) -> bool:
        """Whether there may be enough chunks, as many as one function of the parameters says."""
        if self.enough.intersect(scop.known).is_empty():
            return False
        return len(pieces(self.chunks.dim_max(0).coalesce())) == 1


@record(eq=False)
class Parts:
    """A sum, the array of its parts, and the statements that begin and collect them."""

    sum: Sum
    array: SSAValue
    name: str
    begin: str
    end: str


# The SCoP in parts


def divided_scop(problem: Problem, divided: list[Parts], tree: Tree, enough: isl.Set) -> ScopOp:
    op, scop = problem.op, problem.scop
    by_statement = {one.sum.statement.name: one for one in divided}
    body = Block()
    domain = scop.domain
    for each in op.statements():
        one = by_statement.get(each.stmt_name.data)
        if one is None:
            body.add_op(each.clone())
            continue
        first, last = (one.sum.turns.set_tuple_name(name) for name in (one.begin, one.end))
        body.add_ops([_clear(one, first), _add(one), _collect(one, last)])
        domain = domain.subtract(isl.UnionSet.from_set(one.sum.statement.domain))
        for instances in (first, one.sum.own, last):
            domain = domain.union(isl.UnionSet.from_set(instances))
    schedule = build_schedule(domain, _Order(scop, by_statement).of(tree, scop.domain, 0))
    assumed = enough if op.assumed is None else op.assumed.set().intersect(enough)
    return ScopOp(
        op.scop_name.data,
        list(op.params),
        [one.data for one in op.param_names],
        [*op.arrays, *(one.array for one in divided)],
        [*(one.data for one in op.array_names), *(one.name for one in divided)],
        op.context,
        ScheduleAttr.of(schedule),
        Region(body),
        assumed=SetAttr.of(assumed),
        local=[*(one.data for one in op.local or ()), *(one.name for one in divided)],
    )


@record(eq=False)
class _Order:
    """The schedule tree of the SCoP in parts, from that of the SCoP as it was."""

    scop: Scop
    parts: Mapping[str, Parts]

    def of(self, tree: Tree, below: isl.UnionSet, depth: int) -> Tree:
        names = names_in(below)
        here = [self.parts[name] for name in names if name in self.parts]
        if not here:
            return tree
        if len(here) == len(names) and here[0].sum.depth == depth:
            return self._in_parts(tree, here, depth)
        match tree:
            case Band(members, child):
                changed = [self._around(one, here, depth + k) for k, one in enumerate(members)]
                return Band(tuple(changed), self.of(child, below, depth + len(members)))
            case Mark(name, child):
                return Mark(name, self.of(child, below, depth))
            case Sequence(children, is_ordered):
                inside = [(one.intersect(self.scop.domain), child) for one, child in children]
                return Sequence(
                    tuple((self._all_of(one), self.of(child, one, depth)) for one, child in inside),
                    is_ordered,
                )
            case _:
                raise AssertionError("a sum is below what has been looked through")

    def _in_parts(self, tree: Tree, here: list[Parts], depth: int) -> Tree:
        """All parts begin; the loop over chunks around the loops that there are; all are added."""
        own = isl.UnionSet.empty(self.scop.context.get_space())
        count: isl.UnionPwAff | None = None
        for one in here:
            own = own.union(_universe(one.sum.own.get_space()))
            chunk = _coordinate(one.sum.own.get_space(), depth)
            count = chunk if count is None else count.union_add(chunk)
        assert count is not None
        spaces = [
            one.sum.turns.set_tuple_name(name).get_space()
            for names in ([(one, one.begin) for one in here], [(one, one.end) for one in here])
            for one, name in names
        ]
        ends = [
            (_universe(space), Band((Member(_coordinate(space, depth)),), LEAF)) for space in spaces
        ]
        middle = own, Band((Member(count),), self._within(tree, here))
        return Sequence((*ends[: len(here)], middle, *ends[len(here) :]))

    def _within(self, tree: Tree, here: list[Parts]) -> Tree:
        """The loops that there are, of the instances of a chunk."""
        split = isl.UnionMap.empty(self.scop.context.get_space())
        for one in here:
            split = split.union(isl.UnionMap.from_map(one.sum.split))
        back = isl.UnionPwMultiAff.from_union_map(split.reverse())

        def moved(tree: Tree) -> Tree:
            match tree:
                case Band(members, child):
                    functions = [one.function.pullback_union_pw_multi_aff(back) for one in members]
                    return Band(tuple(Member(one) for one in functions), child)
                case Sequence(children, is_ordered):
                    pairs = tuple((one.apply(split), child) for one, child in children)
                    return Sequence(pairs, is_ordered)
                case _:
                    return tree

        return map_tree(tree, moved)

    def _around(self, member: Member, here: list[Parts], position: int) -> Member:
        """A loop around sums, for their parts, too."""
        old = isl.UnionSet.empty(self.scop.context.get_space())
        for one in here:
            old = old.union(_universe(one.sum.statement.domain.get_space()))
        function = member.function.subtract_domain(old)
        for one in here:
            for space in _spaces(one):
                function = function.union_add(_coordinate(space, position))
        return Member(function)

    def _all_of(self, instances: isl.UnionSet) -> isl.UnionSet:
        """The filter for the same statements, and those that they have become."""
        found = isl.UnionSet.empty(self.scop.context.get_space())
        for each in sets(instances):
            one = self.parts.get(each.get_tuple_name() or "")
            if one is None:
                found = found.union(isl.UnionSet.from_set(each))
                continue
            for space in _spaces(one):
                found = found.union(_universe(space))
        return found


def names_in(instances: isl.UnionSet) -> list[str]:
    """The statements that have instances."""
    return [one.get_tuple_name() or "" for one in sets(instances) if not one.is_empty()]


def _spaces(parts: Parts) -> tuple[isl.Space, ...]:
    turns = parts.sum.turns
    return (
        parts.sum.own.get_space(),
        *(turns.set_tuple_name(name).get_space() for name in (parts.begin, parts.end)),
    )


def _universe(space: isl.Space) -> isl.UnionSet:
    return isl.UnionSet.from_set(isl.Set.universe(space))


def _coordinate(space: isl.Space, position: int) -> isl.UnionPwAff:
    value = isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), _Set, position)
    return isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(value))


# The statements


def _part(name: str, rank: int, parts: Parts) -> MapAttr:
    subscripts = ", ".join(f"c{k}" for k in range(rank))
    return MapAttr.from_text(f"{{ {name}[{subscripts}] -> {parts.name}[c{parts.sum.depth}] }}")


def _iterators(parts: Parts) -> list[str]:
    """Of a statement that begins or collects."""
    known = parts.sum.op.iterators
    outer = [f"i{k}" for k in range(parts.sum.depth)]
    if known is not None:
        outer = [one.data for one in known][: parts.sum.depth]
    return [*outer, "chunk"]


def _clear(parts: Parts, domain: isl.Set) -> StmtOp:
    found, rank = parts.sum, domain.dim(_Set)
    block = Block(arg_types=[INDEX] * rank)
    is_finite = permits(found.combine, FastMathFlag.NO_INFS)
    element = element_type(parts.array)
    value = neutral_of(COMBINERS[type(found.combine)], element, is_finite=is_finite)
    constant = arith.ConstantOp(value)  # pyright: ignore[reportArgumentType]
    place = _part(parts.begin, rank, parts)
    block.add_ops([constant, WriteOp(constant.result, parts.array, place)])
    return StmtOp(parts.begin, SetAttr.of(domain), Region(block), iterators=_iterators(parts))


def _add(parts: Parts) -> StmtOp:
    found, new = parts.sum, parts.sum.op.clone()
    name, domain = found.statement.name, found.own
    new.properties["domain"] = SetAttr.of(domain)
    if new.iterators is not None:
        names = [one.data for one in new.iterators]
        names.insert(found.depth, "chunk")
        new.properties["iterators"] = ArrayAttr([StringAttr(one) for one in names])
    _number_within_chunks(new.body.block, found)
    for position, access in enumerate(new.accesses()):
        if position in (found.reduction.read, found.reduction.write):
            access.operands[0 if isinstance(access, ReadOp) else 1] = parts.array
            relation = _part(name, domain.dim(_Set), parts)
        else:
            relation = MapAttr.of(access.relation.map().apply_domain(found.split))
        access.properties["relation"] = relation
    (use,) = new.accesses()[found.reduction.read].results[0].uses
    without_overflow(use.operation)
    return new


def _number_within_chunks(block: Block, found: Sum) -> None:
    """The block is of (…, c, r, …) instead of (…, i, …)."""
    chunk, within = (block.insert_arg(INDEX, found.depth + k) for k in (0, 1))
    old = block.args[found.depth + 2]
    size = arith.ConstantOp.from_int_and_width(found.length, INDEX)
    start = arith.MuliOp(chunk, size.result)
    number = arith.AddiOp(start.result, within)
    number.result.name_hint, within.name_hint = old.name_hint, old.name_hint
    old.replace_all_uses_with(number.result)
    block.erase_arg(old)
    front = block.first_op
    assert front is not None
    block.insert_ops_before([size, start, number], front)


def _collect(parts: Parts, domain: isl.Set) -> StmtOp:
    found, rank = parts.sum, domain.dim(_Set)
    block = Block(arg_types=[INDEX] * rank)
    (write,) = [one for one in found.statement.accesses if one.position == found.reduction.write]
    whole = write.relation.intersect_domain(found.statement.domain).range()
    relation = isl.Map.from_domain_and_range(domain, whole).gist_domain(domain)
    target, element = found.op.accesses()[found.reduction.write].array, MapAttr.of(relation)
    total, part = ReadOp(target, element), ReadOp(parts.array, _part(parts.end, rank, parts))
    combine = joined(found.combine, total.result, part.result)
    block.add_ops([total, part, combine, WriteOp(combine.results[0], target, element)])
    return StmtOp(parts.end, SetAttr.of(domain), Region(block), iterators=_iterators(parts))
