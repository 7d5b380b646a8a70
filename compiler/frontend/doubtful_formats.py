"""The text of printf and its like against the arguments: -Wformat, -Wformat-extra-args,
-Wformat-security.

    %[flags][width][.precision][length]conversion        width and precision may be arguments, `*`
    %[*][width][length]conversion                        of scanf: `*` takes no argument

Functions are known by their names, and by the attribute `format(printf, 2, 3)`. A text that is no
literal, or counts its arguments itself (`%1$d`), is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyopt.frontend import c_types as ct
from polyopt.frontend.c_types import CType, FloatType, IntType, PointerType, VoidType
from polyopt.frontend.checker import Checker
from polyopt.frontend.typed_tree import AddressOf, Convert, Expr, StringConst, Symbol
from polyopt.support.diagnostics import Span

_KNOWN = {
    "printf": ("printf", 1, 2),
    "fprintf": ("printf", 2, 3),
    "dprintf": ("printf", 2, 3),
    "sprintf": ("printf", 2, 3),
    "asprintf": ("printf", 2, 3),
    "syslog": ("printf", 2, 3),
    "snprintf": ("printf", 3, 4),
    "vprintf": ("printf", 1, 0),
    "vfprintf": ("printf", 2, 0),
    "vsprintf": ("printf", 2, 0),
    "vsnprintf": ("printf", 3, 0),
    "scanf": ("scanf", 1, 2),
    "fscanf": ("scanf", 2, 3),
    "sscanf": ("scanf", 2, 3),
}
_PART = re.compile(
    r"%(?P<flags>[-+ #0'I]*)(?P<width>\*?\d*)(?:\.(?P<precision>\*|-?\d*))?"
    r"(?P<length>hh|h|ll|l|L|j|z|t|q|m)?(?P<kind>\[\^?\]?[^\]]*\]|.)?",
    re.S,
)
_INTEGERS: dict[str, tuple[IntType, str]] = {
    "": (ct.INT, "int"),
    "hh": (ct.SCHAR, "char"),
    "h": (ct.SHORT, "short"),
    "l": (ct.LONG, "long"),
    "ll": (ct.LLONG, "long long"),
    "q": (ct.LLONG, "long long"),
    "j": (ct.LONG, "intmax_t"),
    "z": (ct.LONG, "size_t"),
    "t": (ct.LONG, "ptrdiff_t"),
}
_FLOATS: dict[str, FloatType] = {"": ct.FLOAT, "l": ct.DOUBLE, "L": ct.LDOUBLE}
IDS = ("format", "format-extra-args", "format-security", "format-zero-length")


def doubt_format(checker: Checker, callee: Symbol, arguments: Sequence[Expr], at: Span) -> None:
    """Look at a call, if it is of such a function."""
    told = callee.format
    if told is None and callee.linkage == "external" and checker.options.is_builtin(callee.name):
        told = _KNOWN.get(callee.name)
    if told is None or not checker.warnings.may_tell(IDS):
        return
    style, text_at, first = told
    if len(arguments) < text_at:
        return
    text = _text(arguments[text_at - 1])
    if text is None:
        if first and len(arguments) < first:
            message = "the format is no literal, and has no arguments"
            hint = 'write "%s" before it'
            checker.warn("format-security", message, arguments[text_at - 1].span, hint)
        return
    if not text:
        checker.warn("format-zero-length", "the format is empty", arguments[text_at - 1].span)
    if first and "$" not in text:
        at = arguments[text_at - 1].span
        _Reading(checker, style, list(arguments[first - 1 :]), first, at).read(text)


def _text(value: Expr) -> str | None:
    while isinstance(value, Convert):
        value = value.value
    if not isinstance(value, AddressOf) or not isinstance(value.place, StringConst):
        return None
    type = value.place.type
    if ct.size_of(type) != len(value.place.data) or not value.place.data.endswith(b"\0"):
        return None
    return value.place.data[:-1].decode("utf-8", "replace")


class _Reading:
    """One text and the arguments that it has left."""

    def __init__(
        self, checker: Checker, style: str, arguments: list[Expr], first: int, at: Span
    ) -> None:
        self.checker = checker
        self.is_scan = style == "scanf"
        self.arguments = arguments
        self.count = first
        self.at = at

    def read(self, text: str) -> None:
        position = 0
        while (position := text.find("%", position)) >= 0:
            part = _PART.match(text, position)
            assert part is not None
            kind = part["kind"]
            if kind is None:
                self._warn("a '%' at the end of the format", self.at)
                return
            position = part.end()
            if kind != "%" and not self._part(part, kind):
                return
        if self.arguments:
            message = "more arguments than the format asks for"
            self.checker.warn("format-extra-args", message, self.arguments[0].span)

    def _part(self, part: re.Match[str], kind: str) -> bool:
        """One conversion; False where the rest cannot be understood."""
        shown = part[0]
        if self.is_scan and part["width"].startswith("*"):
            return True
        for stars in (part["width"], part["precision"]):
            if stars == "*" and not self._take(shown, ct.INT, "int", "width"):
                return False
        if kind == "m" and not self.is_scan:
            return True
        length = part["length"] or ""
        if length == "m":
            length = ""
            if kind not in "sc[":
                return True
        expected = self._expected(kind, length)
        if expected is None:
            self._warn(f"unknown conversion '{shown}' in the format", self.at)
            return False
        type, name = expected
        return self._take(shown, type, name, "")

    def _expected(self, kind: str, length: str) -> tuple[CType, str] | None:
        """What type an argument is to have, and its name."""
        scan = self.is_scan
        if kind in "diuoxX" and length in _INTEGERS:
            type, name = _INTEGERS[length]
            if not scan and length in ("hh", "h"):
                type, name = ct.INT, "int"
            if kind in "uoxX" and length not in ("z", "j", "t"):
                name = f"unsigned {name}"
            return (PointerType(type), f"{name} *") if scan else (type, name)
        if kind in "aAeEfFgG" and length in _FLOATS:
            type = _FLOATS[length] if scan or length == "L" else ct.DOUBLE
            return (PointerType(type), f"{type} *") if scan else (type, str(type))
        if kind == "c" and not scan:
            return ct.INT, "int"
        if kind in ("s", "c") or kind.startswith("["):
            wide = length == "l"
            return PointerType(ct.INT if wide else ct.CHAR), "wchar_t *" if wide else "char *"
        if kind in ("C", "S"):
            return (ct.INT, "wint_t") if kind == "C" else (PointerType(ct.INT), "wchar_t *")
        if kind == "p":
            return PointerType(PointerType(ct.VOID) if scan else ct.VOID), "void *" + "*" * scan
        if kind == "n" and length in _INTEGERS:
            type, name = _INTEGERS[length]
            return PointerType(type), f"{name} *"
        return None

    def _take(self, shown: str, type: CType, name: str, role: str) -> bool:
        what = f"the {role} of '{shown}'" if role else f"'{shown}'"
        if not self.arguments:
            self._warn(f"{what} asks for an argument of type '{name}', and there is none", self.at)
            return False
        given = self.arguments.pop(0)
        position, self.count = self.count, self.count + 1
        if not _is_meant(given, type, is_pointer_to_any="p" == shown[-1] and not self.is_scan):
            message = (
                f"{what} asks for an argument of type '{name}', but argument {position} has "
                f"type '{given.type}'"
            )
            self._warn(message, given.span, None if role else _advice(given.type, self.is_scan))
        return True

    def _warn(self, message: str, at: Span, hint: str | None = None) -> None:
        self.checker.warn("format", message, at, hint)


def _is_meant(given: Expr, wanted: CType, *, is_pointer_to_any: bool) -> bool:
    type = ct.unqualified(given.type)
    if is_pointer_to_any:
        return isinstance(type, PointerType)
    match wanted, type:
        case PointerType(target=a), PointerType(target=b):
            a, b = ct.unqualified(a), ct.unqualified(b)
            if isinstance(a, IntType) and isinstance(b, IntType):
                return a.size == b.size and _is_long_long(a) == _is_long_long(b)
            return isinstance(b, VoidType) or a == b
        case IntType(), IntType():
            return wanted.size == type.size and (
                _is_long_long(wanted) == _is_long_long(type) or wanted.size < ct.LONG.size
            )
        case _:
            return wanted == type


def _is_long_long(type: IntType) -> bool:
    return "long long" in type.name


def _advice(type: CType, is_scan: bool) -> str | None:
    """The conversion for what is given."""
    type = ct.unqualified(type)
    if is_scan:
        if not isinstance(type, PointerType):
            return "scanf wants addresses: &x"
        type = ct.unqualified(type.target)
        if type in (ct.FLOAT, ct.DOUBLE):
            return f"use '{'%f' if type == ct.FLOAT else '%lf'}'"
    match type:
        case IntType(signed=signed):
            sizes = {1: "hh", 2: "h", 4: "", 8: "ll" if _is_long_long(type) else "l"}
            return f"use '%{sizes[type.size]}{'d' if signed else 'u'}'"
        case FloatType():
            return "use '%Lf'" if type == ct.LDOUBLE else "use '%f'"
        case PointerType(target=target) if ct.unqualified(target) in (ct.CHAR, ct.SCHAR, ct.UCHAR):
            return "use '%s'"
        case PointerType():
            return "use '%p'"
        case _:
            return None
