"""Affine modules as native functions on NumPy arrays.

The oracle for a loop pass is the module without it: both are compiled and run on the same data.
With no floating-point permission the results must be equal bit by bit.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.passes.loops.interleave.peel_masks import AffinePeelMasksPass
from polyopt.passes.loops.transfers.lower_transfers import LowerTransfersPass
from polyopt.passes.loops.transfers.share_transfers import ShareTransfersPass
from polyopt.passes.lower.affine_to_scf import AffineToScfPass

Argument = NDArray[np.generic] | int | float
Native = Callable[..., None]


@cache
def _universe() -> Universe:
    return Universe.get_multiverse()


def parse_affine(text: str) -> ModuleOp:
    """A module of its own for whoever asks, of one that is read and verified once."""
    return _parsed(text).clone()


@lru_cache(maxsize=64)
def _parsed(text: str) -> ModuleOp:
    context = Context()
    for name, dialect in _universe().all_dialects.items():
        context.register_dialect(name, dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def apply(module: ModuleOp, passes: Sequence[ModulePass]) -> ModuleOp:
    for each in passes:
        each.apply(Context(), module)
        module.verify()
    return module


def lowering() -> list[ModulePass]:
    """From loops over masked vectors, and transfers, to code without them."""
    return [
        AffinePeelMasksPass(),
        ShareTransfersPass(),
        LowerTransfersPass(),
        AffineToScfPass(),
    ]


def compile_affine(
    text: str, passes: Sequence[ModulePass] = (), *, march: str = "native", function: str = "f"
) -> Native:
    """The function, called with numbers and arrays (each a pointer and its extents); without LLVM's
    passes, which are no part of what is tested here. As it was written, one for all that it is
    compared with."""
    if not passes:
        return _as_written(text, march, function)
    return _compiled(text, passes, march, function)


@lru_cache(maxsize=64)
def _as_written(text: str, march: str, function: str) -> Native:
    return _compiled(text, (), march, function)


def _compiled(text: str, passes: Sequence[ModulePass], march: str, function: str) -> Native:
    module = apply(parse_affine(text), [*passes, *lowering()])
    code = load_objects([emit_object(module, BackendOptions(opt_level=0, march=march))])

    def call(*arguments: Argument) -> None:
        registers: list[int | float] = []
        types: list[type[ctypes._SimpleCData[int]] | type[ctypes.c_double]] = []  # pyright: ignore
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                registers += [argument.ctypes.data, *argument.shape]
                types += [ctypes.c_int64] * (1 + argument.ndim)
            else:
                registers.append(argument)
                types.append(ctypes.c_double if isinstance(argument, float) else ctypes.c_int64)
        ctypes.CFUNCTYPE(None, *types)(code.address(function))(*registers)

    return call
