"""Non-temporal stores; buffers: values where they can be, else allocated once; rows and tables."""

if __name__ != "polyopt.passes.loops.memory":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.memory'")
