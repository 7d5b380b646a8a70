"""One pass with its options from text, `poly-tile{sizes=32,32}`: any package's pass by name, and
what is wrong with an option in our own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline

from polyopt.support.diagnostics import CompileError


def pass_from_text(text: str) -> ModulePass:
    """The pass that the text names, of ours or of any package that has an entry point
    `xdsl.universe`. Raises CompileError."""
    from xdsl.universe import Universe
    from xdsl.utils.exceptions import ArgSpecParseError

    try:
        specs = list(parse_pipeline(text))
    except ArgSpecParseError as error:
        raise CompileError(f"'{text}' is no pass with options: {error}") from None
    if len(specs) != 1:
        raise CompileError(f"'{text}' is not one pass")
    (spec,) = specs
    known = Universe.get_multiverse().all_passes
    if spec.name not in known:
        raise unknown("pass", spec.name, known)
    kind = known[spec.name]()
    check_options("pass", kind, spec)
    return kind.from_spec(spec)


def unknown(kind: str, name: str, known: Iterable[str]) -> CompileError:
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"--list-{kind}es shows every {kind}"
    if not close and kind != "pass":
        hint = f"--help lists every {kind}"
    return CompileError(f"unknown {kind} '{name}'", hint=hint)


def check_options(kind: str, made: type[ArgSpecConvertible], spec: ArgSpec) -> None:
    """Raise CompileError for an option that the pass or target does not have, for a value that is
    none of it, and for one that is missing."""
    options = options_of(made)
    for given, values in spec.parameters.items():
        name = given.replace("-", "_")
        if name not in options:
            raise _no_option(kind, spec.name, given, options)
        single = ArgSpec(spec.name, {given: values})
        others = {
            one: _any_value(hint)
            for one, (field, hint) in options.items()
            if one != name and _is_required(field)
        }
        try:
            made.from_spec(ArgSpec(spec.name, {**single.parameters, **others}))
        except ValueError as error:
            _, hint = options[name]
            shown = ",".join(map(str, values)) if values else "empty"
            raise CompileError(
                f"option '{given}' of {kind} '{spec.name}' is {shown}: expected {described(hint)}",
                hint=f"{spec.name}{{{given}=…}}",
            ) from error
    for name, (field, hint) in options.items():
        if _is_required(field) and name not in {one.replace("-", "_") for one in spec.parameters}:
            spelled = name.replace("_", "-")
            raise CompileError(
                f"{kind} '{spec.name}' needs its option '{spelled}': {described(hint)}",
                hint=f"{spec.name}{{{spelled}=…}}",
            )
    try:
        made.from_spec(spec)
    except ValueError as error:
        raise CompileError(f"{kind} '{spec.name}': {error}") from error


def options_of(made: type[Any]) -> Mapping[str, tuple[Field[Any], Any]]:
    """The options by name, each with its type."""
    hints = get_type_hints(made)
    return {one.name: (one, hints[one.name]) for one in fields(made) if one.init}


def described(hint: Any) -> str:
    """What values a type has, in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(map(str, arguments))
    if origin in (Union, UnionType):
        return " or ".join(described(one) for one in arguments if one is not NoneType)
    if origin is tuple:
        return "whole numbers, as in 32,64" if arguments[:1] == (int,) else "words, as in a,b"
    names = {int: "a whole number", float: "a number with a point", bool: "true or false"}
    return names.get(hint, "text" if hint is str else str(hint))


def default_of(field: Field[Any]) -> str:
    """The value of an option that is not given, "" where it must be."""
    return "" if _is_required(field) else _shown(field.default)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        members = cast(tuple[object, ...], value)
        return ",".join(map(str, members)) or "none"
    return "none" if value in (None, "") else str(value)


def _no_option(kind: str, name: str, given: str, options: Iterable[str]) -> CompileError:
    spelled = [one.replace("_", "-") for one in options]
    close = get_close_matches(given, spelled, n=1)
    if close:
        hint = f"did you mean '{close[0]}'?"
    else:
        hint = f"its options are {', '.join(spelled)}" if spelled else "it has no options"
    return CompileError(f"{kind} '{name}' has no option '{given}'", hint=hint)


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


_VALUES: Mapping[Any, Callable[[], Any]] = {
    int: lambda: 0,
    float: lambda: 0.0,
    bool: lambda: False,
    str: lambda: "",
}


def _any_value(hint: Any) -> tuple[Any, ...]:
    """Some value of the type, as a specification holds it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return (arguments[0],)
    if arguments:
        return _any_value(arguments[0])
    return (_VALUES[hint](),) if hint in _VALUES else ()
