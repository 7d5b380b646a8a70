"""mark-scattered-stores: loops whose vectors LLVM would scatter, or put together one by one, are
left without vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.context import Context
from xdsl.dialects import affine, arith, cf, memref, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import NO_VECTOR, PROGRESS
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Expr, Unknown
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.judge.element_steps import ElementStep, is_perhaps_one, place_of
from polyopt.passes.judge.keep_as_written import kept_functions
from polyopt.passes.judge.operation_costs import element_bits, lanes_of
from polyopt.support.core_model import CORE, CoreCosts
from polyopt.support.record import record
from polyopt.support.target import Target

_LOOPS = (affine.ForOp, scf.ForOp, scf.WhileOp, scf.ParallelOp)
_NARROW = 16
_DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)
_CALLS = ("func.call", "cmem.call", "math.", "omp.", "llvm.")


@record
class MarkScatteredStoresPass(ModulePass):
    """Mark innermost loops in one lane whose stores lie further apart than LLVM takes together,
    members of structures or elements of a column: it would make vectors of neighbouring iterations
    and scatter them, which costs more than the arithmetic gains where there is little of it. So too
    where integers of 8 and 16 bits are looked up, in a table of bytes for instance, which LLVM does
    one by one on vectors, and where they are divided under a condition, with a branch for each.

    Requires: nothing. Ensures: nothing but marks on the ways back to heads of loops is changed, of
    these and, by their places in the source, of the functions as they were written.

        memref.store %x, %A[%i, %c4] : memref<?x25xf64>
        %next = arith.addi %i, %c1 : index                =>
        cf.br ^head(%next : index)                            cf.br ^head(…) {cmem.no_vector}
    """

    name = "mark-scattered-stores"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        core = CoreCosts.of(target)
        written = kept_functions(op)
        for function in functions_near_loops(op):
            if len(function.body.blocks) < 2:
                continue
            ways_back = list(_ways_back(ControlFlow(function.body), core, target))
            places = {one.location for one in ways_back}
            kept = written.get(function.sym_name.data)
            for branch in kept.body.walk() if kept is not None and places else ():
                if isinstance(branch, cf.BranchOp) and PROGRESS in branch.attributes:
                    ways_back += [branch] if branch.location in places else []
            for branch in ways_back:
                branch.attributes[NO_VECTOR] = UnitAttr()


def _ways_back(flow: ControlFlow, core: CoreCosts, target: Target) -> Iterable[cf.BranchOp]:
    """Of the loops that are to have no vectors."""
    evolution: Evolution | None = None
    for loop in flow.loops.all_loops():
        body = [op for block in loop.blocks for op in block.walk()]
        if loop.children or not _is_asked(body):
            continue
        evolution = evolution or Evolution(flow)
        far = _far(loop, evolution, core)
        if (
            _divides_by_turns(body)
            or _waits_for_lanes(body, far, core, target.vector_bits)
            or _looks_up(body, loop, evolution, core, target)
        ):
            for edge in loop.back_edges():
                if isinstance(edge.terminator, cf.BranchOp):
                    yield edge.terminator


def _is_asked(body: Sequence[Operation]) -> bool:
    """An innermost loop in one lane, without calls, that stores anything."""
    return any(isinstance(op, memref.StoreOp) for op in body) and not any(
        isinstance(op, _LOOPS) or op.name.startswith(_CALLS) or any(map(_is_vector, op.results))
        for op in body
    )


def _is_vector(value: SSAValue) -> bool:
    return lanes_of(value.type) > 0


def _waits_for_lanes(body: Sequence[Operation], far: _Far, core: CoreCosts, bits: int) -> bool:
    """Whether it stores far apart, or so that loads meet it, and that and what it loads so takes
    longer than arithmetic."""
    is_wide = bits >= CORE.strided.wide_bits
    scattered = core.scattered_by_llvm if is_wide else core.scalarised_by_llvm
    gathered = core.gathered_by_llvm if is_wide else core.put_together_by_llvm
    waits = len(far.stores) * scattered + len(far.loads) * gathered + far.handed_on
    is_asked = bool(far.stores) or far.handed_on > 0
    return is_asked and waits > _computing(body, core)


def _divides_by_turns(body: Sequence[Operation]) -> bool:
    """Whether integers are divided, by what is no constant, only where data say so. LLVM's vectors
    have a branch for each lane of each such quotient, none of which is foreseen."""
    return any(
        isinstance(op, _DIVISIONS)
        and not isinstance(op.rhs.owner, arith.ConstantOp)
        and isinstance(op.parent_op(), scf.IfOp)
        and not isinstance(op.result.type, IndexType)
        for op in body
    )


def _computing(body: Sequence[Operation], core: CoreCosts) -> float:
    """The cycles that arithmetic takes."""
    arithmetic = sum(
        op.name.startswith("arith.")
        and not isinstance(op, arith.ConstantOp)
        and not isinstance(op.results[0].type, IndexType)
        for op in body
    )
    divisions = sum(isinstance(op, arith.DivfOp) for op in body)
    return arithmetic / core.arithmetic + divisions * core.divide


def _looks_up(
    body: Sequence[Operation],
    loop: NaturalLoop,
    evolution: Evolution,
    core: CoreCosts,
    target: Target,
) -> bool:
    """Whether elements that no instruction gathers, of 8 and 16 bits, are at places that the loop
    loads or computes, which LLVM takes from a vector one by one and puts what it finds into one,
    and that takes longer than arithmetic. Not under conditions that data decide on: in vectors no
    jump is mispredicted. Places that are loaded as they are it need not take from a vector: where
    CPUs gather element by element (AMD), what it finds is sooner put into one than stored (Zen 3,
    200,000 bytes through a table of 256: 97 us one by one, 60 in LLVM's vectors)."""
    if any(isinstance(op, scf.IfOp) for op in body):
        return False
    if sum(isinstance(op, cf.ConditionalBranchOp) for op in body) > 1:
        return False
    found = [
        index
        for op in body
        if isinstance(op, memref.LoadOp) and element_bits(op.res.type) <= _NARROW
        for index in [one for one in op.indices if _is_found(one, loop, evolution)][:1]
    ]
    if target.gathers_apart and all(map(_is_loaded, found)):
        return False
    return len(found) * core.gathered_by_llvm > _computing(body, core)


def _is_loaded(index: SSAValue) -> bool:
    """As it is, but for its size."""
    while isinstance(cast := index.owner, arith.ExtUIOp | arith.ExtSIOp | arith.IndexCastOp):
        index = cast.operands[0]
    return isinstance(cast, memref.LoadOp)


def _is_found(index: SSAValue, loop: NaturalLoop, evolution: Evolution) -> bool:
    """Whether it is made of what each iteration finds anew."""
    block = defining_block(index)
    return block in loop and any(
        isinstance(atom, Unknown) and defining_block(atom.value) in loop
        for atom in evolution.signed(index, block).all_atoms()
    )


@record
class _Far:
    """The places of each kind of access, seen from an iteration, that step by more than
    `short_moves` elements, or by rows. What is loaded again LLVM has in a register, as soon as it
    has asked whether arrays overlap. `handed_on`: how long an iteration waits for what vectors have
    stored with gaps where the next ones load from."""

    stores: frozenset[Expr]
    loads: frozenset[Expr]
    handed_on: float = 0.0


def _far(loop: NaturalLoop, evolution: Evolution, core: CoreCosts) -> _Far:
    places: dict[bool, list[ElementStep]] = {True: [], False: []}
    for block in loop.blocks:
        for op in block.ops:
            if isinstance(op, (memref.LoadOp, memref.StoreOp)):
                place = place_of(op, block, loop, evolution)
                places[isinstance(op, memref.StoreOp)] += [] if place is None else [place]

    def far(own: Sequence[ElementStep]) -> frozenset[Expr]:
        return frozenset(one.first for one in own if _is_far(one, loop, evolution, core))

    waits = [_handed_on(store, load, core) for store in places[True] for load in places[False]]
    return _Far(far(places[True]), far(places[False]), max(waits, default=0.0))


def _is_far(place: ElementStep, loop: NaturalLoop, evolution: Evolution, core: CoreCosts) -> bool:
    """Not if it steps by little, or nothing shows by how much."""
    step = place.step.as_constant
    if step is None:
        return not is_perhaps_one(place.step, place.size, loop, evolution)
    return abs(step) > core.short_moves * place.size


def _handed_on(store: ElementStep, load: ElementStep, core: CoreCosts) -> float:
    """The cycles for each iteration that vectors wait whose loads, of all that lies around, meet
    what the vectors before have stored with gaps. One at a time, each load would have its own
    element, which is in the cache."""
    step, distance = abs(store.step.as_constant or 0), (store.first - load.first).as_constant
    is_near = store.size < step <= core.short_moves * store.size
    if not is_near or store.step != load.step or store.size != load.size or distance is None:
        return 0.0
    lanes = core.llvm_bits // (8 * store.size)
    if (store.step.as_constant or 0) < 0:
        distance = -distance
    if distance < step or distance % step == 0:
        return 0.0
    return CORE.strided.handed_on / (lanes * max(1, distance // (step * lanes)))
