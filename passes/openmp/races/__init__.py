"""What of OpenMP's constructs the dependences prove wrong: `serial_view` takes a function to blocks
with the constructs as marks on its accesses, `sharing` says which of these are of one object that
threads or lanes share, `pairs` which may run at the same time, `reports` what to tell whom."""

if __name__ != "polyopt.passes.openmp.races":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.openmp.races'")
