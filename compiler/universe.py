"""What polyopt adds to xDSL's tools: dialects, passes and targets by name, loaded on first use.

One line each, in the order of the data flow. Importing this file imports no other room; a name
is resolved when it is asked for (`tests/test_universe.py` resolves all of them).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.universe import Universe

    POLYOPT_UNIVERSE: Universe

DIALECTS = {
    "cmem": "polyopt.dialects.cmem:CMem",
    "contract": "polyopt.dialects.contract:Contract",
    "ompx": "polyopt.dialects.ompx:OmpX",
    "poly": "polyopt.dialects.poly:Poly",
    "pvec": "polyopt.dialects.pvec:PVec",
    "team": "polyopt.dialects.team:Team",
}

PASSES: dict[str, str] = {
    # openmp
    "check-worksharing": "polyopt.passes.openmp.check_worksharing:CheckWorksharingPass",
    "omp-to-teams": "polyopt.passes.openmp.omp_to_teams:OmpToTeamsPass",
    # prepare
    "tail-calls": "polyopt.passes.prepare.loop_forms.tail_calls:TailCallsPass",
    "promote-scalars": "polyopt.passes.prepare.variables.promote_scalars:PromoteScalarsPass",
    "split-locals": "polyopt.passes.prepare.variables.split_locals:SplitLocalsPass",
    "promote-places": "polyopt.passes.prepare.variables.promote_places:PromotePlacesPass",
    "count-float-loops": (
        "polyopt.passes.prepare.loop_forms.count_float_loops:CountFloatLoopsPass"
    ),
    "reroll-loops": "polyopt.passes.prepare.loop_forms.reroll_loops:RerollLoopsPass",
    "merge-counters": "polyopt.passes.prepare.loop_forms.merge_counters:MergeCountersPass",
    "answer-constants": "polyopt.passes.prepare.values.answer_constants:AnswerConstantsPass",
    "drop-prefetches": "polyopt.passes.prepare.values.drop_prefetches:DropPrefetchesPass",
    "drop-conditions": "polyopt.passes.prepare.branches.drop_conditions:DropConditionsPass",
    "unroll-turns": "polyopt.passes.prepare.loop_forms.unroll_turns:UnrollTurnsPass",
    "clean-values": "polyopt.passes.prepare.values.clean_values:CleanValuesPass",
    "count-bits": "polyopt.passes.prepare.loop_forms.count_bits:CountBitsPass",
    "scan-records": "polyopt.passes.prepare.loop_forms.scan_records:ScanRecordsPass",
    "if-convert": "polyopt.passes.prepare.branches.if_convert:IfConvertPass",
    "inline-calls": "polyopt.passes.prepare.calls.inline_calls:InlineCallsPass",
    "cancel-terms": "polyopt.passes.prepare.values.cancel_terms:CancelTermsPass",
    "expand-powers": "polyopt.passes.prepare.values.expand_powers:ExpandPowersPass",
    "fold-known-elements": "polyopt.passes.prepare.values.known_elements:FoldKnownElementsPass",
    "peel-doublings": "polyopt.passes.prepare.loop_forms.peel_doublings:PeelDoublingsPass",
    "unroll-windows": "polyopt.passes.prepare.loop_forms.unroll_windows:UnrollWindowsPass",
    "structure-branches": (
        "polyopt.passes.prepare.branches.structure_branches:StructureBranchesPass"
    ),
    "inline-functions": "polyopt.passes.prepare.calls.inline_functions:InlineFunctionsPass",
    "known-arguments": "polyopt.passes.prepare.calls.known_arguments:KnownArgumentsPass",
    "mark-pure-calls": "polyopt.passes.prepare.calls.mark_pure_calls:MarkPureCallsPass",
    "split-accesses": "polyopt.passes.prepare.variables.split_accesses:SplitAccessesPass",
    "unify-types": "polyopt.passes.prepare.variables.unify_types:UnifyTypesPass",
    "spread-copies": "polyopt.passes.prepare.variables.spread_copies:SpreadCopiesPass",
    "merge-returns": "polyopt.passes.prepare.branches.merge_returns:MergeReturnsPass",
    "simplify-loops": "polyopt.passes.prepare.loop_forms.simplify_loops:SimplifyLoopsPass",
    "verify-dominance": "polyopt.passes.prepare.values.verify_dominance:VerifyDominancePass",
    # scop
    "print-evolution": "polyopt.passes.scop.print_evolution:PrintEvolutionPass",
    "print-regions": "polyopt.passes.scop.print_regions:PrintRegionsPass",
    "detect-scops": "polyopt.passes.scop.detect_scops:DetectScopsPass",
    "stencil-to-loops": "polyopt.passes.raising.stencil_to_loops:StencilToLoopsPass",
    "raise-to-affine": "polyopt.passes.raising.raise_to_affine:RaiseToAffinePass",
    "affine-to-poly": "polyopt.passes.raising.affine_to_poly:AffineToPolyPass",
    # schedule
    "poly-forward": "polyopt.passes.storage.forward:PolyForwardPass",
    "poly-relocate": "polyopt.passes.storage.relocate:PolyRelocatePass",
    "poly-expand": "polyopt.passes.storage.expand:PolyExpandPass",
    "poly-layout": "polyopt.passes.storage.layout:PolyLayoutPass",
    "poly-split-records": "polyopt.passes.storage.split_records:PolySplitRecordsPass",
    "poly-transpose": "polyopt.passes.storage.transpose:PolyTransposePass",
    "poly-pad-rows": "polyopt.passes.storage.pad_rows:PolyPadRowsPass",
    "poly-schedule": "polyopt.passes.schedule.reschedule:PolySchedulePass",
    "poly-expose-contractions": (
        "polyopt.passes.schedule.expose_contractions:PolyExposeContractionsPass"
    ),
    "poly-isolate-carriers": "polyopt.passes.schedule.isolate_carriers:PolyIsolateCarriersPass",
    "poly-isolate-edges": "polyopt.passes.schedule.isolate_edges:PolyIsolateEdgesPass",
    "poly-tile-written": "polyopt.passes.schedule.tile_written:PolyTileWrittenPass",
    "poly-tile": "polyopt.passes.schedule.tile:PolyTilePass",
    "poly-localize": "polyopt.passes.schedule.localize:PolyLocalizePass",
    "poly-fuse-shifted": "polyopt.passes.schedule.fuse_shifted:PolyFuseShiftedPass",
    "poly-keep-small": "polyopt.passes.schedule.keep_small:PolyKeepSmallPass",
    "poly-export-schedule": "polyopt.passes.exchange.schedule_files:PolyExportSchedulePass",
    "poly-import-schedule": "polyopt.passes.exchange.schedule_files:PolyImportSchedulePass",
    "poly-apply-pragmas": "polyopt.passes.schedule.apply_pragmas:PolyApplyPragmasPass",
    "poly-apply-steps": "polyopt.passes.schedule.apply_steps:PolyApplyStepsPass",
    "poly-interchange": "polyopt.passes.schedule.transformations:PolyInterchangePass",
    "poly-permute": "polyopt.passes.schedule.transformations:PolyPermutePass",
    "poly-strip-mine": "polyopt.passes.schedule.transformations:PolyStripMinePass",
    "poly-tile-loops": "polyopt.passes.schedule.transformations:PolyTileLoopsPass",
    "poly-unroll": "polyopt.passes.schedule.transformations:PolyUnrollPass",
    "poly-skew": "polyopt.passes.schedule.transformations:PolySkewPass",
    "poly-shift": "polyopt.passes.schedule.transformations:PolyShiftPass",
    "poly-reverse": "polyopt.passes.schedule.transformations:PolyReversePass",
    "poly-scale": "polyopt.passes.schedule.transformations:PolyScalePass",
    "poly-fuse": "polyopt.passes.schedule.transformations:PolyFusePass",
    "poly-distribute": "polyopt.passes.schedule.transformations:PolyDistributePass",
    "poly-reorder": "polyopt.passes.schedule.transformations:PolyReorderPass",
    "poly-peel": "polyopt.passes.schedule.transformations:PolyPeelPass",
    "poly-split": "polyopt.passes.schedule.transformations:PolySplitPass",
    "poly-vectorize": "polyopt.passes.schedule.transformations:PolyVectorizePass",
    "poly-parallel": "polyopt.passes.schedule.transformations:PolyParallelPass",
    "poly-export-jscop": "polyopt.passes.exchange.jscop:PolyExportJscopPass",
    "poly-import-jscop": "polyopt.passes.exchange.jscop:PolyImportJscopPass",
    "poly-export-cloog": "polyopt.passes.exchange.cloog:PolyExportCloogPass",
    "poly-export-openscop": "polyopt.passes.exchange.openscop:PolyExportOpenscopPass",
    "poly-import-openscop": "polyopt.passes.exchange.openscop:PolyImportOpenscopPass",
    "poly-export-scoplib": "polyopt.passes.exchange.scoplib:PolyExportScoplibPass",
    "poly-import-scoplib": "polyopt.passes.exchange.scoplib:PolyImportScoplibPass",
    "export-cfg": "polyopt.passes.exchange.export_cfg:ExportCfgPass",
    "poly-export-dot": "polyopt.passes.exchange.export_dot:PolyExportDotPass",
    "poly-check": "polyopt.passes.schedule.check:PolyCheckPass",
    "poly-print-dependences": "polyopt.passes.schedule.print_analyses:PolyPrintDependencesPass",
    "print-dependence-tests": (
        "polyopt.passes.schedule.print_dependence_tests:PrintDependenceTestsPass"
    ),
    "poly-print-parallelism": "polyopt.passes.schedule.print_analyses:PolyPrintParallelismPass",
    "poly-register-tile": "polyopt.passes.schedule.register_tile:PolyRegisterTilePass",
    "poly-print-image": "polyopt.passes.schedule.print_image:PolyPrintImagePass",
    "poly-print-loops": "polyopt.passes.schedule.print_analyses:PolyPrintLoopsPass",
    "poly-print-strides": "polyopt.passes.schedule.print_analyses:PolyPrintStridesPass",
    "poly-keep-batches": "polyopt.passes.schedule.keep_batches:PolyKeepBatchesPass",
    # codegen
    "poly-to-affine": "polyopt.passes.codegen.poly_to_affine:PolyToAffinePass",
    "affine-join-parts": "polyopt.passes.codegen.join_parts:AffineJoinPartsPass",
    # distribute
    "poly-place": "polyopt.passes.distribute.place:PolyPlacePass",
    "mpi-to-calls": "polyopt.passes.distribute.mpi_to_calls:MpiToCallsPass",
    # irregular
    "jam-irregular": "polyopt.passes.irregular.jam_irregular:JamIrregularPass",
    "permute-irregular": "polyopt.passes.irregular.permute_irregular:PermuteIrregularPass",
    # parallel
    "affine-parallelize": ("polyopt.passes.parallel.affine_parallelize:AffineParallelizePass"),
    "parallelize-irregular": (
        "polyopt.passes.parallel.irregular.parallelize_irregular:ParallelizeIrregularPass"
    ),
    "omp-outline": "polyopt.passes.parallel.omp_outline:OmpOutlinePass",
    # loops
    "affine-split-guards": "polyopt.passes.loops.unroll.split_guards:AffineSplitGuardsPass",
    "affine-tile-registers": (
        "polyopt.passes.loops.registers.tile_registers:AffineTileRegistersPass"
    ),
    "affine-batches": "polyopt.passes.loops.batches.batches:AffineBatchesPass",
    "affine-lanes": "polyopt.passes.loops.lanes.lanes:AffineLanesPass",
    "affine-isolate-calls": "polyopt.passes.loops.pieces.isolate_calls:AffineIsolateCallsPass",
    "affine-split-recurrences": (
        "polyopt.passes.loops.pieces.split_recurrences:AffineSplitRecurrencesPass"
    ),
    "affine-narrow": "polyopt.passes.loops.narrow.narrow:AffineNarrowPass",
    "affine-split-residues": "polyopt.passes.loops.unroll.residues:AffineSplitResiduesPass",
    "affine-look-up-rows": "polyopt.passes.loops.memory.look_up_rows:AffineLookUpRowsPass",
    "affine-stage-tables": "polyopt.passes.loops.memory.stage_tables:AffineStageTablesPass",
    "affine-stream": "polyopt.passes.loops.memory.stream:AffineStreamPass",
    "affine-vectorize": "polyopt.passes.loops.vectors.vectorize:AffineVectorizePass",
    "affine-flatten-nests": "polyopt.passes.loops.vectors.flatten_nests:AffineFlattenNestsPass",
    "affine-group-sums": "polyopt.passes.loops.groups.group_sums:AffineGroupSumsPass",
    "affine-interleave-rows": (
        "polyopt.passes.loops.interleave.interleave_rows:AffineInterleaveRowsPass"
    ),
    "compute-in-turns": "polyopt.passes.loops.transfers.compute_in_turns:ComputeInTurnsPass",
    "carry-reads": "polyopt.passes.loops.transfers.carry_reads:CarryReadsPass",
    "affine-peel-masks": "polyopt.passes.loops.interleave.peel_masks:AffinePeelMasksPass",
    "share-transfers": "polyopt.passes.loops.transfers.share_transfers:ShareTransfersPass",
    "lower-transfers": "polyopt.passes.loops.transfers.lower_transfers:LowerTransfersPass",
    "affine-unroll": "polyopt.passes.loops.unroll.unroll:AffineUnrollPass",
    "affine-contract": "polyopt.passes.loops.contract.contract:AffineContractPass",
    "linalg-to-contract": "polyopt.passes.loops.contract.from_linalg:LinalgToContractPass",
    "contract-plan": "polyopt.passes.loops.contract.passes:ContractPlanPass",
    "contract-fuse": "polyopt.passes.loops.contract.passes:ContractFusePass",
    "contract-block": "polyopt.passes.loops.contract.passes:ContractBlockPass",
    "contract-place": "polyopt.passes.loops.contract.passes:ContractPlacePass",
    "contract-to-affine": "polyopt.passes.loops.contract.passes:ContractToAffinePass",
    "drop-buffers": "polyopt.passes.loops.memory.drop_buffers:DropBuffersPass",
    "affine-keep-states": "polyopt.passes.loops.registers.states_apart:AffineKeepStatesPass",
    "hoist-buffers": "polyopt.passes.loops.memory.hoist_buffers:HoistBuffersPass",
    # judge
    "keep-as-written": "polyopt.passes.judge.keep_as_written:KeepAsWrittenPass",
    "time-nests": "polyopt.passes.judge.time_nests:TimeNestsPass",
    "poly-weigh": "polyopt.passes.judge.weigh_source:PolyWeighPass",
    "mark-changing-steps": "polyopt.passes.judge.changing_steps:MarkChangingStepsPass",
    "mark-scattered-stores": "polyopt.passes.judge.scattered_stores:MarkScatteredStoresPass",
    "keep-what-pays": "polyopt.passes.judge.keep_what_pays:KeepWhatPaysPass",
    # lower
    "affine-to-scf": "polyopt.passes.lower.affine_to_scf:AffineToScfPass",
    "forget-facts": "polyopt.passes.lower.forget_facts:ForgetFactsPass",
}

TARGETS = {
    "polyopt-llvm": "polyopt.backend.compiled.ir_target:LLVMTarget",
    "polyopt-asm": "polyopt.backend.compiled.ir_target:AssemblyTarget",
    "polyopt-obj": "polyopt.backend.compiled.ir_target:ObjectTarget",
}


def resolve(place: str) -> Any:
    """The object at "module:name"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _lazily(places: dict[str, str]) -> dict[str, Callable[[], Any]]:
    def closure(place: str) -> Callable[[], Any]:
        return lambda: resolve(place)

    return {name: closure(place) for name, place in places.items()}


def __getattr__(name: str) -> Universe:
    """`POLYOPT_UNIVERSE`, for xDSL's tools: xDSL takes longer to load than all of our own names."""
    if name != "POLYOPT_UNIVERSE":
        raise AttributeError(f"module 'polyopt.universe' has no attribute {name!r}")
    from xdsl.universe import Universe

    return Universe(
        all_dialects=_lazily(DIALECTS),
        all_passes=_lazily(PASSES),
        all_targets=_lazily(TARGETS),
    )
