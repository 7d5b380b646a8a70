"""What code is compiled for: options, processors, what they can do."""

if __name__ != "polyopt.backend.processors":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.processors'")
