"""Models of what loops cost: lines, pages, strides, cycles, sizes of tiles."""

if __name__ != "polyopt.poly.cost":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.cost'")
