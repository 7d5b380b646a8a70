"""Static control parts on several processes that pass messages: as steps, and by MPI."""

if __name__ != "polyopt.passes.distribute":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.distribute'")
