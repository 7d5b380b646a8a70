"""Passes that have nothing to do, because what they are about is not in the module: said, with
what makes it, instead of doing nothing in silence."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

_SCOPS = ("poly.scop", "detect-scops makes them of C, affine-to-poly of affine loops")
_AFFINE = ("affine.", "poly-to-affine and raise-to-affine make them")
_NESTS = ("contract.", "affine-contract and linalg-to-contract make them")

_NEEDS = {"poly-": _SCOPS, "contract-": _NESTS, "affine-": _AFFINE}
"""By how the name of a pass begins: the operations that it is about."""

_OTHERWISE = {
    "affine-parallelize": _AFFINE,
    "keep-what-pays": ("poly.pays", "detect-scops{on-trial=true} makes them"),
    "mpi-to-calls": ("mpi.", "poly-place makes them"),
    "omp-outline": ("omp.", "affine-parallelize makes them"),
    "stencil-to-loops": ("stencil.", "xDSL's stencil front ends make them"),
    "linalg-to-contract": ("linalg.", "other compilers make them"),
}


def idle_reason(name: str, module: ModuleOp) -> str | None:
    """Why the named pass does nothing to the module, None where it may have something to do."""
    need = _OTHERWISE.get(name)
    for beginning, general in _NEEDS.items():
        if need is None and name.startswith(beginning):
            need = general
    if need is None:
        return None
    operations, makers = need
    if any(op.name.startswith(operations) for op in module.walk()):
        return None
    kind = f"{operations}*" if operations.endswith(".") else operations
    return f"{name} does nothing: the module has no {kind} operations; {makers}"
