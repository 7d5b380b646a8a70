"""`polyopt.api`: what other programs may build on. Only what `__all__` names is promised.

    compile, native          C, MLIR text or a module of xDSL to functions, objects, any level
    schedule                 one function's loops, step by step, by hand
    scops, parse_scop        SCoPs as sets and maps of isl: of a source, or of a few lines of text
    dependences, violations  what must stay in order, and what a schedule breaks
    schedulers, reschedule   the list of schedulers, and what one of them finds
    loops                    the loops that run a schedule
    read_tree, …             schedules as trees of plain values, for schedulers of one's own

`VERSION` is the version of this surface, by semantic versioning: a name, a parameter or a field is
taken away or changes its meaning with a new first number only.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import islpy as isl
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.driver.options.flags import read_settings
from polyopt.driver.options.settings import Settings
from polyopt.driver.programs.program import Program, compile_source, source_of
from polyopt.driver.programs.schedule import Schedule, schedule_source
from polyopt.driver.units.source import PRODUCTS, Source
from polyopt.driver.units.unit import lower, parse, produce
from polyopt.poly.analysis.strides import AccessMatrices, steps_of
from polyopt.poly.cost.nest_cost import Estimate, Part, Run, Straight, Touched
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.legality import check_schedule, is_legal
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Tree,
    build_schedule,
    members_below,
    read_tree,
)
from polyopt.poly.schedulers.interface import Scheduler, SchedulerOptions
from polyopt.poly.schedulers.names import all_schedulers, is_scheduler, scheduler_named
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.poly.transform.ordering import interchange
from polyopt.poly.transform.places import CannotTransform, single_loops
from polyopt.poly.violations import Violation
from polyopt.support.core_model import CoreCosts
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.target import Target

VERSION = "1.2"

__all__ = [
    "VERSION",
    "Access",
    "AccessMatrices",
    "Array",
    "Band",
    "CannotTransform",
    "CompileError",
    "CoreCosts",
    "Dependences",
    "Estimate",
    "Leaf",
    "Mark",
    "Member",
    "Part",
    "Program",
    "Run",
    "Schedule",
    "Scheduler",
    "SchedulerOptions",
    "Scop",
    "Statement",
    "Straight",
    "Target",
    "Touched",
    "Tree",
    "Violation",
    "build_schedule",
    "compile",
    "dependences",
    "interchange",
    "is_legal",
    "loops",
    "members_below",
    "native",
    "parse_scop",
    "read_tree",
    "reschedule",
    "schedule",
    "schedulers",
    "scops",
    "single_loops",
    "steps_of",
    "violations",
]

Given = str | os.PathLike[str] | ModuleOp
"""C text, the name of a file in C or MLIR, or a module of xDSL, which is not changed."""

Options = str | Sequence[str]
"""Options of `polyopt-cc`, as a list or as one text."""


def compile(source: Given, options: Options = "-O3") -> Program:
    """The functions of the source, callable from Python. Raises CompileError."""
    return compile_source(_source(source), _settings(options))


def native(source: Given, product: str = "obj", options: Options = "-O3") -> str | bytes:
    """The source as an object file's bytes ("obj"), or as the text of "asm", "llvm", or any level
    of the compiler ("affine", "scf", …). Raises CompileError."""
    if product not in PRODUCTS:
        raise ValueError(f"unknown product '{product}': expected one of {', '.join(PRODUCTS)}")
    return produce(_source(source), _settings(options), product, lambda _: None)


def schedule(
    source: Given, scop: str | None = None, options: Options = "-O3", script: str = ""
) -> Schedule:
    """The loops of the source, to be transformed by hand: those of the function `scop` ("f:2" for
    the second part of it); none needs naming where there is only one. They start in the order of
    the source, or as `--poly=` says. `script` is applied at once. Raises CompileError."""
    return schedule_source(_source(source), scop, options, script)


def scops(source: Given, options: Options = "-O3") -> Mapping[str, Scop]:
    """The SCoPs that are found in the source, by name: the function's, numbered from the second
    on. Their schedules are the order of the source. Raises CompileError."""
    unit = parse(_source(source), _settings(options), SourceMap())
    lower(unit, "poly")
    found = [read_scop(op) for op in unit.module.walk() if isinstance(op, ScopOp)]
    return {scop.name: scop for scop in found}


def dependences(scop: Scop, *, reassociate: bool = False) -> Dependences:
    """Of the order that the SCoP has; `reassociate`: the updates of an accumulator are free."""
    return compute_dependences(scop, reassociate=reassociate)


def schedulers() -> tuple[str, ...]:
    """The names of all schedulers, those of other packages included."""
    return all_schedulers()


def reschedule(
    scop: Scop, scheduler: str, kept: Dependences | None = None, **options: Any
) -> isl.Schedule:
    """The order that the named scheduler finds; `options` are fields of `SchedulerOptions`. Raises
    ValueError for an unknown scheduler, or where the order breaks a dependence."""
    if not is_scheduler(scheduler):
        raise ValueError(f"unknown scheduler '{scheduler}': one of {', '.join(all_schedulers())}")
    given = dependences(scop) if kept is None else kept
    found = scheduler_named(scheduler)(scop, given, SchedulerOptions(**options))
    broken = violations(scop, found, given)
    if broken:
        raise ValueError(f"the order of '{scheduler}' is illegal: {broken[0]}")
    return found


def violations(
    scop: Scop, order: isl.Schedule, kept: Dependences | None = None
) -> Sequence[Violation]:
    """The dependences that the order breaks, each with a pair of instances; none: it is legal."""
    return check_schedule(scop, dependences(scop) if kept is None else kept, order)


def loops(scop: Scop, order: isl.Schedule | None = None) -> str:
    """The loops that run the SCoP in this order, in the manner of C; its own if none is given.
    What is parallel is said. Raises ValueError where no loops are found that are right."""
    given = scop.schedule if order is None else order
    nodes = generate_loops(scop, dependences(scop), given)
    if nodes is None:
        raise ValueError("no loops can be made of this order")
    return loop_text(nodes)


def _settings(options: Options) -> Settings:
    return read_settings(shlex.split(options) if isinstance(options, str) else options)


def _source(given: Given) -> Source:
    if not isinstance(given, ModuleOp):
        return source_of(given)
    stream = StringIO()
    Printer(stream, print_generic_format=True, print_debuginfo=True).print_op(given)
    return Source("<module>", stream.getvalue(), is_module=True)
