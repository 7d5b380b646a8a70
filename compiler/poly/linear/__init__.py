"""Integer vectors and matrices: affine functions, lattices, distances of dependences."""

if __name__ != "polyopt.poly.linear":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.linear'")
