"""What isl computes with as attributes: sets, relations and schedule trees, by their texts.

isl text is canonicalised and checked when it is parsed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Self

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

if TYPE_CHECKING:
    import islpy as isl


class IslText(Data[str]):
    """isl's text of one object, canonical: equal texts after parsing are equal attributes."""

    @classmethod
    def canonical(cls, text: str) -> str:
        raise NotImplementedError

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse and canonicalise; raises ValueError if isl refuses the text."""
        import islpy as isl

        from polyopt.poly.isl.messages import explain

        try:
            return cls(cls.canonical(text))
        except isl.Error as error:
            raise ValueError(explain(error)) from None

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            start = parser.pos
            text = parser.parse_str_literal(": expected isl text in quotes")
            try:
                return cls.from_text(text).data
            except ValueError as error:
                parser.raise_error(f"invalid isl text: {error}", start, parser.pos)

    @property
    def is_empty(self) -> bool:
        """Whether this is the empty union, which is in no space and in every space."""
        return self.data.endswith("{  }")

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data)


def _in_its_space(
    kind: type[isl.Set] | type[isl.Map], text: str, union: isl.UnionSet | isl.UnionMap
) -> str:
    """Of what is empty: a statement that never runs still has its iterators, which the empty union
    does not know of."""
    import islpy as isl

    try:
        return str(kind(text))
    except isl.Error:
        return str(union)


@lru_cache(maxsize=4096)
def parsed_set(text: str) -> isl.Set:
    import islpy as isl

    return isl.Set(text)


@lru_cache(maxsize=4096)
def parsed_map(text: str) -> isl.Map:
    import islpy as isl

    return isl.Map(text)


@irdl_attr_definition
class SetAttr(IslText):
    """A set of statement instances or of parameter values (an isl union set)."""

    name = "poly.set"

    @classmethod
    def canonical(cls, text: str) -> str:
        import islpy as isl

        union = isl.UnionSet(text).coalesce()
        return _in_its_space(isl.Set, text, union) if union.is_empty() else str(union)

    @classmethod
    def of(cls, value: isl.Set | isl.UnionSet) -> SetAttr:
        return cls(str(value))

    def union_set(self) -> isl.UnionSet:
        import islpy as isl

        return isl.UnionSet(self.data)

    def set(self) -> isl.Set:
        """The one set, of parameter values or in one space; not for an empty union."""
        return parsed_set(self.data)


@lru_cache(maxsize=1024)
def parsed_schedule(text: str) -> isl.Schedule:
    import islpy as isl

    return isl.Schedule(text)


@irdl_attr_definition
class MapAttr(IslText):
    """A relation such as an access relation (an isl union map)."""

    name = "poly.map"

    @classmethod
    def canonical(cls, text: str) -> str:
        import islpy as isl

        union = isl.UnionMap(text).coalesce()
        return _in_its_space(isl.Map, text, union) if union.is_empty() else str(union)

    @classmethod
    def of(cls, value: isl.Map | isl.UnionMap) -> MapAttr:
        return cls(str(value))

    def union_map(self) -> isl.UnionMap:
        import islpy as isl

        return isl.UnionMap(self.data)

    def map(self) -> isl.Map:
        """The one relation, between two spaces; not for an empty union."""
        return parsed_map(self.data)


@irdl_attr_definition
class ScheduleAttr(IslText):
    """A schedule tree."""

    name = "poly.schedule"

    @classmethod
    def canonical(cls, text: str) -> str:
        import islpy as isl

        from polyopt.poly.isl.schedule_yaml import MalformedTree, read_yaml

        try:
            return str(isl.Schedule(read_yaml(text)[0]))
        except MalformedTree as error:
            raise ValueError(str(error)) from None

    @classmethod
    def of(cls, value: isl.Schedule) -> ScheduleAttr:
        return cls(str(value))

    def schedule(self) -> isl.Schedule:
        return parsed_schedule(self.data)
