"""One file for each dialect: its operations as LLVM's instructions."""

if __name__ != "polyopt.backend.emit.operations":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.emit.operations'")
