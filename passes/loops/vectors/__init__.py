"""Innermost loops as vectors.

found         find_vector_loop, vector_loop, flat_rows, looked_up_rows, transposed_rows,
              accumulations, bests, scan, distances, grouped_stores, iteration_order, forwarding
weighed       strided_model, scan_model, short_loops, stream_width, windows, carried_halves,
              packed_width, left_to_llvm, taken_over, just_stored, words_of_bytes
written       vectorize, vector_writer, vector_step, lane_places, square_writer, scan_writer,
              best_writer, whole_vectors
made ready    plain_subscripts, same_members, unit_steps, upward, late_terms, handed_values,
              unfused_products, subtracted_counts, sums_of_sums, flatten_nests
told          why_not
"""

if __name__ != "polyopt.passes.loops.vectors":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.vectors'")
