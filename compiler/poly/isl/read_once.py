"""Relations that are asked for by their text, pass after pass, and read once.

A relation never changes, so what has been found of one holds for whoever comes with the same text.
"""

from __future__ import annotations

from functools import lru_cache

import islpy as isl


@lru_cache(maxsize=1024)
def map_of(text: str) -> isl.Map | None:
    """The relation, or None where it is empty. Each pass of the loop stage asks the same of a nest,
    and joined nests what each of them was asked: of correlation's 76 questions 11 are others than
    before. What a budget does not allow is not kept."""
    relation = isl.Map(text)
    return None if relation.is_empty() else relation
