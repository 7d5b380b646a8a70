"""What every module is asked that comes in as text, and between passes where each is verified."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from polyopt.support.diagnostics import CompileError


def verify(module: ModuleOp) -> None:
    """Raise VerifyException for what its operations' verifiers, the facts on them, what control
    hands over, or dominance forbid."""
    from polyopt.dialects.fact_places import check_facts
    from polyopt.ir.dominance_check import check_dominance
    from polyopt.ir.handover_check import check_handovers

    module.verify()
    check_facts(module)
    check_handovers(module)
    check_dominance(module)


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
            f"{name}: xDSL cannot read this: {type(error).__name__}: {error}",
            hint="malformed IR, for which xDSL's parser and verifier have no message",
        ) from error


def _is_raised_by_xdsl(error: BaseException) -> bool:
    """Whether the innermost frame that the exception comes from is xDSL's own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals["__name__"].startswith("xdsl.")
