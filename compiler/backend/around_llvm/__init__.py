"""What is done to LLVM's text where LLVM by itself does worse."""

if __name__ != "polyopt.backend.around_llvm":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.around_llvm'")
