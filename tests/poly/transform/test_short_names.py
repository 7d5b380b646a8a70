"""Short names of loops: long ones wherever it is clear which loop is meant, else an error."""

from __future__ import annotations

import pytest
from oracles.nests import GEMM, JACOBI

from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.places import single_loops
from polyopt.poly.transform.short_names import places, with_places
from polyopt.support.diagnostics import CompileError


def names_of(text: str, steps: str = "") -> Names:
    scop = parse_scop(text)
    return Names.of(scop, single_loops(read_tree(schedule_by_hand(scop, None, steps))))


@pytest.mark.parametrize(
    ("text", "steps", "line", "long"),
    [
        (GEMM, "", "interchange j l", "interchange T.j T.l"),
        (GEMM, "", "tile i j 4 8", "tile S.i S.j 4 8"),
        (GEMM, "", "interchange T.j l", "interchange T.j T.l"),
        (GEMM, "strip T.l 4", "interchange l_tile l", "interchange T.l_tile T.l"),
        (GEMM, "", "split l where l < i", "split T.l where l < i"),
        (GEMM, "", "peel l last 2", "peel T.l last 2"),
        (GEMM, "", "distribute j; distribute i", "distribute S.j; distribute S.i"),
        (GEMM, "", "strip l 4; permute l_tile j l", "strip T.l 4; permute l_tile j l"),
        (GEMM, "distribute S.j; distribute S.i", "tile i l 4 4", "tile T.i T.l 4 4"),
        (JACOBI, "", "fuse S T; shift T.i 1", "fuse S T; shift T.i 1"),
        (JACOBI, "", "strip t 8", "strip S.t 8"),
        (JACOBI, "", "print", "print"),
        (GEMM, "", "", ""),
    ],
)
def test_lines(text: str, steps: str, line: str, long: str):
    assert with_places(names_of(text, steps), line) == long


@pytest.mark.parametrize(
    ("text", "word", "message", "hint"),
    [
        (JACOBI, "i", "2 loops are called 'i'", "say which: S.i, T.i"),
        (GEMM, "k", "no loop 'k'", "there are i, j, l"),
    ],
)
def test_what_is_not_clear(text: str, word: str, message: str, hint: str):
    with pytest.raises(CompileError) as raised:
        places(names_of(text), [word])
    assert raised.value.diagnostic.message == message
    assert raised.value.diagnostic.hint == hint


def test_long_names_and_statements_stay():
    assert places(names_of(JACOBI), ["S", "T.i", "t"]) == ["S", "T.i", "S.t"]
