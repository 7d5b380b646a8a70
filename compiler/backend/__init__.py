"""LLVM IR through llvmlite: emission, optimisation, object files, calls from Python.

emit          LLVM IR as text, one file for each dialect
compiled      codegen, options, cpus, vector_features, ir_target
around LLVM   across_calls, detours, extremes, fresh_conversions, limits, masks_apart,
              sines_with_cosines, single_lanes, superword
loaded        elf, elf_loader, jit, run, globals, thread_count
called        bind, signature, signature_reader, arguments, argument_kinds, memory_arguments,
              given_arrays, extents, layouts, places, callbacks, quick_calls, annotations
"""

if __name__ != "polyopt.backend":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend'")
