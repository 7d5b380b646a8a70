"""Contractions: blocked, packed, in register tiles.

found         contract, find_contraction, from_linalg, regroup, depth_inside, kept_panels, worth,
              nest_writer; structured reads the operation, nest_loops writes it as loops
fused         fuse, pointwise
blocked       plan, block_sizes, block, block_ops, block_writer, room, groups
packed        place, shared_panels, panel_values, pack_writer, group_packs
tiles         to_affine, tile, tile_writer, tile_update, tile_transfer

`passes` are the passes on the operations, each of the steps above.
"""

if __name__ != "polyopt.passes.loops.contract":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.contract'")
