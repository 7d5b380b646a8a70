"""Find the maximal static control parts of a function.

Consecutive regions are tried together, from the outermost sequence inwards. Where a region in
the middle is rejected, what stands before it is one static control part, what stands behind it
begins another, and what is inside the rejected region is tried for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Block

from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.regions import FlowRegion, inner_sequences, joined, loops_in, sequence
from polyopt.passes.scop.plan import ScopPlan, plan_scop
from polyopt.passes.scop.rejection import Rejected, Rejection


@dataclass
class Findings:
    plans: list[ScopPlan] = field(default_factory=list[ScopPlan])
    rejections: list[Rejection] = field(default_factory=list[Rejection])


def find_scops(flow: ControlFlow) -> Findings:
    """The function's entry block, which ends before the first access, is in none."""
    findings = Findings()
    if flow.loops.top_level:
        _, *parts = sequence(flow, flow.cfg.blocks[0])
        _search(flow, parts, findings)
    return findings


def _search(flow: ControlFlow, parts: list[FlowRegion], findings: Findings) -> None:
    """Only the last part may have no exit; it is never part of a longer region."""
    if len(parts) > 1 and parts[-1].exit is None:
        _search(flow, parts[:-1], findings)
        parts = parts[-1:]
    start = 0
    while start < len(parts):
        end = len(parts)
        result = _try(flow, parts[start:end])
        while isinstance(result, Rejection):
            bad = _part_of(result.block, parts, start)
            if bad == start:
                break
            end = bad
            result = _try(flow, parts[start:end])
        if isinstance(result, Rejection):
            _descend(flow, parts[start], result, findings)
            end = start + 1
        elif result.candidate.is_worthwhile:
            findings.plans.append(result)
        start = end


def _try(flow: ControlFlow, parts: list[FlowRegion]) -> ScopPlan | Rejection:
    try:
        return plan_scop(flow, joined(parts))
    except Rejected as rejected:
        return rejected.rejection


def _part_of(block: Block, parts: list[FlowRegion], start: int) -> int:
    return next(place for place in range(start, len(parts)) if block in parts[place])


def _descend(
    flow: ControlFlow, region: FlowRegion, rejection: Rejection, findings: Findings
) -> None:
    """Keep the reason if a loop is lost to it, and try what is inside."""
    if loops_in(flow, region):
        findings.rejections.append(rejection)
    for inner in _inner(flow, region):
        _search(flow, inner, findings)


def _inner(flow: ControlFlow, region: FlowRegion) -> Iterator[list[FlowRegion]]:
    if len(region.blocks) > 1:
        yield from inner_sequences(flow, region)
