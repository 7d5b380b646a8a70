"""The SCoPs of `benchmarks/kernels` as our own front end finds them."""

from __future__ import annotations

from oracles.kernel_runs import PROGRAMS
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.diagnostics import SourceMap

SIZE = "-DLARGE_DATASET"


def module_of(name: str, level: str, poly: str) -> ModuleOp:
    source = read_source(str(PROGRAMS[name].source))
    unit = parse(source, read_settings([SIZE, f"--poly={poly}"]), SourceMap())
    lower(unit, level)
    return unit.module


def scop_of_kernel(module: ModuleOp, name: str) -> ScopOp:
    wanted = PROGRAMS[name].function
    (op,) = (op for op in module.walk() if isinstance(op, ScopOp) and op.scop_name.data == wanted)
    return op
