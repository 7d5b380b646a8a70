"""Unroll the small loops over a window, a stencil's or a filter's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects.locations import span_of
from polyopt.ir.branches import Edge, outgoing
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import as_signed, bit_width, constant_integer, folded_integer
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_expr import Counter, condition_terms
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.objects.alias import underlying_object
from polyopt.ir.vector_calls import is_in_library
from polyopt.passes.prepare.branches import block_editing as editing
from polyopt.passes.prepare.branches.hammocks import depends_on_data
from polyopt.passes.prepare.loop_forms.going_on import goes_on
from polyopt.passes.prepare.values.clean_values import clean_values
from polyopt.passes.prepare.values.forwarding import forward_stores
from polyopt.passes.prepare.variables.promote_scalars import promote_scalars
from polyopt.passes.prepare.variables.small_states import (
    Access,
    ElementLoops,
    is_small_local,
    small_states,
)
from polyopt.passes.prepare.variables.split_locals import split_local
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class UnrollWindowsPass(ModulePass):
    """Innermost loops of few iterations, known in number, become straight code if that does
    `operations` accesses and floating-point operations at most, innermost loops first. To the
    polyhedral middle the code around then is one statement with many reads, with a dimension less
    and nothing to carry: what is left to run in vectors and tiles is the big loops.

    A loop whose stores fill a row stays: it is the one to run in vectors; but for a row that is the
    state of one iteration around (`small_states.py`), which becomes a variable for each element,
    and the bytes of a pixel, which vectors of the loop around put together. So does a loop which
    goes on, all in all, where it was left one iteration of the loop around before: both become one
    (`affine-flatten-nests`). So does a loop in which
    the place of the window decides on branches, as at the borders of an image, where these would be
    many: 5 x 5 are 25 statements with domains of their own.

    Requires: small branches are selections (if-convert). Ensures: the same operations run in the
    same order, but for accesses to elements whose values are known.

        for (x) {                                       for (x)
            s = 0;                                          out[x] = 0 + k[0] * in[x]
            for (i < 3) s += k[i] * in[x + i];     ->                  + k[1] * in[x + 1]
            out[x] = s;                                                + k[2] * in[x + 2];
        }
    """

    name = "unroll-windows"

    iterations: int = CORE.code.window_iterations
    operations: int = CORE.code.window

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            self._unroll_in(function.body, function.sym_name.data)

    def _unroll_in(self, body: Region, name: str) -> None:
        is_changed = False
        states = self._states(ControlFlow(body))
        while windows := list(self._windows(ControlFlow(body), states)):
            is_changed = True
            for window in windows:
                if any(is_in_library(op) for block in window.loop.blocks for op in block.ops):
                    editing.keep_written_anew(
                        window.loop.header
                    )  # lanes of the loop around call these
                message = f"loop of {window.taken} iterations unrolled"
                remark("applied", self.name, message, span_of(window.exit.terminator), name)
            fronts = [_unroll(window) for window in windows]
            editing.erase_unreachable(body)
            for front in fronts:
                if front.parent is body:
                    editing.merge_on(front)
            promote_scalars(ControlFlow(body))
        if is_changed:
            _fold_numbers(ControlFlow(body))
        if [split_local(state) for state in states]:
            promote_scalars(ControlFlow(body))
        if is_changed:
            clean_values(ControlFlow(body))
            for block in body.blocks:
                forward_stores(block)

    def _states(self, flow: ControlFlow) -> list[memref.AllocaOp]:
        """The small arrays that come apart when the loops over their elements are unrolled."""
        evolution = Evolution(flow)
        unrolled = set[NaturalLoop]()
        work = dict[NaturalLoop, int]()
        for loop in reversed(flow.loops.all_loops()):
            window = _window(loop, evolution)
            if window is None or not self._may_come_apart(window):
                continue
            if loop.parent is None or not all(child in unrolled for child in loop.children):
                continue
            own = [block for block in loop.blocks if flow.loops.innermost(block) is loop]
            once = sum(_work(op) for block in own for op in block.ops)
            work[loop] = window.taken * (once + sum(work[child] for child in loop.children))
            if work[loop] <= self.operations:
                unrolled.add(loop)
        return small_states(
            ElementLoops(
                evolution, unrolled, lambda op, loop: _moves_along_row(op, loop, evolution)
            )
        )

    def _windows(self, flow: ControlFlow, states: Sequence[memref.AllocaOp]) -> Iterator[_Window]:
        evolution = Evolution(flow)
        for loop in flow.loops.all_loops():
            if loop.parent is None or loop.children:
                continue
            work = sum(_work(op) for block in loop.blocks for op in block.ops)
            if work > self.operations:
                continue
            window = _window(loop, evolution)
            if window is None or not self._may_come_apart(window):
                continue
            if work * window.taken > self.operations:
                continue
            is_of_state = _touches(loop, states)
            if window.taken > self.iterations and not is_of_state:
                continue
            if is_of_state or not (_fills_a_row(window, evolution) or goes_on(loop, evolution)):
                yield window

    def _may_come_apart(self, window: _Window) -> bool:
        """Has it few iterations? More where all that it does is to set elements of a small array,
        as initialisers do: they keep no state from coming apart."""
        if window.taken > self.iterations:
            return _only_sets_a_small_array(window.loop)
        return window.taken > 0


@record
class _Window:
    """`loop` is left by `exit` only, after `taken` more times round."""

    loop: NaturalLoop
    exit: Edge
    taken: int


def _window(loop: NaturalLoop, evolution: Evolution) -> _Window | None:
    exits, back = loop.exits(), loop.back_edges()
    if len(exits) != 1 or len(back) != 1 or len(loop.entries()) != 1:
        return None
    terminator = exits[0].terminator
    if not isinstance(terminator, cf.ConditionalBranchOp):
        return None
    if any(isinstance(op, memref.AllocaOp) for block in loop.blocks for op in block.ops):
        return None
    taken = _taken(loop, evolution)
    if taken is None or _is_wide_border(loop, evolution):
        return None
    return _Window(loop, exits[0], taken)


def _taken(loop: NaturalLoop, evolution: Evolution) -> int | None:
    count = evolution.trip_count(loop)
    return None if count is None or count.assumptions else count.taken.as_constant


def _is_wide_border(loop: NaturalLoop, evolution: Evolution) -> bool:
    """Many copies of what the place of the window decides on, of it and the windows around it."""
    copies, around = 1, loop
    windows: list[NaturalLoop] = []
    while around is not None and (taken := _taken(around, evolution)) is not None:
        if taken > CORE.code.window_iterations:
            break
        copies *= taken
        windows.append(around)
        around = around.parent
    if copies <= CORE.code.window_borders:
        return False
    return any(_is_border(block, windows, evolution) for block in loop.blocks)


def _is_border(block: Block, windows: list[NaturalLoop], evolution: Evolution) -> bool:
    """Where the loops around the windows are decides on a branch in the window, and no data do:
    domains say this once of the loop, and of straight code once for each part of it."""
    branch = block.last_op
    if not isinstance(branch, cf.ConditionalBranchOp) or depends_on_data(branch.cond):
        return False
    edges = list(outgoing(block))
    if any(edge.target not in windows[0] for edge in edges):
        return False
    atoms = (
        atom
        for term in condition_terms(edge_condition(edges[0], evolution))
        for atom in term.all_atoms()
    )
    return any(isinstance(atom, Counter) and atom.loop not in windows for atom in atoms)


def _work(op: Operation) -> int:
    """Whether an operation counts: not what only computes addresses and the loop's condition."""
    if isinstance(op, memref.LoadOp | memref.StoreOp):
        return int(bool(op.indices))
    is_integer = op.name.endswith("i") or op.name in ("arith.constant", "arith.index_cast")
    return int(op.name.startswith(("arith.", "math.", "func.")) and not is_integer)


