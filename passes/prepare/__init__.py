"""C-shaped source IR becomes SSA with canonical loops.

variables     promote_scalars, ssa_construction, promote_places, leading_places, split_locals,
              small_states, unify_types, spread_copies, zeros
calls         inline_calls, inline_functions, known_arguments, copies_for_numbers,
              mark_pure_calls, tail_calls
branches      structure_branches, if_convert, hammocks, switch_chains, condition_chains,
              known_flags, merge_returns, common_stores, conditional_updates, selected_values
loops         simplify_loops, count_float_loops, merge_counters, drop_conditions, reroll_loops,
              unrolled_sums, unroll_turns, unroll_windows, same_later
searches      searches, scan_records, looking_ahead
values        clean_values, cancel_terms, expand_powers, powers, known_elements, forwarding
the graph     block_editing, verify_dominance
"""

if __name__ != "polyopt.passes.prepare":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare'")
