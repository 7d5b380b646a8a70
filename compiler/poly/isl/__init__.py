"""isl as it has to be used: budgets, lists of its parts, options, messages, the text of trees."""

if __name__ != "polyopt.poly.isl":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.isl'")
