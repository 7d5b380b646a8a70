"""Nests that are no static control parts, by the classic tests."""

if __name__ != "polyopt.passes.irregular":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.irregular'")
