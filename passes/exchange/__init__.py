"""SCoPs and schedules to and from the files of other tools."""

if __name__ != "polyopt.passes.exchange":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.exchange'")
