"""OpenScop: the specification's own example, all kernels there and back, and malformed files."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.openscop_library import normalised_by_library

from polyopt.poly.exchange.correspondence import (
    Names,
    corresponding_arrays,
    corresponding_names,
    same_order,
)
from polyopt.poly.exchange.dates import clan_dates_of
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.openscop_scop import description_of, openscop_of
from polyopt.poly.exchange.openscop_text import openscop_text, parse_openscop
from polyopt.poly.exchange.own_scop import describe
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError

MATMUL = (Path(__file__).parent / "matmul.scop").read_text()
"""Written by hand after the OpenScop specification, which explains the format with these loops."""

SOURCE = """
[N] : N > 0
for i : 0 <= i < N
  for j : 0 <= j < N
    S1: C[i, j] =
    for k : 0 <= k < N
      S2: C[i, j] = C[i, j] A[i, k] B[k, j]
"""


def described(scop: Scop) -> Description:
    return describe(scop, {array.name: "double" for array in scop.arrays})


def text_of(scop: Scop) -> str:
    domains = {one.name: one.domain for one in scop.statements}
    iterators = {one.name: one.iterators for one in scop.statements}
    dates = clan_dates_of(scop.schedule, domains)
    return openscop_text(openscop_of(described(scop), dates, iterators))


def read_back(text: str, scop: Scop) -> Description:
    return description_of(
        parse_openscop(text, "f.scop"), scop.name, [one.name for one in scop.statements]
    )


def check_same(scop: Scop, other: Description) -> None:
    ours = described(scop)
    names = corresponding_names(ours, other)
    assert isinstance(names, Names), names
    assert corresponding_arrays(ours, other, names).is_complete
    assert same_order(ours, other, names)


def test_the_example_of_the_specification() -> None:
    scop = parse_scop(SOURCE)
    found = read_back(MATMUL, scop)
    check_same(scop, found)
    assert found.context.is_equal(isl.Set("[N] -> { : N >= 1 }"))
    expected = "[N] -> { S2[i, j, k] -> [0, i, 0, j, 1, k, 0] }"
    assert found.statements[1].schedule.is_equal(isl.Map(expected))
    assert [access.array for access in found.statements[1].accesses] == ["C", "C", "A", "B"]


def test_dates_are_written_as_in_the_specification() -> None:
    """Rows of the scattering of S2, from the specification's page."""
    rows = [line.split("#")[0].split() for line in text_of(parse_scop(SOURCE)).splitlines()]
    wanted = [line.split("#")[0].split() for line in MATMUL.splitlines()]
    start = wanted.index(["7", "13", "7", "3", "0", "1"])
    here = rows.index(["7", "13", "7", "3", "0", "1"])
    assert rows[here + 2 : here + 9] == wanted[start + 2 : start + 9]


QUICK = ("gemm", "adi", "nussinov", "floyd-warshall")


@pytest.mark.parametrize(
    "name", [k if k in QUICK else pytest.param(k, marks=pytest.mark.slow) for k in KERNELS]
)
def test_kernels_there_and_back(name: str) -> None:
    scop = parse_scop(KERNELS[name])
    found = read_back(text_of(scop), scop)
    for mine, other in zip(described(scop).statements, found.statements, strict=True):
        assert other.domain.is_equal(mine.domain)
        for access, read in zip(mine.accesses, other.accesses, strict=True):
            assert read.is_write == access.is_write
            assert read.relation.intersect_domain(mine.domain).is_equal(
                access.relation.intersect_domain(mine.domain)
            )
    check_same(scop, found)


ODD = {
    "existential": "[n]\nfor i : 0 <= i < n and i mod 3 = 1\n  S: A[i] = A[i + 1]",
    "union": "[n]\nfor i : 0 <= i < n and (i < 4 or i > 9)\n  S: A[i] =",
    "never": "[n]\nfor i : 0 <= i < n and n < 0\n  S: A[i] =\nT: x[] =",
    "no loops": "[]\nS: x[] =\nT: y[] = x[]",
    "may": "[n]\nfor i : 0 <= i < n\n  S: A[i] ?B[*] = C[i]",
    "division": "[n]\nfor i : 0 <= i < n\n  S: A[floor(i/2)] = A[i mod 2]",
}


