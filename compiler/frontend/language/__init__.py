"""What C says of types and numbers, and needs no syntax for: types, conversions, literals, the
layout of records, the functions of its library, and what types are in IR and in calls (the ABI)."""

if __name__ != "polyopt.frontend.language":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.language'")
