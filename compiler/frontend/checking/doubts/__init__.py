"""What may be told of a program that is right C: sequence, cases, names, values, formats, variables
that are read before anything is stored to them. Asked only where `Warnings.may_tell`."""

if __name__ != "polyopt.frontend.checking.doubts":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.doubts'")
