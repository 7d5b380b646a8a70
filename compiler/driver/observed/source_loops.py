"""The loops of a file as somebody wrote them.

C's are found again in the control flow that the front end makes of them; others are operations with
a region: OpenMP's, those of `scf` and `affine` in modules of other compilers. An operation of
`linalg` is as many loops as it has iterators, a stencil as many as it has dimensions. A function
that ends in a call of itself is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from polyopt.report.contents import UNNAMED, SourceLoop

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Operation, Region

STENCIL = "stencil.apply"
"""By name: xDSL's `stencil` is loaded where it is met."""


def source_loops(module: ModuleOp, file: str) -> Iterator[SourceLoop]:
    """The loops of the file in the module as the front end has made it, or another compiler."""
    from xdsl.dialects.func import FuncOp

    for function in module.ops:
        if not isinstance(function, FuncOp):
            continue
        name = function.sym_name.data
        yield from _recursion(function, file)
        for op in function.walk():
            for iterator in _iterators(op):
                yield from _source_loop(name, iterator, [op], [op], file)
            for region in op.regions:
                if len(region.blocks) > 1:
                    yield from _loops_in(region, name, file)


def _recursion(function: FuncOp, file: str) -> Iterator[SourceLoop]:
    """All of a function is a loop where it ends in calls of itself; it counts what these change."""
    from polyopt.passes.prepare.loop_forms.tail_calls import looping_calls

    calls = looping_calls(function)
    if calls:
        parameters = function.body.blocks[0].args
        pairs = [(p, a) for call in calls for p, a in zip(parameters, call.arguments, strict=True)]
        names = [p.name_hint for p, argument in pairs if argument is not p and p.name_hint]
        ops = [op for block in function.body.blocks for op in block.ops]
        yield from _source_loop(function.sym_name.data, next(iter(names), None), [], ops, file)


def _iterators(op: Operation) -> Sequence[str | None]:
    """What the loops count with that the operation is, outermost first."""
    from xdsl.dialects import affine, omp, scf

    from polyopt.passes.raising.iterator_names import iterator_names
    from polyopt.passes.raising.linalg_loops import iterators_of

    match op:
        case omp.LoopNestOp() | scf.ForOp() | affine.ForOp():
            return [op.body.block.args[0].name_hint]
        case scf.ParallelOp() | affine.ParallelOp():
            return [one.name_hint for one in op.body.block.args]
        case scf.WhileOp():
            return [None]
        case _ if op.name == STENCIL:
            from xdsl.dialects.stencil import ApplyOp

            return iterator_names(op.get_rank()) if isinstance(op, ApplyOp) else []
        case _:
            return iterators_of(op)


def _loops_in(region: Region, function: str, file: str) -> Iterator[SourceLoop]:
    from xdsl.dialects import memref

    from polyopt.ir.control.control_flow import ControlFlow

    for loop in ControlFlow(region).loops.all_loops():
        ops = [op for block in loop.blocks for op in block.ops]
        entries = [edge.source.ops.last for edge in loop.entries()]
        decide = [edge.source for edge in loop.exits()]
        head = loop.header if loop.header in decide else (*decide, loop.header)[0]
        variables = [op.memref.name_hint for op in head.ops if isinstance(op, memref.LoadOp)]
        name = next((name for name in variables if name), None)
        yield from _source_loop(function, name, [op for op in entries if op], ops, file)


def _source_loop(
    function: str,
    name: str | None,
    entries: Sequence[Operation],
    ops: Sequence[Operation],
    file: str,
) -> Iterator[SourceLoop]:
    """The loop that is entered by the ones and holds the others; nothing if it is not in the
    file."""
    from polyopt.dialects.locations import span_of

    first = [span_of(op) for op in entries]
    inside = [span_of(one) for op in ops for one in op.walk()]
    here = [span for span in (*first, *inside) if span is not None and span.file == file]
    ends = [span for span in inside if span is not None and span.file == file]
    if ends:
        yield SourceLoop(function, name or UNNAMED, min(here), max(ends))
