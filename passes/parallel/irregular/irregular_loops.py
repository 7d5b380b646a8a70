"""Loops of the source whose iterations take as long as data say, and may run in any order.

    for (i = 0; i < n; i++) {                     how often j runs, only ptr tells
      double s = 0;                               s: made in each iteration, its own; so are
                                                  arrays that it fills first (`scratch_arrays`)
      for (j = ptr[i]; j < ptr[i + 1]; j++)
        s += val[j] * x[idx[j]];                  read at any place: nobody writes there
      y[i] = s;                                   one element for each i
    }

Such a loop is no static control part, but to know that its iterations are independent it is enough
to know whose each element is that is written (`element_owners`). Arrays in which iterations do meet
may be such that all of them only update (`shared_bins`). What is not known is a dependence.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.trip_count import trip_count
from polyopt.ir.expressions.integer_expr import Counter, Expr
from polyopt.ir.objects.iteration_variables import first_reader, is_variable
from polyopt.ir.references.loop_references import NotProved, references_of
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.parallel.irregular.element_owners import ByteRange, check_order
from polyopt.passes.parallel.irregular.scratch_arrays import scratch_arrays
from polyopt.passes.parallel.irregular.shared_bins import SharedBins
from polyopt.passes.parallel.irregular.shared_sums import SharedSum, carried_sum, shared_sum
from polyopt.support.record import record


@record
class IrregularLoop:
    """`counter` goes by `step`, `rounds` times; `private` are the variables, and the arrays, of
    which each thread has its own; `sums` and `bins` what all iterations update. The loop is left
    from its header alone: nothing but sums that an iteration computes is used behind the loop. The
    two ranges of each pair of `apart` must be disjoint."""

    loop: NaturalLoop
    counter: BlockArgument
    step: int
    is_signed: bool
    rounds: Expr
    private: tuple[SSAValue, ...]
    sums: tuple[SharedSum, ...]
    bins: tuple[SharedBins, ...]
    apart: tuple[tuple[ByteRange, ByteRange], ...]

    @property
    def counter_type(self) -> IntegerType:
        type = self.counter.type
        assert isa(type, IntegerType)
        return type


def irregular_loop(view: LoopView) -> IrregularLoop:
    """Raises NotProved where the loop cannot be shared out among threads; of calls before all else,
    since of what has them the variables may still be in memory (`keep-as-written`)."""
    references = list(references_of(view))
    (counter, step, is_signed), carried = _counter(view)
    _check_way_out(view, {one.place for one in carried})
    rounds = _rounds(view)
    _check_names(view)
    variables, sums = _private_variables(view, references)
    private = (
        *variables,
        *scratch_arrays(view.loop, view.flow, view.evolution, references),
    )
    own = {*private, *(one.place for one in sums)}
    _check_header(view, [one for one in references if one.base not in private])
    shared = [one for one in references if one.base not in own]
    bins, apart = check_order(view, shared)
    return IrregularLoop(
        *(view.loop, counter, step, is_signed, rounds, private),
        *((*sums, *carried), bins, apart),
    )


def _counter(
    view: LoopView,
) -> tuple[tuple[BlockArgument, int, bool], tuple[SharedSum, ...]]:
    """The variable that it counts with, its step, and whether that is signed; and the sums that
    iterations hand on."""
    header = view.loop.header
    sums = {one: carried_sum(view.loop, one) for one in header.args}
    carried = tuple(one for one in sums.values() if one is not None)
    others = [one for one, found in sums.items() if found is None]
    if len(others) != 1 or not isinstance(others[0].type, IntegerType):
        raise NotProved("an iteration hands values on to the next one", header.last_op)
    (counter,) = others
    for is_signed in (True, False):
        parts = view.counted(counter, is_signed).split(Counter(view.loop))
        step = None if parts is None else parts[1].as_constant
        if step:
            return (counter, step, is_signed), carried
    raise NotProved("what it counts with does not go in steps", header.last_op)


def _check_way_out(view: LoopView, carried: Collection[SSAValue]) -> None:
    """Raises NotProved where it is not left from its header alone, or with what is no sum."""
    loop = view.loop
    exits = loop.exits()
    if len(exits) != 1 or exits[0].source is not loop.header or len(loop.latches) != 1:
        raise NotProved("it may be left before it is through", loop.header.last_op)
    for block in view.blocks:
        values = [*block.args, *(result for op in block.ops for result in op.results)]
        for value in values:
            is_used = any(enclosing_block(use.operation) not in loop for use in value.uses)
            if is_used and value not in carried:
                raise NotProved("what its last iteration computes is used behind it", block.last_op)
    (leaving,) = exits
    if any(view.is_inside(value) and value not in carried for value in leaving.values):
        raise NotProved("what its last iteration computes is used behind it", loop.header.last_op)


def _rounds(view: LoopView) -> Expr:
    count = trip_count(view.loop, view.flow, view.evolution, wraps=not view.is_unsigned)
    if count is None or count.assumptions or not view.is_fixed(count.taken):
        raise NotProved("how often it runs is not known before", view.loop.header.last_op)
    return count.taken


def _check_names(view: LoopView) -> None:
    """By the names in it, and in front of it, every thread finds the same objects. Raises
    NotProved."""
    pending, seen = list(view.operations()), set[Operation]()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        if isinstance(op, cmem.AddressOfOp) and op.symbol.string_value() in view.of_threads:
            name = op.symbol.string_value()
            raise NotProved(f"each thread has a variable {name} of its own", op)
        owners = (operand.owner for operand in op.operands)
        pending += [one for one in owners if isinstance(one, cmem.ViewOp | cmem.AddressOfOp)]


def _private_variables(
    view: LoopView, references: Sequence[Reference]
) -> tuple[list[SSAValue], tuple[SharedSum, ...]]:
    """The variables that are written: those of which nobody else reads what an iteration leaves
    there, and sums."""
    written = dict.fromkeys(one.base for one in references if one.is_write)
    variables, sums = list[SSAValue](), list[SharedSum]()
    for variable in filter(is_variable, written):
        reader = first_reader(view.loop.header, variable)
        found = None if reader is None else shared_sum(view.loop, variable)
        if found is not None:
            sums.append(found)
        elif reader is None:
            variables.append(variable)
        else:
            name = variable.name_hint or "a variable"
            raise NotProved(f"what an iteration leaves in {name} is read later", reader)
    return variables, tuple(sums)


def _check_header(view: LoopView, references: Sequence[Reference]) -> None:
    """It runs once more than the iterations do, which what is written there must not show. Raises
    NotProved."""
    for one in references:
        if one.is_write and enclosing_block(one.op) is view.loop.header:
            raise NotProved("it writes where it asks whether to go on", one.op)
