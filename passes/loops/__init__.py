"""The loop stage: affine loops become vector code, one idea in each room, IR between any two.

contract      contractions as operations: found, fused with their neighbours, blocked, packed
registers     results in registers around serial loops
lanes         loops around recurrences as lanes of vectors
batches       loops around small problems as lanes of vectors, on transposed copies
narrow        integers of innermost loops, no wider than they need be
pieces        serial loops in pieces, those in vectors that can be
vectors       innermost loops as vectors
groups        sums of narrow products, with a group of elements in each lane
interleave    vectors that run in one step: of rows of a loop around, and of one row
transfers     what vectors share, carry and compute in turns; how each is read and written
unroll        loops unrolled, jammed, and cut apart where that leaves them without branches
memory        non-temporal stores, buffers that are allocated once, rows that are looked up

What they all need:

writing       affine_builder, transfer_builder, vector_memory, elementwise, replacement, copies,
              split_loop, selections, reordered_nest
shuffles      lane_shuffles, shuffle_network, shuffles_by_halves
numbers       value_ranges, index_ranges
memory        crowded_lanes, awaited_rows, stretches
bounds        plain_bounds
widths        divider
"""

if __name__ != "polyopt.passes.loops":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops'")
