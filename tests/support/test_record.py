"""Records are dataclasses: their fields make them what they are, or they are only themselves."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

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


@record
class Word:
    text: str
    count: int = field(default=1, kw_only=True)
    kinds: ClassVar[tuple[str, ...]] = ("a",)


@record
class LongWord(Word):
    parts: tuple[str, ...] = ()
    length: int = field(init=False, default=0)
    notes: list[str] = field(init=False, default_factory=list[str])

    def __post_init__(self) -> None:
        self.notes.append(self.text)


@dataclass(eq=False, repr=False)
class PlainWord:
    text: str
    count: int = field(default=1, kw_only=True)
    kinds: ClassVar[tuple[str, ...]] = ("a",)


@dataclass(eq=False, repr=False)
class PlainLongWord(PlainWord):
    parts: tuple[str, ...] = ()
    length: int = field(init=False, default=0)
    notes: list[str] = field(init=False, default_factory=list[str])

    def __post_init__(self) -> None:
        self.notes.append(self.text)


@pytest.mark.parametrize(("ours", "theirs"), [(Word, PlainWord), (LongWord, PlainLongWord)])
def test_as_dataclass_makes_them(ours: Any, theirs: Any):
    """Fields, patterns, defaults and what may be given by position are those of a dataclass."""
    for name in ("name", "type", "default", "init", "repr", "compare", "kw_only"):
        assert [getattr(f, name) for f in fields(ours)] == [
            getattr(f, name) for f in fields(theirs)
        ]
    assert ours.__match_args__ == theirs.__match_args__
    parameters = [inspect.signature(each).parameters.values() for each in (ours, theirs)]
    mine, those = ([(p.name, p.kind) for p in each] for each in parameters)
    assert mine == those
    assert vars(ours("x", count=2)) == vars(theirs("x", count=2))
    assert asdict(ours("x")) == asdict(theirs("x"))
    assert is_dataclass(Word)
    makers: tuple[Any, ...] = (ours, theirs)
    for each in makers:
        with pytest.raises(TypeError):
            each()
        with pytest.raises(TypeError):
            each("x", nothing=1)


def test_each_has_its_own_list():
    LongWord("a").notes.append("b")
    assert LongWord("c").notes == ["c"]


def test_a_dataclass_of_a_record():
    @dataclass
    class Derived(Counter):
        more: int = 3

    assert Derived(1, [2], 4) == Derived(1, [2], 4)
    assert [f.name for f in fields(Derived)] == ["value", "seen", "more"]


@dataclass(frozen=True)
class Base:
    """As xDSL's passes: a class variable is no field, and what derives has more."""

    name: ClassVar[str]


def test_a_record_of_a_frozen_dataclass():
    @record
    class Derived(Base):
        name = "derived"

        option: int = 3

    assert [f.name for f in fields(Derived)] == ["option"]
    assert Derived(4) == Derived(4)
    assert Derived().option == 3


def test_mutable_default_is_refused():
    with pytest.raises(ValueError, match="default_factory"):

        @record
        class Wrong:  # pyright: ignore[reportUnusedClass]
            items: list[int] = []  # noqa: RUF012


def test_needed_behind_optional_is_refused():
    with pytest.raises((TypeError, SyntaxError)):

        @record
        class Wrong(Place):  # pyright: ignore[reportUnusedClass]
            late: int  # pyright: ignore[reportGeneralTypeIssues]


def test_init_is_made_when_asked_for():
    """Whoever asks first: an instance, a class that inherits it, or who looks at the class."""

    @record
    class Base:
        x: int
        y: int = 2

    class Derived(Base):
        def __init__(self, x: int):
            super().__init__(x, 5)

    assert not inspect.isfunction(vars(Base)["__init__"])
    assert (Derived(1).x, Derived(1).y) == (1, 5)
    assert inspect.isfunction(vars(Base)["__init__"])
    assert Base(1) == Base(1, 2)
    assert str(inspect.signature(Base)) == "(x, y=2)"


def wide(decorate: Callable[[type[Any]], Any]) -> Any:
    """A class of many fields: some must be given, some only by name, some are made."""
    numbers = {f"more_{number}": number for number in range(20)}
    types = {"first": "int", "second": "str"} | dict.fromkeys(numbers, "int")
    body: dict[str, Any] = {
        "__annotations__": types | {"made": "list[int]", "named": "int"},
        "made": field(default_factory=list[int]),
        "named": field(kw_only=True),
        "__post_init__": lambda self: self.made.append(self.first),  # pyright: ignore
    }
    return decorate(type("Wide", (), numbers | body))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((1, "a"), {"named": 3}),
        ((1,), {"second": "b", "named": 3, "more_7": 70}),
        ((), {"first": 1, "second": "b", "named": 3, "made": [5]}),
        ((*range(22), [9]), {"named": 3}),
        ((1, "a"), {}),
        ((1,), {"named": 3}),
        ((1, "a"), {"named": 3, "first": 2}),
        ((1, "a"), {"named": 3, "nothing": 2}),
        ((1,), {"named": 3, "nothing": 2}),
        ((*range(22), [9], 4), {"named": 3}),
        ((*range(22), [9], 4), {}),
    ],
)
def test_many_fields_are_taken_as_few_are(given: tuple[Any, ...], named: dict[str, Any]):
    """As a dataclass takes them, or not at all."""
    ours, theirs = (attempted(wide(each), given, named) for each in (entity, plain))
    assert ours == theirs


def plain(cls: type[Any]) -> type[Any]:
    return dataclass(eq=False, repr=False)(cls)


def attempted(cls: Any, given: tuple[Any, ...], named: dict[str, Any]) -> object:
    """What an instance holds, in order, or that there can be none."""
    try:
        made: object = cls(*deepcopy(given), **deepcopy(named))
        return list(vars(made).items())
    except TypeError:
        return TypeError


def test_many_fields_are_shown_as_few_are():
    parameters = [inspect.signature(wide(each)).parameters for each in (record, plain)]
    mine, those = ([(p.name, p.kind) for p in each.values()] for each in parameters)
    assert mine == those
    assert parameters[0]["more_3"].default == 3
    assert parameters[0]["first"].default is inspect.Parameter.empty


def test_wide_records_are_replaced_and_derived():
    made = wide(record)(1, "a", named=3)
    assert vars(replace(made, more_3=30, made=[])) == vars(made) | {"more_3": 30, "made": [1]}
    assert made != replace(made, more_3=30)
    assert "more_19=19" in repr(made)
