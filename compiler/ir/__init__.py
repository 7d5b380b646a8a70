"""What is asked of IR; nothing here rewrites. By topic, lowest first:

control flow      cfg, branches, dominance, dominance_check, loops, regions, control_flow
values            integer_expr, integer_forms, integer_conditions, conditions, evaluation,
                  expression_text, operation_values, unknown_values, masks, exact_floats, orders
as loops run      scalar_evolution, recurrences, newton, readings, tables, trip_count, ranges,
                  entered_loops, counted_range, step_range, steering
memory            effects, shapes, bases, pointed_objects, alias, memory_references,
                  same_objects, iteration_variables, array_layout, updates
loops that data   loop_nest, loop_directions, loop_view, loop_references
end
regions as sets   affine_space, domains, isl_expressions, problem, scop_check, sure_writes
affine loops      affine_nest, affine_dependence, classic_answer, access_maps, subscripts,
                  linear, linear_sets, constraints
operations        elementwise, vector_calls, fast_math, equal_values, placed_text
modules           handover_check, module_check
shapes of code    bisections, cursors, records
"""

if __name__ != "polyopt.ir":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir'")
