"""Twice a value that several sums take is computed with each of them.

    t = fadd fast double x, x           a = fmuladd(x, 2, -y)
    a = fsub fast double t, y     =>    b = fmuladd(x, 2, z)
    b = fadd fast double t, z

LLVM fuses a product with a sum where no other operation takes the product; so twice a value that
two sums take is added up first, and each of them waits for it. All of them as fused operations are
one operation less, and each is there sooner: where one goes round, so is the next iteration. Twice
a value is exact, so the sum is rounded as it was.
"""

from __future__ import annotations

import re

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions

_TYPE = r"(?:<\d+ x (?:float|double)>|float|double)"
_FLAGS = r"((?:[a-z]+ )*)"
_TWO = r"(?:2\.000000e\+00|splat \((?:float|double) 2\.000000e\+00\))"
_DOUBLED = re.compile(
    rf"(?m)^  ({NAME}) = "
    rf"(?:fadd {_FLAGS}{_TYPE} ({NAME}), \3|fmul {_FLAGS}{_TYPE} ({NAME}), {_TWO})(?:, !.*)?$"
)
_SUM = re.compile(rf"^  ({NAME}) = f(add|sub) {_FLAGS}({_TYPE}) ([^ ,]+), ([^ ,]+)(.*)$")
_NAMES = re.compile(NAME)
_LEAST_SUMS = 2


def may_double(source: str) -> bool:
    """Whether products and sums of a module may be fused."""
    return "contract " in source or "fast " in source


def with_fused_doubles(text: str) -> str:
    """The module, as LLVM prints it, with such sums as `llvm.fmuladd`; the same text where there
    are none."""
    functions: set[str] = set()
    changed = with_functions(text, lambda one: _function(one, functions))
    declared = [one for one in sorted(functions) if f"declare {one}" not in text]
    return changed + "".join(f"\ndeclare {one}\n" for one in declared)


def _function(text: str, functions: set[str]) -> str:
    found = {
        match[1]: match[3] or match[5]
        for match in _DOUBLED.finditer(text)
        if _is_fused(match[2] or match[4] or "")
    }
    if not found:
        return text
    lines = text.split("\n")
    sums = _sums(lines, found)
    return "\n".join(
        _fused(line, found[sums[k]], sums[k], functions) if k in sums else line
        for k, line in enumerate(lines)
    )


def _is_fused(flags: str) -> bool:
    return "fast" in flags.split() or "contract" in flags.split()


def _sums(lines: list[str], found: dict[str, str]) -> dict[int, str]:
    """The lines of sums, each with the one of `found` that it takes, of those that at least two
    sums take and nothing else."""
    users: dict[str, list[int]] = {name: [] for name in found}
    for k, line in enumerate(lines):
        made, equals, computed = line.partition(" = ")
        for name in _NAMES.findall(computed if equals else line):
            if name in users and made.strip() != name:
                users[name].append(k)
    sums: dict[int, str] = {}
    for name, places in users.items():
        is_taken = len(places) >= _LEAST_SUMS and len(set(places)) == len(places)
        if is_taken and not any(k in sums for k in places):
            if all(_is_sum_of(lines[k], name) for k in places):
                sums.update(dict.fromkeys(places, name))
    return sums


def _is_sum_of(line: str, name: str) -> bool:
    match = _SUM.match(line)
    return match is not None and _is_fused(match[3]) and name in (match[5], match[6])


def _fused(line: str, doubled: str, name: str, functions: set[str]) -> str:
    match = _SUM.match(line)
    assert match is not None
    result, kind, flags, type_, first, second, rest = match.groups()
    count, element = _parts(type_)
    is_first = first == name
    other = second if is_first else first
    lines: list[str] = []
    if kind == "sub" and is_first:
        negative = f'%".negative.{result[1:].strip(chr(34))}"'
        lines.append(f"  {negative} = fneg {flags}{type_} {other}")
        other = negative
    number = "-2.000000e+00" if kind == "sub" and not is_first else "2.000000e+00"
    factor = f"splat ({element} {number})" if count else number
    suffix = f"{f'v{count}' if count else ''}{'f64' if element == 'double' else 'f32'}"
    function = f"@llvm.fmuladd.{suffix}"
    functions.add(f"{type_} {function}({type_}, {type_}, {type_})")
    operands = f"{type_} {doubled}, {type_} {factor}, {type_} {other}"
    lines.append(f"  {result} = call {flags}{type_} {function}({operands}){rest}")
    return "\n".join(lines)


def _parts(type_: str) -> tuple[str, str]:
    """How many lanes, if it is a vector, and of what."""
    if not type_.startswith("<"):
        return "", type_
    count, _, element = type_.strip("<>").partition(" x ")
    return count, element
