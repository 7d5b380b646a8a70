"""The passes, in the order of the data flow: prepare, scop, schedule, codegen, loops, lower."""

if __name__ != "polyopt.passes":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes'")
