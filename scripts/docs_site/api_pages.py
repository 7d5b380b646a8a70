"""Reference pages from signatures and docstrings, which are read as Markdown.

What a page tells of is what its module promises: `__all__` of `polyopt.api`, the names that
`polyopt` has. A class is told with its fields and public methods, a name for a type with the
string below its assignment.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from operator import attrgetter
from types import ModuleType
from typing import Any


def reference_page(module: ModuleType, names: Iterable[str], told: ModuleType | None = None) -> str:
    """A page of all `names` of the module; what the module `told` has too is told there."""
    parts = [f"# `{module.__name__}`", (module.__doc__ or "").strip()]
    for name in names:
        same = told is not None and getattr(told, name, None) is getattr(module, name)
        parts.append(_pointer(module, name, told) if same and told else _entry(module, name))
    return "\n\n".join(parts) + "\n"


def _entry(module: ModuleType, name: str) -> str:
    given = attrgetter(name)(module)
    full = f"{module.__name__}.{name}"
    if inspect.isclass(given):
        members = "\n\n".join(_members(given))
        text = _doc(given) + (f"\n\n{members}" if members else "")
        shown = "" if _is_data(given) else _signature(given)
        return _directive("class", f"{full}{shown}", text, depth=2)
    if callable(given) and not _is_type_form(given):
        return _function(full, given)
    return _directive("data", full, _comment_below(module, name), depth=1)


def _pointer(module: ModuleType, name: str, told: ModuleType) -> str:
    return f"`{module.__name__}.{name}` is {{any}}`{told.__name__}.{name}`."


def _members(kind: type) -> Iterator[str]:
    for name, note, doc in _fields(kind):
        yield _directive("attribute", f"{name}: {note}", doc, depth=1)
    for base in (one for one in kind.__mro__ if _is_ours(one)):
        for name, member in vars(base).items():
            if name.startswith("_") or getattr(kind, name, None) is None:
                continue
            getter = _getter(member)
            if getter is not None:
                note = inspect.get_annotations(getter).get("return", "")
                shown = f"{name}: {note}" if note else name
                yield _directive("attribute", shown, _doc(getter), depth=1)
            elif inspect.isfunction(member):
                yield _directive("method", name + _signature(member, bound=True), _doc(member), 1)
            elif isinstance(member, classmethod | staticmethod):
                shown = name + _signature(getattr(kind, name))
                yield _directive("method", shown, _doc(getattr(kind, name)), depth=1)


def _getter(member: object) -> Any:
    """The function behind a property, or None."""
    name = {"property": "fget", "cached_property": "func"}.get(type(member).__name__, "")
    return getattr(member, name, None)


def _fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and comment of each field that the class itself declares."""
    if not _is_data(kind):
        return
    body = _tree_of_class(kind).body
    for one, after in zip(body, [*body[1:], None], strict=True):
        match one:
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                default = f" = {ast.unparse(one.value)}" if one.value is not None else ""
                yield name, ast.unparse(one.annotation) + default, _string(after)
            case _:
                pass


def _function(name: str, given: Any) -> str:
    return _directive("function", name + _signature(given), _doc(given), depth=1)


def _signature(given: Any, bound: bool = False) -> str:
    try:
        signature = inspect.signature(given)
    except (TypeError, ValueError):
        return "()"
    parameters = [
        one.replace(annotation=_Shown(one.annotation), default=one.default)
        for one in list(signature.parameters.values())[1 if bound else 0 :]
    ]
    result = signature.return_annotation
    shown = _Shown(result) if result is not inspect.Signature.empty else result
    return str(signature.replace(parameters=parameters, return_annotation=shown))


class _Shown:
    """An annotation that was written as text, shown without the quotes of text."""

    __module__ = "builtins"

    def __init__(self, annotation: Any):
        self.annotation = annotation

    def __repr__(self) -> str:
        return self.annotation if isinstance(self.annotation, str) else repr(self.annotation)


def _doc(given: object) -> str:
    text = inspect.cleandoc(getattr(given, "__doc__", None) or "")
    return "" if text == getattr(given, "__name__", None) else text  # a record without words


def _directive(kind: str, shown: str, text: str, depth: int) -> str:
    fence = ":" * (3 + depth)
    return f"{fence}{{py:{kind}}} {shown}\n{text}\n{fence}"


def _comment_below(module: ModuleType, name: str) -> str:
    """The string below the assignment of this name, where it is assigned."""
    for place in (module, *_imported_from(module, name)):
        body = _tree(place).body
        for one, after in zip(body, [*body[1:], None], strict=True):
            match one:
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                    return f"{_string(after)}\n\n`{ast.unparse(value)}`".strip()
                case _:
                    pass
    return ""


def _imported_from(module: ModuleType, name: str) -> Iterator[ModuleType]:
    for one in ast.walk(_tree(module)):
        if isinstance(one, ast.ImportFrom) and any(alias.name == name for alias in one.names):
            yield sys.modules[one.module or ""]


def _string(node: ast.AST | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return inspect.cleandoc(text)
        case _:
            return ""


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _tree_of_class(kind: type) -> ast.ClassDef:
    found = (
        one
        for one in ast.walk(_tree(sys.modules[kind.__module__]))
        if isinstance(one, ast.ClassDef) and one.name == kind.__name__
    )
    return next(found)


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith("polyopt")


def _is_data(kind: type) -> bool:
    return hasattr(kind, "__dataclass_fields__")


def _is_type_form(given: object) -> bool:
    return type(given).__module__ in ("typing", "types", "collections.abc") and not (
        inspect.isfunction(given)
    )
