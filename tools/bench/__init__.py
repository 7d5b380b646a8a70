"""The contest between compilers: programs, contenders, runs, comparison of results, reports.

programs          which kernels there are, and at which sizes
contenders        which compilers there are, polyopt's configurations and the peers
outputs           what a kernel program prints, read and compared
contest           build, check and time one kernel with every contender, interleaved
report            the table, the JSON file and the verdicts
goals             what is to be reached, and the verdicts on it; goal_run measures it
threads           the race in threads; thread_goals, thread_run: as above;
                  run_time_support: pipelines and reductions, on against off
tsvc              the loops of TSVC-2; blas: what OpenBLAS reaches
cost              what compiling costs; schedule_cost: what its polyhedral middle does
core_model        what this machine takes for what the models have numbers for
"""

if __name__ != "polyopt.tools.bench":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.bench'")
