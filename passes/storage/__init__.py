"""Write the moved accesses of a poly.scop, and make versions for sizes."""

if __name__ != "polyopt.passes.storage":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.storage'")
