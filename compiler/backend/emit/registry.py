"""Which function translates an operation: found by class, loaded by dialect on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from xdsl.ir import Operation

Emitter = Callable[[Any, Any], None]
"""Of a `FunctionEmitter` and an operation of its class."""

EmitterTable = Mapping[type[Operation], Emitter]

_FILES = {
    "affine": "affine_ops",
    "arith": "arith_ops",
    "cf": "cf_ops",
    "cmem": "cmem_ops",
    "func": "func_ops",
    "llvm": "llvm_ops",
    "math": "math_ops",
    "memref": "memref_ops",
    "ompx": "ompx_ops",
    "pvec": "pvec_ops",
    "scf": "scf_ops",
    "team": "team_ops",
    "ub": "cf_ops",
    "vector": "vector_ops",
}

_emitters: dict[type[Operation], Emitter] = {}
_loaded: set[str] = set()


def emitter_of(op: Operation) -> Emitter | None:
    """The translation of this class of operation, or None where there is none."""
    emitter = _emitters.get(op.__class__)
    if emitter is not None:
        return emitter
    file = _FILES.get(op.name.partition(".")[0])
    if file is None or file in _loaded:
        return None
    _loaded.add(file)
    _emitters.update(import_module(f"polyopt.backend.emit.operations.{file}").EMITTERS)
    return _emitters.get(op.__class__)
