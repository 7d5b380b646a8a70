"""Sums of narrow products and distances: a group of neighbours in each lane of an accumulator.

group_sums      the pass, on loops over masked vectors
group_terms     what such a loop adds up, as products of factors
group_factors   narrow expressions of elements, and the bits that hold them
byte_distances  distances of bytes, as they are written
group_writer    the loop with groups
carried_sums    sums that loops around go on with
tap_pairs       filters in tiles of registers: two taps in one step
"""

if __name__ != "polyopt.passes.loops.groups":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.groups'")
