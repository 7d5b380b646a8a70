"""What modules are asked, as they come in and between passes."""

if __name__ != "polyopt.ir.checks":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.checks'")
