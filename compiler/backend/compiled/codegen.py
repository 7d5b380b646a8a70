"""From LLVM IR text to optimised IR, assembly, object code: all that goes through llvmlite.

LLVM's own pipelines (new pass manager) run at the level asked for; the optimiser and the code
generator see one target machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.around_llvm.across_calls import may_carry_across, with_values_kept
from polyopt.backend.around_llvm.aligned_spills import with_aligned_spills
from polyopt.backend.around_llvm.detours import (
    NO_IMPLICIT_VECTORS,
    functions_with_detours,
)
from polyopt.backend.around_llvm.doubled_terms import may_double, with_fused_doubles
from polyopt.backend.around_llvm.even_branches import may_be_even, with_even_branches
from polyopt.backend.around_llvm.extremes import has_extremes, with_selections
from polyopt.backend.around_llvm.feedback_bits import may_feed_back, with_selected_feedback
from polyopt.backend.around_llvm.fresh_conversions import may_wait_for_calls, with_fresh_conversions
from polyopt.backend.around_llvm.limits import may_limit, with_branches_at_limits
from polyopt.backend.around_llvm.masks_apart import most_lanes, shares_masks, with_masks_apart
from polyopt.backend.around_llvm.paired_stores import with_paired_stores
from polyopt.backend.around_llvm.plain_addresses import with_plain_addresses
from polyopt.backend.around_llvm.plain_counters import with_plain_counters
from polyopt.backend.around_llvm.sines_with_cosines import may_pair, with_pairs
from polyopt.backend.around_llvm.single_lanes import has_narrow_masked_stores, with_single_lanes
from polyopt.backend.around_llvm.stored_lanes import with_stored_lanes_apart
from polyopt.backend.around_llvm.superword import takes_words_apart
from polyopt.backend.compiled.instructions import check_instructions, check_outside
from polyopt.backend.emit import emit_module
from polyopt.backend.processors.options import LLVM_VERSIONS, TRIPLE, BackendOptions
from polyopt.support.diagnostics import CompileError

if TYPE_CHECKING:
    from llvmlite.binding import ModuleRef, TargetMachine

_MASKED = "llvm.masked.load."


@cache
def target_machine(options: BackendOptions) -> TargetMachine:
    """The machine that code is generated for; position-independent, as Linux wants it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    cpu, features = options.cpu()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=cpu, features=features, opt=options.opt_level, reloc="pic", codemodel="small"
    )


def parse_ir(text: str) -> ModuleRef:
    """The verified LLVM module; what LLVM refuses is an error of the module we were given.

    In LLVM's global context: a context of its own could be freed before the module, when the
    garbage collector finds both in a cycle (the traceback of an error is enough)."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise CompileError(
            f"LLVM refuses the module: {str(error).strip()}",
            hint="the input IR breaks a rule that no verifier before this one checks",
        ) from error
    return module


def optimise(module: ModuleRef, options: BackendOptions, *, superwords: bool = True) -> None:
    """Run LLVM's pipeline of this level, in place; `superwords`: with vectors of straight code."""
    import llvmlite.binding as llvm

    tuning = llvm.create_pipeline_tuning_options(speed_level=options.opt_level)
    at_least_2 = options.opt_level >= 2
    tuning.loop_vectorization = options.loop_vectorize and at_least_2
    tuning.loop_interleaving = options.loop_vectorize and at_least_2
    tuning.slp_vectorization = superwords and options.slp_vectorize and at_least_2
    tuning.loop_unrolling = options.unroll_loops
    builder = llvm.create_pass_builder(target_machine(options), tuning)
    builder.getModulePassManager().run(module, builder)


