"""Find static control parts and raise them to poly."""

if __name__ != "polyopt.passes.scop":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.scop'")
