"""The way from C files to what was asked for.

options       the command line's flags, one table, read into settings
cache         finished work on disk
threads       the runtime of threads on this machine, and what a fork costs
units         one translation unit from text to any level or product; what is kept of it
runtimes      what is compiled into a program beside the user's code: checks, clocks, MPI
observed      what is told of a compilation and measured of its run: advice, pages, clocks
building      command lines: sources side by side, objects, the system's compiler and linker
programs      compiled files in this process: `polyopt.compile`, schedules, peaks
"""

if __name__ != "polyopt.driver":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver'")
