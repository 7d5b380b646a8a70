"""Loop nests transformed by non-singular integer matrices.

W. Li, K. Pingali, A singular loop transformation framework based on non-singular matrices, IJPP
1994 (the Lambda toolkit), as in D. Berlin, D. Edelsohn, S. Pop, High-level loop optimizations
for GCC, GCC Developers' Summit 2004. A matrix T runs iteration x of a nest at time T x:

    legality     T d is lexicographically positive for every dependence vector d
    completion   the first rows are given, the others are found within the dependences
    bounds       the times are a lattice: loops whose steps are on the Hermite form's diagonal
    locality     which T makes the innermost loop walk along cache lines
"""

if __name__ != "polyopt.poly.matrix":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.matrix'")
