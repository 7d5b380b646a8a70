"""Arrays of which each process has its part, for functions compiled with `--distribute=…,owned`.

    parts = kernels.parts(comm)
    A = parts.scatter(whole)           rows of the array that one process has, to their owners
    kernels.relax(comm, n, steps, A, parts.zeros((n, n)))
    whole = parts.gather(A)            … and back

Every array has its whole shape in each process, so subscripts are what they are in C. But pages of
it that nobody touches take no memory, and a process touches its part, and what it gets to read of
others'. What stands elsewhere in it means nothing.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from polyopt.pipeline_options import Distribution

_NO_RESERVE = 0x4000
"""Linux' MAP_NORESERVE: more than there is memory for may be asked for; `mmap` has it from Python
3.13 on."""
_TAG = 1 << 13
_AT_ONCE = 1 << 30
"""Bytes of one message: MPI counts by integers of 32 bits."""

Indices = tuple[npt.NDArray[np.intp], ...]
Array = npt.NDArray[Any]


class Parts:
    """Who owns which elements: along each dimension of the grid of processes an array is cut by its
    own extent, as `poly-place` cuts it."""

    def __init__(self, communicator: Any, chosen: Distribution):
        """Raises ValueError where the processes do not fill the grid."""
        self._communicator = communicator
        self._chosen = chosen
        words, size = chosen.grid.split("x"), communicator.Get_size()
        given = prod(int(word) for word in words if word != "*")
        self._counts = [size // given if word == "*" else int(word) for word in words]
        if prod(self._counts) != size:
            raise ValueError(f"{size} processes do not fill a grid of {chosen.grid}")

    def zeros(self, shape: int | Sequence[int], dtype: npt.DTypeLike = float) -> Array:
        """An array of zeros. Only what is written of it takes memory."""
        shape, kind = _shape(shape), np.dtype(dtype)
        if kind.hasobject:
            raise TypeError(f"objects of Python have no part in C: dtype {kind}")
        count = prod(shape)
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
        pages = mmap.mmap(-1, max(count * kind.itemsize, 1), flags=flags)
        return np.frombuffer(pages, kind, count).reshape(shape)

    def rows(self, shape: int | Sequence[int], rank: int | None = None) -> Indices:
        """The subscripts of what a process owns (this one, if no other is named), for each
        dimension: `A[np.ix_(*parts.rows(A.shape))]` is its part."""
        shape = _shape(shape)
        place = self._place(self._communicator.Get_rank() if rank is None else rank)
        found = [np.arange(extent) for extent in shape]
        for axis, (here, count) in enumerate(zip(place, self._counts, strict=True)):
            if axis < len(shape):
                found[axis] = self._cut(shape[axis], here, count)
            elif here and found:
                found[0] = found[0][:0]
        return tuple(found)

    def scatter(self, whole: Array | None, root: int = 0) -> Array:
        """To each process its part of what `root` has; the others pass None."""
        mine = self._communicator.Get_rank()
        told = (whole.shape, whole.dtype) if mine == root and whole is not None else None
        told = self._communicator.bcast(told, root)
        if told is None:
            raise ValueError(f"process {root} has no array to scatter")
        shape, kind = told
        array = self.zeros(shape, kind)
        if mine == root:
            assert whole is not None
            going = [
                self._communicator.Isend(piece, other, _TAG)
                for other in range(self._communicator.Get_size())
                if other != root
                for piece in _messages(whole[self._part(shape, other)])
            ]
            array[self._part(shape, root)] = whole[self._part(shape, root)]
            for one in going:
                one.Wait()
        else:
            self._receive(array, mine, root)
        return array

    def gather(self, array: Array, root: int = 0) -> Array | None:
        """At `root` the whole array, of what each process has of it; None at the others."""
        mine = self._communicator.Get_rank()
        if mine != root:
            part = array[self._part(array.shape, mine)]
            for going in [self._communicator.Isend(one, root, _TAG) for one in _messages(part)]:
                going.Wait()
            return None
        whole = np.empty(array.shape, array.dtype)
        for other in range(self._communicator.Get_size()):
            if other == root:
                whole[self._part(array.shape, root)] = array[self._part(array.shape, root)]
            else:
                self._receive(whole, other, other)
        return whole

    def _receive(self, array: Array, owner: int, sender: int) -> None:
        """The part of `owner`, as `sender` sends it."""
        where = self._part(array.shape, owner)
        part = np.empty_like(array[where], order="C")
        for piece in _messages(part):
            self._communicator.Recv(piece, sender, _TAG)
        array[where] = part

    def _part(self, shape: tuple[int, ...], rank: int) -> Any:
        """A slice where it is one: the subscripts of rows in turns would be a copy's."""
        rows = self.rows(shape, rank)
        if all(len(one) == 0 or one[-1] - one[0] == len(one) - 1 for one in rows):
            return tuple(slice(one[0], one[-1] + 1) if len(one) else slice(0, 0) for one in rows)
        return np.ix_(*rows)

    def _place(self, rank: int) -> list[int]:
        place = list[int]()
        for count in reversed(self._counts):
            rank, here = divmod(rank, count)
            place.append(here)
        return place[::-1]

    def _cut(self, extent: int, here: int, count: int) -> npt.NDArray[np.intp]:
        if self._chosen.map == "block":
            return np.arange(here * extent // count, (here + 1) * extent // count)
        every = np.arange(extent)
        return every[every // self._chosen.size % count == here]


def _shape(shape: int | Sequence[int]) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _messages(part: Array) -> Iterator[Array]:
    """The bytes of an array, in pieces of which MPI can count the bytes."""
    whole = np.ascontiguousarray(part).reshape(-1).view(np.uint8)
    for start in range(0, len(whole), _AT_ONCE):
        yield whole[start : start + _AT_ONCE]
