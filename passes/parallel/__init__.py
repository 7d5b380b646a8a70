"""Loops in threads.

which, and how    affine_parallelize, apart, asked, choice, shape, slices, neighbours,
                  level_columns, evenness, private_arrays, steps, tiles_in_steps, tail,
                  columns_behind, kept_serial
whether it pays   work, operation_costs, most_work, gain, gain_of_steps, traffic, scattered,
                  fresh_memory, arms, judged_arms, within_rows, left_serial
affine loops      write_way, region, doall, parts, last_iteration, row, write_steps, pipeline,
                  summing_pipeline, reduction, copies, iteration_private, code
irregular         loops around loops that data end: a room of its own
functions         omp_outline, stand_ins, worksharing, meetings
"""

if __name__ != "polyopt.passes.parallel":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.parallel'")
