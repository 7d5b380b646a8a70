"""What a pass is about: the operations without which it has nothing to do.

Of such a pass nothing need be loaded where a module has none of them, which is most of what is
compiled: code without loops has no use for the polyhedral middle.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from polyopt.support.record import record

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@record
class Need:
    """`operations`: how the names of those that the pass is about begin; `makers`: where they come
    from, in words."""

    operations: tuple[str, ...]
    makers: str

    def is_met(self, names: Collection[str]) -> bool:
        """Whether some of the operations of these names are such."""
        return any(name.startswith(self.operations) for name in names)


def operations_of(module: ModuleOp) -> frozenset[str]:
    """The names of those in the module, but for its own."""
    return frozenset(op.name for op in module.walk() if op is not module)


_SCOPS = Need(("poly.scop",), "detect-scops makes them of C, affine-to-poly of affine loops")
_AFFINE = Need(("affine.",), "poly-to-affine and raise-to-affine make them")
_NESTS = Need(("contract.",), "affine-contract and linalg-to-contract make them")
_VECTORS = Need(("pvec.",), "affine-vectorize makes them")

_BY_BEGINNING = {"poly-": _SCOPS, "contract-": _NESTS, "affine-": _AFFINE}
"""By how the name of a pass begins."""

_BY_NAME = {
    "affine-parallelize": _AFFINE,
    "share-transfers": _VECTORS,
    "compute-in-turns": _VECTORS,
    "carry-reads": _VECTORS,
    "lower-transfers": _VECTORS,
    "keep-what-pays": Need(
        ("poly.pays", "builtin.module"), "detect-scops{on-trial=true} makes them"
    ),
    "drop-prefetches": Need(("cmem.prefetch",), "__builtin_prefetch makes them"),
    "jam-irregular": Need(("cf.cond_br",), "C's loops are made of them"),
    "permute-irregular": Need(("cf.cond_br",), "C's loops are made of them"),
    "mpi-to-calls": Need(("mpi.",), "poly-place makes them"),
    "omp-outline": Need(("omp.",), "affine-parallelize makes them"),
    "stencil-to-loops": Need(("stencil.",), "xDSL's stencil front ends make them"),
    "linalg-to-contract": Need(("linalg.",), "other compilers make them"),
}

_BESIDES = ("affine-to-scf", "affine-parallelize", "poly-apply-", "poly-place")
_WITH_FILES = ("poly-import-", "poly-export-")


def need_of(name: str) -> Need | None:
    """What the named pass is about; None where it may always have something to do."""
    for beginning, need in _BY_BEGINNING.items():
        if name.startswith(beginning):
            return _BY_NAME.get(name, need)
    return _BY_NAME.get(name)


def is_silent_without(name: str) -> bool:
    """Whether the named pass, where there is nothing that it is about, leaves no other trace
    either: no remark, no file, no message that a script or a file is wrong."""
    return not name.startswith((*_BESIDES, *_WITH_FILES))
