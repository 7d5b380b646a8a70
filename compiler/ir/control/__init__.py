"""Control flow: the graph of a body, who dominates whom, loops, regions, equal values."""

if __name__ != "polyopt.ir.control":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.control'")
