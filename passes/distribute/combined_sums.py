"""Sums in parts, combined by MPI's own reductions on their way to who has the sum.

    each process:   mine = neutral; for its parts that somebody else adds up: mine op= part[c]
                    mpi.allreduce(mine, total)
    who adds up:    of the parts that it does not have, the first is total, the others neutral

What is exchanged otherwise is every part (`exchange_writer`); this is one element from each
process, whatever their number, in the order that the library likes. So it is for what any order
makes the same of (integers, which wrap around as unsigned numbers do), and for what may be computed
in any. `MPI_MAX` and `MPI_MIN` do not say what becomes of NaNs and of zeros with signs: of
floating-point numbers they are taken where the program promises that there are none.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, memref, mpi
from xdsl.dialects.builtin import IndexType, IntegerType, Signedness, i32
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.cmem import element_type
from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.passes.codegen.loop_builder import Site
from polyopt.passes.distribute.exchange_writer import (
    Message,
    Process,
    for_each_partner,
    over_elements,
)
from polyopt.passes.distribute.joined_parts import joined
from polyopt.passes.distribute.parts_of_sums import Parts
from polyopt.passes.parallel.code import INDEX
from polyopt.support.record import record

_OPERATIONS = {
    "add": mpi.MpiOp.MPI_SUM,
    "mul": mpi.MpiOp.MPI_PROD,
    "and": mpi.MpiOp.MPI_BAND,
    "or": mpi.MpiOp.MPI_BOR,
    "xor": mpi.MpiOp.MPI_BXOR,
}


@record(eq=False)
class CombinedSum:
    """`combine` adds a term to the sum, `operation` is MPI's name for it, and `sent_as` the type of
    what it is asked to combine."""

    combine: Operation
    neutral: Attribute
    operation: mpi.OperationType
    sent_as: Attribute


def combined_by_mpi(parts: Parts) -> CombinedSum | None:
    """None where MPI has no such operation, or one that may give something else."""
    combine, element = parts.sum.combine, element_type(parts.array)
    name = COMBINERS[type(combine)]
    operation = _OPERATIONS.get(name)
    if operation is None:
        operation = mpi.MpiOp.MPI_MAX if name.startswith("max") else mpi.MpiOp.MPI_MIN
    sent_as = element
    if isa(element, IntegerType):
        if element.width.data < 8:
            return None
        if not name.endswith("si"):
            sent_as = IntegerType(element.width.data, Signedness.UNSIGNED)
    elif name not in ("add", "mul") and not (
        permits(combine, FastMathFlag.NO_NANS) and permits(combine, FastMathFlag.NO_SIGNED_ZEROS)
    ):
        return None
    neutral = neutral_of(name, element, is_finite=permits(combine, FastMathFlag.NO_INFS))
    return CombinedSum(combine.clone(), neutral, operation, sent_as)


@record(eq=False)
class Combination:
    """A sum on its way: `mine` is what this process has of it, at `place`."""

    message: Message
    how: CombinedSum
    place: SSAValue

    @staticmethod
    def begin(message: Message, how: CombinedSum, at: Process) -> Combination:
        """What of the parts others read is combined."""
        code = at.code
        place = code.insert(memref.AllocaOp.get(element_type(message.array), shape=[]))
        code.block.add_op(memref.StoreOp.get(_neutral(code.insert, how), place, []))

        def combine(site: Site, subscripts: list[SSAValue]) -> None:
            part = site.add(memref.LoadOp.get(message.array, subscripts))
            before = site.add(memref.LoadOp.get(place, []))
            new = site.add(joined(how.combine, before, part))
            site.block.add_op(memref.StoreOp.get(new, place, []))

        for_each_partner(at, lambda one, _: over_elements(message.outgoing, one, combine))
        return Combination(message, how, place)

    def end(self, at: Process) -> None:
        """All processes are here; who reads the parts of others has the total in their place."""
        code, array = at.code, self.message.array
        total = code.insert(memref.AllocaOp.get(element_type(array), shape=[]))
        dtype = code.insert(mpi.GetDtypeOp(self.how.sent_as))
        one = code.insert(arith.ConstantOp.from_int_and_width(1, i32))
        mine, all = (code.insert(cmem.AddressOp(each, [])) for each in (self.place, total))
        code.block.add_op(mpi.AllreduceOp(mine, all, one, dtype, self.how.operation))
        begun = code.insert(memref.AllocaOp.get(IndexType(), shape=[]))
        code.block.add_op(memref.StoreOp.get(code.index(0), begun, []))

        def put(site: Site, subscripts: list[SSAValue]) -> None:
            zero, first = (
                site.add(arith.ConstantOp.from_int_and_width(number, INDEX)) for number in (0, 1)
            )
            is_first = site.add(arith.CmpiOp(site.add(memref.LoadOp.get(begun, [])), zero, "eq"))
            value = site.add(memref.LoadOp.get(total, []))
            chosen = site.add(arith.SelectOp(is_first, value, _neutral(site.add, self.how)))
            site.block.add_op(memref.StoreOp.get(chosen, array, subscripts))
            site.block.add_op(memref.StoreOp.get(first, begun, []))

        for_each_partner(at, lambda one, _: over_elements(self.message.incoming, one, put))


def _neutral(add: Callable[[Operation], SSAValue], how: CombinedSum) -> SSAValue:
    return add(arith.ConstantOp(how.neutral))  # pyright: ignore[reportArgumentType]
