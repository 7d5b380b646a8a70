"""Statements, and constructs of OpenMP's."""

if __name__ != "polyopt.frontend.emission.statements":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.emission.statements'")
