"""Relations that are asked for by their text, pass after pass, and read once.

A relation never changes, so what has been found of one holds for whoever comes with the same text.
"""

from __future__ import annotations

from functools import lru_cache

import islpy as isl

from polyopt.poly.isl.budget import settle, spend_again

_MOST = 1024
_known: dict[str, tuple[isl.Map | None, int]] = {}
"""The relations, and how many of isl's operations each has taken."""


def map_of(text: str) -> isl.Map | None:
    """The relation, or None where it is empty. Each pass of the loop stage asks the same of a nest,
    and joined nests what each of them was asked: of correlation's 76 questions 11 are others than
    before. It is paid for each time; what a budget does not allow is not kept."""
    known = _known.get(text)
    if known is not None:
        spend_again(known[1])
        return known[0]
    before = settle()
    relation = isl.Map(text)
    found = None if relation.is_empty() else relation
    if len(_known) >= _MOST:
        _known.clear()
    _known[text] = found, settle() - before
    return found


@lru_cache(maxsize=1024)
def set_of(text: str) -> isl.Set:
    """A set of a few constraints, as on distances: nests ask for the same ones."""
    return isl.Set(text)
