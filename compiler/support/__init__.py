"""What every room may use and that knows nobody: diagnostics, remarks, counters, timing, Target."""

if __name__ != "polyopt.support":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.support'")
