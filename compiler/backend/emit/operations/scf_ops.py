"""scf: structured control becomes blocks.

A loop is header (test), body, exit; LLVM rotates it. What a pass has proved about a loop stands
in its facts (`#poly.loop`) and is said to LLVM:

    parallel              on an innermost loop: its accesses form a group that no iteration's
                          order matters to (`llvm.loop.parallel_accesses`); LLVM then needs no
                          alias checks
    no_vector, no_unroll  LLVM leaves the loop as it is
    unroll_by_4           four steps at a time
    long                  another iteration is likely: the loop's own values stay in registers, and
                          not those of what comes before and behind it

Vectors that LLVM makes of a row whose sum goes on in the next one (`sums_on`) stay a loop: unrolled
as a whole, where the row's length is known, the sums side by side become one chain of all rows,
each of which waits for the one before (a batch norm of 8 x 16 x 784 floats: 14.1 µs, 8.7 so).

Hints that force LLVM to vectorise are not used: it complains on stderr where it cannot, and where
it can, its own cost model has the accesses above to go by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import scf
from xdsl.ir import Operation, Region

from polyopt.backend.emit.control import emit_region
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter, Join
from polyopt.backend.emit.metadata import Metadata
from polyopt.backend.emit.registry import EmitterTable
from polyopt.backend.emit.rolled_loops import stays_rolled
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.idioms.sums_on import row_sums_on

_MARKS = {
    "no_vector": ('!"llvm.loop.vectorize.width", i32 1', '!"llvm.loop.interleave.count", i32 1'),
    "no_unroll": ('!"llvm.loop.unroll.disable"',),
    "unroll_by_4": ('!"llvm.loop.unroll.count", i32 4',),
}

_WEIGHTS = '!"branch_weights", i32 256, i32 1'
"""Of another iteration of a long loop, and of its end."""

Body = Callable[[Sequence[str]], Sequence[str]]
"""From the induction variable and the carried registers to the carried registers to come."""


def emit_for(f: FunctionEmitter, op: scf.ForOp) -> None:
    block = op.body.block

    def body(registers: Sequence[str]) -> list[str]:
        f.bind_registers(block.args, registers)
        outer, f.access_group = f.access_group, group
        terminator = f.emit_block(block)
        f.access_group = outer
        return f.registers(terminator.operands)

    group = f.module.metadata.distinct() if _is_parallel(op) else None
    bounds = (f.value(op.lb), f.value(op.ub), f.value(op.step))
    header = f.new_join("for", [argument.type for argument in block.args])
    hints = f.register_hints(block.args)
    initial = f.registers(op.iter_args)
    suffixes = (_way_on(f, op), _loop_hints(f, op, group))
    results = _counted_loop(f, header, bounds, initial, hints, body, suffixes)
    f.bind_registers(op.res, results)


def _counted_loop(
    f: FunctionEmitter,
    header: Join,
    bounds: tuple[str, str, str],
    initial: Sequence[str],
    hints: Sequence[str | None],
    body: Body,
    suffixes: tuple[str, str],
) -> Sequence[str]:
    """`for (i = lower; i < upper; i += step)`; the carried registers as they are at its end.
    `suffixes` are of the branches into the body and back."""
    lower, upper, step = bounds
    on, back = suffixes
    type = header.types[0]
    inside, after = f.new_join("for.body"), f.new_join("for.end")
    f.jump(header, [lower, *initial])
    induction, *carried = f.enter(header, hints)
    goes_on = f.temp(f"icmp slt {type} {induction}, {upper}")
    f.terminate(f"br i1 {goes_on}, label %{inside.label}, label %{after.label}{on}")
    f.enter(inside)
    values = body([induction, *carried])
    following = f.temp(f"add nsw {type} {induction}, {step}")
    f.jump(header, [following, *values], back)
    f.enter(after)
    return carried


def _is_parallel(op: scf.ForOp) -> bool:
    """Whether LLVM can be told so: of innermost loops only."""
    return facts_of(op).is_parallel and not any(
        isinstance(inner, scf.ForOp | scf.WhileOp | scf.ParallelOp | scf.ExecuteRegionOp)
        for inner in op.body.walk()
    )


def _way_on(f: FunctionEmitter, op: scf.ForOp) -> str:
    """How likely another iteration is, where it is known."""
    if "long" not in facts_of(op).marks:
        return ""
    return f", !prof {f.module.metadata.node(_WEIGHTS)}"


def _loop_hints(f: FunctionEmitter, op: scf.ForOp, group: str | None) -> str:
    """The loop's metadata, behind the branch back to its header."""
    metadata = f.module.metadata
    nodes = [metadata.node('!"llvm.loop.mustprogress"')]
    if group is not None:
        nodes.append(metadata.node(f'!"llvm.loop.parallel_accesses", {group}'))
    for mark in facts_of(op).marks:
        nodes += [metadata.node(hint) for hint in _MARKS.get(mark, ())]
    if stays_rolled(op):
        nodes += [metadata.node(hint) for hint in _MARKS["no_unroll"]]
    if row_sums_on(op):
        nodes.append(_rolled_vectors(metadata))
    return f", !llvm.loop {metadata.distinct(', '.join(nodes))}"


def emit_if(f: FunctionEmitter, op: scf.IfOp) -> None:
    after = f.new_join("if.end", op.result_types)
    then = f.new_join("if.then")
    has_else = bool(op.false_region.blocks)
    orelse = f.new_join("if.else") if has_else else after
    f.terminate(f"br i1 {f.value(op.cond)}, label %{then.label}, label %{orelse.label}")
    _emit_branch(f, then, op.true_region, after)
    if has_else:
        _emit_branch(f, orelse, op.false_region, after)
    f.enter_binding(after, op.output)


