"""mpi-to-calls: operations of `mpi` become calls of MPI by its standard ABI."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import arith, memref, mpi
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
    ModuleOp,
    Signedness,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.passes.distribute.runtime import PREFIX, call, declare_called
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

REQUEST_NULL = 0x180
IGNORED = 0
"""MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE."""

FLOATS = {Float32Type: 0x210, Float64Type: 0x214}
INTEGERS = {1: 0x240, 8: 0x240, 16: 0x248, 32: 0x250, 64: 0x258}
"""The handles of the standard ABI (MPI 5.0, A.1.2) for elements in memory; those of unsigned
numbers are one more."""

OPERATIONS = {
    "MPI_SUM": 0x21,
    "MPI_MIN": 0x22,
    "MPI_MAX": 0x23,
    "MPI_PROD": 0x24,
    "MPI_BAND": 0x28,
    "MPI_BOR": 0x29,
    "MPI_BXOR": 0x2A,
}

REQUEST_BYTES = 8


@record
class MpiToCallsPass(ModulePass):
    """Lower every operation of `mpi` that polyopt makes.

    Requires: buffers are pointers.
    Ensures: no operation of `mpi` is left; handles are the constants of MPI's standard ABI, so that
    the program runs with every library that has it (`libmpi_abi`); the communicator is the run-time
    library's.

        %d = mpi.get_dtype {dtype = f64}             %d = arith.constant 532 : i64
        mpi.recv(%p, %n, %d, %source, %tag)    =>    %c = call @__polyopt_mpi_communicator()
                                                     call @MPI_Recv(%p, …, %tag, %c, %0)
    """

    name = "mpi-to-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            lower = _LOWERINGS.get(type(inner))
            if lower is not None:
                block = Block()
                results = lower(inner, Code(block, inner))
                Rewriter.inline_block(block, InsertPoint.before(inner))
                Rewriter.replace_op(inner, [], results)
            elif inner.name.startswith("mpi."):
                raise CompileError(f"{inner.name} has no lowering here")
        declare_called(op)


Lowering = Callable[[Operation, Code], list[SSAValue | None]]


def _number(code: Code, value: int, width: int = 64) -> SSAValue:
    return code.insert(arith.ConstantOp.from_int_and_width(value, width))


def _communicator(code: Code) -> SSAValue:
    return code.insert(call(f"{PREFIX}communicator", []))


def _asked(name: str) -> Lowering:
    """A number that MPI puts where it is told to."""

    def lower(op: Operation, code: Code) -> list[SSAValue | None]:
        place = code.insert(memref.AllocaOp.get(i32, shape=[]))
        address = code.insert(cmem.AddressOp(place, []))
        code.insert(call(name, [_communicator(code), address]))
        return [code.insert(memref.LoadOp.get(place, []))]

    return lower


def _datatype(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.GetDtypeOp)
    handle = handle_of(op.dtype)
    if handle is None:
        raise CompileError(f"elements of type {op.dtype} cannot be sent")
    return [_number(code, handle)]


def handle_of(element: Attribute) -> int | None:
    """The constant for elements of this type, if there is one."""
    handle = FLOATS.get(type(element))  # pyright: ignore[reportArgumentType]
    if handle is None and isa(element, IntegerType):
        handle = INTEGERS.get(element.width.data)
        if handle is not None and element.signedness.data == Signedness.UNSIGNED:
            handle += 1
    return handle


def _requests(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.AllocateTypeOp)
    return [code.insert(call(f"{PREFIX}requests", [op.count]))]


def _request(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.VectorGetOp)
    position = code.insert(arith.IndexCastOp(op.element, INDEX))
    return [code.insert(cmem.OffsetOp(op.vect, position, REQUEST_BYTES))]


def _null(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.NullRequestOp)
    place = code.insert(cmem.ViewOp(op.request, [], MemRefType(i64, [])))
    code.block.add_op(memref.StoreOp.get(_number(code, REQUEST_NULL), place, []))
    return []


def _isend(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.IsendOp)
    arguments = [op.buffer, op.count, op.datatype, op.dest, op.tag, _communicator(code), op.request]
    code.insert(call("MPI_Isend", arguments))
    return []


def _irecv(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.IrecvOp)
    arguments = [op.buffer, op.count, op.datatype, op.source, op.tag, _communicator(code)]
    code.insert(call("MPI_Irecv", [*arguments, op.request]))
    return []


def _recv(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.RecvOp)
    arguments = [op.buffer, op.count, op.datatype, op.source, op.tag, _communicator(code)]
    code.insert(call("MPI_Recv", [*arguments, _number(code, IGNORED)]))
    return []


def _wait(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.WaitallOp)
    code.insert(call("MPI_Waitall", [op.count, op.requests, _number(code, IGNORED)]))
    return []


def _allreduce(op: Operation, code: Code) -> list[SSAValue | None]:
    assert isinstance(op, mpi.AllreduceOp)
    how = op.operationtype.op_str.data
    if how not in OPERATIONS or op.send_buffer is None:
        raise CompileError(f"{op.name} by {how} has no lowering here")
    operation = _number(code, OPERATIONS[how])
    arguments = [op.send_buffer, op.recv_buffer, op.count, op.datatype, operation]
    code.insert(call("MPI_Allreduce", [*arguments, _communicator(code)]))
    return []


_LOWERINGS: dict[type[Operation], Lowering] = {
    mpi.CommRankOp: _asked("MPI_Comm_rank"),
    mpi.CommSizeOp: _asked("MPI_Comm_size"),
    mpi.GetDtypeOp: _datatype,
    mpi.AllocateTypeOp: _requests,
    mpi.VectorGetOp: _request,
    mpi.NullRequestOp: _null,
    mpi.IsendOp: _isend,
    mpi.IrecvOp: _irecv,
    mpi.RecvOp: _recv,
    mpi.WaitallOp: _wait,
    mpi.AllreduceOp: _allreduce,
}
