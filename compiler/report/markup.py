"""HTML and SVG from Python values. Whatever is a plain string is escaped; there is no other way in.

    element("a", "x < y", href="#1", class_="link")   ->   <a href="#1" class="link">x &lt; y</a>

Every element is closed, so that what is made is XML as well; characters that XML does not know,
such as bytes of a source that are not UTF-8, become U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

VOID = frozenset("br hr img input link meta".split())
"""HTML's elements without an end; all others have one, empty or not."""

_NOT_TEXT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Value = str | int | float | bool | None


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Child = str | Markup | Iterable["Child"] | None


def element(tag: str, *children: Child, **attributes: Value) -> Markup:
    """An underscore at the end of an attribute's name goes, others are hyphens; an attribute that
    is None or False is left out, one that is True has no value worth speaking of."""
    written = "".join(
        f' {_name(name)}="{_text("" if value is True else _number(value))}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Markup(f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: Child) -> Markup:
    """One behind the other."""
    return Markup("".join(_child(child) for child in children))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return _text(child)
    return join(*child)


def data_block(value: object, **attributes: Value) -> Markup:
    """JSON for the page's own script; nothing in it can end the element."""
    text = json.dumps(value, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return element("script", Markup(text), type="application/json", **attributes)


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _number(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _text(text: str) -> str:
    text = _NOT_TEXT.sub("\ufffd", text)
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot")):
        text = text.replace(sign, f"&{name};")
    return text
