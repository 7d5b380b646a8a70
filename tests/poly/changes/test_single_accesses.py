"""Statements taken apart into their accesses: which ones, and in which order the parts run."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest
from oracles.polyhedral import execution_order

from polyopt.poly.changes.single_accesses import by_access
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Access, Scop


def scop_of(accesses: str) -> Scop:
    """Of one statement S[i], with the accesses in their order: `r` or `w`, each of its array."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = A[i]\n  T: B[i] = A[i]")
    (first, second) = scop.statements
    made = tuple(
        Access(name, isl.Map(f"{{ S[i] -> {name}[i] }}"), kind == "w", True, position)
        for position, (kind, name) in enumerate(accesses.split("."))
    )
    return replace(scop, statements=(replace(first, accesses=made), second))


@pytest.mark.parametrize("accesses", ["rA", "wA", "rA.wA", "rA.rB.wA"])
def test_a_statement_that_reads_and_then_writes_once_is_left(accesses: str):
    scop = scop_of(accesses)
    assert by_access(scop) is scop


@pytest.mark.parametrize("accesses", ["wA.wB", "wA.rA", "rA.wA.rA", "rA.wB.wA"])
def test_each_access_of_others_is_a_statement(accesses: str):
    divided = by_access(scop_of(accesses))
    *parts, last = divided.statements
    assert last.name == "T"
    assert [
        ("w" if one.is_write else "r") + one.array for part in parts for one in part.accesses
    ] == accesses.split(".")
    order = execution_order(divided.schedule, {"n": 3})
    names = [one.name for one in (*parts, last)]
    assert order == [(name, (i,)) for i in range(3) for name in names]
