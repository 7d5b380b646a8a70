"""What of OpenMP's constructs the dependences prove wrong: `serial_view` takes a function to blocks
with the constructs as marks on its accesses, `touches` are these as instances, `sharing` says which
objects threads have together, `find` which accesses meet, `reports` what to tell whom."""

if __name__ != "polyopt.passes.openmp.races":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.openmp.races'")
