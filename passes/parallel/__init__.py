"""Loops that run in several threads: which, as `omp` operations, and as functions of a team."""

if __name__ != "polyopt.passes.parallel":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.parallel'")
