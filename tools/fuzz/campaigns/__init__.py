"""Many trials: seeds, mutants, findings and their reduction."""

if __name__ != "polyopt.tools.fuzz.campaigns":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.fuzz.campaigns'")
