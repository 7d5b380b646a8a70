"""The functions of the run-time library of distributed programs
(`compiler/driver/runtimes/mpi_runtime.c`), and those of MPI's standard ABI: how they are called,
and their declarations.

Handles of MPI are pointers in the ABI, which a C compiler passes as it passes integers of 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, i32, i64
from xdsl.ir import Attribute, Region, SSAValue

from polyopt.dialects.cmem import PTR

PREFIX = "__polyopt_mpi_"

LAST_TAG = 1 << 14
"""Tags of messages at the end of a SCoP start here, so that they are counted apart."""

_HANDLE = i64


def _type(*arguments: Attribute, result: Attribute = i32) -> FunctionType:
    return FunctionType.from_lists(list(arguments), [result])


FUNCTIONS = {
    f"{PREFIX}communicator": _type(result=_HANDLE),
    f"{PREFIX}rest": _type(i32, i32),
    f"{PREFIX}count": _type(i64),
    f"{PREFIX}requests": _type(i32, result=PTR),
    f"{PREFIX}agree": _type(i64, i64),
    f"{PREFIX}owned": _type(i64),
    "MPI_Comm_rank": _type(_HANDLE, PTR),
    "MPI_Comm_size": _type(_HANDLE, PTR),
    "MPI_Isend": _type(PTR, i32, _HANDLE, i32, i32, _HANDLE, PTR),
    "MPI_Irecv": _type(PTR, i32, _HANDLE, i32, i32, _HANDLE, PTR),
    "MPI_Recv": _type(PTR, i32, _HANDLE, i32, i32, _HANDLE, i64),
    "MPI_Allreduce": _type(PTR, PTR, i32, _HANDLE, _HANDLE, _HANDLE),
    "MPI_Waitall": _type(i32, PTR, i64),
}


def call(name: str, arguments: Sequence[SSAValue]) -> func.CallOp:
    return func.CallOp(name, list(arguments), list(FUNCTIONS[name].outputs))


def declare_called(module: ModuleOp) -> None:
    """Declare those functions that the module calls and does not have."""
    present = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    for name in FUNCTIONS:
        if name in called - present:
            declaration = func.FuncOp(name, FUNCTIONS[name], Region(), StringAttr("private"))
            module.body.block.add_op(declaration)
