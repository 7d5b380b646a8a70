"""LLVM IR through llvmlite: emission, optimisation, object files, calls from Python.

emit          LLVM IR as text, one file for each dialect
around_llvm   what is done to that text where LLVM by itself does worse
processors    what code is compiled for: options, processors, what they can do
compiled      optimised and compiled: object files
loaded        in this process: read from object files, linked, run
called        compiled functions as Python's: signatures, arguments, globals
"""

if __name__ != "polyopt.backend":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend'")
