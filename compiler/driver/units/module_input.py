"""MLIR text as a translation unit: another compiler's module, or one of ours at some level.

A module that `--emit=LEVEL` has written says in `polyopt.level` where it stands, and goes on from
there. Any other module stands at the source: its structured loops become SCoPs by
`raise-to-affine` and `affine-to-poly`. What floating-point arithmetic may do, its operations say;
flags such as -ffast-math permit more.
"""

from __future__ import annotations

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.utils.exceptions import DiagnosticException, ParseError

from polyopt.driver.options.settings import Settings
from polyopt.ir.checks.module_check import reading, verify
from polyopt.ir.fast_math import FASTMATH
from polyopt.ir.placed_text import parse_module
from polyopt.pipeline_options import LEVELS
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import record

LEVEL = "polyopt.level"
"""The attribute of a module that was written to a file: how far it has come."""


@record
class ModuleInput:
    module: ModuleOp
    level: str
    is_foreign: bool


def read_module(text: str, name: str, settings: Settings) -> ModuleInput:
    """The module of the text, verified. Raises CompileError."""
    from polyopt.driver.units.module_texts import make_context

    try:
        with reading(name):
            module = parse_module(make_context(), text, name)
            verify(module)
    except ParseError as error:
        place = error.span.get_location()
        at = Span(place.file, place.line, place.col)
        raise CompileError(error.msg, at, _hint(error.msg, text)) from None
    except DiagnosticException as error:
        raise CompileError(f"{name}: this is no valid module: {error}") from None
    level = module.attributes.pop(LEVEL, None)
    if level is None:
        _permit(module, settings)
        return ModuleInput(module, LEVELS[0], is_foreign=True)
    if not isinstance(level, StringAttr) or level.data not in LEVELS:
        raise CompileError(f"{name}: {LEVEL} names no level: {', '.join(LEVELS)}")
    return ModuleInput(module, level.data, is_foreign=False)


def _hint(message: str, text: str) -> str:
    """What to do about text that is not read."""
    if "Operation linalg." in message and "is not registered" in message:
        return "`mlir-opt --linalg-generalize-named-ops` writes it as a linalg.generic"
    if "is not registered" in message:
        return "xDSL and polyopt do not know it: lower it before"
    if "already defined" in message and SEPARATOR in text:
        return f"'{SEPARATOR}' separates modules for tests: take one of them"
    if "integer literal" in message and "!llvm.ptr<" in text:
        return "since LLVM 17 pointers do not say to what: '!llvm.ptr'"
    return (
        "what xDSL has no syntax for, `mlir-opt --mlir-print-op-generic` writes in a form that it "
        "reads"
    )


SEPARATOR = "// -----"


def state_level(module: ModuleOp, level: str) -> None:
    """Let the module say where it stands."""
    module.attributes[LEVEL] = StringAttr(level)


def _permit(module: ModuleOp, settings: Settings) -> None:
    given = {
        FastMathFlag.NO_NANS: settings.finite_math,
        FastMathFlag.NO_INFS: settings.finite_math,
        FastMathFlag.NO_SIGNED_ZEROS: not settings.signed_zeros,
        FastMathFlag.ALLOW_RECIP: settings.reciprocal_math,
        FastMathFlag.APPROX_FUNC: settings.approximate_functions,
        FastMathFlag.REASSOC: settings.associative_math,
        FastMathFlag.ALLOW_CONTRACT: settings.fp_contract == "fast",
    }
    flags = [flag for flag, holds in given.items() if holds]
    if len(flags) >= len(given) - 1 and settings.fp_contract != "off":
        flags = list(given)
    if flags and FASTMATH not in module.attributes:
        module.attributes[FASTMATH] = FastMathFlagsAttr(flags)
