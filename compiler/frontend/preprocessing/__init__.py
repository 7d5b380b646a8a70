"""C's preprocessor: directives, macros, headers. pcpp expands, and each token keeps its place."""

if __name__ != "polyopt.frontend.preprocessing":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.preprocessing'")
