"""Plain abstract classes answer as they did, and are abstract still."""

import sys
from abc import ABC, abstractmethod
from types import ModuleType
from typing import Protocol

import pytest

from polyopt.support.plain_classes import PlainMeta, make_plain


def loaded(name: str) -> ModuleType:
    """A module with classes of all kinds."""

    class Base(ABC):
        @abstractmethod
        def what(self) -> str: ...

    class Derived(Base):
        def what(self) -> str:
            return "derived"

    class Open(ABC):
        """Has a member that does not derive from it."""

    Open.register(int)

    class Opinion(ABC):
        @classmethod
        def __subclasshook__(cls, subclass: type) -> bool:
            return hasattr(subclass, "what")

    module = ModuleType(name)
    for cls in (Base, Derived, Open, Opinion):
        cls.__module__ = name
        setattr(module, cls.__name__, cls)
    return module


def test_answers_are_the_same(monkeypatch: pytest.MonkeyPatch):
    module = loaded("some_package.part")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    names = ("Base", "Derived", "Open", "Opinion")
    things = (module.Derived(), 1, "text", None, module.Derived)

    def answers() -> list[bool]:
        found = [isinstance(one, getattr(module, name)) for one in things for name in names]
        kinds = (module.Base, module.Derived, int, str)
        return found + [issubclass(one, getattr(module, name)) for one in kinds for name in names]

    before = answers()
    make_plain("some_package")
    assert answers() == before
    assert {name for name in names if type(getattr(module, name)) is PlainMeta} == {
        "Base",
        "Derived",
    }


def test_what_derives_later_is_plain_and_what_is_abstract_stays_so(
    monkeypatch: pytest.MonkeyPatch,
):
    module = loaded("some_package")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    make_plain("some_package")
    later = type(module.Base)("Later", (module.Derived,), {})
    assert type(later) is PlainMeta
    assert isinstance(later(), module.Base)
    with pytest.raises(TypeError, match="abstract"):
        module.Base()


class Named(Protocol):
    name: str


def test_what_derives_later_may_follow_a_protocol_too(monkeypatch: pytest.MonkeyPatch):
    module = loaded("some_package")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    make_plain("some_package")
    bases = (module.Derived, Named)
    later = type(module.Derived)("Later", bases, {"name": "later", "__module__": __name__})
    assert isinstance(later(), module.Base)
    assert not isinstance(module.Derived(), later)
    assert issubclass(later, module.Base)


def test_a_class_with_registered_members_is_plain_no_longer(monkeypatch: pytest.MonkeyPatch):
    module = loaded("some_package")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    make_plain("some_package")
    assert not isinstance(1, module.Derived)
    assert module.Derived.register(int) is int
    assert isinstance(1, module.Derived)
    assert isinstance(1, module.Base)
    assert not isinstance("text", module.Base)


def test_other_packages_are_left_alone(monkeypatch: pytest.MonkeyPatch):
    module = loaded("some_package_of_another")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    make_plain("some_package")
    assert not isinstance(module.Base, PlainMeta)
