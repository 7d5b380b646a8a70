"""Bring C-shaped source IR into SSA with canonical loops."""

if __name__ != "polyopt.passes.prepare":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.prepare'")
