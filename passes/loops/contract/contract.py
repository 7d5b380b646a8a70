"""affine-contract: contractions become blocked, packed, register-tiled vector code."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.ir.affine_nest import AffineLoop, Nest, is_for_little, perfect_nest
from polyopt.ir.constraints import Constraints, NotRepresentable
from polyopt.ir.fast_math import permits
from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.blocking import Blocking, choose_blocking
from polyopt.passes.loops.contract.contraction import Contraction, after_rewrite, find_contraction
from polyopt.passes.loops.contract.contraction_writer import ContractionWriter, Keeping, extents_in
from polyopt.passes.loops.contract.kept_panels import keeping_loop
from polyopt.passes.loops.contract.pointwise import Beside, find_beside
from polyopt.passes.loops.contract.regroup import regroup
from polyopt.passes.loops.unroll.full_tiles import is_marked
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target

_FEW_REGISTERS = 16
_BITS_WITH_FMA = 256
"""x86 has fused operations where it has vectors of this width."""


@dataclass(frozen=True)
class AffineContractPass(ModulePass):
    """Replace every contraction (`contraction.py`) by its blocked form.

    Requires: nothing; legality is decided on exact dependences.
    Ensures: each element sees its updates in their original order; nothing is reassociated.
    Nests beside it that visit each of its elements once work on its tiles (`pointwise.py`); column
    panels that a loop around it does not change are packed by the first iteration
    (`kept_panels.py`).
    A nest whose extents are below `smallest` keeps its original form, by a test at run time
    where they are not constants. Sizes that are zero are chosen by the model. `keep_unrolled`:
    a nest with loops marked "unroll" is left to `affine-unroll`.

        affine.for %i, %j, %k                     affine.for %kb … { pack … affine.for %jt, %it {
          C[i, j] += A[i, k] * B[k, j]       =>     affine.for %k iter_args(vectors) { … } } }
    """

    name = "affine-contract"

    march: str = "native"
    rows: int = 0
    vectors: int = 0
    depth: int = 0
    row_block: int = 0
    column_block: int = 0
    smallest: int = 8
    keep_unrolled: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        plans: list[_Plan] = []
        for nest in outermost_nests(op):
            if self.keep_unrolled and any(is_marked(loop.op) for loop in nest.loops):
                continue
            contraction = find_contraction(nest)
            if contraction is None:
                continue
            if regroup(contraction):
                contraction = after_rewrite(contraction)
            plan = self._plan(contraction, target)
            if plan is not None:
                plans.append(plan)
        for plan in plans:
            _rewrite(plan)

    def _plan(self, contraction: Contraction, target: Target) -> _Plan | None:
        domain = Constraints.of_loops(contraction.nest.loops)
        if domain is None:
            return None
        try:
            large = self._is_large(contraction, domain)
            if any(not form.terms and form.constant < 0 for form in large):
                return None
            beside = find_beside(contraction, domain, Constraints(tuple(large)))
        except NotRepresentable:
            return None
        unknown = tuple(form for form in large if form.terms)
        sizes = self._blocking(contraction, target, domain)
        return _Plan(contraction, domain, sizes, unknown, beside, keeping_loop(contraction))

    def _is_large(self, contraction: Contraction, domain: Constraints) -> list[Linear]:
        """At least zero where the nest is worth blocking: no extent below `smallest`, and twice
        that on average (measured: 16 x 16 x 16 is where packing begins to pay)."""
        extents = [extents_in(contraction, domain, iv) for iv in contraction.iterators]
        least = [extent - self.smallest for choices in extents for extent in choices]
        total = sum((choices[0] for choices in extents), Linear())
        return [*least, total - 6 * self.smallest]

    def _blocking(self, contraction: Contraction, target: Target, domain: Constraints) -> Blocking:
        elements = [a.element for a in contraction.accumulators]
        widest = max(e.size for e in elements if isinstance(e, FixedBitwidthType))
        chosen = choose_blocking(
            target,
            widest,
            len(contraction.accumulators),
            len(contraction.row_panels),
            len(contraction.column_panels),
            (
                _known_extent(contraction, domain, contraction.rows.iv),
                _known_extent(contraction, domain, contraction.columns.iv),
            ),
            is_fused=_is_fused(contraction, target),
        )
        given = {
            name: value
            for name in ("rows", "vectors", "depth", "row_block", "column_block")
            if (value := getattr(self, name))
        }
        return replace(chosen, **given)


@record
class _Plan:
    """A contraction is worth blocking where all of `large` holds; `around` keeps its column
    panels."""

    contraction: Contraction
    domain: Constraints
    sizes: Blocking
    large: tuple[Linear, ...]
    beside: Beside
    around: AffineLoop | None


def _rewrite(plan: _Plan) -> None:
    root = plan.contraction.root
    builder = AffineBuilder(Block(), root)
    keeping = None
    if plan.around is not None:
        keeping = Keeping(plan.around, *(AffineBuilder(Block(), root) for _ in range(2)))
    writer = ContractionWriter(
        plan.contraction, plan.domain, plan.sizes, builder, plan.beside, keeping
    )
    choice = builder.branch(plan.large) if plan.large else None
    try:
        with choice.then() if choice else nullcontext():
            writer.write()
    except NotRepresentable:
        return
    _tell(plan.contraction, plan.sizes)
    before, after = [one.root for one in plan.beside.before.values()], plan.beside.after
    replaced = [*before, root, *(one.root for one in after)]
    parent, anchor = root.parent, root.next_op
    assert parent is not None
    while anchor is not None and anchor in replaced:
        anchor = anchor.next_op
    for op in replaced:
        op.detach()
    if choice is None:
        for op in replaced:
            op.erase()
    else:
        with choice.orelse():
            for op in replaced:
                builder.block.add_op(op)
        inner = plan.contraction.nest.loops[-1]
        set_facts(inner.op, inner.facts.with_marks("no_unroll"))
        choice.close()
    _move(builder.block, parent, anchor)
    if keeping is not None:
        loop = keeping.loop.op
        set_facts(loop, facts_of(loop).of_unknown_order())
        assert loop.parent is not None
        _move(keeping.behind.block, loop.parent, loop.next_op)
        _move(keeping.ahead.block, loop.parent, loop)


def _move(block: Block, parent: Block, anchor: Operation | None) -> None:
    """All operations of `block` before `anchor`, or to the end."""
    for op in list(block.ops):
        op.detach()
        if anchor is None:
            parent.add_op(op)
        else:
            parent.insert_op_before(op, anchor)


def _is_fused(contraction: Contraction, target: Target) -> bool:
    """Is each update one operation, a product that is added or subtracted unrounded? Where there
    are more registers than a tile of this kind needs, that is of no account."""
    if target.vector_registers > _FEW_REGISTERS:
        return True
    if target.vector_bits < _BITS_WITH_FMA:
        return False
    for accumulator in contraction.accumulators:
        update = accumulator.store.value.owner
        if not isinstance(update, (arith.AddfOp, arith.SubfOp)):
            return False
        products = [v.owner for v in update.operands if isinstance(v.owner, arith.MulfOp)]
        if not products or not all(
            permits(op, FastMathFlag.ALLOW_CONTRACT) for op in (update, *products)
        ):
            return False
    return True


def _known_extent(contraction: Contraction, domain: Constraints, iv: SSAValue) -> int | None:
    forms = extents_in(contraction, domain, iv)
    return min((form.constant for form in forms if not form.terms), default=None)


def _tell(contraction: Contraction, sizes: Blocking) -> None:
    span = span_of(next(op for op in contraction.root.walk() if isinstance(op, affine.StoreOp)))
    remark(
        "applied",
        "affine-contract",
        f"contraction in panels of {sizes.row_block} x {sizes.depth} x {sizes.column_block}, "
        f"{sizes.rows} rows of {sizes.vectors} vectors in registers",
        span,
    )


def outermost_nests(module: ModuleOp) -> list[Nest]:
    """The perfect nests of the module, each loop in one of them, but for those that are for small
    problems."""
    nests: list[Nest] = []
    pending = [op for op in module.walk() if isinstance(op, affine.ForOp) and not is_for_little(op)]
    seen: set[affine.ForOp] = set()
    for op in pending:
        if op in seen:
            continue
        nest = perfect_nest(op)
        seen.update(loop.op for loop in nest.loops)
        nests.append(nest)
    return nests
