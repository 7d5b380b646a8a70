"""The passes, a room for each topic, in the order of the data flow:

    openmp      OpenMP's constructs become functions, branches and calls of a runtime
    prepare     C-shaped source IR becomes SSA with canonical loops
    irregular   nests around loops that data end: their order, and iterations side by side
    scop        static control parts are found, and raised to poly
    raising     the other way in: affine, scf and linalg of any front end become poly
    check       SCoPs run in the source's order too, and are compared
    distribute  SCoPs on several processes that pass messages
    storage     where the values of a SCoP lie
    exchange    SCoPs and schedules to and from the files of other tools
    schedule    the schedule tree is changed
    codegen     a schedule tree becomes affine loops
    parallel    loops run in several threads
    loops       affine loops become register tiles and vectors
    judge       what was made is kept where it pays, else what was written
    lower       affine becomes scf

A pass is thin: it reads IR into data, asks `polyopt.poly` or `polyopt.ir`, and writes IR.
"""

if __name__ != "polyopt.passes":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes'")
