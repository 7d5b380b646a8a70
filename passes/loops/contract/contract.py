"""affine-contract: contractions in affine loops become operations."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polyopt.dialects import team
from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import set_facts
from polyopt.ir.affine.affine_nest import (
    AffineLoop,
    AffineNest,
    is_defined_inside,
    is_for_little,
    perfect_nest,
)
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.depth_inside import with_depth_inside
from polyopt.passes.loops.contract.find_contraction import Contraction, find_contraction
from polyopt.passes.loops.contract.groups import grouping_of
from polyopt.passes.loops.contract.regroup import regroup
from polyopt.passes.loops.contract.shared_panels import (
    is_alike,
    part_around,
    team_around,
    whole_domain,
)
from polyopt.passes.loops.contract.worth import (
    worth_packing,
    worth_packing_for_columns,
    worth_packing_for_l2,
)
from polyopt.passes.loops.registers.register_nest import RegisterNest, element_bytes
from polyopt.passes.loops.registers.tiled_nest import runs_along_sums, tiled_nest
from polyopt.passes.loops.registers.uniform_values import uniform_values
from polyopt.passes.loops.replacement import move_all
from polyopt.passes.loops.unroll.full_tiles import is_marked
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffineContractPass(ModulePass):
    """Replace every contraction (`find_contraction.py`) by a `contract.nest`.

    Requires: nothing; legality is decided on exact dependences.
    Ensures: each element sees its updates in their original order; nothing is reassociated, but
    within an update where the module permits it (`regroup.py`).
    A nest whose extents are below `smallest` keeps its original form, by a test at run time
    where they are not constants; a model knows that size where none is given. With `tiles` there
    is `affine-tile-registers` behind: where no size is given, what it can work on where its
    operands lie keeps its form as long as L2 holds them (`worth.py`), if need be with the loop of
    depth innermost (`depth_inside.py`). Where the threads of a team share the rows out, all of them
    take the same form (`shared_panels.py`). `keep_unrolled`: a nest with
    loops marked "unroll" is left to `affine-unroll`.

        affine.for %i, %j, %k                     contract.nest ["rows", "columns", "depth"] …
          C[i, j] += A[i, k] * B[k, j]       =>     ^bb0(%i, %j, %k, %c, %a, %b): %c + %a * %b
    """

    name = "affine-contract"

    smallest: int | None = None
    keep_unrolled: bool = False
    tiles: bool = False
    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found: list[_Worthwhile] = []
        for nest in outermost_nests(op):
            if self.keep_unrolled and any(is_marked(loop.op) for loop in nest.loops):
                continue
            contraction = find_contraction(nest)
            if contraction is not None and Constraints.of_loops(contraction.nest.loops) is not None:
                regroup(contraction)
                found += self._worthwhile(contraction)
        for one in found:
            _replace(one)

    def _worthwhile(self, contraction: Contraction) -> list[_Worthwhile]:
        """The contraction, where it is worth blocking, in the order that suits its small sizes."""
        target, smallest, element = Target.named(self.march), CORE.blocks.smallest, None
        is_along = False
        if self.tiles and _is_grouped(contraction, target):
            smallest = CORE.blocks.smallest_grouped
        elif self.tiles:
            nest = tiled_nest(contraction.root, target)
            if nest is None and (other := with_depth_inside(contraction, target)) is not None:
                contraction = other
                nest = tiled_nest(contraction.root, target)
            if nest is not None and _computes_by_row(nest, contraction.columns):
                smallest = CORE.blocks.smallest_scaled
            elif nest is not None:
                element = element_bytes(nest)
            else:
                is_along = runs_along_sums(contraction.root, target)
        domain = Constraints.of_loops(contraction.nest.loops)
        assert domain is not None
        tile, iterators = contraction.iterators, contraction.nest.iterators
        whole = _whole_domain(contraction, domain)
        points = domain if whole is None else whole
        if self.smallest is not None:
            large = worth_packing(points, tile, iterators, self.smallest)
        elif is_along:
            large = worth_packing_for_columns(points, tile, iterators, smallest)
        elif element is None:
            large = worth_packing(points, tile, iterators, smallest)
        else:
            large = worth_packing_for_l2(points, tile, iterators, element, target)
        is_shared = whole is not None
        return [] if large is None else [_Worthwhile(contraction, domain, large, is_shared)]


def _is_grouped(contraction: Contraction, target: Target) -> bool:
    """Is it a product of narrow integers? In panels several steps are done at once."""
    results = [a.store.value for a in contraction.accumulators]
    elements = [a.load.result for a in contraction.accumulators]
    operations = contraction.nest.operations
    return grouping_of(results, elements, operations, target) is not None


def _computes_by_row(nest: RegisterNest, columns: AffineLoop) -> bool:
    """Is anything computed that all columns share? In a panel it is, once for all of them."""
    return any(
        op.results and op.operands and not isinstance(op, affine.LoadOp) and op.results[0] in shared
        for group in nest.groups
        for shared in [uniform_values(nest, group, columns)]
        for op in group.operations
    )


def _whole_domain(contraction: Contraction, domain: Constraints) -> Constraints | None:
    """The points of all threads, where each of them runs the contraction on its share of the rows
    and can pack a share of the columns for all; else None."""
    root = contraction.root
    team_ = team_around(root)
    if team_ is None or part_around(root) is None:
        return None
    for op in contraction.nest.operations:
        for value in op.operands:
            if not is_alike(value, team_) and not is_defined_inside(value, root):
                return None
    return whole_domain(domain, contraction.rows.iv, contraction.nest.iterators, team_)


@record
class _Worthwhile:
    """A contraction is worth blocking where all of `large` holds; `is_shared`: threads share its
    rows out, and `large` is the same for all of them."""

    contraction: Contraction
    domain: Constraints
    large: tuple[Linear, ...]
    is_shared: bool


def _replace(found: _Worthwhile) -> None:
    """The nest by its operation, or by both and a test of which to run."""
    # Most modules have no contraction, and need not load the dialect.
    from polyopt.passes.loops.contract.nest_writer import nest_of

    root = found.contraction.root
    structured = nest_of(found.contraction, found.domain)
    if found.is_shared:
        part = part_around(root)
        assert part is not None
        part.attributes[team.IN_STEP] = structured.shared = UnitAttr()
    if not found.large:
        Rewriter.replace_op(root, structured, [])
        return
    parent, anchor = root.parent, root.next_op
    assert parent is not None
    root.detach()
    builder = AffineBuilder(Block(), root)
    choice = builder.branch(found.large)
    with choice.then():
        builder.insert(structured)
    with choice.orelse():
        builder.block.add_op(root)
    choice.close()
    inner = found.contraction.nest.loops[-1]
    set_facts(inner.op, inner.facts.with_marks("no_unroll"))
    move_all(builder.block, parent, anchor)


def outermost_nests(module: ModuleOp) -> list[AffineNest]:
    """The perfect nests of the module, each loop in one of them, but for those that are for small
    problems."""
    nests: list[AffineNest] = []
    pending = [op for op in operations_in(module, affine.ForOp) if not is_for_little(op)]
    seen: set[affine.ForOp] = set()
    for op in pending:
        if op in seen:
            continue
        nest = perfect_nest(op)
        seen.update(loop.op for loop in nest.loops)
        nests.append(nest)
    return nests
