"""Lanes that steps before have stored apart are loaded apart.

    loop:                                             loop:
      a = getelementptr i8, ptr r, i64 -4               …
      v = load <2 x i32>, ptr a                         c = getelementptr i32, ptr a, i64 1
      … store <2 x i32> s, ptr a                  =>    b = call ptr asm "", "=r,0"(ptr c)
      … store i32 e, ptr q                              x = load i32, ptr a    y = load i32, ptr b
      (r and q go on by 4 bytes in each step)           v = insertelement … x … y

A load of what is still on its way to the cache takes it from the store, if that has all of it. If
not, it waits until the store is done (Intel, Optimization Reference Manual, "store forwarding"; 13
to 20 cycles on all CPUs of today). LLVM's vectors of straight code put loads of neighbours together
and do not ask who has stored them: in a diffusion of errors (Floyd and Steinberg) one of two lanes
was stored by the step before as a lane of its own vector, and the other one alone. Addresses go
through an empty text for the assembler, as LLVM would join such loads again.

It is seen of accesses behind one pointer and one counter, from how far apart they are and how far
the counter goes on in a step.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_SIZES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8}
_TYPE = rf"(?:<(\d+) x )?({'|'.join(_SIZES)})>?"
_ACCESS = re.compile(
    rf"(?m)^  (?:({NAME}) = load {_TYPE}, |store {_TYPE} [^\n]*?, )ptr ({NAME}), align (\d+)(.*)$"
)
_VECTOR_LOAD = re.compile(rf"(?m)^  {NAME} = load <")
_PLACE = re.compile(
    rf"(?m)^  ({NAME}) = getelementptr (?:inbounds |nuw |nusw )*({'|'.join(_SIZES)}), "
    rf"ptr (\S+), i64 ({NAME}|-?\d+)(?=[\n,])"
)
_SUM = re.compile(rf"(?m)^  ({NAME}) = (?:add|or) (?:nuw |nsw |disjoint )*i64 ({NAME}), (-?\d+)$")
_COUNTER = re.compile(rf"(?m)^  ({NAME}) = phi i64 (.*)$")
_NAME = re.compile(NAME)


@record
class _Access:
    at: int
    """Where in the text it stands."""
    offset: int
    """Where its bytes begin behind the pointer and the counter."""
    size: int
    lanes: int
    is_store: bool


def with_stored_lanes_apart(text: str) -> str:
    """The module, as LLVM prints it, with such loads taken apart; the same text where there are
    none."""
    if _VECTOR_LOAD.search(text) is None:
        return text
    return with_functions(text, _taken_apart)


def _taken_apart(function: str) -> str:
    if _VECTOR_LOAD.search(function) is None:
        return function
    places = _Places(function)
    waiting = set[int]()
    for step, accesses in places.groups():
        stores = [one for one in accesses if one.is_store]
        waiting |= {one.at for one in accesses if _waits(one, stores, step)}
    number = 0

    def apart(found: re.Match[str]) -> str:
        nonlocal number
        if found.start() not in waiting:
            return found[0]
        number += 1
        return _lane_by_lane(found, number)

    return _ACCESS.sub(apart, function) if waiting else function


class _Places:
    """The accesses of a function whose places lie a number of bytes behind a pointer and a counter
    of a loop."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.pointers = {name: rest for name, *rest in _PLACE.findall(function)}
        self.sums = {name: (other, int(by)) for name, other, by in _SUM.findall(function)}
        self.steps = dict(self._steps())

    def _steps(self) -> Iterator[tuple[str, int]]:
        for name, coming in _COUNTER.findall(self.function):
            for value in _NAME.findall(coming):
                other, by = self.sums.get(value, ("", 0))
                if other == name:
                    yield name, by

    def groups(self) -> Iterator[tuple[int, list[_Access]]]:
        """How many bytes a step goes on, and what accesses there are, in order."""
        found = defaultdict[tuple[str, str, int], list[_Access]](list)
        for one in _ACCESS.finditer(self.function):
            place = self._place(one[6])
            lanes, type_ = (one[2], one[3]) if one[1] else (one[4], one[5])
            if place is not None:
                *_, offset = place
                size, count = _SIZES[type_], int(lanes or 1)
                access = _Access(one.start(), offset, count * size, count, is_store=not one[1])
                found[place[:3]].append(access)
        for (_, counter, size), accesses in found.items():
            yield self.steps[counter] * size, accesses

    def _place(self, pointer: str) -> tuple[str, str, int, int] | None:
        """The pointer, the counter, by how many bytes that counts, and how many come on top."""
        offset = 0
        while pointer in self.pointers:
            type_, base, index = self.pointers[pointer]
            if not index.startswith("%"):
                pointer, offset = base, offset + int(index) * _SIZES[type_]
                continue
            counter, by = (index, 0) if index in self.steps else self.sums.get(index, ("", 0))
            size = _SIZES[type_]
            return (base, counter, size, offset + by * size) if counter in self.steps else None
        return None


def _waits(load: _Access, stores: Sequence[_Access], step: int) -> bool:
    """Has one of the last steps, or this one, stored a part of what is loaded, and was that the
    last one to store it?"""
    if load.is_store or not step or load.lanes not in range(2, CORE.code.lanes_apart + 1):
        return False
    rest = set(range(load.offset, load.offset + load.size))
    for before in range(CORE.code.steps_on_their_way + 1):
        for store in reversed(stores):
            if not before and store.at > load.at:
                continue
            begin = store.offset - before * step
            stored = set(range(begin, begin + store.size))
            if rest & stored:
                return len(stored & rest) < load.size
    return False


def _lane_by_lane(load: re.Match[str], number: int) -> str:
    name, lanes, type_, place, align, rest = load[1], int(load[2]), load[3], *load.group(6, 7, 8)
    lines: list[str] = []
    vector = "poison"
    for lane in range(lanes):
        own = f".stored.{number}.{lane}"
        at, aligned = place, align
        if lane:
            at, aligned = f"%{own}.at", str(min(int(align), _SIZES[type_]))
            lines.append(f"%{own}.place = getelementptr {type_}, ptr {place}, i64 {lane}")
            lines.append(f'{at} = call ptr asm "", "=r,0"(ptr %{own}.place)')
        lines.append(f"%{own} = load {type_}, ptr {at}, align {aligned}{rest}")
        with_lane = name if lane == lanes - 1 else f"%{own}.vector"
        lines.append(
            f"{with_lane} = insertelement <{lanes} x {type_}> {vector}, {type_} %{own}, i64 {lane}"
        )
        vector = with_lane
    return "\n".join(f"  {line}" for line in lines)
