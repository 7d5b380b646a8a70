"""Loops in the form that the middle asks for."""

if __name__ != "polyopt.passes.prepare.loop_forms":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare.loop_forms'")
