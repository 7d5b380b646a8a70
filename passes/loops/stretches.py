"""Where stretches of memory begin of which a vector store leaves elements out.

    for i = 2 to n step 2:  u[i] = u[i - 1] + u[i + 1]

Of the stretch that is stored every second element is left out, and what is loaded next must not
meet it, not even where nothing is stored: a load waits until a store under a mask that it overlaps
is in the cache. Here the stretch has to begin in front, at u[i - 1], so that it ends where the
loads of the next vectors begin.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def lead(first: int, offsets: Sequence[int], stride: int, behind: Collection[int]) -> int:
    """How many elements, all left out, are in front of the stored ones, which are at the ascending
    `offsets` from `first` on in each stride. Loads of the same stride that begin so far `behind`
    the first stored element must not meet the stretch one vector later; for the rest, it begins at
    a multiple of `stride` as far as constants tell: stretches of arrays of structures meet where
    structures do."""
    most = room_in_front(offsets, stride)
    needed = max((distance for distance in behind if distance <= most), default=0)
    structure = first % stride
    return max(structure if structure <= most else 0, needed)


def room_in_front(offsets: Sequence[int], stride: int) -> int:
    """So many elements may be left out in front and the stretch still be one stride for each
    lane."""
    return stride - 1 - max(offsets)


def steps_until_met(behind: int, offsets: Sequence[int], stride: int, lanes: int) -> int | None:
    """After how many vectors the stretch meets loads that begin so far `behind` the first stored
    element, wherever it begins; None for never."""
    distance = behind - room_in_front(offsets, stride)
    return max(1, distance // (stride * lanes)) if distance > 0 else None
