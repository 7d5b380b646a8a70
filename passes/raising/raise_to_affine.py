"""raise-to-affine: loops, branches and accesses of other dialects become those of `affine`."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine, func, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.locations import nearest_span
from polyopt.ir.control.equal_values import drop_unused, is_value
from polyopt.passes.lower.affine_to_scf import serial_nest
from polyopt.passes.raising.affine_branches import raise_branch, select_instead
from polyopt.passes.raising.affine_loops import raise_loop, serial_loops
from polyopt.passes.raising.affine_values import AffineReader, NotAffineValue
from polyopt.passes.raising.descriptors import memrefs_of_descriptors
from polyopt.passes.raising.linalg_loops import is_linalg, write_linalg_loops
from polyopt.passes.raising.loop_invariants import hoist_indices
from polyopt.passes.raising.turns import without_turns
from polyopt.passes.raising.view_subscripts import NotAView, through_views
from polyopt.support.record import entity, record
from polyopt.support.remarks import remark


@record
class RaiseToAffinePass(ModulePass):
    """Make loops of `affine` of `scf.for`, `scf.parallel`, `affine.parallel`, `scf.if`,
    `memref.load`, `memref.store` and `linalg` on memrefs, wherever bounds, conditions and
    subscripts are affine through `arith`.

    Requires: arithmetic on `index` does not wrap, as `affine.apply` takes it; subscripts are in
    bounds; what is in a view (`memref.subview`, `memref.cast`) is in the memref below it.
    Ensures: the same accesses in an order that the operations permit: iterations of `scf.parallel`
    and of `linalg` run one after the other; loops in which memrefs change places are unrolled.
    Pointers that become memrefs by descriptors are memrefs that the function takes
    (`descriptors`). What is not affine stays as it is, and a remark says of each loop why and what
    to do.

        scf.for %i = %c0 to %n step %c2 {           affine.for %i = 0 to %n step 2 {
          %j = arith.addi %i, %c1 : index     =>      %x = affine.load %A[%i + 1]
          %x = memref.load %A[%j]
    """

    name = "raise-to-affine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _say_what_no_function_has(op)
        memrefs_of_descriptors(op)
        for function in [inner for inner in op.walk() if isinstance(inner, func.FuncOp)]:
            if function.body.blocks:
                hoist_indices(function)
                _Raising().blocks(function)
                # What only subscripts and bounds were computed with.
                drop_unused(reversed(list(function.walk())), is_value)


@entity
class _Raising:
    """One walk, outermost first: when an operation is met, the loops around it are raised."""

    def blocks(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inner in list(block.ops):
                    if inner.parent is not None:
                        self.operation(inner)

    def operation(self, op: Operation) -> None:
        match op:
            case scf.ParallelOp():
                self.operation(serial_loops(op))
            case scf.ForOp():
                self.loop(op)
            case scf.WhileOp():
                advice = "a loop that counts is an scf.for"
                _say(op, "not-affine", "loop not optimised: scf.while does not count", advice)
                self.blocks(op)
            case affine.ParallelOp():
                self.parallel(op)
            case scf.IfOp():
                self.branch(op)
            case memref.LoadOp() | memref.StoreOp():
                self.access(op)
            case _ if is_linalg(op):
                self.linalg(op)
            case _:
                self.blocks(op)

    def loop(self, op: scf.ForOp) -> None:
        op = without_turns(op)
        name = op.body.block.args[0].name_hint
        try:
            raised: Operation = raise_loop(op)
        except NotAffineValue as error:
            raised = op
            called = f"loop {name}" if name else "loop"
            _say(op, "not-affine", f"{called} not optimised: {error.cause}", error.advice)
        self.blocks(raised)

    def parallel(self, op: affine.ParallelOp) -> None:
        if op.res or not op.body.block.args:
            message = "loop not optimised: affine.parallel reduces"
            _say(op, "not-affine", message, "scf.parallel, which may reduce too, is taken")
            self.blocks(op)
            return
        nest = serial_nest(op)
        for loop in [inner for inner in nest.walk() if isinstance(inner, affine.ForOp)]:
            if not isinstance(loop.body.block.last_op, affine.YieldOp):
                loop.body.block.add_op(affine.YieldOp.get())
        self.blocks(nest)

    def branch(self, op: scf.IfOp) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inner in list(block.ops):
                    if isinstance(inner, scf.IfOp):
                        self.branch(inner)
        if select_instead(op):
            return
        try:
            self.blocks(raise_branch(op))
        except NotAffineValue as error:
            if _is_in_affine_loop(op):
                message = f"conditional inside loops is not affine: {error.cause}"
                _say(op, "not-affine", message, error.advice)
            self.blocks(op)

    def access(self, op: memref.LoadOp | memref.StoreOp) -> None:
        """Loads and stores whose subscripts are not affine stay: a SCoP takes them as accesses of
        any element."""
        around = _loop_around(op)
        reader = AffineReader(lambda value: not _is_computed_in(value, around))
        try:
            base, subscripts = through_views(op.memref, op.indices, reader)
        except (NotAffineValue, NotAView):
            return
        map_ = reader.map(subscripts)
        new: affine.LoadOp | affine.StoreOp
        if isinstance(op, memref.LoadOp):
            new = affine.LoadOp(base, reader.operands, map_, op.res.type)
            new.result.name_hint = op.res.name_hint
            op.res.replace_all_uses_with(new.result)
        else:
            new = affine.StoreOp(op.value, base, reader.operands, map_)
        new.attributes, new.location = dict(op.attributes), op.location
        Rewriter.insert_op(new, InsertPoint.before(op))
        Rewriter.erase_op(op)

    def linalg(self, op: Operation) -> None:
        reason = write_linalg_loops(op)
        if reason is not None:
            _say(op, "linalg-left", f"{op.name} not optimised: {reason.cause}", reason.advice)


def _say(op: Operation, id: str, message: str, advice: str) -> None:
    text = f"{message}; {advice}" if advice else message
    remark("missed", id, text, nearest_span(op))


def _say_what_no_function_has(module: ModuleOp) -> None:
    """Loops that stand in a module itself, or in operations that are no functions: nothing would
    ever run them."""
    for op in module.walk():
        around = op.parent_op()
        if (not isinstance(op, LOOPS) and not is_linalg(op)) or isinstance(around, LOOPS):
            continue
        while around is not None and not isinstance(around, func.FuncOp):
            around = around.parent_op()
        if around is None:
            what = "loop" if isinstance(op, LOOPS) else op.name
            _say(op, "no-function", f"{what} not optimised: it stands in no func.func", "")


LOOPS = affine.ForOp | affine.ParallelOp | scf.ForOp | scf.WhileOp | scf.ParallelOp


def _loop_around(op: Operation) -> Operation | None:
    """The nearest loop, None where there is none in the function."""
    around = op.parent_op()
    while around is not None and not isinstance(around, LOOPS):
        around = None if isinstance(around, func.FuncOp) else around.parent_op()
    return around


def _is_computed_in(value: SSAValue, loop: Operation | None) -> bool:
    """Does each iteration of the loop compute the value anew?"""
    if loop is None:
        return False
    owner = value.owner
    op = owner.parent_op() if isinstance(owner, Block) else _loop_around(owner)
    return op is loop


def _is_in_affine_loop(op: Operation) -> bool:
    return isinstance(_loop_around(op), affine.ForOp)
