"""Arguments that a function is hardly meant for: null where it wants an object, one object twice
where it wants two, no bytes to set."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language.c_types import FunctionType, PointerType
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import AddressOf, Convert, Expr, Load, Symbol, Variable
from polyopt.support.diagnostics import Span

_FIRST, _BOTH = frozenset((1,)), frozenset((1, 2))
_NONNULL = {
    **dict.fromkeys(("memcpy", "memmove", "memcmp", "strcpy", "strncpy", "strcat"), _BOTH),
    **dict.fromkeys(("strncat", "strcmp", "strncmp", "strstr", "fputs"), _BOTH),
    **dict.fromkeys(("memset", "memchr", "strlen", "strchr", "strrchr", "puts"), _FIRST),
}
"""The functions of the C library whose arguments must not be null, and which these are."""


def doubt_memset(checker: Checker, name: str, arguments: Sequence[Expr], at: Span) -> None:
    if name == "memset" and len(arguments) == 3:
        byte, count = (fold_integer(_bare(one)) for one in arguments[1:])
        if count == 0 and byte != 0:
            message = "memset of no bytes: are the second and third argument exchanged?"
            checker.warn("memset-transposed-args", message, at)


def doubt_null(checker: Checker, callee: Symbol, arguments: Sequence[Expr], at: Span) -> None:
    """A null pointer constant where the library or an attribute says that there must be none. Of
    no bytes, the library's functions do nothing."""
    of_library = frozenset[int]() if callee.is_defined else _NONNULL.get(callee.name, frozenset())
    if of_library and len(arguments) == 3 and fold_integer(_bare(arguments[2])) == 0:
        of_library = frozenset[int]()
    wanted = callee.nonnull | of_library
    for position, argument in enumerate(arguments, 1):
        if not wanted & {0, position} or not isinstance(argument.type, PointerType):
            continue
        if fold_integer(_bare(argument)) == 0:
            message = f"argument {position} of '{callee.name}' is null, and must not be"
            checker.warn("nonnull", message, at)


def doubt_restrict(
    checker: Checker, type: FunctionType, arguments: Sequence[Expr], at: Span
) -> None:
    """One pointer for a parameter that says that its object is reached in no other way, and for
    another one: what is stored through the first is not seen through the second."""
    if not checker.warnings.may_tell(("restrict",)):
        return
    objects = [_object(argument) for argument in arguments]
    for position, parameter in enumerate(type.parameters):
        if not isinstance(parameter, PointerType) or not parameter.restrict:
            continue
        if isinstance(parameter.target, FunctionType) or parameter.target.const:
            continue
        if objects[position] is None:
            continue
        others = [k for k, one in enumerate(objects) if k != position and one == objects[position]]
        if others:
            first, second = position + 1, others[0] + 1
            message = f"argument {first} is restrict, and argument {second} is the same pointer"
            checker.warn("restrict", message, at)
            return


def _object(argument: Expr) -> tuple[str, int] | None:
    """What a pointer is, so that equal ones are the same: a variable, or its address."""
    value = _bare(argument)
    if isinstance(value, Load | AddressOf) and isinstance(value.place, Variable):
        is_pointer = isinstance(value.type, PointerType)
        return (type(value).__name__, id(value.place.symbol)) if is_pointer else None
    return None


def _bare(value: Expr) -> Expr:
    while isinstance(value, Convert):
        value = value.value
    return value
