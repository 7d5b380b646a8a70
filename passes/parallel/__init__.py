"""Loops in threads.

which, and how    affine_parallelize, apart, asked, choice, shape, slices, neighbours,
                  level_columns, evenness, private_arrays, steps, tiles_in_steps, tail,
                  columns_behind, kept_serial
whether it pays   work, operation_costs, most_work, gain, gain_of_steps, traffic, scattered,
                  fresh_memory, arms, judged_arms, within_rows, left_serial
affine loops      write_way, region, doall, parts, last_iteration, row, write_steps, pipeline,
                  summing_pipeline, reduction, copies, code
loops that data   parallelize_irregular, irregular_loops, irregular_work, irregular_region,
end               irregular_parts, bin_copies, own_storage, dealt_loop, iteration_private,
                  scratch_arrays, shared_sums, shared_updates, sums_of_parts, shared_bins,
                  element_owners, index_bounds, asked_around, block_code
functions         omp_outline, stand_ins, worksharing, meetings
"""

if __name__ != "polyopt.passes.parallel":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.parallel'")
