"""Which blocks hold transfers, and where these begin, as linear forms."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir import Block, Region
from xdsl.ir.affine import AffineMap

from polyopt.dialects.pvec_group_transfers import TRANSFERS
from polyopt.dialects.pvec_transfers import TransferOp
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.passes.loops.affine_builder import AffineBuilder

_KINDS = frozenset(TRANSFERS)


def blocks_with_transfers(module: ModuleOp) -> list[Block]:
    """Those that hold some themselves. Most modules have none: `walk` would take five times as
    long to say so."""
    found: list[Block] = []
    pending: list[Region] = [module.body]
    while pending:
        for block in pending.pop().blocks:
            is_one = False
            for op in block.ops:
                if op.regions:
                    pending.extend(op.regions)
                elif type(op) in _KINDS:
                    is_one = True
            if is_one:
                found.append(block)
    return found


def place_of(op: TransferOp, builder: AffineBuilder) -> list[Linear]:
    """The subscripts of the first lane; one that divides is computed in front."""
    forms = linear_forms(op.map.data, op.indices)
    if forms is not None:
        return list(forms)
    place = op.map.data
    maps = [AffineMap(place.num_dims, place.num_symbols, (one,)) for one in place.results]
    return [
        Linear.of(builder.insert(affine.ApplyOp(op.indices, AffineMapAttr(one))).result)
        for one in maps
    ]