def build_llvm(module: ModuleOp, options: BackendOptions, file: str = "") -> ModuleRef:
    """The module in LLVM's hands, optimised; `file`: the source that it comes from."""
    text = emit_module(module, options, file=file, vectorised_later=options.opt_level >= 2)
    check_instructions(module, target_machine(options))
    lowered, printed = _optimised(text, options, superwords=not takes_words_apart(module))
    finished = _with_chosen_stores(_with_conversions(lowered, options), options)
    return _as_code_needs_it(finished, text, options, printed if finished is lowered else None)


def _optimised(
    text: str, options: BackendOptions, *, superwords: bool
) -> tuple[ModuleRef, str | None]:
    """What LLVM makes of the text, and how LLVM prints that, if it had to; once more where vectors
    of straight code do harm (`detours.py`)."""
    module = parse_ir(text)
    optimise(module, options, superwords=superwords)
    if not superwords or options.opt_level < 2:
        return module, None
    printed = str(module)
    without = functions_with_detours(text, printed)
    if not without:
        return module, printed
    module = parse_ir(text)
    for function in module.functions:
        if function.name in without:
            function.add_function_attribute(NO_IMPLICIT_VECTORS)
    optimise(module, options, superwords=superwords)
    return module, None


_Change = tuple[bool, Callable[[str], str]]
"""Whether it is wanted, and what it makes of a module."""


def _as_code_needs_it(
    module: ModuleRef, source: str, options: BackendOptions, printed: str | None
) -> ModuleRef:
    """The module with what LLVM's code generator does not know, or makes wrong code of; `source` is
    what it was made of, `printed` its text, if that is known. It goes through text, once for all
    changes."""
    functions = [function.name for function in module.functions]
    calls_count = options.opt_level >= 2
    is_wide = options.target().has_mask_registers
    fresh = partial(with_fresh_conversions, is_wide=is_wide)
    loads_masked = any(name.startswith(_MASKED) for name in functions)
    changes = [
        change
        for is_wanted, change in (
            *(() if is_wide else _in_parts(functions, options)),
            (loads_masked, partial(_masks_apart, options)),
            (has_narrow_masked_stores(functions), with_single_lanes),
            (has_extremes(functions), with_selections),
            (may_be_even(source), with_even_branches),
            (calls_count and may_pair(source), with_pairs),
            (calls_count and may_limit(source), with_branches_at_limits),
            (calls_count and may_double(source), with_fused_doubles),
            (calls_count and may_feed_back(source), with_selected_feedback),
            (calls_count and may_carry_across(source), with_values_kept),
            *(() if is_wide or not calls_count else _of_truncations(source)),
            (calls_count and may_wait_for_calls(source), fresh),
            *(() if is_wide or not calls_count else _of_masks()),
            (calls_count, with_stored_lanes_apart),
            (calls_count, with_plain_counters),
            (calls_count, with_paired_stores),
            (calls_count and options.is_intel, with_plain_addresses),
            (calls_count, with_aligned_spills),
        )
        if is_wanted
    ]
    if not changes:
        return module
    text = changed = printed or str(module)
    for change in changes:
        changed = change(changed)
    return module if changed == text else parse_ir(changed)


def _in_parts(functions: Sequence[str], options: BackendOptions) -> Iterator[_Change]:
    """Without registers for masks, as the two below."""
    from polyopt.backend.around_llvm.load_parts import has_masked_loads, with_load_parts
    from polyopt.backend.around_llvm.store_parts import has_masked_stores, with_store_parts

    has_slow_masks = options.target().slow_masked_stores
    parts = partial(with_store_parts, with_holes=has_slow_masks)
    yield has_masked_stores(functions), parts
    yield has_masked_loads(functions), with_load_parts


def _of_truncations(source: str) -> Iterator[_Change]:
    from polyopt.backend.around_llvm.plain_truncations import may_convert, with_plain_truncations

    yield may_convert(source), with_plain_truncations


def _of_masks() -> Iterator[_Change]:
    from polyopt.backend.around_llvm.blends import with_blends
    from polyopt.backend.around_llvm.whole_masks import with_whole_masks

    yield True, with_whole_masks
    yield True, with_blends


