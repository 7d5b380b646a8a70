"""Where in the source a value is computed, and where it is given to a variable."""

from __future__ import annotations

from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import BlockArgument, Operation, SSAValue

from polyopt.ir.branches import Edge
from polyopt.passes.scop.candidate import Candidate


def place_of(value: SSAValue) -> LocationAttr:
    if isinstance(value, BlockArgument):
        return value.location
    assert isinstance(value.owner, Operation)
    return value.owner.location


def assigned_at(edge: Edge, passed: SSAValue, candidate: Candidate) -> LocationAttr:
    """Of an edge's value: where it is computed, if the region does that."""
    owner = passed.owner
    if not isinstance(owner, Operation) or isinstance(owner.location, UnknownLoc):
        return edge.terminator.location
    is_inside = owner.parent is not None and owner.parent in candidate.region
    return owner.location if is_inside else edge.terminator.location
