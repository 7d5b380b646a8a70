"""What every module is asked that comes in as text, and between passes where each is verified."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, ParseError

from polyopt.ir.same_objects import are_same, attributes_of, objects_in
from polyopt.support.diagnostics import CompileError


def verify(root: Operation) -> None:
    """Raise VerifyException for what its operations' verifiers, the facts on them, what control
    hands over, or dominance forbid."""
    from polyopt.dialects.fact_places import check_facts
    from polyopt.ir.checks.dominance_check import check_dominance
    from polyopt.ir.checks.handover_check import check_handovers

    root.verify()
    check_facts(root)
    check_handovers(root)
    check_dominance(root)


class ModuleCheck:
    """Verifies a module again and again. What its symbols are is known in all of it; what is inside
    of one concerns no other. So where the same symbols say the same of themselves as before, only
    those are verified that hold something else."""

    def __init__(self) -> None:
        self._symbols: list[object] | None = None
        self._inside: dict[Operation, list[object]] = {}

    def check(self, module: ModuleOp) -> None:
        """Raise VerifyException for what is not valid."""
        symbols: list[object] = [*attributes_of(module)]
        for op in module.ops:
            symbols += [op, *(result.type for result in op.results), *attributes_of(op)]
        inside = {op: objects_in(op) for op in module.ops}
        if are_same(self._symbols, symbols):
            for op, objects in inside.items():
                if not are_same(self._inside[op], objects):
                    verify(op)
        else:
            verify(module)
        self._symbols, self._inside = symbols, inside


@contextmanager
def reading(name: str) -> Generator[None]:
    """A module of that name is read and verified here: what xDSL has no message for is an error of
    the module too. Raises CompileError for it."""
    try:
        yield
    except (ParseError, DiagnosticException, CompileError):
        raise
    except RecursionError as error:
        raise CompileError(
            f"{name}: more is nested in each other here than xDSL's parser and verifier follow",
            hint="they recurse with the depth of regions, attributes and types",
        ) from error
    except Exception as error:
        if not _is_raised_by_xdsl(error):
            raise
        raise CompileError(
            f"{name}: xDSL cannot read this: {type(error).__name__}: {_told(error)}",
            hint="malformed IR, for which xDSL's parser and verifier have no message",
        ) from error


def _told(error: Exception) -> str:
    """What it says, also where that is in several parts."""
    return " ".join(map(str, error.args)) if len(error.args) > 1 else str(error)


def _is_raised_by_xdsl(error: BaseException) -> bool:
    """Whether the innermost frame that the exception comes from is xDSL's own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals["__name__"].startswith("xdsl.")
