"""The command-line tools: arguments only."""

if __name__ != "polyopt.tools":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools'")
