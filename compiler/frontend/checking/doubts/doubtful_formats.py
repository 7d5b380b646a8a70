"""The text of printf and its like against the arguments: -Wformat, -Wformat-extra-args,
-Wformat-security.

    %[flags][width][.precision][length]conversion        width and precision may be arguments, `*`
    %[*][width][length]conversion                        of scanf: `*` takes no argument

Functions are known by their names, and by the attribute `format(printf, 2, 3)`; glibc's macros
call some of them by others (`__isoc99_scanf`). Of `c ? "…" : "…"` both texts are read. Where a
conversion says which argument it means (`%1$d`), each of them does, and none is left over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FloatType, IntType, PointerType
from polyopt.frontend.language.library_functions import standard_name
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Conditional,
    Convert,
    Expr,
    StringConst,
    Symbol,
)
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
_PART_TEXT = (
    r"%(?:(?P<place>\d+)\$)?(?P<flags>[-+ #0'I]*)(?P<width>(?:\*(?:\d+\$)?)?\d*)"
    r"(?:\.(?P<precision>\*(?:\d+\$)?|-?\d*))?"
    r"(?P<length>hh|h|ll|l|L|j|z|t|q{})?(?P<kind>\[\^?\]?[^\]]*\]|.)?"
)
_PART = re.compile(_PART_TEXT.format(""), re.S)
_PART_OF_SCAN = re.compile(_PART_TEXT.format("|m"), re.S)
"""`%ms` of scanf allocates what it reads to; `%m` of printf writes what `errno` means."""
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
_FLAGS = {"#": "oxXaAeEfFgGm", "0": "diouxXaAeEfFgG", "+": "diaAeEfFgG", " ": "diaAeEfFgG"}
"""The conversions that these flags say anything of."""
_FLOATS: dict[str, FloatType] = {"": ct.FLOAT, "l": ct.DOUBLE, "L": ct.LDOUBLE}
_LENGTHS = {"s": ("", "l"), "c": ("", "l"), "p": ("",)}
IDS = (
    *("format", "format-contains-nul", "format-extra-args", "format-security"),
    "format-zero-length",
)


def doubt_format(checker: Checker, callee: Symbol, arguments: Sequence[Expr], at: Span) -> None:
    """Look at a call, if it is of such a function."""
    told = callee.format
    if told is None and callee.linkage == "external" and checker.options.is_builtin(callee.name):
        told = _KNOWN.get(standard_name(callee.name))
    if told is None or not checker.warnings.may_tell(IDS):
        return
    style, text_at, first = told
    if len(arguments) < text_at:
        return
    texts = _texts(arguments[text_at - 1])
    if not all(text is not None for text, _ in texts) and first and len(arguments) < first:
        message = "the format is no literal, and has no arguments"
        hint = 'write "%s" before it'
        checker.warn("format-security", message, arguments[text_at - 1].span, hint)
    over: list[Expr] = []
    for text, span in texts:
        if text == "":
            checker.warn("format-zero-length", "the format is empty", span)
        if text is not None and "\0" in text:
            message = "the format ends at the '\\0' in it"
            checker.warn("format-contains-nul", message, span)
            text = text.partition("\0")[0]
        if text is not None and first:
            reading = _Reading(checker, style, list(arguments[first - 1 :]), first, span)
            reading.read(text)
            over += reading.over[:1]
    if over and len(over) == len(texts):
        message = "more arguments than the format asks for"
        checker.warn("format-extra-args", message, over[0].span)


def _texts(value: Expr) -> list[tuple[str | None, Span]]:
    """What a format may be, and where it stands; None where it is no literal."""
    while isinstance(value, Convert):
        value = value.value
    if isinstance(value, Conditional):
        return _texts(value.if_true) + _texts(value.if_false)
    return [(_text(value), value.span)]


def _text(value: Expr) -> str | None:
    if not isinstance(value, AddressOf) or not isinstance(value.place, StringConst):
        return None
    type = value.place.type
    if ct.size_of(type) != len(value.place.data) or not value.place.data.endswith(b"\0"):
        return None
    return value.place.data[:-1].decode("utf-8", "replace")


class _Reading:
    """One text, and which of the arguments it has taken; `over` are those behind what it asks
    for, which another text may want."""

    def __init__(
        self, checker: Checker, style: str, arguments: list[Expr], first: int, at: Span
    ) -> None:
        self.checker = checker
        self.is_scan = style == "scanf"
        self.arguments = arguments
        self.taken: set[int] = set()
        self.over: list[Expr] = []
        self.next = 0
        self.first = first
        self.at = at

    def read(self, text: str) -> None:
        position = 0
        while (position := text.find("%", position)) >= 0:
            part = (_PART_OF_SCAN if self.is_scan else _PART).match(text, position)
            assert part is not None
            kind = part["kind"]
            if kind is None:
                self._warn("a '%' at the end of the format", self.at)
                return
            position = part.end()
            if kind != "%" and not self._part(part, kind):
                return
        left = set(range(len(self.arguments))) - self.taken
        last = max(self.taken, default=-1)
        self.over = [self.arguments[i] for i in sorted(left) if i > last]
        if left and not self.over:
            self._warn(
                "an argument that the format does not ask for", self.arguments[min(left)].span
            )

    def _part(self, part: re.Match[str], kind: str) -> bool:
        """One conversion; False where the rest cannot be understood."""
        shown = part[0]
        if self.is_scan and part["width"].startswith("*"):
            return True
        for role in ("width", "precision"):
            told = part[role] or ""
            if told.startswith("*") and not self._take(shown, told[1:], ct.INT, "int", role):
                return False
        for flag in _FLAGS if not self.is_scan else ():
            if flag in part["flags"] and kind not in _FLAGS[flag]:
                self._warn(f"the flag '{flag}' says nothing in '{shown}'", self.at)
        if kind == "m" and not self.is_scan:
            return True
        length = part["length"] or ""
        if length != "m" and length not in _LENGTHS.get(kind[0], (length,)):
            self._warn(f"'{length}' says nothing in '{shown}'", self.at)
            length = ""
        is_allocated = length == "m"
        expected = self._expected(kind, "" if is_allocated else length)
        if expected is None:
            self._warn(f"unknown conversion '{shown}' in the format", self.at)
            return False
        type, name = expected
        if is_allocated:
            type, name = PointerType(type), f"{name}*"
        return self._take(shown, part["place"], type, name, "")

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

    def _take(self, shown: str, place: str | None, type: CType, name: str, role: str) -> bool:
        """The argument at the place that the text says (`2$`), or the next one."""
        what = f"the {role} of '{shown}'" if role else f"'{shown}'"
        index = self.next
        if place:
            index = int(place.rstrip("$")) - 1
        else:
            self.next += 1
        if not 0 <= index < len(self.arguments):
            self._warn(f"{what} asks for an argument of type '{name}', and there is none", self.at)
            return False
        self.taken.add(index)
        given = self.arguments[index]
        if not _is_meant(given, type, is_pointer_to_any="p" == shown[-1] and not self.is_scan):
            message = (
                f"{what} asks for an argument of type '{name}', but argument "
                f"{self.first + index} has type '{given.type}'"
            )
            self._warn(message, given.span, None if role else _advice(given.type, self.is_scan))
        elif self.is_scan and isinstance(given.type, PointerType) and given.type.target.const:
            self._warn(f"{what} stores to '{given.type.target}'", given.span)
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
            return a == b
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
        case PointerType(target=IntType(size=1)):
            return "use '%s'"
        case PointerType():
            return "use '%p'"
        case _:
            return None
