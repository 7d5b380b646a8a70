"""stencil-to-loops: xDSL's stencils by xDSL's own lowering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr, ModuleOp, UnknownLoc
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from polyopt.dialects.locations import span_of
from polyopt.passes.raising.iterator_names import iterator_names
from polyopt.support.record import record

NEEDS_A_COPY = (
    "a stencil writes to a field of which loaded values are still to be read, and no copies are "
    "made: store to another field, or load again behind the store"
)

_Loop = TypeVar("_Loop", bound=Operation)


@record
class StencilToLoopsPass(ModulePass):
    """Lower `stencil` to `scf.parallel` over views of the fields' memory, as xDSL's
    `shape-inference` and `convert-stencil-to-ll-mlir` do.

    Requires: fields have bounds, and are apart; what is loaded of one is read before it is stored
    to (`stencil_order`). Ensures: modules without stencils stay as they are; the loops and views
    are such that `raise-to-affine` takes them, and loops that carry fields stand where they stood;
    what one stencil hands to another is an array that begins at 0 (`stencil_buffers`).
    """

    name = "stencil-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(inner.name.startswith("stencil.") for inner in op.walk()):
            return
        from xdsl.dialects.scf import ForOp, ParallelOp
        from xdsl.dialects.stencil import ApplyOp
        from xdsl.transforms.experimental.convert_stencil_to_ll_mlir import (
            ConvertStencilToLLMLIRPass,
        )
        from xdsl.transforms.experimental.stencil_storage_materialization import (
            StencilStorageMaterializationPass,
        )
        from xdsl.transforms.shape_inference import ShapeInferencePass

        from polyopt.passes.raising.stencil_buffers import (
            are_chained,
            begin_at_zero,
            origins_of_buffers,
        )
        from polyopt.passes.raising.stencil_order import reads_in_order, uses_of_shared_fields
        from polyopt.passes.raising.stencil_refusals import refuse

        places = [loop.location for loop in _all(op, ForOp)]
        others = set(_all(op, ParallelOp))
        if are_chained(op):
            StencilStorageMaterializationPass().apply(ctx, op)
        refuse(op)
        stencils = [stencil.location for stencil in _all(op, ApplyOp)]
        ShapeInferencePass().apply(ctx, op)
        origins = origins_of_buffers(op)
        shared = uses_of_shared_fields(op)
        if shared and not reads_in_order(op):
            raise PassFailedException(NEEDS_A_COPY)
        for use in shared:
            _give_a_name(use)
        ConvertStencilToLLMLIRPass().apply(ctx, op)
        _load_at_places(op)
        begin_at_zero(op, origins)
        for loop, place in zip(_all(op, ForOp), places, strict=True):
            loop.location = place
        nests = [nest for nest in _all(op, ParallelOp) if nest not in others]
        if len(stencils) != len(nests):
            stencils = [UnknownLoc() for _ in nests]
        for nest, place in zip(nests, stencils, strict=True):
            arguments = nest.body.block.args
            for argument, name in zip(arguments, iterator_names(len(arguments)), strict=True):
                argument.name_hint = name
            _give_places(nest, place)


def _give_places(nest: Operation, place: LocationAttr) -> None:
    """What the lowering makes, as stores are, stands where the stencil does: what later passes tell
    of it is about these loops."""
    for inner in nest.walk():
        if span_of(inner) is None:
            inner.location = place


def _load_at_places(module: ModuleOp) -> None:
    """What is accessed at a place that is computed, which xDSL's lowering leaves: the places are
    those of the field, as the loops count them."""
    from xdsl.dialects.memref import LoadOp
    from xdsl.dialects.stencil import DynAccessOp

    for access in [one for one in module.walk() if isinstance(one, DynAccessOp)]:
        load = LoadOp.get(access.temp, access.offset)
        load.location = access.location
        Rewriter.replace_op(access, load)


def _give_a_name(use: Operation) -> None:
    """The load or store has the field by a name of its own: xDSL's lowering counts the uses."""
    from xdsl.dialects.stencil import CastOp, FieldType, LoadOp, StencilBoundsAttr, StoreOp

    assert isinstance(use, LoadOp | StoreOp)
    type = use.field.type
    assert isinstance(type, FieldType)
    assert isinstance(type.bounds, StencilBoundsAttr)
    cast = CastOp(use.field, type.bounds)
    cast.result.name_hint = use.field.name_hint
    owner = use.field.owner
    is_made = isinstance(owner, Operation)
    Rewriter.insert_op(cast, InsertPoint.after(owner) if is_made else InsertPoint.at_start(owner))
    use.operands[use.operands.index(use.field)] = cast.result


def _all(module: ModuleOp, kind: type[_Loop]) -> Sequence[_Loop]:
    return [one for one in module.walk() if isinstance(one, kind)]
