"""What is used behind a SCoP that stands beside its original code because something is assumed.

    int x = *p;  for (i < n) a[i] += x;  return x;         a SCoP where p is not in a

    ^scop:   %x.before = load p  …       cf.br ^after(%x.before)
    ^region: the code as it was: %x      cf.br ^after(%x)
    ^after(%x.behind):                   return %x.behind

Where the assumption does not hold, what was loaded in front need not be what the original code
loads, nor need its counters end where they were expected to: what has run tells.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.branches import incoming, outgoing
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.effects import is_pure
from polyopt.passes.scop.candidate import Candidate
from polyopt.passes.scop.value_code import ValueCode


def join_behind(
    candidate: Candidate, values: Sequence[SSAValue], after: Block, code: ValueCode
) -> tuple[list[SSAValue], list[SSAValue]]:
    """Gives what stands in `after` for `values` of the region, and what the SCoP's branch to
    `after` has to pass, computed by `code`. The branches of the original code pass theirs."""
    known: dict[SSAValue, SSAValue] = {}
    sources = list[SSAValue]()
    computing = list[Operation]()
    pending = list(reversed(values))
    met = set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in met or defining_block(value) not in candidate.region:
            continue
        met.add(value)
        owner = value.owner
        if (copy := candidate.seen_from(value, after)) is not value:
            known[value] = copy
        elif isinstance(owner, Operation) and is_pure(owner):
            computing.append(owner)
            pending += reversed(owner.operands)
        else:
            sources.append(value)
    passed = [code.value(one) for one in sources]
    _pass_too(after, sources)
    for source in sources:
        known[source] = after.insert_arg(source.type, len(after.args))
        known[source].name_hint = source.name_hint
    _compute(computing, candidate, after, known)
    return [known[one] for one in values], passed


def _pass_too(after: Block, values: Sequence[SSAValue]) -> None:
    for source in {edge.source: None for edge in incoming(after)}:
        for position in range(len(list(outgoing(source)))):
            edge = list(outgoing(source))[position]
            if edge.target is after:
                edge.redirect(after, (*edge.values, *values))


def _compute(
    operations: Sequence[Operation],
    candidate: Candidate,
    after: Block,
    known: dict[SSAValue, SSAValue],
) -> None:
    """Behind the loads of variables there; in the order of the region, operands first."""
    wanted = dict.fromkeys(operations)
    branch = after.last_op
    assert branch is not None
    for block in candidate.region.blocks:
        for op in block.ops if wanted else ():
            if op in wanted:
                clone = op.clone({one: known.get(one, one) for one in op.operands})
                clone.location = op.location
                after.insert_op_before(clone, branch)
                known.update(zip(op.results, clone.results, strict=True))