def _only_sets_a_small_array(loop: NaturalLoop) -> bool:
    done = [op for block in loop.blocks for op in block.ops if _work(op)]
    return done != [] and all(
        isinstance(op, memref.StoreOp) and is_small_local(op.memref) for op in done
    )


def _touches(loop: NaturalLoop, objects: Sequence[memref.AllocaOp]) -> bool:
    """Does an access in it stand on one of the objects?"""
    bases = [one.memref for one in objects]
    return any(
        underlying_object(op.memref) in bases
        for block in loop.blocks
        for op in block.ops
        if bases and isinstance(op, memref.LoadOp | memref.StoreOp)
    )


def _fills_a_row(window: _Window, evolution: Evolution) -> bool:
    return any(
        _moves_along_row(op, window.loop, evolution)
        for block in window.loop.blocks
        for op in block.ops
        if isinstance(op, memref.StoreOp) and op.indices
        if not _is_in_a_word(op, window)
    )


def _is_in_a_word(store: memref.StoreOp, window: _Window) -> bool:
    """Are all bytes that it stores fewer than a word has, such as the colours of a pixel? The row
    is what the loop around goes along."""
    size = element_bytes(store.value.type)
    return size == 1 and window.taken <= CORE.strided.word_bytes


def _moves_along_row(access: Access, loop: NaturalLoop, evolution: Evolution) -> bool:
    """Also where that is not known."""
    block = access.parent
    assert block is not None
    steps = list[int | None]()
    for index in access.indices:
        parts = evolution.signed(index, block).split(Counter(loop))
        steps.append(parts[1].as_constant if parts else None)
    *outer, last = steps
    if last is None or any(step is None for step in outer):
        return True
    return not any(outer) and 0 < abs(last) < CORE.code.window_row


