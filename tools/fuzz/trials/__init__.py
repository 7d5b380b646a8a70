"""One program under several configurations, against the unoptimised compiler."""

if __name__ != "polyopt.tools.fuzz.trials":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.fuzz.trials'")
