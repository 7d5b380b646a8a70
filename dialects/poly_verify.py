"""The invariants of `poly.scop`, listed at the head of `poly.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyopt.dialects.poly import ScopOp


def verify_scop(scop: ScopOp) -> None:
    """Raise VerifyException naming the first invariant that does not hold."""
