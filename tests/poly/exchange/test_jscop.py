"""JSCoP: a file as Polly writes it, byte for byte, and what is wrong with others."""

import json
import re
from typing import Any

import islpy as isl
import pytest

from polyopt.poly.exchange.jscop import jscop_text, parse_jscop
from polyopt.poly.exchange.own_scop import describe, disagreement, scop_of
from polyopt.poly.notation import parse_scop
from polyopt.support.diagnostics import CompileError

# Written by hand in the form of LLVM's JSON printer: three blanks, keys in alphabetical order.
POLLY = """\
{
   "arrays": [
      {
         "name": "MemRef0",
         "sizes": [
            "*",
            "1100"
         ],
         "type": "double"
      }
   ],
   "context": "[p_0, p_1] -> {  : p_0 <= 2147483647 and p_1 <= 2147483647 }",
   "location": "a.c:3-5",
   "name": "%4---%9",
   "statements": [
      {
         "accesses": [
            {
               "kind": "read",
               "relation": "[p_0, p_1] -> { Stmt2[i0, i1] -> MemRef0[i0, i1] }"
            },
            {
               "kind": "write",
               "relation": "[p_0, p_1] -> { Stmt2[i0, i1] -> MemRef0[i0, 1 + i1] }"
            }
         ],
         "domain": "[p_0, p_1] -> { Stmt2[i0, i1] : 0 <= i0 < p_0 and 0 <= i1 < p_1 }",
         "name": "Stmt2",
         "schedule": "[p_0, p_1] -> { Stmt2[i0, i1] -> [i0, i1] }"
      }
   ]
}"""


def test_a_file_comes_back_byte_for_byte() -> None:
    jscop = parse_jscop(POLLY, "f.jscop")
    assert (jscop.name, jscop.location) == ("%4---%9", "a.c:3-5")
    assert [(a.name, a.sizes, a.type) for a in jscop.arrays] == [
        ("MemRef0", ("*", "1100"), "double")
    ]
    assert [access.kind for access in jscop.statements[0].accesses] == ["read", "write"]
    assert jscop_text(jscop) == POLLY


def test_the_order_of_parameters_is_the_context_s() -> None:
    scop = parse_scop("[m, n]\nfor i : 0 <= i < n\n  S: A[i] = B[m]")
    content = json.loads(jscop_text(describe(scop, {"A": "double", "B": "float"})))
    (statement,) = content["statements"]
    texts = [statement["domain"], statement["schedule"]]
    texts += [access["relation"] for access in statement["accesses"]]
    assert all(text.startswith("[m, n] -> ") for text in texts)
    types = {array["name"]: array["type"] for array in content["arrays"]}
    assert types == {"A": "double", "B": "float"}


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(POLLY), **fields}, indent=3)


STATEMENT = json.loads(POLLY)["statements"][0]


def with_statement(**fields: Any) -> str:
    return changed(statements=[{**STATEMENT, **fields}])


MALFORMED = {
    "no JSON": ("{", 1, "no JSON: "),
    "no object": ("[]", 1, "expected an object with 'name' in it"),
    "nested": ("[" * 100_000, 1, "nested too deeply"),
    "no name": ("{}", 1, "'name' is missing"),
    "no statements": (changed(statements=None), 14, "'statements' is missing"),
    "statements": (changed(statements={}), 14, "'statements' is not a list"),
    "context": (changed(context="[p_0 -> { }"), 12, r"isl does not read '\[p_0 -> \{ \}'"),
    "sizes": (changed(arrays=[{"name": "A", "sizes": [1], "type": "double"}]), 4, "sizes of an"),
    "twice": (changed(statements=[STATEMENT] * 2), 28, "there are two statements 'Stmt2'"),
    "domain": (with_statement(domain="{ T[i] }"), 27, "domain of statement 'Stmt2' is not its own"),
    "union": (with_statement(schedule="{ A[] -> [0]; B[] -> [1] }"), 29, "isl does not read"),
    "depth": (
        with_statement(schedule="{ Stmt2[i] -> [i] }"),
        29,
        "schedule of statement 'Stmt2' is",
    ),
    "access": (
        with_statement(accesses=[{"kind": "read", "relation": "{ Stmt2[] -> A[] }"}]),
        "Stmt2[] ->",
        "an access of statement 'Stmt2' is not its own",
    ),
    "set": (with_statement(schedule="{ Stmt2[i, j] }"), 29, "schedule of statement 'Stmt2' is not"),
    "kind": (
        with_statement(accesses=[{"kind": "phi", "relation": "{ Stmt2[i, j] -> A[] }"}]),
        "Stmt2",
        "expected an access of kind read or write, got 'phi'",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files(name: str) -> None:
    text, line, message = MALFORMED[name]
    with pytest.raises(CompileError, match=message) as caught:
        parse_jscop(text, "f.jscop")
    span = caught.value.diagnostic.span
    assert span is not None
    assert span.file == "f.jscop"
    if isinstance(line, str):
        assert line in text.splitlines()[span.line - 1]
    else:
        assert span.line == line


SOURCE = "[n]\nfor i : 1 <= i < n\n  S: A[i] = A[i - 1] x[]"
TYPES = {"A": "double", "x": "double"}


def test_a_file_describes_a_scop() -> None:
    scop = parse_scop(SOURCE)
    back = scop_of(parse_jscop(jscop_text(describe(scop, TYPES)), "f.jscop"))
    assert back.domain.is_equal(scop.domain)
    assert back.schedule.get_map().is_equal(scop.schedule.get_map())
    for writes in (True, False):
        assert back.accesses(writes=writes).is_equal(scop.accesses(writes=writes))
    assert [(a.name, a.element_bytes, len(a.extents)) for a in back.arrays] == [
        ("A", 8, 1),
        ("x", 8, 0),
    ]


CHANGES = {
    "access": ("A[-1 + i]", "A[i]", "S -> |S.i. -> A.-1 \\+ i|in the file it is the read"),
    "kind": ('"kind": "write"', '"kind": "read"', "in the file it is the read"),
    "domain": ("0 < i < n", "1 < i < n", "the domain of statement 'S'"),
    "context": ("[n] -> {  :  }", "[n] -> { : n > 7 }", "which is not known to hold"),
    "array": ('"x",\n         "sizes": []', '"x",\n         "sizes": ["*"]', "array 'x'"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_only_schedules_may_change(name: str) -> None:
    old, new, message = CHANGES[name]
    ours = describe(parse_scop(SOURCE), TYPES)
    text = jscop_text(ours)
    assert disagreement(ours, parse_jscop(text, "f")) is None
    assert old in text
    problem = disagreement(ours, parse_jscop(text.replace(old, new), "f"))
    assert problem is not None
    assert re.search(message, problem)


def test_another_schedule_is_no_disagreement() -> None:
    ours = describe(parse_scop(SOURCE), TYPES)
    other = parse_jscop(jscop_text(ours).replace("-> [i]", "-> [2i]"), "f")
    assert other.statements[0].schedule.is_equal(isl.Map("[n] -> { S[i] -> [2i] }"))
    assert disagreement(ours, other) is None
