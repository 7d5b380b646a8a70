"""The search for a schedule by measuring: what may be done, whether it is legal, how fast it is.

turns     who comes next: sequences merged by weight
treatment what is done to the loops of one nest, as data, as steps, and what is next to it
plans     the same for the nests of one SCoP, and which statements share them
space     the programs there are: legal plans for all SCoPs, and the loops each one gives
quiet     one timing at a time on a machine
trials    one program against the baseline: built, run in turns, its results compared
job       what trials are made of, as plain data
journal   what was measured, in a file from which an interrupted search goes on
search    where to look next
ahead     what it will probably ask for, under way on several workers
forks     workers that are processes of this machine
on_cluster  workers of a Dask cluster
"""

if __name__ != "polyopt.tools.tune":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.tune'")
