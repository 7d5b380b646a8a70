"""poly-export-jscop, poly-import-jscop: SCoPs and schedules to Polly and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.passes.schedule.exchange_files import (
    chosen_scops,
    file_of,
    files_to_import,
    put,
    read_text,
)
from polyopt.passes.schedule.imported import import_dates
from polyopt.passes.schedule.problem import read_problem
from polyopt.poly.exchange.correspondence import corresponding_arrays, corresponding_names
from polyopt.poly.exchange.jscop import Jscop, jscop_text, parse_jscop
from polyopt.poly.exchange.jscop_scop import disagreement, jscop_of
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark

_FLOATS = {
    "f16": "half",
    "bf16": "bfloat",
    "f32": "float",
    "f64": "double",
    "f80": "x86_fp80",
    "f128": "fp128",
}


def _suffix(postfix: str) -> str:
    return f"jscop.{postfix}" if postfix else "jscop"


@dataclass(frozen=True)
class PolyExportJscopPass(ModulePass):
    """Write each SCoP, or the one named `scop`, as Polly writes it: `<function>___<scop>.jscop`
    in the folder `dir` ("-": standard output), with `.<postfix>` behind it.

    `like` is a file that Polly exported of the same loops. Then the file gets Polly's names for
    everything, so that Polly imports the schedule; it is named as the other one is.
    The module is not changed.

        poly-export-jscop{scop=kernel_gemm like="kernel_gemm___%4---%32.jscop" postfix=ours}
    """

    name = "poly-export-jscop"

    dir: str = "."
    postfix: str = ""
    scop: str | None = None
    like: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = chosen_scops(op, self.scop)
        if self.like is not None and len(scops) != 1:
            raise CompileError(
                f"{self.name}: like={self.like} is about one SCoP, there are {len(scops)}",
                hint="choose one with scop=NAME",
            )
        for scop in scops:
            jscop, name = jscop_of_op(scop), file_of(scop, _suffix(self.postfix))
            if self.like is not None:
                model = parse_jscop(read_text(self.like), self.like)
                jscop = _in_names_of(model, jscop, self.like)
                name = Path(self.like).name + (f".{self.postfix}" if self.postfix else "")
            put(self.dir, name, jscop_text(jscop))


@dataclass(frozen=True)
class PolyImportJscopPass(ModulePass):
    """Give each SCoP the schedule in its JSCoP file: `file`, or that in the folder `dir` under
    the name that poly-export-jscop gives it. `scop` names the only SCoP that is meant.

    A file by Polly, with Polly's names, does where its statements are ours. Ensures: the schedule
    keeps every dependence; a file that says anything else of the SCoP than its operations do, an
    access that was changed for one, is an error.

        poly-import-jscop{dir=edited}
    """

    name = "poly-import-jscop"

    dir: str = "."
    postfix: str = ""
    scop: str | None = None
    file: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = chosen_scops(op, self.scop)
        for scop, file in files_to_import(scops, self.file, self.dir, _suffix(self.postfix)):
            jscop = _in_our_names(jscop_of_op(scop), parse_jscop(read_text(file), file), file)
            dates = {one.name: one.schedule for one in jscop.statements}
            import_dates(read_problem(scop), dates, file)


def jscop_of_op(op: ScopOp) -> Jscop:
    types = {
        name.data: _type_name(memref_type(value).element_type)
        for value, name in zip(op.arrays, op.array_names, strict=True)
    }
    scop = read_scop(op)
    spans = [statement.span for statement in scop.statements if statement.span is not None]
    if not spans:
        return jscop_of(scop, types)
    lines = sorted(span.line for span in [*spans, *filter(None, [span_of(op)])])
    return jscop_of(scop, types, f"{spans[0].file}:{lines[0]}-{lines[-1]}")


def _type_name(element: Attribute) -> str:
    """LLVM's name of the type; pointers are opaque."""
    if isinstance(element, IntegerType | IndexType):
        return "i64" if isinstance(element, IndexType) else f"i{element.bitwidth}"
    return _FLOATS.get(str(element), "ptr")


def _in_our_names(ours: Jscop, theirs: Jscop, file: str) -> Jscop:
    """`theirs` with our names, whether or not it has them already; CompileError if it is about
    something else."""
    if {one.name for one in ours.statements} == {one.name for one in theirs.statements}:
        problem = disagreement(ours, theirs)
        if problem is not None:
            raise CompileError(
                f"{file}: {problem}", hint="of a file that is imported only schedules may change"
            )
        return theirs
    names = corresponding_names(ours, theirs)
    if isinstance(names, str):
        raise CompileError(f"{file}: not the SCoP '{ours.name}': {names}")
    arrays = corresponding_arrays(ours, theirs, names)
    if not arrays.is_complete:
        others = ", ".join(arrays.theirs_alone + arrays.ours_alone)
        message = f"in {file} the accesses to {others} are not the same"
        remark("analysis", "foreign-accesses", message, function=ours.name)
    return replace(theirs, statements=tuple(map(names.of_statement, theirs.statements)))


def _in_names_of(model: Jscop, ours: Jscop, file: str) -> Jscop:
    """`model` with our schedule."""
    names = corresponding_names(ours, model)
    if isinstance(names, str):
        raise CompileError(f"{file}: not the SCoP '{ours.name}': {names}")
    back = names.inverse()
    dates = {
        back.statements[one.name]: back.of_relation(one.schedule.intersect_domain(one.domain))
        for one in ours.statements
    }
    space: isl.Space = model.context.get_space()
    return replace(
        model,
        statements=tuple(
            replace(one, schedule=dates[one.name].align_params(space).gist_domain(one.domain))
            for one in model.statements
        ),
    )
