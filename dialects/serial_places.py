"""Where in the source loops are to run in one thread: an attribute of a module.

    {cmem.serial = [{file = "a.c", first = [3, 5], last = [9, 7], loops = ["i", "j"]}]}

Loops are moved, merged and copied into other functions; their places in the source stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from polyopt.support.diagnostics import Span
from polyopt.support.record import record

SERIAL = "cmem.serial"


@record
class SerialPlace:
    """From `first` to `last`, both in one file. `loops` are the variables that its loops count
    with, none where it is all of a function."""

    first: Span
    last: Span
    loops: tuple[str, ...] = ()

    def holds(self, span: Span | None) -> bool:
        if span is None or span.file != self.first.file:
            return False
        return self.first <= span <= self.last


def put_serial_places(module: ModuleOp, places: Sequence[SerialPlace]) -> None:
    if places:
        module.attributes[SERIAL] = ArrayAttr(
            [
                DictionaryAttr(
                    {
                        "file": StringAttr(place.first.file),
                        "first": numbers_of(place.first),
                        "last": numbers_of(place.last),
                        "loops": ArrayAttr([StringAttr(name) for name in place.loops]),
                    }
                )
                for place in places
            ]
        )


def serial_places_of(module: ModuleOp) -> list[SerialPlace]:
    attribute = module.attributes.get(SERIAL)
    if not isa(attribute, ArrayAttr[DictionaryAttr]):
        return []
    return [
        SerialPlace(place_span(one, "first"), place_span(one, "last"), _names(one.data["loops"]))
        for one in attribute
    ]


def _names(attribute: Attribute) -> tuple[str, ...]:
    assert isa(attribute, ArrayAttr[StringAttr])
    return tuple(name.data for name in attribute)


def numbers_of(span: Span) -> Attribute:
    """Line and column."""
    return ArrayAttr([IntegerAttr(span.line, i64), IntegerAttr(span.column, i64)])


def place_span(place: DictionaryAttr, end: str) -> Span:
    """The place that is kept under this name, in the file that is."""
    file, numbers = place.data["file"], place.data[end]
    assert isinstance(file, StringAttr)
    assert isa(numbers, ArrayAttr[IntegerAttr])
    line, column = (number.value.data for number in numbers)
    return Span(file.data, line, column)
