"""Schedules from one set of names to the other, also when they are not the source's any more."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from polyopt.poly.exchange.adoption import NotTheSame, adopted, with_schedule
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.own_scop import describe
from polyopt.poly.notation import parse_scop


def described(text: str) -> Description:
    scop = parse_scop(text)
    return describe(scop, {array.name: "double" for array in scop.arrays})


def at(description: Description, dates: str) -> Description:
    """The one statement of it at other dates."""
    (statement,) = description.statements
    return replace(description, statements=(replace(statement, schedule=isl.Map(dates)),))


DOWNWARD = described("[n]\nfor i down : 2 <= i < n\n  S: A[i] = B[2i]")
COUNTED = described("[p]\nfor c : 0 <= c < p - 2\n  Stmt: M[p - 1 - c] = N[2p - 2 - 2c]")


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ("[n] -> { S[i] -> [-i] }", "[p] -> { Stmt[c] -> [c + 1 - p] }"),
        ("[n] -> { S[i] -> [i] }", "[p] -> { Stmt[c] -> [p - 1 - c] }"),
        (
            "[n] -> { S[i] -> [i mod 4, -i] }",
            "[p] -> { Stmt[c] -> [(p - 1 - c) mod 4, c + 1 - p] }",
        ),
    ],
)
def test_our_schedule_in_their_names(dates: str, expected: str) -> None:
    """Which instance is which is a matter of the source, not of the schedule."""
    (found,) = with_schedule(COUNTED, DOWNWARD, at(DOWNWARD, dates)).statements
    domain = COUNTED.statements[0].domain
    assert found.schedule.intersect_domain(domain).is_equal(
        isl.Map(expected).intersect_domain(domain)
    )


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ("[p] -> { Stmt[c] -> [c] }", "[n] -> { S[i] -> [n - 1 - i] }"),
        ("[p] -> { Stmt[c] -> [-c] }", "[n] -> { S[i] -> [i + 1 - n] }"),
    ],
)
def test_their_schedule_in_our_names(dates: str, expected: str) -> None:
    """A tool that counts loops may have reversed one."""
    (found,) = adopted(at(COUNTED, dates), DOWNWARD).statements
    domain = DOWNWARD.statements[0].domain
    assert found.name == "S"
    assert found.schedule.intersect_domain(domain).is_equal(
        isl.Map(expected).intersect_domain(domain)
    )


def test_other_accesses_are_another_scop() -> None:
    other = described("[p]\nfor c : 0 <= c < p - 2\n  Stmt: M[c] = N[2p - 2 - 2c]")
    with pytest.raises(NotTheSame, match="M, A are not accessed alike"):
        adopted(other, DOWNWARD)
    with pytest.raises(NotTheSame, match="M, A are not accessed alike"):
        with_schedule(other, DOWNWARD, DOWNWARD)


SYMMETRIC = described("[n]\nfor i down : 0 <= i < n\n  S: x[] =")
"""Accesses do not tell its first iteration from its last."""


@pytest.mark.parametrize("dates", ["-i", "i", "floor(-i/3), -i", "(i mod 2), -i"])
def test_iterators_have_their_values_where_the_format_has_them(dates: str) -> None:
    """Which way a loop of the source went is not read from a schedule that may be another."""
    text = f"[n] -> {{ S[i] -> [{dates}] }}"
    theirs = at(described("[n]\nfor i : 0 <= i < n\n  S: x[] ="), text)
    renamed = replace(
        theirs,
        has_iterators=True,
        statements=tuple(
            replace(
                one,
                name="T",
                domain=one.domain.set_tuple_name("T"),
                schedule=one.schedule.set_tuple_name(isl.dim_type.in_, "T"),
                accesses=tuple(
                    replace(access, relation=access.relation.set_tuple_name(isl.dim_type.in_, "T"))
                    for access in one.accesses
                ),
            )
            for one in theirs.statements
        ),
    )
    (found,) = adopted(renamed, SYMMETRIC).statements
    domain = SYMMETRIC.statements[0].domain
    wanted = isl.Map(text).intersect_domain(domain)
    assert found.schedule.intersect_domain(domain).is_equal(wanted)


def test_iterators_that_are_counted_otherwise_all_the_same() -> None:
    """A tool may have normalised the loops of what it was given."""
    (found,) = adopted(
        replace(at(COUNTED, "[p] -> { Stmt[c] -> [c] }"), has_iterators=True), DOWNWARD
    ).statements
    domain = DOWNWARD.statements[0].domain
    assert found.schedule.intersect_domain(domain).is_equal(
        isl.Map("[n] -> { S[i] -> [n - 1 - i] }").intersect_domain(domain)
    )
