"""What a SCoP and a schedule have to say of themselves: facts, with no choice in them."""

if __name__ != "polyopt.poly.analysis":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.analysis'")
