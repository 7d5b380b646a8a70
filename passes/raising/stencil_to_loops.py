"""stencil-to-loops: xDSL's stencils by xDSL's own lowering."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.support.record import record


@record
class StencilToLoopsPass(ModulePass):
    """Lower `stencil` to `scf.parallel` over views of the fields' memory, as xDSL's
    `shape-inference` and `convert-stencil-to-ll-mlir` do.

    Requires: fields have bounds. Ensures: modules without stencils stay as they are; the
    loops and views are such that `raise-to-affine` takes them.
    """

    name = "stencil-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(inner.name.startswith("stencil.") for inner in op.walk()):
            return
        from xdsl.transforms.experimental.convert_stencil_to_ll_mlir import (
            ConvertStencilToLLMLIRPass,
        )
        from xdsl.transforms.shape_inference import ShapeInferencePass

        ShapeInferencePass().apply(ctx, op)
        ConvertStencilToLLMLIRPass().apply(ctx, op)
