"""C text as prepared source IR."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.passes.prepare.branches.drop_conditions import DropConditionsPass
from polyopt.passes.prepare.branches.if_convert import IfConvertPass
from polyopt.passes.prepare.branches.structure_branches import StructureBranchesPass
from polyopt.passes.prepare.loop_forms.count_float_loops import CountFloatLoopsPass
from polyopt.passes.prepare.loop_forms.merge_counters import MergeCountersPass
from polyopt.passes.prepare.loop_forms.simplify_loops import SimplifyLoopsPass
from polyopt.passes.prepare.values.clean_values import CleanValuesPass
from polyopt.passes.prepare.variables.promote_scalars import PromoteScalarsPass
from polyopt.passes.prepare.variables.split_locals import SplitLocalsPass
from polyopt.support.diagnostics import SourceMap

PREPARE = (
    PromoteScalarsPass(),
    SplitLocalsPass(),
    CountFloatLoopsPass(),
    CleanValuesPass(),
    MergeCountersPass(),
    DropConditionsPass(),
    IfConvertPass(),
    StructureBranchesPass(),
    SimplifyLoopsPass(),
)


def source_module(text: str) -> ModuleOp:
    return parse_c(text, "test.c", CFrontendOptions(), SourceMap())


def prepare(module: ModuleOp) -> ModuleOp:
    context = Context()
    for step in PREPARE:
        step.apply(context, module)
    module.verify()
    return module


def prepare_all(module: ModuleOp) -> ModuleOp:
    """With every scalar promoted."""
    PromoteScalarsPass(all=True).apply(Context(), module)
    return prepare(module)


def function_named(module: ModuleOp, name: str = "f") -> func.FuncOp:
    functions = (op for op in module.ops if isinstance(op, func.FuncOp))
    return next(f for f in functions if f.sym_name.data == name)
