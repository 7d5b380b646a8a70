"""Loops that a person wants in threads, whatever is expected of them."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import facts_of
from polyopt.poly.loops.loop_tree import THREADS
from polyopt.support.diagnostics import Span
from polyopt.support.remarks import remark


def is_asked(op: Operation) -> bool:
    """Whether a person wants the loop in threads, whatever is expected of it."""
    return isinstance(op, affine.ForOp) and THREADS in facts_of(op).marks


def name_and_place(op: Operation) -> tuple[str | None, Span | None]:
    assert isinstance(op, affine.ForOp)
    return facts_of(op).iterator, span_of(op)


def tell_not_in_threads(name: str | None, span: Span | None, why: str) -> None:
    message = f"loop {name} is not in threads as was asked for: {why}"
    remark("missed", "not-in-threads", message, span)
