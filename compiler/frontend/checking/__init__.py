"""The tree becomes the typed tree, in which every conversion is a node: all errors come from here.

`checker` is what the parts share, and what they find each other in by `checker_parts`;
`openmp_regions` says whose a variable is. The rooms, lowest first:

doubts        what may be told of a program that is right: `doubtful_*`, `uninitialised`
operands      conversions, names, lvalues
calls         arguments, GNU C's builtins, atomics, variable arguments
expressions   operators, updates, sizes, initialisers
statements    statements, labels, assembly, what pragmas of ours stand in front of
openmp        directives, clauses, and the loops, tasks and reductions that they are about
declarations  types, attributes, declarations, functions, the program
"""

if __name__ != "polyopt.frontend.checking":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking'")
