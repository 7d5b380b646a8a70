"""Stores under masks that data make are skipped where no lane is chosen, and whole where all are.

    x = load …                                     m = bitcast <8 x i1> k to i8
    y = fadd <8 x float> x, …                      br (m != 0), some, on
    call void @llvm.masked.store.v8f32.p0(   =>  some:
        <8 x float> y, ptr p, <8 x i1> k)          x = load …;  y = fadd <8 x float> x, …
                                                   br (m == -1), whole, part
                                                 whole: store y, p         part: as before
                                                 on:

What is stored under one mask in a block is behind one branch, with what is computed for it: LLVM
sinks that there. Where masks are in no registers, and cores store under them as slowly as lane by
lane, conditions that hold for many neighbours, or for few, take no longer then than what they
choose. Measured (Zen 4 with AVX2, a vector of eight floats, arrays in L1): under masks 5.5 ns,
whatever they choose; by branches 1.5 where all lanes or none are chosen, 1.4 for stretches of
eight, 3.6 where one in ten is at random, 6.6 where every other one is. gcc skips where none is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions
from polyopt.backend.around_llvm.single_lanes import arguments_of, place_of
from polyopt.support.record import record

_STORE = re.compile(
    r" +(?:tail )?call void @llvm\.masked\.store\.v(\d+)[fi](?:32|64)\.p0\((.*<\d+ x i1> %.*)$"
)
_LABEL = re.compile(r'("[^"]*"|[\w.$-]+):')
_VALUE = re.compile(rf"  ({NAME}) = (\S+) (.*)")
_NAMES = re.compile(NAME)
_COMING = re.compile(rf", ({NAME}) \]")
MARK = ".chosen."
"""What the names of blocks and values that are added begin with."""

_ORDERED = frozenset(
    """phi call tail musttail notail invoke callbr alloca atomicrmw cmpxchg va_arg
    landingpad""".split()
)
"""What stays where it is, but for calls of `_PURE`."""

_PURE = re.compile(
    r".*@llvm\.(?:fma|fmuladd|sqrt|fabs|abs|[su](?:min|max)|minnum|maxnum|floor|ceil|masked\.load)\."
)


@record
class _Store:
    """`value` with its type, `pointer` and what it is aligned to, `mask` of so many `lanes`, and
    what is said of the store behind."""

    value: str
    pointer: str
    align: int
    mask: str
    lanes: int
    facts: str

    @property
    def whole(self) -> str:
        return f"  store {self.value}, ptr {self.pointer}, align {self.align}{self.facts}"


def with_chosen_stores(text: str) -> str:
    """The module, as LLVM prints it, with branches around stores under masks that are not known;
    the same text where there are none."""
    return with_functions(text, _function)


def _function(text: str) -> str:
    if "@llvm.masked.store." not in text:
        return text
    lines = text.split("\n")
    writer = _Writer(Counter(name for line in lines for name in _NAMES.findall(line)))
    for block in _blocks(lines):
        writer.add_block(block)
    return "\n".join(writer.finished()) if writer.count else text


def _blocks(lines: Iterable[str]) -> list[list[str]]:
    """The lines of each block, the first of which is its label; and what stands in front."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if _LABEL.match(line):
            blocks.append([])
        blocks[-1].append(line)
    return blocks


