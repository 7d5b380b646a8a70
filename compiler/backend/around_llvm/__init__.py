"""What is done to LLVM's text where LLVM by itself does worse.

The names of what is added begin with a dot, have two, or are looked for in the function before:
`limit.1` is what the emitter calls the second `limit` of a function in C.
"""

if __name__ != "polyopt.backend.around_llvm":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.around_llvm'")
