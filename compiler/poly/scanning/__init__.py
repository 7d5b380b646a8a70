"""The second loop generator: polyhedra scanned by row-echelon bounds.

C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops, PPoPP 1991. Everything is integers in
tuples; isl only gives the sets and schedules that are scanned.

    systems           linear inequalities: Fourier's elimination, emptiness, redundancy
    affine_lattice    the integer points of equalities, column by column
    echelon           one polyhedron on such a lattice, and its projections
    pieces            a schedule tree as such polyhedra, and the loops that it asks for
    groups, peeling   which of them share a loop
    bounds, places    rows as bounds and conditions, where something is known
    scanner           pieces become loops
    generate          a SCoP's schedule becomes loops
    image             exactly the elements that an access touches
    tilings, tiling   partitions of space into tiles, and the loops over tiles and their points
"""

if __name__ != "polyopt.poly.scanning":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.scanning'")
