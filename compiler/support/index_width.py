"""How wide an index is."""

INDEX_BITS = 64
INDEX_END = 1 << (INDEX_BITS - 1)
"""Indices, and sums of them, are from -INDEX_END to INDEX_END - 1: they do not wrap around."""
NEAR_THE_END = INDEX_END >> 1
"""Comparisons with a constant as great as that ask whether a number wraps around, so that no sum
with it is to be made in as many bits."""
