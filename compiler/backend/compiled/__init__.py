"""LLVM IR optimised and compiled: assembly, object files, xDSL's targets for both."""

if __name__ != "polyopt.backend.compiled":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.compiled'")