class _Writer:
    """`count`: the branches so far. A block ends at each, and whoever comes from the block comes
    from what is its last part then."""

    def __init__(self, used: Counter[str]) -> None:
        self.count = 0
        self._used = used
        self._lines: list[str] = []
        self._ends: dict[str, str] = {}

    def add_block(self, block: list[str]) -> None:
        label = _LABEL.match(block[0]) if block else None
        if label is None:
            self._lines += block
            return
        stores = [_store(line) for line in block]
        place = 0
        while place < len(block):
            store = stores[place]
            if store is None:
                self._lines.append(block[place])
                place += 1
                continue
            end = self._end(block, stores, place)
            self._add(store, block[place:end], stores[place:end])
            place = end
            self._ends[f"%{label[1]}"] = f"%{MARK}{self.count - 1}.on"

    def _end(self, block: Sequence[str], stores: Sequence[_Store | None], start: int) -> int:
        """Behind the last store under the mask of the one at `start` up to which nothing else is
        stored or called, and nothing loaded that is used further down."""
        first = stores[start]
        assert first is not None
        end = start + 1
        for place in range(start + 1, len(block)):
            store = stores[place]
            if store is None:
                if _movable(block[place]) is None:
                    break
            elif store.mask != first.mask:
                break
            elif self._used_further_down(block[start : place + 1]) is not None:
                end = place + 1
        return end

    def _used_further_down(self, lines: Sequence[str]) -> list[str] | None:
        """The lines of addresses and the like that are computed again for what comes behind, or
        None where something is used there that is not to be had again."""
        inside = Counter(name for line in lines for name in _NAMES.findall(line))
        again = dict[str, str]()
        wanted = set[str]()
        for line in reversed(lines):
            value = _VALUE.match(line)
            if value is None or (
                inside[value[1]] == self._used[value[1]] and value[1] not in wanted
            ):
                continue
            if value[2] in ("load", "call", "tail"):
                return None
            again[value[1]] = line
            wanted.update(_NAMES.findall(value[3]))
        return list(reversed(again.values()))

    def _add(self, store: _Store, lines: Sequence[str], stores: Sequence[_Store | None]) -> None:
        own, lanes = f"{MARK}{self.count}", store.lanes
        self.count += 1
        values = {value[1] for line in lines if (value := _VALUE.match(line))}
        again = self._used_further_down(lines) or []
        whole = [one.whole if one else line for line, one in zip(lines, stores, strict=True)]
        self._lines += [
            f"  %{own}.lanes = bitcast <{lanes} x i1> {store.mask} to i{lanes}",
            f"  %{own}.any = icmp ne i{lanes} %{own}.lanes, 0",
            f"  br i1 %{own}.any, label %{own}.some, label %{own}.on",
            "",
            f"{own}.some:",
            f"  %{own}.all = icmp eq i{lanes} %{own}.lanes, -1",
            f"  br i1 %{own}.all, label %{own}.whole, label %{own}.part",
            "",
            f"{own}.whole:",
            *_renamed(whole, values, f"{own}.whole."),
            f"  br label %{own}.on",
            "",
            f"{own}.part:",
            *_renamed(lines, values, f"{own}.part."),
            f"  br label %{own}.on",
            "",
            f"{own}.on:",
            *again,
        ]

    def finished(self) -> Iterator[str]:
        for line in self._lines:
            if " = phi " in line:
                line = _COMING.sub(lambda one: f", {self._ends.get(one[1], one[1])} ]", line)
            yield line


def _renamed(lines: Sequence[str], values: Collection[str], prefix: str) -> Iterator[str]:
    def renamed(found: re.Match[str]) -> str:
        name = found[0]
        if name not in values:
            return name
        return f'%"{prefix}{name[2:]}' if name[1] == '"' else f"%{prefix}{name[1:]}"

    return (_NAMES.sub(renamed, line) for line in lines)


def _movable(line: str) -> str | None:
    """The value that a line computes or loads, if that may be behind a branch."""
    value = _VALUE.match(line)
    if value is None:
        return None
    if value[2] in _ORDERED and not (value[2] in ("call", "tail") and _PURE.match(value[3])):
        return None
    if value[2] == "load" and value[3].startswith(("volatile ", "atomic ")):
        return None
    return value[1]


def _store(line: str) -> _Store | None:
    found = _STORE.match(line)
    if found is None:
        return None
    (value, place, mask), facts = arguments_of(found[2])
    *_, name = mask.split()
    if not name.startswith("%"):
        return None
    pointer, align = place_of(place)
    return _Store(value, pointer, align, name, int(found[1]), facts)
