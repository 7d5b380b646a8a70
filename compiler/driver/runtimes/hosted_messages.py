"""Functions whose loops processes share, called from Python on a communicator of mpi4py.

    kernels = polyopt.compile(source, ["-O3", "--distribute=*"])
    kernels.relax(comm, n, steps, A, B)       in every process of `comm`, with the same arrays

What the code asks of MPI goes through a table of functions (`mpi_hosted.c`) to the communicator, so
any library that mpi4py has been built with will do, and any communicator.
"""

from __future__ import annotations

import ctypes
import inspect
import traceback
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from itertools import count
from math import prod
from typing import Any

from polyopt.backend.called.bind import CFunction
from polyopt.backend.called.signature import Signature
from polyopt.backend.loaded.jit import NativeCode
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.hosted_ending import end_together, gather_numbers, remember_meeting
from polyopt.driver.runtimes.mpi_runtime import runtime_object
from polyopt.driver.runtimes.runtime_code import runtime_code
from polyopt.pipeline_options import Distribution

_Int, _Long, _Pointer = ctypes.c_int, ctypes.c_int64, ctypes.c_void_p

_TABLE: dict[str, Any] = {
    "rank": ctypes.CFUNCTYPE(_Int),
    "size": ctypes.CFUNCTYPE(_Int),
    "send": ctypes.CFUNCTYPE(_Long, _Pointer, _Long, _Int, _Int),
    "receive": ctypes.CFUNCTYPE(None, _Pointer, _Long, _Int, _Int),
    "ask": ctypes.CFUNCTYPE(_Long, _Pointer, _Long, _Int, _Int),
    "wait": ctypes.CFUNCTYPE(None, _Long),
    "combine": ctypes.CFUNCTYPE(None, _Pointer, _Pointer, _Int, _Int, _Int),
    "abort": ctypes.CFUNCTYPE(None, _Int),
}
"""The members of the table of `mpi_hosted.c`, in their order: each is a pointer."""

_INT64, _MINIMUM = 0x258, 0x22
_TYPES = {0x210: (4, "FLOAT"), 0x214: (8, "DOUBLE")} | {
    0x240 + 8 * k + is_unsigned: (1 << k, f"{'U' * is_unsigned}INT{8 << k}_T")
    for k in range(4)
    for is_unsigned in (0, 1)
}
_OPERATIONS = {
    _MINIMUM: "MIN",
    0x21: "SUM",
    0x23: "MAX",
    0x24: "PROD",
    0x28: "BAND",
    0x29: "BOR",
    0x2A: "BXOR",
}
"""Handles of the standard ABI: the bytes of an element, and mpi4py's names."""


