"""Operations of `linalg` on memrefs as loops of `affine`: one loop for each iterator, in order,
around loads, the operation's body, and stores. So is a `memref.copy` in loops, which would keep
them from being one nest; elsewhere it stays a copy of memory.

    linalg.generic {maps, iterators} ins(%A) outs(%C)   =>   for i { for j { for k {
                                                               C[map] = body(A[map], C[map]) } } }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import BroadcastOp, IndexOp, ReduceOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.shaped_types import is_memref
from polyopt.passes.raising.affine_values import INDEX
from polyopt.passes.raising.iterator_names import iterator_names
from polyopt.support.record import record


@record
class Refusal:
    cause: str
    advice: str = ""


@record
class _Structure:
    """`maps` are of the operands, inputs before outputs, over the iterators."""

    operands: tuple[SSAValue, ...]
    inputs: int
    maps: tuple[AffineMap, ...]
    body: Block


def is_linalg(op: Operation) -> bool:
    """Whether it may become loops."""
    if isinstance(op, memref.CopyOp):
        return _is_in_loop(op)
    return isinstance(op, LinalgStructuredOperation | BroadcastOp | ReduceOp)


def _is_in_loop(op: Operation) -> bool:
    around = op.parent_op()
    while around is not None and not isinstance(around, scf.ForOp | affine.ForOp):
        around = around.parent_op()
    return around is not None


def iterators_of(op: Operation) -> list[str]:
    """The names of the loops that the operation becomes, outermost first."""
    return iterator_names(_structure(op).maps[0].num_dims) if is_linalg(op) else []


def write_linalg_loops(op: Operation) -> Refusal | None:
    """Replace the operation by loops; why not, where it stays."""
    if op.results or any(isinstance(value.type, TensorType) for value in op.operands):
        return Refusal("it is about tensors, which are no memory", "bufferise before")
    if any(map_.num_symbols for map_ in _maps(op)):
        return Refusal("its indexing maps have symbols")
    structure = _structure(op)
    extents = [_extent(structure, k) for k in range(structure.maps[0].num_dims)]
    if None in extents:
        return Refusal("no operand says how far one of its iterators goes")
    _write(op, structure, [one for one in extents if one is not None])
    return None


def _maps(op: Operation) -> Sequence[AffineMap]:
    match op:
        case memref.CopyOp():
            return [AffineMap.identity(_rank(op.source))] * 2
        case LinalgStructuredOperation():
            return [one.data for one in op.get_indexing_maps()]
        case BroadcastOp():
            rank = _rank(op.init)
            return [_without(rank, op.dimensions), AffineMap.identity(rank)]
        case ReduceOp():
            rank = _rank(op.input)
            return [AffineMap.identity(rank), _without(rank, op.dimensions)]
        case _:
            raise AssertionError(f"{op.name} has no indexing maps")


def _structure(op: Operation) -> _Structure:
    if isinstance(op, memref.CopyOp):
        body = Block(arg_types=[_element_type(op.source), _element_type(op.destination)])
        body.add_op(YieldOp(body.args[0]))
        return _Structure((op.source, op.destination), 1, tuple(_maps(op)), body)
    inputs = len(op.inputs) if isinstance(op, LinalgStructuredOperation) else 1
    return _Structure(tuple(op.operands), inputs, tuple(_maps(op)), op.regions[0].block)


def _is_memory(value: SSAValue) -> bool:
    return is_memref(value.type)


def _element_type(value: SSAValue) -> Attribute:
    assert is_memref(value.type)
    return value.type.element_type


def _rank(value: SSAValue) -> int:
    assert is_memref(value.type)
    return len(value.type.get_shape())


def _without(rank: int, dimensions: DenseArrayBase[IntegerType]) -> AffineMap:
    gone = dimensions.get_values()
    kept = (AffineExpr.dimension(k) for k in range(rank) if k not in gone)
    return AffineMap(rank, 0, tuple(kept))


def _extent(structure: _Structure, dim: int) -> tuple[SSAValue, int] | None:
    """The memref and its dimension that the iterator runs over, from one end to the other."""
    for value, map_ in zip(structure.operands, structure.maps, strict=True):
        for position, form in enumerate(map_.results):
            if _is_memory(value) and form == AffineDimExpr(dim):
                return value, position
    return None


def _write(op: Operation, structure: _Structure, extents: Sequence[tuple[SSAValue, int]]) -> None:
    point = InsertPoint.before(op)
    iterators: list[SSAValue] = []
    for (array, position), hint in zip(extents, iterator_names(len(extents)), strict=True):
        operands, bound = _size(array, position, point, op)
        block = Block(arg_types=[INDEX])
        block.args[0].name_hint = hint
        end = affine.YieldOp.get()
        block.add_op(end)
        loop = affine.ForOp.from_region((), operands, (), (), 0, bound, Region(block))
        _insert(loop, point, op)
        iterators.append(block.args[0])
        point = InsertPoint.before(end)
    _write_body(op, structure, iterators, point)
    Rewriter.erase_op(op)


def _size(
    array: SSAValue, position: int, point: InsertPoint, op: Operation
) -> tuple[list[SSAValue], int | AffineMapAttr]:
    assert is_memref(array.type)
    size = array.type.get_shape()[position]
    if size != DYNAMIC_INDEX:
        return [], size
    before = InsertPoint.before(op)
    number = arith.ConstantOp(IntegerAttr(position, INDEX))
    dim = memref.DimOp(array, number.result)
    if point.insert_before is not op:
        before = InsertPoint.before(_outermost(point, op))
    _insert(number, before, op)
    _insert(dim, before, op)
    symbol = AffineMap(0, 1, (AffineExpr.symbol(0),))
    return [dim.result], AffineMapAttr(symbol)


def _outermost(point: InsertPoint, op: Operation) -> Operation:
    """The loop in front of `op` that the point is in."""
    around = point.block.parent_op()
    assert around is not None
    while around.parent is not op.parent:
        around = around.parent_op()
        assert around is not None
    return around


def _write_body(
    op: Operation, structure: _Structure, iterators: Sequence[SSAValue], point: InsertPoint
) -> None:
    here: dict[SSAValue, SSAValue] = {}
    for value, map_, argument in zip(
        structure.operands, structure.maps, structure.body.args, strict=True
    ):
        here[argument] = value
        if _is_memory(value) and argument.uses.get_length():
            load = affine.LoadOp(value, *_access(map_, iterators))
            _insert(load, point, op)
            here[argument] = load.result
    for inner in list(structure.body.ops)[:-1]:
        if isinstance(inner, IndexOp):
            here[inner.result] = iterators[inner.dim.value.data]
            continue
        Rewriter.insert_op(inner.clone(here), point)
    last = structure.body.last_op
    assert last is not None
    outputs = list(zip(structure.operands, structure.maps, strict=True))[structure.inputs :]
    for (array, map_), value in zip(outputs, last.operands, strict=True):
        _insert(affine.StoreOp(here.get(value, value), array, *_access(map_, iterators)), point, op)


def _access(
    map_: AffineMap, iterators: Sequence[SSAValue]
) -> tuple[Sequence[SSAValue], AffineMapAttr]:
    return iterators, AffineMapAttr(map_)


def _insert(new: Operation, point: InsertPoint, like: Operation) -> None:
    new.location = like.location
    Rewriter.insert_op(new, point)
