"""LLVM IR through llvmlite: emission, optimisation, object files, JIT."""

if __name__ != "polyopt.backend":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend'")
