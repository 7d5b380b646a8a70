"""Conditions become values or structure."""

if __name__ != "polyopt.passes.prepare.branches":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare.branches'")
