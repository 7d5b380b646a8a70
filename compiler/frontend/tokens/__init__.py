"""Text as tokens that know their places, and back: lines, the groups of conditional
directives, the C library's headers and what a program leaves unused of them."""

if __name__ != "polyopt.frontend.tokens":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.tokens'")
