"""Instances on a grid of processors: who runs what, and which values go from one to another."""

if __name__ != "polyopt.poly.placement":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.placement'")
