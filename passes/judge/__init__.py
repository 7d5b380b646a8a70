"""Keep what pays."""

if __name__ != "polyopt.passes.judge":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.judge'")
