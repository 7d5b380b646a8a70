"""linalg-to-contract: products of other compilers enter as contractions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSet
from xdsl.ir.affine.affine_set import AffineConstraintExpr, AffineConstraintKind
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_body import YieldOp
from polyopt.dialects.contract_forms import check_map, coefficients
from polyopt.dialects.shaped_types import is_memref
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import has_lanes
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.nest_loops import write_loops
from polyopt.passes.loops.contract.structured import Structured
from polyopt.passes.loops.contract.worth import worth_packing
from polyopt.passes.loops.replacement import replace_op
from polyopt.poly.analysis.contraction_roles import Roles, contraction_roles
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class LinalgToContractPass(ModulePass):
    """Replace operations of `linalg` on memrefs (`linalg.matmul`, `linalg.generic`, …) that are
    contractions (`poly/analysis/contraction_roles.py`) by `contract.nest`.

    Requires: what `linalg` says of parallel iterators: no input lies in the memory of an output.
    Ensures: updates in ascending order of the reduction. Any other operation of `linalg` stays, and
    so does one whose extents are below `smallest`; where they are not known, a test at run time
    chooses between the nest and plain loops.

        linalg.matmul ins(%A, %B) outs(%C)    =>    contract.nest ["rows", "columns", "depth"] …
    """

    name = "linalg-to-contract"

    smallest: int = CORE.blocks.smallest

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for one in [one for one in op.walk() if isinstance(one, LinalgStructuredOperation)]:
            self._replace(one)

    def _replace(self, op: LinalgStructuredOperation) -> None:
        builder = AffineBuilder(Block(), op)
        nest = _nest_of(op, builder)
        if nest is None:
            return
        nest.location = op.location
        view = Structured.of(nest)
        tile = (view.rows, view.columns, view.depth)
        large = worth_packing(view.domain, tile, view.iterators, self.smallest)
        if large is None or view.panels is None:
            return
        if large:
            choice = builder.branch(large)
            with choice.then():
                builder.insert(nest)
            with choice.orelse():
                write_loops(view, builder)
            choice.close()
        else:
            builder.insert(nest)
        replace_op(op, builder.block)


def _nest_of(op: LinalgStructuredOperation, builder: AffineBuilder) -> NestOp | None:
    """The operation as a nest, or None if it is no contraction. The builder is given what finds its
    extents."""
    given = list(zip((*op.inputs, *op.outputs), op.get_indexing_maps(), strict=True))
    inputs = [one for one in given[: len(op.inputs)] if isinstance(one[0].type, MemRefType)]
    outputs = given[len(op.inputs) :]
    operations = list(op.body.block.ops)[:-1]
    if op.res or not all(_is_plain(array) for array, _ in (*inputs, *outputs)):
        return None
    if not all(map(has_lanes, operations)):
        return None
    count = len(op.get_iterator_types())
    try:
        for _, map_ in given:
            check_map(map_, count, 0)
    except VerifyException:
        return None
    extents = [_extent(dim, [*inputs, *outputs]) for dim in range(count)]
    known = [extent for extent in extents if extent is not None]
    roles = _roles(op, [map_ for _, map_ in outputs], [map_ for _, map_ in inputs])
    if roles is None or len(known) != count:
        return None
    symbols: list[SSAValue] = []
    sizes = [_size(array, position, symbols, builder) for array, position in known]
    return NestOp(
        [_role(roles, dim) for dim in range(count)],
        _box(sizes, len(symbols)),
        symbols,
        [array for array, _ in outputs],
        [array for array, _ in inputs],
        [
            AffineMapAttr(AffineMap(count, len(symbols), map_.data.results))
            for _, map_ in (*outputs, *inputs)
        ],
        _body(op, count, operations),
    )


def _is_plain(array: SSAValue) -> bool:
    """Is it in memory, row by row?"""
    type_ = array.type
    return is_memref(type_) and isinstance(type_.layout, NoneAttr)


def _roles(
    op: LinalgStructuredOperation,
    updated: Sequence[AffineMapAttr],
    taken: Sequence[AffineMapAttr],
) -> Roles[int] | None:
    """As far as kinds of iterators and maps tell."""
    kinds = [one.data for one in op.get_iterator_types()]
    result = {dim for map in updated for form in map.data.results for dim in form.used_dims()}
    wanted = [
        IteratorType.PARALLEL if dim in result else IteratorType.REDUCTION
        for dim in range(len(kinds))
    ]
    found = contraction_roles(
        range(len(kinds)),
        result,
        [{dim for form in map.data.results for dim in form.used_dims()} for map in taken],
        lambda dim: all(_is_next(map.data, dim) for map in updated),
        len(updated),
    )
    fitting = (one for one in found if not _shares_columns(one, taken))
    return next(fitting, None) if kinds == wanted else None


def _shares_columns(roles: Roles[int], taken: Sequence[AffineMapAttr]) -> bool:
    """Would a panel of columns be another one for each member of the batch?"""
    uses = [{dim for form in map.data.results for dim in form.used_dims()} for map in taken]
    return any(roles.columns in one and not one.isdisjoint(roles.batch) for one in uses)


def _is_next(map: AffineMap, dim: int) -> bool:
    factors = [coefficients(form, map.num_dims, map.num_symbols)[dim] for form in map.results]
    return bool(factors) and factors[-1] == 1 and not any(factors[:-1])


def _role(roles: Roles[int], dim: int) -> str:
    names = {roles.rows: "rows", roles.columns: "columns", roles.depth: "depth"}
    return names.get(dim, "batch")


def _extent(
    dim: int, given: Sequence[tuple[SSAValue, AffineMapAttr]]
) -> tuple[SSAValue, int] | None:
    """The array and its dimension that the iterator runs over, from one end to the other."""
    for array, map in given:
        for position, form in enumerate(map.data.results):
            if form == AffineDimExpr(dim):
                return array, position
    return None


def _size(
    array: SSAValue, position: int, symbols: list[SSAValue], builder: AffineBuilder
) -> AffineExpr:
    type_ = array.type
    assert is_memref(type_)
    if (size := type_.get_shape()[position]) != DYNAMIC_INDEX:
        return AffineExpr.constant(size)
    number = builder.value(Linear((), position))
    symbols.append(builder.insert(memref.DimOp(array, number)).result)
    return AffineExpr.symbol(len(symbols) - 1)


def _box(sizes: Sequence[AffineExpr], symbols: int) -> AffineSetAttr:
    zero = AffineExpr.constant(0)
    constraints: list[AffineConstraintExpr] = []
    for dim, size in enumerate(sizes):
        here = AffineExpr.dimension(dim)
        for form in (here, size - here - 1):
            constraints.append(AffineConstraintExpr(AffineConstraintKind.ge, form, zero))
    return AffineSetAttr(AffineSet(len(sizes), symbols, tuple(constraints)))


def _body(op: LinalgStructuredOperation, count: int, operations: Sequence[Operation]) -> Region:
    """On the elements of the outputs, then of those inputs that are arrays; others are as they
    are."""
    old = op.body.block
    here: dict[SSAValue, SSAValue] = {}
    elements: list[SSAValue] = list(old.args[len(op.inputs) :])
    for value, argument in zip(op.inputs, old.args):
        if isinstance(value.type, MemRefType):
            elements.append(argument)
        else:
            here[argument] = value
    block = Block(arg_types=[*([IndexType()] * count), *(one.type for one in elements)])
    here.update(zip(elements, block.args[count:], strict=True))
    for one in operations:
        block.add_op(one.clone(here))
    assert old.last_op is not None
    block.add_op(YieldOp(*(here.get(value, value) for value in old.last_op.operands)))
    return Region(block)