class Messages:
    """Does for loaded code what it asks of MPI, on the communicator of the call under way."""

    def __init__(self, code: NativeCode):
        self._code = code
        self._communicator: Any = None
        self._requests = dict[int, Any]()
        self._numbers = count(1)
        self._kept = [
            type(self._guarded(getattr(self, f"_{name}"))) for name, type in _TABLE.items()
        ]
        start = code.address("__polyopt_mpi_host")
        table = (ctypes.c_void_p * len(_TABLE)).from_address(start)
        for position, function in enumerate(self._kept):
            table[position] = ctypes.cast(function, ctypes.c_void_p).value

    def call(self, communicator: Any, function: Callable[[], Any]) -> Any:
        remember_meeting(communicator, lambda: self.call(communicator, self._agree_on_end))
        before, self._communicator = self._communicator, communicator
        try:
            return function()
        finally:
            self._communicator = before

    def _agree_on_end(self) -> None:
        """All processes of the communicator are at their end: line 0. Else they all end here."""
        agree = ctypes.CFUNCTYPE(_Int, _Long, _Long)(self._code.address("__polyopt_mpi_agree"))
        agree(0, 0)

    def _guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """C cannot be left by an exception: it is shown, and all processes end."""

        def guarded(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except BaseException:
                traceback.print_exc()
                self._communicator.Abort(1)

        return guarded

    def _rank(self) -> int:
        return self._communicator.Get_rank()

    def _size(self) -> int:
        return self._communicator.Get_size()

    def _send(self, buffer: int, length: int, whom: int, tag: int) -> int:
        number = next(self._numbers)
        self._requests[number] = self._communicator.Isend(_bytes(buffer, length), whom, tag)
        return number

    def _receive(self, buffer: int, length: int, whom: int, tag: int) -> None:
        self._communicator.Recv(_bytes(buffer, length), whom, tag)

    def _ask(self, buffer: int, length: int, whom: int, tag: int) -> int:
        number = next(self._numbers)
        self._requests[number] = self._communicator.Irecv(_bytes(buffer, length), whom, tag)
        return number

    def _wait(self, number: int) -> None:
        self._requests.pop(number).Wait()

    def _combine(self, mine: int, all: int, number: int, type: int, how: int) -> None:
        if (type, how) == (_INT64, _MINIMUM):
            self._least(mine, all, number)
            return
        from mpi4py import MPI

        width, name = _TYPES[type]
        datatype, operation = getattr(MPI, name), getattr(MPI, _OPERATIONS[how])
        given, found = (_bytes(place, width * number) for place in (mine, all))
        self._communicator.Allreduce(
            [given, number, datatype], [found, number, datatype], operation
        )

    def _least(self, mine: int, least: int, number: int) -> None:
        numbers = (ctypes.c_int64 * number).from_address(mine)
        every = gather_numbers(self._communicator, numbers)
        found = (ctypes.c_int64 * number).from_address(least)
        found[:] = [min(values) for values in zip(*every, strict=True)]

    def _abort(self, status: int) -> None:
        self._communicator.Abort(status)


def _bytes(address: int, length: int) -> Any:
    return (ctypes.c_char * length).from_address(address)


class SharedFunction(CFunction):
    """A C function that the processes of a communicator call together: it is the first argument."""

    def __init__(
        self, signature: Signature, code: NativeCode, messages: Messages, chosen: Distribution
    ):
        super().__init__(signature, code)
        self._messages = messages
        self._chosen = chosen

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not args or not all(hasattr(args[0], name) for name in ("Isend", "Irecv", "Get_size")):
            raise TypeError(
                f"{self.__name__}() is shared by processes: "
                "its first argument is a communicator of mpi4py, such as MPI.COMM_WORLD"
            )
        communicator, *rest = args
        check_size(self._chosen, communicator.Get_size())
        call = super().__call__
        return self._messages.call(communicator, lambda: call(*rest, **kwargs))

    @cached_property
    def __signature__(self) -> inspect.Signature:
        first = inspect.Parameter("comm", inspect.Parameter.POSITIONAL_ONLY, annotation=Any)
        own = super().__signature__
        return own.replace(parameters=[first, *own.parameters.values()])

    @property
    def __doc__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        first, gap, rest = super().__doc__.partition("\n\n")
        gap = gap or "\n\n"
        return f"{first}{gap}comm: communicator of the processes that share it\n{rest}".rstrip()

    def stub(self) -> str:
        from polyopt.backend.called.annotations import stub_of

        return stub_of(self.signature, communicator=True)


def share(
    functions: Mapping[str, CFunction], code: NativeCode, chosen: Distribution
) -> dict[str, CFunction]:
    """The same functions, called by the processes of a communicator; where one of these ends early,
    all end."""
    messages = Messages(code)
    end_together()
    return {
        name: SharedFunction(one.signature, code, messages, chosen)
        for name, one in functions.items()
    }


def check_size(chosen: Distribution, size: int) -> None:
    """Raise ValueError where so many processes do not fill the grid."""
    words = chosen.grid.split("x")
    given = prod(int(word) for word in words if word != "*")
    if size != given if "*" not in words else size % given:
        amount = f"a multiple of {given}" if "*" in words else str(given)
        raise ValueError(
            f"--distribute={chosen.grid} is for {amount} processes, and the communicator has {size}"
        )


@cache
def hosted_objects(folder: str | None) -> tuple[bytes, bytes]:
    """What is loaded with code whose loops are shared, kept in the folder that the word means."""
    settings = Settings(opt_level=2, poly="none")
    purpose = "the run-time library of --distribute"
    code = runtime_code("mpi_hosted.c", settings, folder, purpose)
    return code, runtime_object(for_program=False, folder=folder)
