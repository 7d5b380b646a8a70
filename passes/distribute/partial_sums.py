"""Sums into one element, cut into parts that processes can share.

    sum = 0                                  sum = 0
    for i: sum += f(i)                =>     for c: part[c] = neutral
                                             for c, r with i = chunk*c + r: part[c] += f(i)
                                             for c: sum += part[c]

A sum that reassociation permits to be computed in another order. The parts are an array like any
other: each lives where its subscript places it, whoever has the sum gets them, and results have the
same bits for any number of processes. (Expansion of an accumulator by a tile's dimension; Doerfert
et al., Polly's polyhedral scheduling in the presence of reductions, IMPACT 2015.)
"""

from __future__ import annotations

import islpy as isl
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    Float32Type,
    Float64Type,
    MemRefType,
    StringAttr,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.cmem import element_type
from polyopt.dialects.poly import MapAttr, ReadOp, ScheduleAttr, ScopOp, SetAttr, StmtOp, WriteOp
from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.ir.problem import Problem
from polyopt.passes.codegen.loop_builder import Site, emit, truth
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.poly.dependences import reduction_classes
from polyopt.poly.isl.lists import pieces
from polyopt.poly.loops.subscripts import condition_of
from polyopt.poly.placement.values import value_of
from polyopt.poly.schedule_tree import (
    LEAF,
    Band,
    Member,
    Sequence,
    Tree,
    UnsupportedTree,
    build_schedule,
    map_tree,
    read_tree,
)
from polyopt.poly.scop import Reduction, Statement
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_Set = isl.dim_type.set


@record(eq=False)
class _Sum:
    """The sum, the operation that combines, and where the statement stands: the child of the
    sequence that is the SCoP's tree."""

    statement: Statement
    reduction: Reduction
    op: StmtOp
    combine: Operation
    child: int
    children: tuple[tuple[isl.UnionSet, Tree], ...]


def divide_sum(problem: Problem) -> tuple[ScopOp, scf.IfOp] | None:
    """The SCoP with a sum in parts, which runs in place of the other where there are enough of
    them: it stands in the first region of a condition, and the SCoP as it was in the second.

    None where no statement of its own place adds up to one element in an order that is free, or
    what it counts by begins below 0.
    """
    found = _sum_in(problem)
    if found is None:
        return None
    chunks, split = _chunks(found.statement)
    last = chunks.dim_max(0).coalesce()
    if len(pieces(last)) != 1:
        return None
    op, model = problem.op, CORE.shared_sums
    enough = isl.Set(f"{{ [c] : c >= {model.least} }}").intersect(chunks).params()
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    outer, shared = Block(), Block()
    site = Site(outer, parameters, frozenset(op.params))
    test = truth(condition_of(enough.gist(problem.scop.known).coalesce()), site)
    code = Code(shared, op)
    size = code.index(code.add(emit(value_of(last), site.inside(shared)), 1))
    element = element_type(found.op.accesses()[found.reduction.write].array)
    parts = code.insert(memref.AllocOp([size], [], MemRefType(element, [DYNAMIC_INDEX])))
    parts.name_hint = "parts"
    new = _divided(problem, found, parts, chunks, split, enough)
    shared.add_ops([new, memref.DeallocOp.get(parts), scf.YieldOp()])
    alone = Block()
    alone.add_ops([op.clone(), scf.YieldOp()])
    choice = scf.IfOp(test, [], Region(shared), Region(alone))
    outer.add_op(choice)
    for one in outer.walk():
        one.location = op.location
    Rewriter.inline_block(outer, InsertPoint.before(op))
    Rewriter.erase_op(op)
    return new, choice


def undo(choice: scf.IfOp) -> None:
    """The SCoP as it was."""
    (original,) = [one for one in choice.false_region.block.ops if isinstance(one, ScopOp)]
    original.detach()
    Rewriter.insert_op(original, InsertPoint.before(choice))
    Rewriter.erase_op(choice)


