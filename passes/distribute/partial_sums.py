"""Sums into one element, cut into parts that processes can share.

    sum = 0                                  sum = 0
    for i: sum += f(i)                =>     for c: part[c] = neutral
                                             for c, r with i = chunk*c + r: part[c] += f(i)
                                             for c: sum += part[c]

A sum that reassociation permits to be computed in another order. The parts are an array like any
other: each lives where its subscript places it, whoever has the sum gets them, and results have the
same bits for any number of processes. Several sums in one loop stay together; in a loop over time
they are cut in each of its turns. Integers wrap around in parts, so that sums of them are what they
were, whatever is permitted. (Expansion of an accumulator by a tile's dimension; Doerfert
et al., Polly's polyhedral scheduling in the presence of reductions, IMPACT 2015.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import islpy as isl
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.cmem import element_type
from polyopt.dialects.poly import ScopOp, StmtOp
from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.problem import Problem
from polyopt.passes.codegen.loop_builder import Site, emit, truth
from polyopt.passes.distribute.combined_sums import CombinedSum, combined_by_mpi
from polyopt.passes.distribute.parts_of_sums import Parts, Sum, divided_scop, names_in
from polyopt.passes.parallel.code import Code
from polyopt.poly.dependences import reduction_classes
from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.loops.subscripts import condition_of
from polyopt.poly.placement.values import value_of
from polyopt.poly.schedule_tree import (
    Band,
    Mark,
    Member,
    Sequence,
    Tree,
    UnsupportedTree,
    read_tree,
)
from polyopt.poly.scop import Reduction, Scop, Statement

_Set = isl.dim_type.set


Divided = tuple[ScopOp, ScopOp, scf.IfOp, Mapping[str, CombinedSum]]


def divide_sums(problem: Problem) -> Divided | None:
    """The SCoP with its sums in parts, which runs in place of the other where there are enough of
    them: it stands in the first region of a condition, and the SCoP as it was in the second. With
    the arrays of parts that MPI can combine.

    None where no statements that stand apart add up to one element each, in an order that is free,
    or what they count by begins below 0.
    """
    scop = problem.scop
    try:
        tree = read_tree(scop.schedule)
    except UnsupportedTree:
        return None
    found = [one for one in _sums_in(problem, tree) if one.may_pay(scop)]
    if not found:
        return None
    op, enough = problem.op, isl.Set.universe(scop.context.get_space())
    for one in found:
        enough = enough.intersect(one.enough)
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    outer, shared = Block(), Block()
    site = Site(outer, parameters, frozenset(op.params))
    test = truth(condition_of(enough.gist(scop.known).coalesce()), site)
    divided = _allocated(problem, found, Code(shared, op), site.inside(shared))
    new = divided_scop(problem, divided, tree, enough)
    sums = {one.name: how for one in divided if (how := combined_by_mpi(one)) is not None}
    shared.add_op(new)
    shared.add_ops([memref.DeallocOp.get(one.array) for one in divided])
    shared.add_op(scf.YieldOp())
    alone, copy = Block(), op.clone()
    alone.add_ops([copy, scf.YieldOp()])
    choice = scf.IfOp(test, [], Region(shared), Region(alone))
    outer.add_op(choice)
    for one in outer.walk():
        one.location = op.location
    Rewriter.inline_block(outer, InsertPoint.before(op))
    Rewriter.erase_op(op)
    return new, copy, choice, sums


def _allocated(problem: Problem, found: list[Sum], code: Code, site: Site) -> list[Parts]:
    arrays = [one.data for one in problem.op.array_names]
    statements = [one.name for one in problem.scop.statements]
    divided = list[Parts]()
    for one in found:
        last = one.chunks.dim_max(0).coalesce()
        size = code.index(code.add(emit(value_of(last), site), 1))
        element = element_type(one.op.accesses()[one.reduction.write].array)
        array = code.insert(memref.AllocOp([size], [], MemRefType(element, [DYNAMIC_INDEX])))
        array.name_hint = "parts"
        name = _unused("parts", arrays)
        begin, end = (_unused(f"{one.statement.name}_{k}", statements) for k in ("begin", "end"))
        arrays.append(name)
        statements += [begin, end]
        divided.append(Parts(one, array, name, begin, end))
    return divided


def undo(choice: scf.IfOp) -> ScopOp:
    """The SCoP as it was."""
    (original,) = [one for one in choice.false_region.block.ops if isinstance(one, ScopOp)]
    original.detach()
    Rewriter.insert_op(original, InsertPoint.before(choice))
    Rewriter.erase_op(choice)
    return original


# Which sums


def _sums_in(problem: Problem, tree: Tree) -> list[Sum]:
    """Those that stand apart: in loops of their own, or with other sums that they do not touch."""
    candidates = dict[str, Sum]()
    for one in reduction_classes(problem.scop):
        if len(one.statements) != 1:
            continue
        (name,) = one.statements
        statement = problem.scop.statement(name)
        reduction = statement.reduction
        if reduction is None:
            continue
        (op,) = [each for each in problem.op.statements() if each.stmt_name.data == name]
        combine = _combining(op, reduction)
        if combine is not None and _is_one_element(statement, reduction):
            candidates[name] = Sum(statement, reduction, op, combine, 0)
    return list(_apart(problem.scop, tree, problem.scop.domain, 0, candidates))


def _apart(
    scop: Scop, tree: Tree, below: isl.UnionSet, depth: int, candidates: Mapping[str, Sum]
) -> Iterator[Sum]:
    """Of the candidates `below`, inside of the first `depth` of their loops."""
    names = names_in(below)
    here = [replace(candidates[name], depth=depth) for name in names if name in candidates]
    if not here:
        return
    if len(here) == len(names) and _do_not_meet(here) and all(map(_counts_from_zero, here)):
        yield from here
        return
    match tree:
        case Band(members, child):
            kept = {one.statement.name: one for one in here if _are_iterators(one, members)}
            yield from _apart(scop, child, below, depth + len(members), kept)
        case Mark(_, child):
            yield from _apart(scop, child, below, depth, candidates)
        case Sequence(children):
            for instances, child in children:
                inside = instances.intersect(scop.domain)
                if all(_is_whole(scop, inside, name) for name in names_in(inside)):
                    yield from _apart(scop, child, inside, depth, candidates)
        case _:
            return


def _is_whole(scop: Scop, instances: isl.UnionSet, name: str) -> bool:
    domain = scop.statement(name).domain
    return isl.UnionSet.from_set(domain).is_subset(instances)


def _do_not_meet(sums: list[Sum]) -> bool:
    """No statement touches what another one adds up to."""
    return not any(
        access.array == one.reduction.array
        for one in sums
        for other in sums
        if other is not one
        for access in other.statement.accesses
    )


def _are_iterators(found: Sum, members: tuple[Member, ...]) -> bool:
    """Whether the loops count by the next iterators of the statement."""
    domain = found.statement.domain
    if found.depth + len(members) >= domain.dim(_Set):
        return False
    local = isl.LocalSpace.from_space(domain.get_space())
    for k, member in enumerate(members):
        iterator = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, _Set, found.depth + k))
        (own,) = [
            one
            for one in pw_affs(member.function)
            if one.get_domain_space().get_tuple_name(_Set) == found.statement.name
        ]
        if not own.intersect_domain(domain).is_equal(iterator.intersect_domain(domain)):
            return False
    return True


def _is_one_element(statement: Statement, reduction: Reduction) -> bool:
    (write,) = [one for one in statement.accesses if one.position == reduction.write]
    elements = write.relation.intersect_domain(statement.domain).range()
    return elements.is_singleton() or elements.dim(_Set) == 0


def _counts_from_zero(found: Sum) -> bool:
    """The loop that would be cut."""
    domain = found.statement.domain
    if domain.dim(_Set) <= found.depth:
        return False
    from_zero = isl.Set.universe(domain.get_space()).lower_bound_val(_Set, found.depth, 0)
    return domain.is_subset(from_zero)


def _combining(op: StmtOp, reduction: Reduction) -> Operation | None:
    """The first operation on the sum, where a partial sum is no other error than the sum: of
    floating-point numbers, and of integers, whose parts may wrap around."""
    read = op.accesses()[reduction.read]
    (use,) = read.results[0].uses
    is_number = isinstance(read.results[0].type, Float32Type | Float64Type | IntegerType)
    return use.operation if is_number and type(use.operation) in COMBINERS else None


def _unused(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name
