"""A dataclass whose methods are put off is the dataclass that it would be."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, field, replace
from functools import total_ordering
from typing import Any

import pytest

from polyopt.support.methods_on_demand import PUT_OFF, put_methods_off


@pytest.fixture
def put_off() -> Iterator[Callable[[], None]]:
    """Puts methods off, for the rest of the test."""
    assert not hasattr(dataclasses, "exec")
    yield put_methods_off
    if hasattr(dataclasses, "exec"):
        delattr(dataclasses, "exec")
    setattr(dataclasses, "inspect", inspect)


def make(flags: dict[str, bool]) -> list[type]:
    """Classes without fields, with some, one that inherits, one with words of its own,
    one that inherits and is no dataclass, one that is a copy."""

    @dataclass(**flags)
    class Empty:
        pass

    @dataclass(**flags)
    class Point:
        x: int
        y: list[int] = field(default_factory=list[int], compare=False)
        z: str = field(default="z", repr=False)

    @dataclass(**flags)
    class Farther(Point):
        w: int = 4

    @dataclass(**flags)
    class Worded:
        x: int = 1

        def __repr__(self) -> str:
            return "worded"

    class Plain(Point):
        pass

    copied = type("Copied", (), dict(Point.__dict__, __dict__=None, __weakref__=None))
    return [Empty, Point, Farther, Worded, Plain, copied]


def outcome(action: Callable[[], object]) -> object:
    try:
        return action()
    except (FrozenInstanceError, TypeError, AttributeError) as error:
        return type(error).__name__, str(error)


def observations(classes: list[type]) -> Iterator[object]:
    for cls in classes:
        values = [(), (1,), (1, [2]), (2,)] if "x" in getattr(cls, "__match_args__", ()) else [()]
        made: list[Any] = [one for one in (outcome(lambda v=v: cls(*v)) for v in values)]
        for one, other in itertools.product(made, made):
            yield outcome(lambda a=one, b=other: (a == b, a != b))
        for one in made:
            yield outcome(lambda a=one: re.sub("0x[0-9a-f]+", "", repr(a)))
            yield outcome(lambda a=one: hash(a) == hash(a))
            yield outcome(lambda a=one: hash(a) == hash(replace(a)))
            yield outcome(lambda a=one: setattr(a, "x", 3))
            yield outcome(lambda a=one: setattr(a, "other", 3))
            yield outcome(lambda a=one: delattr(a, "x"))
        for name in sorted(PUT_OFF):
            method = getattr(cls, name)
            yield name in cls.__dict__
            if cls.__name__ != "Copied":
                yield getattr(method, "__qualname__", None)
            yield outcome(lambda m=method: str(inspect.signature(m)))


FLAGS = [
    dict(zip(("frozen", "eq", "repr", "order", "unsafe_hash"), values, strict=True))
    for values in itertools.product((False, True), repeat=5)
    if values[1] or not values[3]  # dataclass itself refuses an order without equality
]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_same_class(flags: dict[str, bool], put_off: Callable[[], None]) -> None:
    eager = list(observations(make(flags)))
    put_off()
    assert list(observations(make(flags))) == eager


def test_compiled_when_looked_up(put_off: Callable[[], None]) -> None:
    """Until then it is no function; then it is one, in the class that it belongs to."""
    put_off()

    @dataclass(frozen=True)
    class Base:
        x: int

    @dataclass(frozen=True)
    class Derived(Base):
        y: int = 0

    if inspect.isfunction(vars(Base)["__eq__"]):
        pytest.skip("this version of Python writes methods in another form")
    assert Base(1) == Base(1)
    assert inspect.isfunction(vars(Base)["__eq__"])
    assert not inspect.isfunction(vars(Base)["__hash__"])
    assert hash(Derived(1)) == hash((1, 0))
    assert inspect.isfunction(vars(Derived)["__hash__"])
    assert not inspect.isfunction(vars(Base)["__hash__"])


def test_other_forms_of_text(put_off: Callable[[], None]) -> None:
    """What is not one of those methods is run as it stands."""
    put_off()
    run: Callable[..., None] = getattr(dataclasses, "exec")
    made = dict[str, Any]()
    run("def other(x):\n return x + one", {"one": 1}, made)
    assert made["other"](2) == 3
    run("def __create_fn__(step):\n def __lt__(x):\n  return x + step\n return __lt__", {}, made)
    assert made["__create_fn__"](step=5)(1) == 6


def test_methods_are_used_by_others(put_off: Callable[[], None]) -> None:
    put_off()

    @total_ordering
    @dataclass
    class Size:
        x: int

        def __lt__(self, other: Size) -> bool:
            return self.x < other.x

    assert Size(1) <= Size(1) < Size(2)
    assert sorted([Size(2), Size(1)]) == [Size(1), Size(2)]


def test_docstrings_are_made_when_they_are_read(put_off: Callable[[], None]):
    @dataclass
    class Plain:
        x: int
        y: list[int] = field(default_factory=list[int])

    put_off()

    @dataclass
    class Silent:
        x: int
        y: list[int] = field(default_factory=list[int])

    @dataclass
    class Worded:
        """What it is."""

    if sys.version_info < (3, 13):  # where methods are put off, a docstring makes none of them
        assert not inspect.isfunction(vars(Silent)["__init__"])
    assert Plain.__doc__ is not None
    words = Plain.__doc__.replace("Plain", "Silent")
    assert (Silent(1).__doc__, Silent.__doc__, Worded.__doc__) == (words, words, "What it is.")
    assert type(vars(Silent)["__doc__"]) is str


def test_several_methods_in_one_text_are_compiled(put_off: Callable[[], None]):
    """So Python 3.13 writes them."""
    put_off()
    made = dict[str, Any]()
    methods = " def __init__(self):\n  self.x = a\n def __repr__(self):\n  return 'x'"
    text = f"def __create_fn__(a):\n{methods}\n return (__init__,__repr__,)"
    getattr(dataclasses, "exec")(text, {}, made)
    assert [one.__name__ for one in made["__create_fn__"](a=1)] == ["__init__", "__repr__"]
