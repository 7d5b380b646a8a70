"""Dataclasses that are quick to make.

A compiler in Python is started for each file that it compiles, and makes its classes anew each
time. `dataclass(frozen=True)` writes six methods as text and compiles them, 0.4 ms for each class:
with two hundred classes a tenth of a second before the first line of C is read. Here only
`__init__` is written so, once for all classes with such fields and not before somebody asks for it,
which for most classes nobody does in one run, and not where there are many fields; the other
methods are the same few functions for all classes.

The result is a dataclass (`fields`, `replace`, patterns by position), with these differences:
- that a record does not change is checked by the type checker, not while running;
- a record whose class has no other word on it is equal to what has its class and equal fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T]) -> type[T]: ...


@overload
def record(*, eq: bool) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, *, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """A value that never changes: equal where the fields are, or with `eq=False` only to itself."""

    def make(cls: type[T]) -> type[T]:
        made = _made(cls)
        if eq:
            _compare_by_fields(made)
        return made

    return make if cls is None else make(cls)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def entity(cls: type[T]) -> type[T]:
    """A thing that may change and is equal to itself only."""
    return _made(cls)


def _made(cls: type[T]) -> type[T]:
    """What `dataclass(eq=False, repr=False)` makes, in half of its time."""
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # what else a class without words is said to be is in its fields
    known: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        if is_dataclass(base):
            known |= {each.name: each for each in fields(base)}
    for name, type in get_annotations(cls).items():
        if not str(type).startswith(("ClassVar", "typing.ClassVar")):
            known[name] = _own_field(cls, name, type)
    made: Any = cls
    made.__dataclass_fields__ = known
    made.__dataclass_params__ = _PARAMETERS
    taken = [each for each in known.values() if each.init]
    _check_order(cls, taken)
    words: dict[str, Any] = {
        "__match_args__": tuple(each.name for each in taken if not each.kw_only),
        "__init__": _InitOnDemand(cls, taken, [each for each in known.values() if not each.init]),
        "__repr__": _text,
    }
    if len(taken) >= _MANY:
        words["__signature__"] = _SignatureOnDemand()
    for name, value in words.items():
        if name not in cls.__dict__:
            setattr(cls, name, value)
    return cls


def _own_field(cls: type, name: str, type: Any) -> Field[Any]:
    """The field of that name, as `dataclass` leaves it; its default is the class's attribute."""
    given: Any = cls.__dict__.get(name, MISSING)
    made = cast("Field[Any]", given) if isinstance(given, Field) else field(default=given)
    if made.default is not MISSING and made.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default of {cls.__name__}.{name}: use default_factory")
    made.name, made.type = name, type
    setattr(made, _KIND, getattr(_EXAMPLE, _KIND))
    if made.kw_only is MISSING:
        made.kw_only = False
    if made.default is not MISSING:
        setattr(cls, name, made.default)
    elif given is not MISSING:
        delattr(cls, name)
    return made


def _check_order(cls: type, taken: Sequence[Field[Any]]) -> None:
    """Raise TypeError where what must be given stands behind what need not."""
    is_optional = False
    for each in taken:
        if each.kw_only:
            continue
        has_default = each.default is not MISSING or each.default_factory is not MISSING
        if is_optional and not has_default:
            raise TypeError(f"{cls.__name__}.{each.name} has no default and follows one that has")
        is_optional = has_default


class _InitOnDemand:
    """What stands for `__init__` until it is looked at, on the class or on an instance."""

    def __init__(self, cls: type, taken: Sequence[Field[Any]], others: Sequence[Field[Any]]):
        self._of = (cls, taken, others)

    def __get__(self, instance: object, owner: type) -> Any:
        cls = self._of[0]
        if cls.__dict__.get("__init__") is self:
            setattr(cls, "__init__", _init(*self._of))
        return cls.__dict__["__init__"].__get__(instance, owner)


