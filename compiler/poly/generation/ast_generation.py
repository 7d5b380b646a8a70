"""Loops from a schedule tree by isl's AST generator.

T. Grosser, S. Verdoolaege, A. Cohen, Polyhedral AST generation is more than scanning polyhedra,
TOPLAS 2015. Steps:

  0. a domain that is a union of lattices is scanned by a hull, behind a guard (`guards.py`);
  1. each mark gets an identity, so that the loops of the band below it are known by their depth;
  2. isl builds its AST; for each loop the part of the schedule that the loop runs is kept;
  3. each loop is judged on its own part (T. Grosser, Enabling polyhedral optimizations in LLVM,
     2011, §7.2.1): two loops made from one band member can differ in what they carry;
  4. the AST becomes a `loop_tree`, and each loop gets the name of the C loop that it runs over;
  5. where an innermost loop asks in each iteration which of its statements run, all this is done
     again with the iterations apart in which the same ones do (`domains_apart.py`).

Python code that isl calls back must never raise (isl's heap would be lost): here it only keeps
what it is given, and no budget ends in it.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.analysis.parallelism import judge_loop
from polyopt.poly.dependences import Dependences
from polyopt.poly.generation.domains_apart import (
    asks_inside,
    is_much_longer,
    with_domains_apart,
)
from polyopt.poly.isl.budget import BudgetExceeded, IslRefused, budget, called_back
from polyopt.poly.isl.lists import basic_maps, maps
from polyopt.poly.isl.options import isl_options
from polyopt.poly.isl.weight import weight
from polyopt.poly.loops.ast_conversion import (
    AstFacts,
    LoopFacts,
    MarkedBand,
    Unconvertible,
    convert_ast,
)
from polyopt.poly.loops.guards import guard_instances, relax_domains
from polyopt.poly.loops.iterator_names import iterator_names
from polyopt.poly.loops.loop_sources import name_sources
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.scop import Scop
from polyopt.support.record import record
from polyopt.support.remarks import remark

_NodeType = isl.schedule_node_type


@record
class GenerationOptions:
    """The fields of isl's AST generator have isl's names and meaning (isl manual, "AST
    Generation Options"). `apart`: without conditions in innermost loops, where that can be.
    `operations` bounds the work (isl's own count)."""

    detect_min_max: bool = True
    exploit_nested_bounds: bool = True
    atomic_upper_bound: bool = True
    allow_else: bool = True
    allow_or: bool = True
    prefer_pdiv: bool = True
    scale_strides: bool = True
    group_coscheduled: bool = False
    separation_bounds: bool = False
    apart: bool = True
    operations: int = 4_000_000


def generate_loops(
    scop: Scop,
    dependences: Dependences | None,
    schedule: isl.Schedule,
    options: GenerationOptions | None = None,
) -> tuple[Node, ...] | None:
    """The loops that run the SCoP in the order of `schedule`; no loop is called parallel if no
    dependences are given. None if that costs more than the budget, if isl refuses, or if there is
    no loop tree of what it gives."""
    options = options or GenerationOptions()
    operations = operations_for(schedule, options.operations)
    try:
        with budget("loop generation", operations):
            nodes = _generate(scop, dependences, schedule, options)
    except IslRefused:
        return None
    except Unconvertible as reason:
        remark("missed", "codegen", f"isl's loops have no form here: {reason}", scop.span)
        return None
    except BudgetExceeded:
        remark("missed", "codegen-budget", "generating loops costs too much", scop.span)
        return None
    if not (options.apart and asks_inside(nodes)):
        return nodes
    try:
        with budget("loop generation", operations):
            apart = _generate(scop, dependences, with_domains_apart(schedule), options)
    except (IslRefused, Unconvertible, BudgetExceeded):
        return nodes
    return nodes if asks_inside(apart) or is_much_longer(apart, nodes) else apart


DIVISIONS = 16
"""Those of one statement up to which isl's operations take the time that they usually do."""


def operations_for(schedule: isl.Schedule, operations: int) -> int:
    """An operation of isl's takes the longer, the more divisions the functions of a statement
    have, in all their cases: tiles of tiles of skewed tiles have dozens; and the longer, the larger
    the numbers are that tie these (`weight`): lattices of tiles of tiles."""
    try:
        functions = maps(schedule.get_map())
    except isl.Error:
        return operations  # instances that an extension adds have no functions in it
    most = max(map(_divisions, functions), default=0)
    heaviest = max((weight(basic_maps(one)) for one in functions), default=1)
    return operations * DIVISIONS // max(DIVISIONS, most) // heaviest


def _divisions(function: isl.Map) -> int:
    return sum(case.dim(isl.dim_type.div) for case in basic_maps(function))


def _generate(
    scop: Scop,
    dependences: Dependences | None,
    schedule: isl.Schedule,
    options: GenerationOptions,
) -> tuple[Node, ...]:
    schedule, guards = relax_domains(scop, schedule)
    schedule, marks = _identify_marks(schedule)
    parts = list[isl.UnionMap]()

    def before_each_for(build: isl.AstBuild) -> isl.Id:
        with called_back():
            parts.append(build.get_schedule())
            return isl.Id(f"loop{len(parts) - 1}")

    def judge(loop: str, inner: str | None) -> LoopFacts:
        if dependences is None:
            return LoopFacts()
        return _facts(scop, dependences, part_of(loop), part_of(inner) if inner else None)

    def part_of(loop: str) -> isl.UnionMap:
        return parts[int(loop.removeprefix("loop"))]

    build = isl.AstBuild.from_context(scop.known)
    iterators = _iterators(schedule, scop)
    build = build.set_iterators(_identifiers(iterators))
    build, _handle = build.set_before_each_for(before_each_for)
    with _switches(options):
        ast = build.node_from_schedule(schedule)
    depths = {name: depth for depth, name in enumerate(iterators)}
    nodes = convert_ast(ast, AstFacts(judge, marks, depths))
    return name_sources(scop, guard_instances(nodes, guards))


def _facts(
    scop: Scop, dependences: Dependences, part: isl.UnionMap, inside: isl.UnionMap | None
) -> LoopFacts:
    """Of the loop that runs `part`, around nothing but one that runs `inside`, if that is given."""
    flat, depth = _flat(part)
    if depth is None:
        return LoopFacts()
    inner, inner_depth = _flat(inside) if inside is not None else (None, None)
    judged = judge_loop(scop, dependences, flat, depth, inner if inner_depth is not None else None)
    return LoopFacts(judged.is_parallel, judged.reductions, judged.pipeline)


def _flat(part: isl.UnionMap) -> tuple[isl.UnionMap, int | None]:
    """{ S[i] -> [c_0, ..., c_d] }, what one loop runs and in which order, and d. Below a sequence
    isl nests the tuple: [[c_0, ...] -> [..., c_d]]. d is None where statements differ in it."""
    flat = isl.UnionMap.empty(part.get_space())
    dimensions = set[int]()
    for one in maps(part):
        one = one.flatten_range()
        dimensions.add(one.dim(isl.dim_type.out))
        flat = flat.union(isl.UnionMap.from_map(one))
    return flat, dimensions.pop() - 1 if len(dimensions) == 1 else None


def _identify_marks(schedule: isl.Schedule) -> tuple[isl.Schedule, dict[str, MarkedBand]]:
    """The same tree with a distinct name for each mark, and what each name stands for."""
    marks: dict[str, MarkedBand] = {}

    def identify(node: isl.ScheduleNode) -> isl.ScheduleNode:
        with called_back():
            return identified(node)

    def identified(node: isl.ScheduleNode) -> isl.ScheduleNode:
        if node.get_type() != _NodeType.mark:
            return node
        band = node.child(0)
        while band.get_type() == _NodeType.mark:
            band = band.child(0)
        members = band.band_n_member() if band.get_type() == _NodeType.band else 0
        identity = f"mark{len(marks)}"
        name = node.mark_get_id().get_name() or ""
        marks[identity] = MarkedBand(name, node.get_schedule_depth(), members)
        return node.delete().insert_mark(isl.Id(identity))

    return schedule.map_schedule_node_bottom_up(identify), marks


def _iterators(schedule: isl.Schedule, scop: Scop) -> list[str]:
    """A name for each depth that is no parameter's; below the bands isl makes loops for what
    the schedule leaves unordered."""
    taken = {
        scop.context.get_dim_name(isl.dim_type.param, k) or ""
        for k in range(scop.context.dim(isl.dim_type.param))
    }
    depth = 0

    def visit(node: isl.ScheduleNode) -> bool:
        nonlocal depth
        if node.get_type() == _NodeType.band:
            depth = max(depth, node.get_schedule_depth() + node.band_n_member())
        return True

    schedule.foreach_schedule_node_top_down(visit)
    depth += max((s.domain.dim(isl.dim_type.set) for s in scop.statements), default=0)
    return iterator_names(depth, taken)


def _identifiers(names: list[str]) -> isl.IdList:
    identifiers = isl.IdList.alloc(isl.DEFAULT_CONTEXT, len(names))
    for name in names:
        identifiers = identifiers.add(isl.Id(name))
    return identifiers


def _switches(options: GenerationOptions):
    return isl_options(
        ast_build_detect_min_max=options.detect_min_max,
        ast_build_exploit_nested_bounds=options.exploit_nested_bounds,
        ast_build_atomic_upper_bound=options.atomic_upper_bound,
        ast_build_allow_else=options.allow_else,
        ast_build_allow_or=options.allow_or,
        ast_build_prefer_pdiv=options.prefer_pdiv,
        ast_build_scale_strides=options.scale_strides,
        ast_build_group_coscheduled=options.group_coscheduled,
        ast_build_separation_bounds=options.separation_bounds,
    )
