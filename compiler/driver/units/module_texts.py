"""Modules from text and to text: all dialects at hand, and what can be parsed again."""

from __future__ import annotations

from functools import partial
from io import StringIO
from typing import TYPE_CHECKING

from polyopt.universe import DIALECTS, resolve

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


def make_context() -> Context:
    """A context in which every dialect of xDSL's and polyopt's is there when a pass asks."""
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects

    context = Context()
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    for name, place in DIALECTS.items():
        context.register_dialect(name, partial(resolve, place))
    return context


def module_text(module: Operation) -> str:
    """The module, or an operation of it, as it can be parsed again."""
    from xdsl.printer import Printer

    stream = StringIO()
    Printer(stream).print_op(module)
    return f"{stream.getvalue()}\n"
