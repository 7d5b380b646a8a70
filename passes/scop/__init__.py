"""Regions of code become static control parts.

found         detect_scops, detection, candidate, statements, iterators, original_schedule,
              access_relations, wrapped_products, reading_calls; what is none: rejection,
              user_words, array_names, taken_before, counting_loops
written       plan, build, arrays, statement_code, tidy, demotion, hoisting, isolation,
              values_behind, expression_code, value_code, places
assumed       assumptions, declared_sizes, parameter_sums, overlap_checks, run_time_checks
shown         print_evolution, print_regions
"""

if __name__ != "polyopt.passes.scop":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.scop'")
