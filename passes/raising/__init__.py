"""Passes from structured loops to poly."""

if __name__ != "polyopt.passes.raising":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.raising'")