def _emit_branch(f: FunctionEmitter, start: Join, region: Region, after: Join) -> None:
    f.enter(start)
    terminator = f.emit_block(region.block)
    f.jump(after, f.registers(terminator.operands))


def emit_while(f: FunctionEmitter, op: scf.WhileOp) -> None:
    before, body = op.before_region.block, op.after_region.block
    header = f.new_join("while", [argument.type for argument in before.args])
    inside, after = f.new_join("while.body"), f.new_join("while.end")
    f.jump(header, f.registers(op.arguments))
    f.enter_binding(header, before.args)
    condition = f.emit_block(before)
    if not isinstance(condition, scf.ConditionOp):
        raise unsupported(op, "its first region does not end in scf.condition")
    passed = f.registers(condition.args)
    test = f.value(condition.condition)
    f.terminate(f"br i1 {test}, label %{inside.label}, label %{after.label}")
    f.enter(inside)
    f.bind_registers(body.args, passed)
    f.jump(header, f.registers(f.emit_block(body).operands))
    f.enter(after)
    f.bind_registers(op.res, passed)


def emit_parallel(f: FunctionEmitter, op: scf.ParallelOp) -> None:
    """One loop inside the other, in order; reductions are carried from one to the next."""
    results = _parallel_loops(f, op, 0, [], f.registers(op.initVals))
    f.bind_registers(op.res, results)


def _parallel_loops(
    f: FunctionEmitter,
    op: scf.ParallelOp,
    depth: int,
    inductions: list[str],
    initial: Sequence[str],
) -> Sequence[str]:
    block = op.body.block
    if depth == len(block.args):
        f.bind_registers(block.args, inductions)
        return _reductions(f, f.emit_block(block), initial)

    def body(registers: Sequence[str]) -> Sequence[str]:
        induction, *carried = registers
        return _parallel_loops(f, op, depth + 1, [*inductions, induction], carried)

    bounds = tuple(f.value(bound[depth]) for bound in (op.lowerBound, op.upperBound, op.step))
    assert len(bounds) == 3
    header = f.new_join("for", [block.args[depth].type, *op.result_types])
    hints = f.register_hints([block.args[depth], *op.results])
    suffix = f", !llvm.loop {facts_on_way_back(f, ends=True, alone=False)}"
    return _counted_loop(f, header, bounds, initial, hints, body, ("", suffix))


def facts_on_way_back(
    f: FunctionEmitter, *, ends: bool, alone: bool, rolled: bool = False, sums_on: bool = False
) -> str:
    """Of a loop that is made of blocks."""
    metadata = f.module.metadata
    hints = ['!"llvm.loop.mustprogress"'] if ends else []
    hints += _MARKS["no_vector"] if alone else []
    hints += _MARKS["no_unroll"] if rolled else []
    nodes = [metadata.node(hint) for hint in hints]
    nodes += [_rolled_vectors(metadata)] if sums_on else []
    return metadata.distinct(", ".join(nodes))


def _rolled_vectors(metadata: Metadata) -> str:
    """The vectors that are made of the loop are not unrolled."""
    rolled = metadata.node('!"llvm.loop.unroll.disable"')
    return metadata.node(f'!"llvm.loop.vectorize.followup_vectorized", {rolled}')


def _reductions(f: FunctionEmitter, terminator: Operation, carried: Sequence[str]) -> list[str]:
    """Each carried value combined with this iteration's, by its region."""
    combined: list[str] = []
    for region, value, argument in zip(
        terminator.regions, carried, terminator.operands, strict=True
    ):
        block = region.block
        f.bind(block.args[0], value)
        f.bind(block.args[1], f.value(argument))
        combined.append(f.value(f.emit_block(block).operands[0]))
    return combined


def emit_index_switch(f: FunctionEmitter, op: scf.IndexSwitchOp) -> None:
    after = f.new_join("switch.end", op.result_types)
    default = f.new_join("switch.default")
    cases = [f.new_join("switch.case") for _ in op.case_regions]
    table = " ".join(
        f"i64 {value}, label %{case.label}"
        for value, case in zip(op.cases.get_values(), cases, strict=True)
    )
    f.terminate(f"switch i64 {f.value(op.arg)}, label %{default.label} [ {table} ]")
    for start, region in zip([default, *cases], [op.default_region, *op.case_regions], strict=True):
        _emit_branch(f, start, region, after)
    f.enter_binding(after, op.output)


def emit_execute_region(f: FunctionEmitter, op: scf.ExecuteRegionOp) -> None:
    after = f.new_join("region.end", op.result_types)
    f.region_ends[op] = after
    emit_region(f, op.region)
    f.enter_binding(after, op.outs)


def emit_yield(f: FunctionEmitter, op: scf.YieldOp) -> None:
    """The end of a region of many blocks; other yields are read by the operation around them."""
    after = f.region_ends.get(op.parent_op())
    if after is None:
        raise unsupported(op, "it does not end a region")
    f.jump(after, f.registers(op.arguments))


EMITTERS: EmitterTable = {
    scf.ExecuteRegionOp: emit_execute_region,
    scf.ForOp: emit_for,
    scf.IfOp: emit_if,
    scf.IndexSwitchOp: emit_index_switch,
    scf.ParallelOp: emit_parallel,
    scf.WhileOp: emit_while,
    scf.YieldOp: emit_yield,
}
