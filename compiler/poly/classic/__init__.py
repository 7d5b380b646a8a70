"""The classic dependence tests: cheap answers by integer arithmetic, with no isl in them.

    base object     different arrays do not meet
    ZIV             constant subscripts: equal or not
    SIV             one loop: the conflicting iterations solve a x - b y = c, two chains of
                    recurrences; the loop's bounds may leave none of them
    coupled         what one subscript says of a loop is put into the others (Delta test)
    GCD             several loops: the equations together have an integer solution, or not
    Banerjee        several loops: the extreme values within the bounds, for each direction

R. Allen, K. Kennedy, Optimizing compilers for modern architectures, 2001, chapter 3; U. Banerjee,
Dependence analysis for supercomputing, 1988; G. Goff, K. Kennedy, C.-W. Tseng, Practical
dependence testing, PLDI 1991; as in section 2.4.4 of D. Berlin, D. Edelsohn, S. Pop, High-level
loop optimizations for GCC, 2004.

    references      array references as integer vectors, with the bounds of the loops around
    conflicts       the iterations of one loop that may meet
    pair_test       the tests in order, and their verdict
"""

if __name__ != "polyopt.poly.classic":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.classic'")
