"""OpenMP's constructs made of functions, branches and calls of a runtime."""

if __name__ != "polyopt.passes.openmp":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.openmp'")
