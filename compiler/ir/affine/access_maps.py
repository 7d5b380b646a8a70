"""Subscripts by dimensions alone.

A map may take a value as a dimension or as a symbol; of accesses both mean the same. xDSL's text of
an access (0.74) writes the operands of dimensions for symbols: where a map has both, what is
printed is another access than what is there. So no access of ours has both, and none that was read.
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineExpr, AffineMap

_ACCESSES = (affine.LoadOp, affine.StoreOp, affine.VectorLoadOp, affine.VectorStoreOp)


def by_dimensions(map: AffineMap) -> AffineMap:
    """The map of the same operands, as dimensions all of them."""
    dims = [AffineExpr.dimension(number) for number in range(map.num_dims + map.num_symbols)]
    ours, symbols = dims[: map.num_dims], dims[map.num_dims :]
    results = tuple(one.replace_dims_and_symbols(ours, symbols) for one in map.results)
    return AffineMap(len(dims), 0, results)


def spell_by_dimensions(root: Operation) -> None:
    """Write all maps of accesses in it so that have dimensions and symbols."""
    for op in root.walk():
        if isinstance(op, _ACCESSES):
            map = op.map.data
            if map.num_dims and map.num_symbols:
                op.map = AffineMapAttr(by_dimensions(map))
