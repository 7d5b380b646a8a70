"""Memory becomes values: scalars, places behind pointers, small structs and arrays."""

if __name__ != "polyopt.passes.prepare.variables":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare.variables'")
