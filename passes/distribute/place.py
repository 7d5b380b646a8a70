"""poly-place: a SCoP is computed by several processes, which exchange what crosses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import arith, mpi, scf
from xdsl.dialects.builtin import ModuleOp, UnknownLoc, i32, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.cmem import element_type
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ScopOp
from polyopt.ir.problem import Problem, problems_in, read_problem
from polyopt.passes.codegen.loop_builder import Site, truth
from polyopt.passes.distribute.axes import axes_of
from polyopt.passes.distribute.combined_sums import CombinedSum
from polyopt.passes.distribute.exchange_writer import Process
from polyopt.passes.distribute.mpi_to_calls import handle_of
from polyopt.passes.distribute.owned_arrays import OwnedArrays, owned_arrays
from polyopt.passes.distribute.partial_sums import Divided, divide_sums, undo
from polyopt.passes.distribute.processors import processors_of
from polyopt.passes.distribute.runtime import PREFIX, call, declare_called
from polyopt.passes.distribute.step_writer import StepWriter
from polyopt.passes.parallel.code import INDEX, Code, Index
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.loops.subscripts import condition_of
from polyopt.poly.placement.grid import OWN, Axis, cut_subscripts
from polyopt.poly.placement.overlap import overlapped
from polyopt.poly.placement.owners import with_owners
from polyopt.poly.placement.ownership import Extents, Placement, Unplaceable, place_by_writes
from polyopt.poly.placement.profit import is_worth_while
from polyopt.poly.placement.steps import ProcessStep, last_exchange, steps_of
from polyopt.poly.placement.traffic import Traffic, check_exact, traffic_of
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark

OPERATIONS = 8_000_000
"""For the sets of one SCoP."""


@record
class PolyPlacePass(ModulePass):
    """Let processes that run the same program share the work of its SCoPs.

    Requires: all processes enter a SCoP with the same values in its arrays and parameters, as
    processes that run the same program on the same input do.
    Ensures: so they leave it. Each runs the instances that write its part of the arrays first; what
    another one reads of that it sends, once, as late as that can be, and what nobody else waits for
    it computes while that travels; at the end everybody gets the rest of what there is. Operations
    that depend on each other come in the order of the source, and every value is computed once:
    results have the same bits as of one process. A SCoP that is not known exactly, or in which
    there is no more to do than there is to send, is left to each process. Sums into
    one element each that may be computed in another order, in loops of their own, are cut into sums
    of chunks, in one way for any number of processes; they are shared where there are enough, and
    what each process has of them MPI adds up (`combined_sums`); if `deterministic`, one process
    does, in the order of the chunks, and the bits are the same for any number of processes.

    With `owned`, array parameters of known extents, of functions that nobody in the module calls,
    are in parts: a process has its own rows of them before a call, and behind it, and no others
    (`owned_arrays`). All SCoPs that touch them are shared, or that is an error.

    `grid`: the processes along the first dimensions of arrays, "4", "2x2"; "*" is as many as are
    left. `map`: "block", an interval for each; "cyclic", in turns; "block-cyclic", blocks of `size`
    in turns; "lattice", blocks of `size` along each of d subscripts, those of one process a vector
    of the lattice apart that `generators` span (d vectors of d numbers, one after the other; there
    are as many processes as their determinant says). `all`: also what is not worth it.

        poly.scop "f" params(%n) … {                    %rank = mpi.comm.rank
          poly.stmt "S" domain <"S[t, i] : …"> … }  =>  scf.for %t = … {
                                                          poly.scop "f" params(%n, %t, %own…) …
                                                          … mpi.irecv … mpi.isend … mpi.waitall }
    """

    name = "poly-place"

    grid: str = "*"
    map: Literal["block", "cyclic", "block-cyclic", "lattice"] = "block"
    size: int = 1
    generators: tuple[int, ...] = ()
    all: bool = False
    owned: bool = False
    deterministic: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        axes = axes_of(self.grid, self.map, self.size, self.generators)
        if self.owned and self.map == "lattice":
            raise CompileError("parts along a lattice are no rows, so nobody can own them")
        owned = owned_arrays(op) if self.owned else []
        for one in owned:
            one.check_used()
            one.refuse_elsewhere()
        for problem in problems_in(op):
            arrays = next((one for one in owned if one.is_in(problem.op)), None)
            with problem.effort():
                _Distribution(
                    axes, arrays, even_if_dear=self.all, deterministic=self.deterministic
                ).share(problem)
        declare_called(op)


@record(eq=False)
class _Plan:
    placement: Placement
    traffic: Traffic
    steps: tuple[ProcessStep, ...]
    names: Mapping[str, SSAValue]
    """What it speaks of besides the parameters of the SCoP."""
    sums: Mapping[str, CombinedSum]
    """The arrays of parts that MPI makes sums of."""


@record(eq=False)
class _Distribution:
    """How a SCoP is shared. `arrays` that nobody has whole leave no choice, if it touches any."""

    axes: Sequence[Axis]
    arrays: OwnedArrays | None
    even_if_dear: bool
    deterministic: bool

    @property
    def cut(self) -> int:
        return cut_subscripts(self.axes)

    def share(self, problem: Problem) -> None:
        """With its sums in parts, where that may pay."""
        divided = None if self.even_if_dear else _in_parts(problem)
        if divided is None:
            self._distribute(problem, is_last=True)
            return
        shared, alone, choice, sums = divided
        by_mpi = None if self.deterministic else sums
        if not self._distribute(read_problem(shared), is_last=False, sums=by_mpi):
            self._distribute(read_problem(undo(choice)), is_last=True)
        elif self.arrays is not None or _is_worth_while(
            read_problem(alone), cut_subscripts(self.axes)
        ):
            self._distribute(read_problem(alone), is_last=True)

    def _distribute(
        self, problem: Problem, *, is_last: bool, sums: Mapping[str, CombinedSum] | None = None
    ) -> bool:
        """Whether processes share it now; there is no other way to do it if it `is_last`."""
        try:
            with budget("placement", OPERATIONS):
                block = self._written(problem, sums or {})
        except (Unplaceable, UnsupportedTree, BudgetExceeded) as reason:
            if is_last and self.arrays is not None:
                raise CompileError(
                    f"processes cannot share {problem.scop.name!r}, and each of them has its part "
                    f"of the arrays only: {reason}",
                    span=problem.span,
                    hint="a pointer, without a size, is to an array that each process has whole",
                ) from None
            text = f"each process computes all of {problem.scop.name!r}: {reason}"
            remark("missed", "not-distributed", text, problem.span)
            return False
        shape = "x".join(_shown(axis) for axis in self.axes)
        remark(
            "applied", "distributed", f"{shape} processes share {problem.scop.name!r}", problem.span
        )
        for new in block.walk():
            if isinstance(new.location, UnknownLoc):
                new.location = problem.op.location
        Rewriter.inline_block(block, InsertPoint.before(problem.op))
        Rewriter.erase_op(problem.op)
        return True

    def _written(self, problem: Problem, sums: Mapping[str, CombinedSum]) -> Block:
        """What takes the place of the SCoP. Raises Unplaceable, UnsupportedTree, BudgetExceeded."""
        scop, axes = problem.scop, self.axes
        homes: Extents = {}
        extra = dict[str, SSAValue]()
        if self.arrays is not None:
            homes, extra = self.arrays.homes(problem.op, len(axes))
        check_exact(scop, homes)
        if not self.even_if_dear and self.arrays is None and not is_worth_while(scop, self.cut):
            raise Unplaceable("telling all of them the results costs as much")
        _check_elements(problem.op, scop, homes)
        if homes:
            scop = with_owners(scop, homes)
        placement = place_by_writes(scop, axes, homes)
        traffic = traffic_of(placement)
        steps = steps_of(traffic, read_tree(scop.schedule))
        plan = _Plan(placement, traffic, overlapped(traffic, steps), extra, sums)
        return _written(problem.op, plan, axes)


def _in_parts(problem: Problem) -> Divided | None:
    """The SCoP with its sums in parts, and as it was."""
    try:
        with budget("placement", OPERATIONS):
            check_exact(problem.scop)
            return divide_sums(problem)
    except (Unplaceable, BudgetExceeded):
        return None


def _is_worth_while(problem: Problem, cut: int) -> bool:
    try:
        with budget("placement", OPERATIONS):
            return is_worth_while(problem.scop, cut)
    except (Unplaceable, BudgetExceeded):
        return False


def _check_elements(op: ScopOp, scop: Scop, owned: Collection[str]) -> None:
    """Raise Unplaceable for values that cannot be sent: an address means nothing elsewhere."""
    written = {one.array for each in scop.statements for one in each.accesses if one.is_write}
    written.update(owned)
    for value, name in zip(op.arrays, op.array_names, strict=True):
        if name.data in written and handle_of(element_type(value)) is None:
            raise Unplaceable(f"the elements of '{name.data}' mean nothing to another process")


def _shown(axis: Axis) -> str:
    return "*" if axis.count is None else str(axis.count)


def _written(op: ScopOp, plan: _Plan, axes: Sequence[Axis]) -> Block:
    """What takes the place of the SCoP."""
    placement = plan.placement
    known = placement.scop.known
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    outer = Block()
    site = Site(outer, {**parameters, **plan.names}, frozenset(op.params))
    _agree(op, Code(outer, op))
    if known.is_subset(placement.written):
        _write(op, plan, axes, Code(outer, op), site)
        return outer
    # Where an array has no element that is written, there is nothing to cut into parts.
    shared, alone = Block(), Block()
    test = truth(condition_of(placement.written.gist(known)), site)
    _write(op, plan, axes, Code(shared, op), site.inside(shared))
    shared.add_op(scf.YieldOp())
    alone.add_ops([op.clone(), scf.YieldOp()])
    outer.add_op(scf.IfOp(test, [], Region(shared), Region(alone)))
    return outer


def _write(op: ScopOp, plan: _Plan, axes: Sequence[Axis], code: Code, site: Site) -> None:
    placement, scop = plan.placement, plan.placement.scop
    counts = _counts(axes, code)
    processors = processors_of(placement, counts, code, site)
    size = code.index(processors.number(code))
    rank = code.insert(arith.IndexCastOp(code.insert(mpi.CommRankOp()), INDEX))
    rank.name_hint = "rank"
    here = Process(site, code, rank, size, processors)
    own = processors.part(code, rank, OWN)
    for name, value in own.items():
        value.name_hint = name
    known = scop.known.intersect(placement.facts())
    tags = {array.name: position for position, array in enumerate(scop.arrays)}
    extents = {array.name: array.extents for array in scop.arrays}
    writer = StepWriter(op, known, tags, extents, plan.sums)
    here = here.named(own)
    writer.write(plan.steps, here)
    writer.finish(last_exchange(plan.traffic), here)


def _agree(op: ScopOp, code: Code) -> None:
    """All processes are here, with the same parameters: who is not ends with a message."""
    span = span_of(op)
    line = code.insert(arith.ConstantOp.from_int_and_width(span.line if span else 1, i64))
    mixed: Index = 1
    for value in op.params:
        mixed = code.add(code.multiply(mixed, _FACTOR), value)
    mixed = code.insert(arith.IndexCastOp(code.index(mixed), i64))
    code.insert(call(f"{PREFIX}agree", [line, mixed]))


_FACTOR = 1_000_003
"""A prime: parameters that differ give sums that do, but for bad luck."""


def _counts(axes: Sequence[Axis], code: Code) -> list[Index]:
    """How many processes there are on each axis; the program ends where that cannot be."""
    given = prod(axis.count for axis in axes if axis.count is not None)
    is_open = int(any(axis.count is None for axis in axes))
    arguments: list[SSAValue] = [
        code.insert(arith.ConstantOp.from_int_and_width(value, i32)) for value in (given, is_open)
    ]
    rest = code.insert(call(f"{PREFIX}rest", arguments))
    left = code.insert(arith.IndexCastOp(rest, INDEX))
    return [left if axis.count is None else axis.count for axis in axes]
