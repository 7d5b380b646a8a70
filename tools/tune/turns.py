"""Who comes next: sequences merged as often as each one's weight says."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heapreplace
from typing import TypeVar

T = TypeVar("T")


def in_turns(*streams: Iterator[T]) -> Iterator[T]:
    """The first of each, the second of each, and so on while there is any."""
    return in_proportion(*((1.0, one) for one in streams))


def in_proportion(*streams: tuple[float, Iterator[T]]) -> Iterator[T]:
    """The n-th of a stream comes at time n / weight; those of one time as they are listed."""
    due = [(1.0 / weight, k, 1) for k, (weight, _) in enumerate(streams)]
    heapify(due)
    while due:
        _, k, n = due[0]
        weight, stream = streams[k]
        for item in stream:
            heapreplace(due, ((n + 1) / weight, k, n + 1))
            yield item
            break
        else:
            heappop(due)