def _sum_in(problem: Problem) -> _Sum | None:
    scop = problem.scop
    try:
        tree = read_tree(scop.schedule)
    except UnsupportedTree:
        return None
    children = tree.children if isinstance(tree, Sequence) else ((scop.domain, tree),)
    children = tuple((one.intersect(scop.domain), child) for one, child in children)
    for one in reduction_classes(scop):
        if len(one.statements) != 1:
            continue
        (name,) = one.statements
        statement = scop.statement(name)
        reduction = statement.reduction
        assert reduction is not None
        if _is_one_element(statement, reduction) and _counts_from_zero(statement):
            (op,) = [each for each in problem.op.statements() if each.stmt_name.data == name]
            combine = _combining(op, reduction)
            for child, (instances, _) in enumerate(children):
                is_own = instances.is_equal(isl.UnionSet.from_set(statement.domain))
                if is_own and combine is not None:
                    return _Sum(statement, reduction, op, combine, child, children)
    return None


def _is_one_element(statement: Statement, reduction: Reduction) -> bool:
    (write,) = [one for one in statement.accesses if one.position == reduction.write]
    elements = write.relation.intersect_domain(statement.domain).range()
    return elements.is_singleton() or elements.dim(_Set) == 0


def _counts_from_zero(statement: Statement) -> bool:
    domain = statement.domain
    if not domain.dim(_Set):
        return False
    return domain.is_subset(isl.Set.universe(domain.get_space()).lower_bound_val(_Set, 0, 0))


def _combining(op: StmtOp, reduction: Reduction) -> Operation | None:
    """The first operation on the sum; of floating-point numbers, where a partial sum is no other
    error than the sum."""
    read = op.accesses()[reduction.read]
    (use,) = read.results[0].uses
    is_float = isinstance(read.results[0].type, Float32Type | Float64Type)
    return use.operation if is_float and type(use.operation) in COMBINERS else None


def _chunks(statement: Statement) -> tuple[isl.Set, isl.Map]:
    """{ [c] : chunk c has instances }, and { S[i, …] -> S[c, r, …] : i is the r-th of chunk c }."""
    rank, length = statement.domain.dim(_Set), _length(statement)
    first, *others = (f"i{k}" for k in range(rank))
    old, rest = ", ".join([first, *others]), "".join(f", {one}" for one in others)
    within = f"i0 = {length}c + r and 0 <= r < {length}"
    split = isl.Map(f"{{ S[{old}] -> S[c, r{rest}] : {within} }}")
    split = split.set_tuple_name(isl.dim_type.in_, statement.name)
    split = split.set_tuple_name(isl.dim_type.out, statement.name)
    chunks = statement.domain.apply(split).project_out(_Set, 1, rank)
    return chunks.coalesce(), split


def _length(statement: Statement) -> int:
    model = CORE.shared_sums
    return model.chunk if statement.domain.dim(_Set) == 1 else model.rows


def _divided(
    problem: Problem,
    found: _Sum,
    parts: SSAValue,
    chunks: isl.Set,
    split: isl.Map,
    enough: isl.Set,
) -> ScopOp:
    op, name = problem.op, found.statement.name
    array = _unused("parts", [one.data for one in op.array_names])
    begin, end = (_unused(f"{name}_{k}", _names(problem)) for k in ("begin", "end"))
    first, last = chunks.set_tuple_name(begin), chunks.set_tuple_name(end)
    own = found.statement.domain.apply(split).coalesce()
    body = Block()
    for one in op.statements():
        if one is not found.op:
            body.add_op(one.clone())
            continue
        body.add_op(_clear(found, first, parts, array))
        body.add_op(_add(found, own, split, parts, array))
        body.add_op(_collect(found, last, parts, array))
    children = list(found.children)
    children[found.child : found.child + 1] = [
        (isl.UnionSet.from_set(first), _loop(begin, 1, LEAF)),
        (isl.UnionSet.from_set(own), _around(found, split)),
        (isl.UnionSet.from_set(last), _loop(end, 1, LEAF)),
    ]
    domain = problem.scop.domain.subtract(isl.UnionSet.from_set(found.statement.domain))
    for instances in (first, own, last):
        domain = domain.union(isl.UnionSet.from_set(instances))
    schedule = build_schedule(domain, Sequence(tuple(children)))
    assumed = enough if op.assumed is None else op.assumed.set().intersect(enough)
    return ScopOp(
        op.scop_name.data,
        list(op.params),
        [one.data for one in op.param_names],
        [*op.arrays, parts],
        [*(one.data for one in op.array_names), array],
        op.context,
        ScheduleAttr.of(schedule),
        Region(body),
        assumed=SetAttr.of(assumed),
        local=[*(one.data for one in op.local or ()), array],
    )


