"""LLVM IR optimised and compiled: options, processors, object files."""

if __name__ != "polyopt.backend.compiled":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.compiled'")
