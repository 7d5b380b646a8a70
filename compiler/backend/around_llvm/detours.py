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

So is what is divided each time: of two quotients by one number (`c[i] = 1 / (4 - c[i - 1])` and
`d[i] = (f[i] + d[i - 1]) / (4 - c[i - 1])`, a tridiagonal system), one division or product of two
lanes is there no earlier than two that run together, and the way to it and back takes longer.

So are the counters of a reader (`switch (state)`, in each arm of which another one goes up): LLVM
keeps them in one vector where they are stored side by side behind the loop, and an arm that makes
more of one than a sum (`h = 31 * h + c`) takes it out of its lane and puts it back.

What is put into all lanes is no such way: each of them computes with it, and one after the other
they would take as long. An adaptive filter's weights stay in vectors (`w[k] += e * x[k]`, where `e`
waits for the sum of all `w[k] * x[k]`: 32 of them 20 ns, 58 without).

It is seen where it has happened: what goes round is put into a lane and comes from a sum of lanes,
and no lanes were summed up in what LLVM was given; or, in functions that LLVM was given without
vectors, it is put into a lane and taken out of one, and is an integer or divided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from polyopt.backend.around_llvm.llvm_text import NAME, functions_of
from polyopt.backend.around_llvm.value_graph import ValueGraph

_REDUCTION = "llvm.vector.reduce."
_PUT_IN = "insertelement "
_BROADCAST = re.compile(rf"shufflevector <[^>]*> {NAME}, .*> zeroinitializer")
"""To all lanes from one, in which a value has been put for that."""
_TAKEN_OUT = "extractelement "
_DIVISION = "fdiv "
_VECTOR = re.compile(r"<\d+ x (?:double|float)>")
_INTEGERS = re.compile(r"<\d+ x i\d+>")
_INTEGERS_GO_ROUND = re.compile(r" = phi <\d+ x i\d+> ")
_INTEGER_TAKEN_OUT = re.compile(rf"{_TAKEN_OUT}<\d+ x i\d+>")
_DIVIDED = re.compile(_DIVISION)
_SUMMED_UP = re.compile(rf"(?:tail )?call [^@]*@{re.escape(_REDUCTION)}")
_BEGIN = re.compile(r'define [^\n@]*@("[^"]*"|[\w.$-]+)\([^\n]*')
_VARIADIC = "...)"
_LOOP_IN_VECTORS = "\nvector.body"

NO_IMPLICIT_VECTORS = "noimplicitfloat"
"""LLVM's attribute of functions in which vectors are those that are written."""


def functions_with_detours(given: str, made: str) -> list[str]:
    """The functions that should have no vectors of straight code, of a module that LLVM was given,
    and what it has made of it, both as text."""
    summed, in_vectors, in_integers = set[str](), set[str](), set[str]()
    for name, function in _functions(given):
        if _REDUCTION in function:
            summed.add(name)
        if _VECTOR.search(function):
            in_vectors.add(name)
        if _INTEGERS.search(function):
            in_integers.add(name)
    return [
        name.strip('"')
        for name, function in _functions(made)
        if _LOOP_IN_VECTORS not in function
        and (
            (name not in summed and _REDUCTION in function and _has_detour(function, _SUMMED_UP))
            or (
                name not in in_vectors
                and _TAKEN_OUT in function
                and _has_detour(function, _DIVIDED, _TAKEN_OUT)
            )
            or (
                name not in in_integers
                and _INTEGERS_GO_ROUND.search(function)
                and _has_detour(function, _INTEGER_TAKEN_OUT)
            )
        )
    ]


def _functions(text: str) -> Iterator[tuple[str, str]]:
    """The functions by name, but for variadic ones: in these, arguments in vector registers are not
    saved where there are to be no vectors."""
    for function in functions_of(text):
        begin = _BEGIN.match(function)
        if begin is not None and _VARIADIC not in begin[0]:
            yield begin[1], function


def _has_detour(function: str, from_lanes: re.Pattern[str], *also: str) -> bool:
    """Whether what goes round comes from an operation of that kind, and on its way is put into a
    lane, and meets operations of those kinds, too."""
    values = ValueGraph.of(function)
    made = values.made
    starts = [name for name, text in made.items() if from_lanes.match(text)]
    if not starts:
        return False
    put_in = {
        name
        for name, text in made.items()
        if text.startswith(_PUT_IN)
        and not all(_BROADCAST.match(made[user]) for user in values.users[name])
    }
    for name in starts:
        around = values.around(name)
        if not put_in.isdisjoint(around) and all(
            any(made[one].startswith(kind) for one in around) for kind in also
        ):
            return True
    return False
