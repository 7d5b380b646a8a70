"""Polyhedral mathematics on isl; knows no IR. What all read stands here: `scop`, `schedule_tree`,
`dependences`, `legality`, `violations` with an `example` of each, `notation`. The rooms, lowest
first:

isl           isl as it has to be used: budgets, messages, the text of trees
linear        integer vectors and matrices, affine functions, lattices
loops         loops as data: the tree that both generators give
classic       the classic dependence tests, by integer arithmetic
matrix        nests transformed by non-singular integer matrices
analysis      what a SCoP and a schedule have to say of themselves, with no choice in them
cost          models of what loops cost
scanning      the second loop generator: polyhedra scanned by row-echelon bounds
generation    loops from schedules, and the proof that they run what they should
transform     changes by hand: functions from tree to tree, each act once
changes       changes that decide for themselves where they pay; `transform` acts
schedulers    from a SCoP and its dependences to a schedule tree
placement     instances on a grid of processors
exchange      formats of other tools
picture       what pictures show, as data
"""

if __name__ != "polyopt.poly":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly'")
