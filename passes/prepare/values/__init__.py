"""Values once, simpler, or not at all."""

if __name__ != "polyopt.passes.prepare.values":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare.values'")
