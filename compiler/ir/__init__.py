"""What is asked of IR; nothing here rewrites. Rooms, each using those above it at most:

control       the graph of a body, who dominates whom, natural loops, regions, equal values
objects       which objects accesses may mean, and whether two may be one
affine        affine loops and their accesses as data; their dependences
expressions   values as expressions over the mathematical integers; conditions on them
idioms        shapes of code that mean something: searches, records, cursors, updates
evolution     scalar evolution: values as loops run, trip counts, ranges, domains
references    loads and stores as references to objects, in loops that data end too
checks        what modules are asked as they come in and between passes

In the root, what all of them ask: branches (what terminators pass on), dependents, effects,
elementwise, fast_math, functions (near loops), insertion, vector_calls, orders, same_objects,
placed_text; and problem, a SCoP of the IR as a scheduling problem.
"""

if __name__ != "polyopt.ir":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir'")
