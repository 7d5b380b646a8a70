"""A SCoP as files of other tools have it: names, sets and relations, and nothing else.

What `jscop` and `openscop` write and read; `describe` makes one of a SCoP of ours and tells where
two of them differ, `correspondence` finds what is the same under other names.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl


@dataclass(frozen=True)
class DescribedArray:
    """`sizes` as texts, "*" where nothing is known; `type` is LLVM's name of the elements'."""

    name: str
    sizes: tuple[str, ...]
    type: str


@dataclass(frozen=True)
class DescribedAccess:
    """{ S[i] -> A[a] }; with `is_may` not every element need be written."""

    is_write: bool
    relation: isl.Map
    is_may: bool = False

    @property
    def kind(self) -> str:
        return "write" if self.is_write else "read"

    @property
    def array(self) -> str:
        return self.relation.get_tuple_name(isl.dim_type.out) or ""


@dataclass(frozen=True)
class DescribedStatement:
    name: str
    domain: isl.Set
    schedule: isl.Map
    accesses: tuple[DescribedAccess, ...]


@dataclass(frozen=True)
class Description:
    """`has_iterators`: the dimensions of domains are the loops of the C text with the values that
    they have there, as in OpenScop; Polly counts from zero."""

    name: str
    context: isl.Set
    arrays: tuple[DescribedArray, ...]
    statements: tuple[DescribedStatement, ...]
    location: str | None = None
    has_iterators: bool = False
