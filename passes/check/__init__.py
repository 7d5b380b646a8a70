"""SCoPs that run in the source's order too, and are compared: what `--check` adds to a program."""

if __name__ != "polyopt.passes.check":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.check'")
