"""Passes that have nothing to do, because what they are about is not in the module: said, with
what makes it, instead of doing nothing in silence."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from polyopt.pass_needs import need_of, operations_of


def idle_reason(name: str, module: ModuleOp) -> str | None:
    """Why the named pass does nothing to the module, None where it may have something to do."""
    need = need_of(name)
    if need is None or need.is_met(operations_of(module)):
        return None
    (operations, *_) = need.operations
    kind = f"{operations}*" if operations.endswith(".") else operations
    return f"{name} does nothing: the module has no {kind} operations; {need.makers}"
