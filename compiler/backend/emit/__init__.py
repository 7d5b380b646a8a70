"""From `func`, `cf`, `scf`, `arith`, `math`, `memref`, `cmem`, `vector` to the text of LLVM IR.

Text, because it is quick to write and to parse and says all that LLVM has to say: string function
attributes and distinct metadata have no builder in llvmlite. One walk over each function, in the
order of dominance; every operation is translated by the function that `registry.emitter_of`
finds for its class, in the file of its dialect.

Steps: `functions.emit_module` walks the symbols; a function body is walked by `control`; a
`memref` value is a `memrefs.MemRef`: a pointer, sizes and strides; facts for the optimiser (alias
scopes, loop hints) are `metadata`.
"""

from polyopt.backend.emit.module_symbols import emit_module

if __name__ != "polyopt.backend.emit":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.emit'")

__all__ = ["emit_module"]
