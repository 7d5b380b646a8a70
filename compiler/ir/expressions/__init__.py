"""Values as expressions over the mathematical integers, and conditions on them."""

if __name__ != "polyopt.ir.expressions":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.expressions'")
