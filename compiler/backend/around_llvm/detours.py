"""Functions in whose loops LLVM sends what the next iteration waits for through a vector.

    loop:                                             loop:
      x = phi i32 [0, …], [s, loop]                     x = phi i32 [0, …], [s, loop]
      y = phi i32 [0, …], [x, loop]                     y = phi i32 [0, …], [x, loop]
      v = insertelement <4 x i32> …, i32 x, 0     =>    s = 3 * x + 5 * y + …
      w = insertelement <4 x i32> v, i32 y, 1
      s = call @llvm.vector.reduce.add(w * 3 5 …)

Its vectors of straight code count operations, and not how long these take one after the other. In a
filter that is fed its own results, all that counts is how long a result takes to come round: out of
its register into a lane, through a product and the steps of a sum, and back. Such functions are to
have no vectors of straight code. LLVM's only word for that forbids those of loops, too: where a
loop of the function is in vectors, both stay.

It is seen where it has happened: what goes round is put into a lane and comes from a sum of lanes,
and no lanes were summed up in what LLVM was given.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from polyopt.backend.around_llvm.llvm_text import NAME, functions_of

_REDUCTION = "llvm.vector.reduce."
_DEFINED = re.compile(rf"(?m)^  ({NAME}) = (.*)$")
_USED = re.compile(NAME)
_PUT_IN = "insertelement "
_SUMMED_UP = re.compile(rf"(?:tail )?call [^@]*@{re.escape(_REDUCTION)}")
_BEGIN = re.compile(r'define [^\n@]*@("[^"]*"|[\w.$-]+)\([^\n]*')
_VARIADIC = "...)"
_LOOP_IN_VECTORS = "\nvector.body"

NO_IMPLICIT_VECTORS = "noimplicitfloat"
"""LLVM's attribute of functions in which vectors are those that are written."""


def may_detour(functions: Iterable[str]) -> bool:
    """Whether lanes are summed up: the functions by these names are declared."""
    return any(name.startswith(_REDUCTION) for name in functions)


def functions_with_detours(given: str, made: str) -> list[str]:
    """The functions that should have no vectors of straight code, of a module that LLVM was given,
    and what it has made of it, both as text."""
    own = {name for name, function in _functions(given) if _REDUCTION in function}
    return [
        name.strip('"')
        for name, function in _functions(made)
        if name not in own
        and _REDUCTION in function
        and _LOOP_IN_VECTORS not in function
        and _has_detour(function)
    ]


def _functions(text: str) -> Iterator[tuple[str, str]]:
    """The functions by name, but for variadic ones: in these, arguments in vector registers are not
    saved where there are to be no vectors."""
    for function in functions_of(text):
        begin = _BEGIN.match(function)
        if begin is not None and _VARIADIC not in begin[0]:
            yield begin[1], function


def _has_detour(function: str) -> bool:
    definitions = dict(_DEFINED.findall(function))
    users = defaultdict[str, list[str]](list)
    operands = defaultdict[str, list[str]](list)
    for name, text in definitions.items():
        for operand in _USED.findall(text):
            if operand in definitions:
                operands[name].append(operand)
                users[operand].append(name)
    for name, text in definitions.items():
        if _SUMMED_UP.match(text):
            round_ = _reached(name, users) & _reached(name, operands)
            if any(definitions[one].startswith(_PUT_IN) for one in round_):
                return True
    return False


def _reached(start: str, edges: Mapping[str, Sequence[str]]) -> set[str]:
    """The nodes that one step or several lead to."""
    found: set[str] = set()
    rest = [start]
    while rest:
        new = set(edges.get(rest.pop(), ())) - found
        found |= new
        rest += new
    return found