def _names(problem: Problem) -> list[str]:
    return [one.name for one in problem.scop.statements]


def _unused(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _loop(statement: str, rank: int, child: Tree) -> Band:
    subscripts = ", ".join(f"c{k}" for k in range(rank))
    return Band((Member(isl.UnionPwAff(f"{{ {statement}[{subscripts}] -> [(c0)] }}")),), child)


def _around(found: _Sum, split: isl.Map) -> Tree:
    """The loop over chunks around the loops that there are."""
    back = isl.UnionPwMultiAff.from_union_map(isl.UnionMap.from_map(split.reverse()))

    def moved(tree: Tree) -> Tree:
        if not isinstance(tree, Band):
            return tree
        functions = [one.function.pullback_union_pw_multi_aff(back) for one in tree.members]
        return Band(tuple(Member(one) for one in functions), tree.child)

    inner = map_tree(found.children[found.child][1], moved)
    return _loop(found.statement.name, split.dim(isl.dim_type.out), inner)


def _part(name: str, rank: int, array: str) -> MapAttr:
    subscripts = ", ".join(f"c{k}" for k in range(rank))
    return MapAttr.from_text(f"{{ {name}[{subscripts}] -> {array}[c0] }}")


def _clear(found: _Sum, domain: isl.Set, parts: SSAValue, array: str) -> StmtOp:
    block = Block(arg_types=[INDEX])
    is_finite = permits(found.combine, FastMathFlag.NO_INFS)
    value = neutral_of(COMBINERS[type(found.combine)], element_type(parts), is_finite=is_finite)
    constant = arith.ConstantOp(value)  # pyright: ignore[reportArgumentType]
    name = domain.get_tuple_name() or ""
    block.add_ops([constant, WriteOp(constant.result, parts, _part(name, 1, array))])
    return StmtOp(name, SetAttr.of(domain), Region(block), iterators=["chunk"])


def _add(found: _Sum, domain: isl.Set, split: isl.Map, parts: SSAValue, array: str) -> StmtOp:
    new = found.op.clone()
    new.properties["domain"] = SetAttr.of(domain)
    if new.iterators is not None:
        new.properties["iterators"] = ArrayAttr([StringAttr("chunk"), *new.iterators])
    _number_within_chunks(new.body.block, _length(found.statement))
    for position, access in enumerate(new.accesses()):
        if position in (found.reduction.read, found.reduction.write):
            access.operands[0 if isinstance(access, ReadOp) else 1] = parts
            relation = _part(found.statement.name, domain.dim(_Set), array)
        else:
            relation = MapAttr.of(access.relation.map().apply_domain(split))
        access.properties["relation"] = relation
    return new


def _number_within_chunks(block: Block, length: int) -> None:
    """The block is of (c, r, …) instead of (i, …)."""
    chunk, within = block.insert_arg(INDEX, 0), block.insert_arg(INDEX, 1)
    old = block.args[2]
    size = arith.ConstantOp.from_int_and_width(length, INDEX)
    start = arith.MuliOp(chunk, size.result)
    number = arith.AddiOp(start.result, within)
    number.result.name_hint, within.name_hint = old.name_hint, old.name_hint
    old.replace_all_uses_with(number.result)
    block.erase_arg(old)
    front = block.first_op
    assert front is not None
    block.insert_ops_before([size, start, number], front)


def _collect(found: _Sum, domain: isl.Set, parts: SSAValue, array: str) -> StmtOp:
    block = Block(arg_types=[INDEX])
    (write,) = [one for one in found.statement.accesses if one.position == found.reduction.write]
    whole = write.relation.intersect_domain(found.statement.domain).range()
    relation = isl.Map.from_domain_and_range(domain, whole).gist_domain(domain)
    target, element = found.op.accesses()[found.reduction.write].array, MapAttr.of(relation)
    name = domain.get_tuple_name() or ""
    total, part = ReadOp(target, element), ReadOp(parts, _part(name, 1, array))
    kind = arith.AddfOp if isinstance(found.combine, arith.SubfOp) else type(found.combine)
    combine = kind.create(
        operands=[total.result, part.result],
        result_types=[total.result.type],
        properties=dict(found.combine.properties),
    )
    block.add_ops([total, part, combine, WriteOp(combine.results[0], target, element)])
    return StmtOp(name, SetAttr.of(domain), Region(block), iterators=["chunk"])
