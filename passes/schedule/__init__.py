"""Rewrite the schedule tree of a poly.scop."""

if __name__ != "polyopt.passes.schedule":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.schedule'")
