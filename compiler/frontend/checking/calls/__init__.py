"""Calls: arguments, the builtins of GNU C, atomics, variable arguments."""

if __name__ != "polyopt.frontend.checking.calls":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.calls'")
