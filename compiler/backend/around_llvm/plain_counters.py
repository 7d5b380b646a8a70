"""What tiles count stays as it is: LLVM looks for nothing better.

    loop:                                             loop:
      k = phi i64 [ 0, %entry ], [ n, %loop ]           k = phi i64 [ 0, %entry ], [ n, %loop ]
      … loads and stores at places that k moves …  =>   …
      n = add i64 k, 1                                  c = add i64 k, 1
                                                        n = call i64 asm "", "=r,0"(i64 c)

Its code generator asks of each innermost loop which parts of the sums that its addresses are go in
registers of their own (loop strength reduction). Addresses of tiles are sums of many parts, so that
takes more than half of its time (symm: 0.56 s of 0.95), and where there are so many accesses, the
counters that the loop stage has chosen do as well. Nothing is known of a number that has gone
through text for the assembler, which is empty here: a loop that counts in such has nothing to find.
In loops of few accesses the products that make an address count, and are looked for; so they are in
loops without vectors that go from row to row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from polyopt.backend.around_llvm.llvm_text import NAME
from polyopt.support.core_model import CORE

_BLOCK = r'"[^"\n]*"|[\w.$-]+'
_LABEL = re.compile(rf"(?m)^({_BLOCK}):")
_TARGET = re.compile(rf"label %({_BLOCK})")
_ACCESS = re.compile(r"(?m) = load |^  store |@llvm\.masked\.(?:load|store|gather|scatter)")
_VECTOR = re.compile(r"(?m) = load <|^  store <|@llvm\.masked\.")
_ROW = re.compile(rf"(?m) = getelementptr [^\n]*\[\d+ x [^\n]*, ptr [^,\n]+, i(?:32|64) ({NAME})")
_COUNTER = re.compile(rf"(?m)^  ({NAME}) = phi (i32|i64) (.*)")
_COMING = re.compile(rf"\[ ({NAME}), %({_BLOCK}) \]")
_NAME = re.compile(NAME)


def with_plain_counters(text: str) -> str:
    """The module, as LLVM prints it, with such counters; the same text where there are none."""
    pieces: list[str] = []
    done = number = 0
    for begin, end, name in loops_with_many_accesses(text):
        steps = _steps(text, begin, end, name)
        if steps and not _VECTOR.search(text, begin, end) and _goes_by_rows(text, begin, end):
            continue
        for at, value, type_ in steps:
            step = f"%.counter.{number}"
            behind = text.index("\n", at) + 1
            pieces += [text[done:at], step, text[at + len(value) : behind]]
            pieces.append(f'  {value} = call {type_} asm "", "=r,0"({type_} {step})\n')
            done, number = behind, number + 1
    return "".join([*pieces, text[done:]]) if pieces else text


def loops_with_many_accesses(text: str) -> Iterator[tuple[int, int, str]]:
    """Those of `own_loops` with many accesses."""
    for begin, end, name in own_loops(text):
        if sum(1 for _ in _ACCESS.finditer(text, begin, end)) >= CORE.code.plain_accesses:
            yield begin, end, name


def own_loops(text: str) -> Iterator[tuple[int, int, str]]:
    """The blocks that are loops of their own: where they begin and end, and how branches call
    them."""
    labels = [(one.start(), one[1]) for one in _LABEL.finditer(text)]
    for (begin, name), (end, _) in pairwise([*labels, (len(text), "")]):
        end = text.rfind("\n  br i1 ", begin, end)
        if end >= 0 and name in _TARGET.findall(_line(text, end + 1)):
            yield begin, end, name


def _goes_by_rows(text: str, begin: int, end: int) -> bool:
    """Whether a counter of the block says in which row of an array a place is."""
    rows = {one[1] for one in _ROW.finditer(text, begin, end)}
    return any(counter[1] in rows for counter in _COUNTER.finditer(text, begin, end))


def _steps(text: str, begin: int, end: int, block: str) -> list[tuple[int, str, str]]:
    """Where in the block the next values of its counters are computed, what they are called, and of
    which type, in order."""
    found: list[tuple[int, str, str]] = []
    for counter in _COUNTER.finditer(text, begin, end):
        coming = (value for value, source in _COMING.findall(counter[3]) if source == block)
        value = next(coming, None)
        if value is None:
            continue
        computed = f"\n  {value} = add "
        at = text.find(computed, begin, end)
        if at >= 0 and counter[1] in _NAME.findall(_line(text, at + 1)[len(computed) :]):
            found.append((at + 3, value, counter[2]))
    return sorted(set(found))


def _line(text: str, at: int) -> str:
    return text[at : text.index("\n", at)]
