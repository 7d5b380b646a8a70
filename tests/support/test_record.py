"""Records are dataclasses: their fields make them what they are, or they are only themselves."""

from __future__ import annotations

from dataclasses import field, fields, replace

import pytest

from polyopt.support.record import entity, record


@record
class Point:
    x: int
    y: int = 0
    note: str = field(default="", compare=False, repr=False)


@record
class Place(Point):
    name: str = "here"


@record
class Nothing:
    pass


@record
class Rounded:
    """Has its own mind about equality."""

    number: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rounded) and round(self.number) == round(other.number)

    def __hash__(self) -> int:
        return round(self.number)


@record(eq=False)
class Mark:
    text: str


@entity
class Counter:
    value: int = 0
    seen: list[int] = field(default_factory=list[int])


def test_records_are_equal_by_the_fields_that_compare():
    assert Point(1, 2, "a") == Point(1, 2, "b")
    assert hash(Point(1, 2, "a")) == hash(Point(1, 2, "b"))
    assert Point(1, 2) != Point(2, 1)
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())


def test_a_derived_record_compares_its_own_fields_too_and_is_of_its_own_class():
    assert Place(1, 2) != Point(1, 2)
    assert Point(1, 2) != Place(1, 2)
    assert Place(1, name="a") != Place(1, name="b")
    assert len({Place(1), Place(1), Place(1, name="there")}) == 2


def test_what_a_class_says_of_equality_stands():
    assert Rounded(1.1) == Rounded(0.9)
    assert hash(Rounded(1.1)) == hash(Rounded(0.9))


@pytest.mark.parametrize("make", [lambda: Mark("a"), Counter])
def test_without_eq_a_thing_is_equal_to_itself_only(make: type[object]):
    one = make()
    assert one == one
    assert one != make()
    assert len({one, make()}) == 2


def test_records_are_dataclasses():
    assert [f.name for f in fields(Place)] == ["x", "y", "note", "name"]
    assert replace(Point(1, 2), y=3) == Point(1, 3)
    assert Place.__match_args__ == ("x", "y", "note", "name")
    assert repr(Place(1, 2, "hidden")) == "Place(x=1, y=2, name='here')"
    assert repr(Counter(3)) == "Counter(value=3, seen=[])"


def test_defaults_are_made_for_each():
    one = Counter()
    one.seen.append(1)
    assert Counter().seen == []
