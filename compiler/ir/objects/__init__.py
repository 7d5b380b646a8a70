"""Which objects accesses may mean, and whether two may be one."""

if __name__ != "polyopt.ir.objects":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.objects'")
