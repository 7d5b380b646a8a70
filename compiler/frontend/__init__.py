"""C: preprocess, parse, type, emit source IR."""

if __name__ != "polyopt.frontend":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend'")
