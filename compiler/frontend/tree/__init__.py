"""The typed tree, which checking makes and emission reads: expressions, statements, atomics,
constructs of OpenMP's; scopes; the values of constant expressions; which expressions have an
effect."""

if __name__ != "polyopt.frontend.tree":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.tree'")