def _init(cls: type, taken: Sequence[Field[Any]], others: Sequence[Field[Any]]) -> Any:
    """`__init__` of these fields, and of `others` that nobody gives: the code for such fields, with
    their names in it."""
    if len(taken) >= _MANY and not others:
        return _init_of_many(cls, taken)
    makers: dict[str, Any] = {"_missing": MISSING}
    kinds, defaults, named = list[tuple[bool, bool]](), list[Any](), dict[str, Any]()
    names: dict[str, str] = {}
    for number, each in enumerate(taken):
        names[f"field_{number}"] = name = each.name
        default, make, must_be_named = each.default, each.default_factory, each.kw_only is True
        is_made = make is not MISSING
        kinds.append((must_be_named, is_made))
        if is_made:
            makers[f"_make_{number}"] = make
        if is_made or default is not MISSING:
            if must_be_named:
                named[name] = default
            else:
                defaults.append(default)
    for each in others:
        if each.default_factory is not MISSING:
            makers[f"_make_{len(names)}"] = each.default_factory
            names[f"field_{len(names)}"] = each.name
    code = _init_code(tuple(kinds), len(names) - len(kinds), hasattr(cls, "__post_init__"))
    code = code.replace(
        co_names=tuple([names.get(name, name) for name in code.co_names]),
        co_varnames=tuple([names.get(name, name) for name in code.co_varnames]),
    )
    made = FunctionType(code, makers, "__init__", tuple(defaults))
    made.__kwdefaults__ = named
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


_MANY = 13
"""Compiling takes 7 microseconds for each field, and what has so many is seldom made: options, and
the numbers of models."""


def _init_of_many(cls: type, taken: Sequence[Field[Any]]) -> Any:
    """The same without code of its own."""
    names = [each.name for each in taken]
    wanted = frozenset(names)
    by_place = [each.name for each in taken if each.kw_only is not True]
    defaults = {each.name: each.default for each in taken if each.default is not MISSING}
    factories = {f.name: f.default_factory for f in taken if f.default_factory is not MISSING}
    is_followed = hasattr(cls, "__post_init__")

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        values = defaults | dict(zip(by_place, given, strict=False)) | named
        for name, make in factories.items():
            if name not in values:
                values[name] = make()
        twice = named.keys() & by_place[: len(given)] if named else ()
        if len(given) > len(by_place) or twice or values.keys() != wanted:
            wrong = [*given[len(by_place) :], *twice, *sorted(values.keys() ^ wanted)]
            shown = ", ".join(map(str, wrong))
            raise TypeError(f"{cls.__qualname__}: missing, unknown, or one too many: {shown}")
        for name in names:
            setattr(self, name, values[name])
        if is_followed:
            self.__post_init__()

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


class _SignatureOnDemand:
    """What `inspect` is told of a class of many fields."""

    def __get__(self, instance: object, owner: Any) -> Any:
        from inspect import Parameter, Signature

        taken = sorted((f for f in fields(owner) if f.init), key=lambda f: f.kw_only is True)
        return Signature(
            [
                Parameter(
                    each.name,
                    Parameter.KEYWORD_ONLY if each.kw_only else Parameter.POSITIONAL_OR_KEYWORD,
                    default=Parameter.empty if _must_be_given(each) else each.default,
                )
                for each in taken
            ]
        )


def _must_be_given(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


@cache
def _init_code(kinds: tuple[tuple[bool, bool], ...], others: int, is_followed: bool) -> CodeType:
    """What `__init__` does with fields called `field_0` and so on, of which some must be named, and
    some are made where they are not given; with others that are always made; and whether
    `__post_init__` follows. A hundred classes have one such code: compiling is what takes time."""
    positional, named, body = ["self"], list[str](), list[str]()
    for number, (must_be_named, is_made) in enumerate(kinds):
        name = f"field_{number}"
        (named if must_be_named else positional).append(name)
        value = f"_make_{number}() if {name} is _missing else {name}" if is_made else name
        body.append(f" self.{name} = {value}")
    for number in range(len(kinds), len(kinds) + others):
        body.append(f" self.field_{number} = _make_{number}()")
    if is_followed:
        body.append(" self.__post_init__()")
    words = ", ".join([*positional, *(["*", *named] if named else [])])
    known: dict[str, Any] = {}
    exec("\n".join([f"def __init__({words}):", *(body or [" pass"])]), known)
    return known["__init__"].__code__


@dataclass(eq=False, repr=False)
class _Example:
    """What `dataclass` notes on its classes is noted on ours."""

    example: int = 0


_KIND = "_field_type"
_EXAMPLE = fields(_Example)[0]
_PARAMETERS = getattr(_Example, "__dataclass_params__")


def _text(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _compare_by_fields(cls: type) -> None:
    names = [f.name for f in fields(cls) if f.compare]
    key: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def equal(self: Any, other: object) -> bool:
        return key(self) == key(other) if type(self) is type(other) else NotImplemented

    def value_hash(self: Any) -> int:
        return hash(key(self))

    for name, method in {"__eq__": equal, "__hash__": value_hash}.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
