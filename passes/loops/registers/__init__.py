"""Results in registers around serial loops."""

if __name__ != "polyopt.passes.loops.registers":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.registers'")
