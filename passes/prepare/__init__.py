"""C-shaped source IR becomes SSA with canonical loops.

branches      conditions become values or structure
values        values once, simpler, or not at all
variables     memory becomes values: scalars, places behind pointers, small structs and arrays
calls         inlined, copied for the numbers that they pass, known to only compute
loop_forms    loops as the middle asks for them: one counter, unrolled windows, searches

In the root: ssa_construction, which makes values of variables for all of them.
"""

if __name__ != "polyopt.passes.prepare":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare'")