def _with_chosen_stores(module: ModuleRef, options: BackendOptions) -> ModuleRef:
    """The module with branches around stores under masks where these are slow, and behind them what
    is computed for no other use."""
    if not (options.opt_level >= 2 and options.target().slow_masked_stores):
        return module
    import llvmlite.binding as llvm

    from polyopt.backend.around_llvm.chosen_stores import MARK, with_chosen_stores
    from polyopt.backend.around_llvm.store_parts import has_masked_stores

    if not has_masked_stores(function.name for function in module.functions):
        return module

    text = str(module)
    changed = with_chosen_stores(text)
    if changed == text:
        return module
    module = parse_ir(changed)
    sinking = llvm.create_new_function_pass_manager()
    sinking.add_sinking_pass()
    tuning = llvm.create_pipeline_tuning_options(speed_level=options.opt_level)
    builder = llvm.create_pass_builder(target_machine(options), tuning)
    for function in module.functions:
        if any(block.name.startswith(MARK) for block in function.blocks):
            sinking.run(function, builder)
    return module


def _masks_apart(options: BackendOptions, text: str) -> str:
    most = _most_lanes(options) if shares_masks(text) else 0
    return with_masks_apart(text, most) if most else text


@cache
def _most_lanes(options: BackendOptions) -> int:
    machine = target_machine(options)
    return most_lanes(lambda text: machine.emit_assembly(parse_ir(text)))


def _with_conversions(module: ModuleRef, options: BackendOptions) -> ModuleRef:
    """The module with the conversions in place that the vectorisers saw as calls. LLVM unrolls no
    loops with calls; those that it has unrolled say so."""
    from polyopt.backend.emit.float_to_integer import PREFIX, with_conversion_functions

    if not any(function.name.startswith(PREFIX) for function in module.functions):
        return module
    import llvmlite.binding as llvm

    from polyopt.backend.around_llvm.kept_reciprocals import with_kept_reciprocals

    text = with_kept_reciprocals(str(module))
    finished = parse_ir(with_conversion_functions(text, options))
    inliner = llvm.create_new_module_pass_manager()
    inliner.add_always_inliner_pass()
    if options.unroll_loops:
        inliner.add_loop_unroll_pass()
        inliner.add_instruction_combine_pass()
        inliner.add_simplify_cfg_pass()
    tuning = llvm.create_pipeline_tuning_options(speed_level=options.opt_level)
    inliner.run(finished, llvm.create_pass_builder(target_machine(options), tuning))
    return finished


def emit_llvm_ir(
    module: ModuleOp,
    options: BackendOptions | None = None,
    *,
    file: str = "",
    optimised: bool = True,
) -> str:
    """LLVM IR as text: after LLVM's passes, or as we hand it over (verified all the same)."""
    options = options or BackendOptions()
    if optimised and options.llvm_version not in (None, LLVM_VERSIONS[-1]):
        raise CompileError(
            f"what LLVM's passes leave is the text of LLVM {LLVM_VERSIONS[-1]}",
            hint=f"--emit=llvm is LLVM {options.llvm_version}'s, whose opt goes on from there",
        )
    if optimised:
        return str(build_llvm(module, options, file))
    text = emit_module(module, options, file=file)
    parse_ir(text)
    return text


def emit_assembly(
    module: ModuleOp, options: BackendOptions | None = None, *, file: str = ""
) -> str:
    """Assembly in AT&T syntax, for GNU as."""
    options = options or BackendOptions()
    return target_machine(options).emit_assembly(build_llvm(module, options, file))


def emit_object(
    module: ModuleOp, options: BackendOptions | None = None, *, file: str = ""
) -> bytes:
    """An ELF object file."""
    options = options or BackendOptions()
    machine, built = target_machine(options), build_llvm(module, options, file)
    check_outside(module, built, machine)
    return machine.emit_object(built)
