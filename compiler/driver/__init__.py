"""The way from C files to what was asked for.

flags             flags, loop_flags, warning_flags, cpu_flags, foreign_flags, pollycc_flags,
                  flag_reading, flag_values, claimed_macros, settings
command lines     inputs, job, build, making, side_by_side, link, dependencies, system_compiler
units             unit, module_input, module_texts, room_options, loading; cache: finished work
Python            program, schedule, chosen_loops, source_loops, parts, python_calls
told              reports, advice, observation, assembly_lines, watching, bisect, reproducer
run-time parts    runtime_sources, check_runtime, nest_times, nest_measures, machine_peaks,
                  threads_runtime, fork_cost, mpi_runtime, hosted_messages, hosted_ending
"""

if __name__ != "polyopt.driver":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver'")
