"""Types, attributes, declarations, functions; the program as a whole."""

if __name__ != "polyopt.frontend.checking.declarations":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.declarations'")
