"""Constraints of xDSL's dialects that are any of several, put together by a shorter way.

    AnyOf.get(a, b, c, …)

Each constraint is asked whether one before it can stand for it, too; among those of plain classes,
which are most, only the same class can. They are looked up here. Loading the dialects, xDSL
compares them with each other eight thousand times.
"""

# pyright: reportPrivateUsage=false, reportUnknownArgumentType=false

from __future__ import annotations

from typing import Any

from xdsl import irdl
from xdsl.irdl import AnyAttr, AnyOf, BaseAttr


def quicken_constraints() -> None:
    """For this process, which has to be ours alone; again, it does nothing."""
    if AnyOf.get.__module__ != __name__:
        setattr(AnyOf, "get", staticmethod(any_of))


def any_of(*constraints: Any) -> Any:
    """As `AnyOf.get`."""
    pending = [irdl.irdl_to_attr_constraint(one) for one in reversed(constraints)]
    kept = _Kept()
    while pending:
        one = pending.pop()
        if type(one) is AnyAttr:
            return AnyAttr()
        if isinstance(one, AnyOf):
            pending += reversed(one.attr_constrs)
        else:
            kept.add(one)
    return kept.constraints[0] if len(kept.constraints) == 1 else AnyOf(tuple(kept.constraints))


class _Kept:
    """Constraints of which none can stand for another: where those of plain classes are, and where
    the others."""

    def __init__(self) -> None:
        self.constraints: list[Any] = []
        self._plain: dict[type, int] = {}
        self._others: list[int] = []

    def add(self, one: Any) -> None:
        is_plain = type(one) is BaseAttr
        last = len(self.constraints)
        same = self._plain.get(one.attr, last) if is_plain else last
        for place in self._others if is_plain else range(last):
            if place > same:
                break
            merged = self.constraints[place].relax_constraint(one)
            if merged is not None:
                self._put(place, merged)
                return
        if same == last:
            self.constraints.append(one)
            self._note(last, one)

    def _put(self, place: int, merged: Any) -> None:
        """What takes the place of another, and may be of another kind."""
        self.constraints[place] = merged
        self._plain.clear()
        self._others.clear()
        for number, one in enumerate(self.constraints):
            self._note(number, one)

    def _note(self, place: int, one: Any) -> None:
        if type(one) is BaseAttr:
            self._plain[one.attr] = place
        else:
            self._others.append(place)
