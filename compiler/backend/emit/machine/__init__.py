"""Bodies of the system's vector intrinsics."""

if __name__ != "polyopt.backend.emit.machine":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.emit.machine'")
