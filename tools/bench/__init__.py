"""The contest between compilers: programs, contenders, runs, comparison of results, reports.

programs    which kernels there are, and at which sizes
contenders  which compilers there are, polyopt's configurations and the peers
outputs     what a kernel program prints, read and compared
contest     build, check and time one kernel with every contender, interleaved
report      the table, the JSON file and the verdicts
"""

if __name__ != "polyopt.tools.bench":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.bench'")
