"""Code in this process: read from object files, linked, run."""

if __name__ != "polyopt.backend.loaded":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.loaded'")