@pytest.mark.parametrize("name", ODD)
def test_sets_that_need_more_than_a_few_rows(name: str) -> None:
    scop = parse_scop(ODD[name])
    found = read_back(text_of(scop), scop)
    for mine, other in zip(described(scop).statements, found.statements, strict=True):
        assert other.domain.is_equal(mine.domain)
        for access, read in zip(mine.accesses, other.accesses, strict=True):
            assert (read.is_write, read.is_may) == (
                access.is_write,
                access.is_may and access.is_write,
            )
            assert read.relation.intersect_domain(mine.domain).is_equal(
                access.relation.intersect_domain(mine.domain)
            )


ROW = "1   -1    0    1   -1"
MALFORMED = {
    "empty": ("", "", "a line with <OpenScop> should be"),
    "cut": (MATMUL[: MATMUL.index("# S2: C")], "", "the file ends where the number of"),
    "context": (MATMUL.replace("CONTEXT", "DOMAIN", 1), "N >= 1", "expected the CONTEXT"),
    "kind": (MATMUL.replace("WRITE", "WROTE", 1), "WROTE", "'WROTE' is no kind of relation"),
    "attributes": (MATMUL.replace("4 5 2 0 0 1", "4 5 2 0 0"), "4 5 2 0 0", "expected 6 numbers"),
    "columns": (MATMUL.replace("4 5 2 0 0 1", "4 6 2 0 0 1"), "4 6 2 0 0 1", "6 columns do not"),
    "row": (MATMUL.replace(ROW, f"{ROW} 0"), f"{ROW} 0", "expected a row of 5 numbers"),
    "number": (MATMUL.replace(ROW, "1 x 0 1 -1"), "1 x 0 1 -1", "expected a row of a matrix, got"),
    "statements": (MATMUL.replace("\n2\n# S1", "\n-2\n# S1"), "-2", "statements is negative"),
    "tag": (MATMUL.replace("</arrays>", ""), "</OpenScop>", "ends where </arrays> should be"),
    "array": (MATMUL.replace("3 B", "B"), "</arrays>", "expected an array's number and name"),
    "array 0": (MATMUL.replace("3 B", "3 0x"), "</arrays>", "expected an array's number and name"),
    "names": (MATMUL.replace("strings>", "words>"), "</words>", "names as <strings>, got <words>"),
    "several": (MATMUL + MATMUL, "<OpenScop>", "more than one SCoP"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files(name: str) -> None:
    text, on_the_line, message = MALFORMED[name]
    with pytest.raises(CompileError, match=message) as caught:
        parse_openscop(text, "f.scop")
    span = caught.value.diagnostic.span
    assert span is not None
    assert span.file == "f.scop"
    assert on_the_line in [*text.splitlines(), ""][span.line - 1]


ARRAY = "0   -1    0    0    0    0    0"
CONTRADICTIONS = {
    "no scattering": (("SCATTERING", "UNDEFINED"), "expected one DOMAIN and one SCATTERING"),
    "no array": (
        ("0   -1    0    0    0    0    0    1", "0    0    0    0    0    0    0    0"),
        "number of its",
    ),
    "parameters": (("<strings>\nN", "<strings>\nN M"), "expected 2 parameters, got 1"),
    "dimensions": (("3 8 3 2 0 1", "3 8 2 3 0 1"), "dimensions do not agree"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_files_that_contradict_themselves(name: str) -> None:
    (old, new), message = CONTRADICTIONS[name]
    assert old in MATMUL
    scop = parse_openscop(MATMUL.replace(old, new), "f.scop")
    with pytest.raises(CompileError, match=message) as caught:
        description_of(scop, "f", ["S1", "S2"])
    span = caught.value.diagnostic.span
    assert span is not None
    assert 0 < span.line <= len(MATMUL.splitlines())


@pytest.mark.parametrize("name", ["gemm", "adi", "nussinov", "seidel-2d"])
def test_the_openscop_library_reads_what_we_write(name: str, tmp_path: Path) -> None:
    scop = parse_scop(KERNELS[name])
    check_same(scop, read_back(normalised_by_library(text_of(scop), tmp_path), scop))


def test_the_openscop_library_reads_the_example(tmp_path: Path) -> None:
    scop = parse_scop(SOURCE)
    check_same(scop, read_back(normalised_by_library(MATMUL, tmp_path), scop))
