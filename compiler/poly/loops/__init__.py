"""Loops as data: the tree that both loop generators give, its expressions, and who reads them."""

if __name__ != "polyopt.poly.loops":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.loops'")
