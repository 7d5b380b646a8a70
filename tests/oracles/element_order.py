"""Does an order of instances keep the program's meaning? Element by element, in plain Python.

An order is right if each element is written, and read between the writes, in the order of the
source: of any two instances that touch one element, one of them writing, the earlier one is still
the earlier. Knows no dependences and no schedules, only who touches what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oracles.polyhedral import Point, Sizes, accesses_of

from polyopt.poly.scop import Scop

Time = tuple[int, ...]


class ElementOrder:
    """`source` lists all instances in the order of the source."""

    def __init__(self, scop: Scop, source: Sequence[Point], sizes: Sizes):
        accesses = accesses_of(scop, sizes)
        self.instances = frozenset(source)
        touched: dict[Point, dict[Point, bool]] = {}
        for instance in source:
            for access, element in accesses.get(instance, ()):
                users = touched.setdefault(element, {})
                users[instance] = users.get(instance, False) or access.is_write
        self._elements = [list(users.items()) for users in touched.values()]

    def is_kept(self, times: Mapping[Point, Time]) -> bool:
        """Whether running each instance at its time is right."""
        return all(self._is_kept_at(users, times) for users in self._elements)

    @staticmethod
    def _is_kept_at(users: Sequence[tuple[Point, bool]], times: Mapping[Point, Time]) -> bool:
        last_use: Time | None = None
        last_write: Time | None = None
        for instance, is_write in users:
            time = times[instance]
            before = last_use if is_write else last_write
            if before is not None and before >= time:
                return False
            last_use = time if last_use is None else max(last_use, time)
            if is_write:
                last_write = time if last_write is None else max(last_write, time)
        return True