def _unroll(window: _Window) -> Block:
    """The loop's blocks once for each time its header runs, one after the other; the block that
    enters them. The originals are left without a way in."""
    loop = window.loop
    (entry,) = loop.entries()
    front = entry.source
    (back,) = loop.back_edges()
    edge, values = entry, dict[SSAValue, SSAValue]()
    for number in range(window.taken + 1):
        blocks = _copied(loop, values := dict[SSAValue, SSAValue]())
        edge.redirect(blocks[loop.header], edge.values)
        test = blocks[window.exit.source].last_op
        assert test is not None
        leaves = number == window.taken
        _go_one_way(test, window.exit.position if leaves else 1 - window.exit.position)
        if not leaves:
            latch = blocks[back.source]
            edge = next(e for e in outgoing(latch) if e.target is loop.header)
    for old, new in values.items():
        old.replace_uses_with_if(new, lambda use: use.operation.parent not in loop.blocks)
    return front


def _copied(loop: NaturalLoop, values: dict[SSAValue, SSAValue]) -> dict[Block, Block]:
    """A copy of the loop's blocks in front of them. Edges to the header still go to the old one;
    `values` is told which value stands for which."""
    body = loop.header.parent
    assert body is not None
    blocks = dict[Block, Block]()
    for old in loop.blocks:
        new = Block(arg_types=[argument.type for argument in old.args])
        blocks[old] = new
        for argument, copy in zip(old.args, new.args, strict=True):
            copy.name_hint = argument.name_hint
            values[argument] = copy
    inside = {old: new for old, new in blocks.items() if old is not loop.header}
    for old, new in blocks.items():
        for op in old.ops:
            copy = op.clone(values, inside)
            copy.location = op.location
            new.add_op(copy)
        body.insert_block_before(new, loop.header)
    return blocks


def _go_one_way(test: Operation, position: int) -> None:
    """The conditional branch always goes to its successor at `position`."""
    edge = Edge(test, position)
    branch = cf.BranchOp(edge.target, *edge.values)
    branch.location = test.location
    block = edge.source
    block.insert_op_before(branch, test)
    block.erase_op(test)


def _fold_numbers(flow: ControlFlow) -> None:
    """What is computed from counters that have become numbers is a number."""
    for block in flow.cfg.blocks:
        for op in list(block.ops):
            number = folded_integer(op, constant_integer)
            if number is None:
                continue
            (old,) = op.results
            type = old.type
            assert isa(type, IntegerType | IndexType)
            constant = arith.ConstantOp(IntegerAttr(as_signed(number, bit_width(old)), type))
            constant.location = op.location
            constant.result.name_hint = old.name_hint
            block.insert_op_before(constant, op)
            old.replace_all_uses_with(constant.result)
            block.erase_op(op)
