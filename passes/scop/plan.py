"""Everything that has to be known before a region is changed."""

from __future__ import annotations

import islpy as isl
from xdsl.ir import Block, SSAValue

from polyopt.ir.branches import Edge, incoming
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.regions import FlowRegion
from polyopt.ir.evolution.domains import Domains
from polyopt.ir.expressions.affine_space import AffineSpace, is_great
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_conditions import condition_flags
from polyopt.ir.expressions.integer_expr import Condition, condition_terms
from polyopt.passes.scop.assumptions import assumed_context, doubtful_rows, promised_context
from polyopt.passes.scop.candidate import Candidate, rejected, understand
from polyopt.passes.scop.overlap_checks import AddressRange, possible_overlaps
from polyopt.passes.scop.rejection import Reason
from polyopt.support.record import record


@record(eq=False)
class ScopPlan:
    """`context` is known to hold, `assumed` and that `overlaps` do not overlap is to be checked
    at run time. `one_row`: the blocks that are assumed to stay in one row of an array, where no
    other block is assumed to stay in its rows. `may_wrap`: it is checked that no integer does.
    `guards` are the parameters for which guarded loads may be done, in the order in which they are
    done; they are checked before."""

    candidate: Candidate
    domains: Domains
    context: isl.Set
    assumed: isl.Set | None
    one_row: set[Block]
    may_wrap: bool
    overlaps: list[tuple[AddressRange, AddressRange]]
    guards: list[isl.Set]


def plan_scop(flow: ControlFlow, region: FlowRegion) -> ScopPlan:
    """Raises Rejected where the region is no static control part."""
    candidate, domains = _understood(flow, region)
    assumed, one_row, may_wrap = assumed_context(candidate, domains)
    known = domains.finite
    if known.is_empty():
        _refuse_endless(candidate)
    if region.aside:
        domains.finite = known = known.intersect(promised_context(candidate, domains))
        known = known if assumed is None else known.intersect(assumed)
    domains.restrict(known)
    overlaps = possible_overlaps(candidate, domains)
    context = _known_context(candidate, domains)
    guards = _guards_of_loads(candidate, domains, context)
    return ScopPlan(candidate, domains, context, assumed, one_row, may_wrap, overlaps, guards)


def _understood(flow: ControlFlow, region: FlowRegion) -> tuple[Candidate, Domains]:
    """With rows where they are sure or worth a check. An object that is in doubt is looked at
    twice more at most: for longer rows, and for none."""
    least_rows: dict[SSAValue, int | None] = {}
    while True:
        candidate = understand(flow, region, least_rows)
        domains = Domains(region, candidate.space, candidate.evolution)
        doubtful = doubtful_rows(candidate, domains)
        for base, length in doubtful.items():
            least_rows[base] = None if base in least_rows else length
        if not doubtful:
            _refuse_great_numbers(candidate)
            return candidate, domains


def _refuse_great_numbers(candidate: Candidate) -> None:
    """Numbers of loops that are made are counted in 64 bits, also backwards and from elsewhere:
    none may begin near the ends of these (`i = LLONG_MIN + n`, and `a[i - LLONG_MIN]`)."""
    for loop, iterator in candidate.space.iterators.items():
        if is_great(iterator.start):
            op = loop.header.first_op
            message = f"'{iterator.name}' begins near the end of what 64 bits hold: count from zero"
            raise rejected(Reason.LOOP_BOUND, loop.header, op, "great start", message)
    for op, subscript in candidate.subscripts.items():
        if any(map(is_great, subscript.indices)):
            message = "the subscript adds a number near the end of what 64 bits hold"
            raise rejected(Reason.SUBSCRIPT, enclosing_block(op), op, "great number", message)


def _refuse_endless(candidate: Candidate) -> None:
    """Domains in which a loop never ends hold no parameters at all: the region would be thought
    unreachable. What such domains leave out are wraps (`i *= 7` up to the end of its type)."""
    for loop in candidate.space.iterators:
        message = "it is not known that all loops here end before a variable wraps around"
        raise rejected(Reason.LOOP_BOUND, loop.header, loop.header.first_op, "endless", message)


def _guards_of_loads(candidate: Candidate, domains: Domains, context: isl.Set) -> list[isl.Set]:
    """For which parameters each guarded load is done at least once."""
    guards: list[isl.Set] = []
    known = context
    for op in candidate.guarded:
        guard = domains.of[enclosing_block(op)].params().gist(known).coalesce()
        guards.append(guard)
        known = known.intersect(guard)
    return guards


def _known_context(candidate: Candidate, domains: Domains) -> isl.Set:
    """Loops end; the conditions on the way to the region hold. Rows need not have elements: where
    they have none, none is touched, which only the domains say."""
    space = candidate.space
    context = domains.finite
    for condition in _conditions_before(candidate):
        if _speaks_of_parameters(condition, space):
            context = context.intersect(space.constant_condition(condition))
    return context.coalesce()


def _conditions_before(candidate: Candidate) -> list[Condition]:
    """The conditions of the branches that lead to the region and nowhere else, in the iteration
    of the loops around it in which it is entered."""
    flow, entry = candidate.flow, candidate.region.entry
    result: list[Condition] = []
    block: Block | None = entry
    while block is not None:
        loop = flow.loops.innermost(block)
        edges = _entering(candidate, block)
        if len(edges) == 1 and (loop is None or entry in loop):
            result.append(edge_condition(edges[0], candidate.evolution))
        block = flow.dominators.immediate(block)
    return result


def _entering(candidate: Candidate, block: Block) -> list[Edge]:
    """The edges into a block that come from before it."""
    tree = candidate.flow.dominators
    return [
        edge
        for edge in incoming(block)
        if edge.source in candidate.flow.cfg and not tree.dominates(block, edge.source)
    ]


def _speaks_of_parameters(condition: Condition, space: AffineSpace) -> bool:
    return not any(condition_flags(condition)) and all(
        not monomial or monomial in space.parameters
        for term in condition_terms(condition)
        for monomial in term.terms
    )
