"""Small problems side by side as lanes of vectors, in copies where their elements lie together."""

if __name__ != "polyopt.passes.loops.batches":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.batches'")
