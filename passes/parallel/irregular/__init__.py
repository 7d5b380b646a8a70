"""Loops around loops that data end, in threads, at the source's level.

which, and why not     parallelize_irregular, irregular_loops, scratch_arrays, index_bounds,
                       asked_around, shared_updates, element_owners
whether it pays        irregular_work
how                    irregular_region, irregular_parts, dealt_loop, own_storage, bin_copies,
                       block_code
what all iterations    shared_sums, sums_of_parts, shared_bins
add to
"""

if __name__ != "polyopt.passes.parallel.irregular":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.parallel.irregular'")
