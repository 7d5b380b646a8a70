"""Calls: inlined, copied for numbers, known to only compute."""

if __name__ != "polyopt.passes.prepare.calls":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare.calls'")
