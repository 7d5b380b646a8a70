"""Branches around plain computation become selections."""

from __future__ import annotations

from itertools import combinations

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import SELDOM, memref_type
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.idioms.cursors import stepping_arm
from polyopt.ir.idioms.records import find_record
from polyopt.passes.prepare.branches.block_editing import keep_written_anew, merge_on
from polyopt.passes.prepare.branches.common_stores import sink_common_stores
from polyopt.passes.prepare.branches.condition_chains import merge_conditions
from polyopt.passes.prepare.branches.conditional_extremes import keeps_best
from polyopt.passes.prepare.branches.converted_branches import convert
from polyopt.passes.prepare.branches.element_places import Places, lies_between
from polyopt.passes.prepare.branches.elements_beside import lies_beside
from polyopt.passes.prepare.branches.greatest_places import keep_greatest_places
from polyopt.passes.prepare.branches.hammocks import (
    ElementName,
    Hammock,
    compute_common_first,
    depends_on_data,
    find_hammock,
    just_loaded,
    place_of,
    take_over_loaded,
)
from polyopt.passes.prepare.branches.handed_on import hand_on_stored, just_stored
from polyopt.passes.prepare.branches.nested_choices import are_branches_to_llvm
from polyopt.passes.prepare.branches.selected_values import is_cheap_anywhere
from polyopt.passes.prepare.branches.sunk_updates import sink_updates
from polyopt.passes.prepare.ssa_construction import find_variables, promote
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class IfConvertPass(ModulePass):
    """Small diamonds and triangles without effects become `arith.select`.

    An operation moves out of its branch if it may run anywhere. A load does if the same element
    has just been loaded, by the same place or one that is loaded itself, or ones before and behind
    it, or is stored by both arms, or lies in an array as large as another one of which the element
    there is accessed in any case (`elements_beside.py`). A store does if both arms store to the
    same place (behind them, where one stores more: `common_stores.py`), or it has just been stored
    to (what is stored and loaded again is a value by then: `handed_on.py`), or, under a condition
    on data, if it is to a local variable, whose old value is then stored again; what is added to
    one is chosen, and always added (`conditional_updates.py`), under the condition where it may not
    be computed anywhere (`sunk_updates.py`). Conditions that are tested one after the other and may
    be computed anywhere are one. What hardly ever runs stays a branch (`cmem.seldom`), and so does
    the search for the place of an extremum, `if (a[i] > a[at]) at = i`: as a selection each
    iteration would wait for the load of the one before; and so does the step of a parser's cursor,
    `if (*p == '-') p++` (`ir/idioms/cursors.py`). The last place where something held is the
    greatest of these places (`greatest_places.py`).

    Requires: equal values are shared (clean-values), so that equal places are seen to be equal.
    Ensures: no operation runs that could trap or be observed and did not run before. Variables of
    which each load has its store before it in its block by now are values.

        %c = arith.cmpf olt, %a, %b               %c = arith.cmpf olt, %a, %b
        cf.cond_br %c, ^join(%a), ^else           %m = arith.select %c, %a, %b
      ^else:                                ->
        cf.br ^join(%b)
      ^join(%m: f64):
    """

    name = "if-convert"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            convert_branches(function)


def convert_branches(function: func.FuncOp) -> None:
    """What the pass does, in one function that has a body."""
    entry = function.body.blocks.first
    assert entry is not None
    variables = _Variables()
    for block in reversed(reverse_postorder(entry)):
        if block.parent is function.body:
            _convert_at(block, variables)
    loops = ControlFlow(function.body).loops
    for block in reversed(reverse_postorder(entry)):
        if block.parent is function.body:
            is_in_nest = not _is_alone(loops.innermost(block))
            _sink_updates_at(block, variables, is_in_nest=is_in_nest)
    flow = ControlFlow(function.body)
    promote(flow, [one for one in find_variables(flow).values() if not one.exposed])
    keep_greatest_places(flow)


def _convert_at(block: Block, variables: _Variables) -> None:
    """Inner branches have been converted; what a conversion joins may end in a branch again."""
    while True:
        block = merge_on(block)
        hammock = find_hammock(block)
        if hammock is None:
            if merge_conditions(block, False, selects=variables):
                continue
            return
        is_by_data = depends_on_data(hammock.branch.cond)
        is_left_to_us = is_by_data and are_branches_to_llvm(hammock)
        if is_by_data:
            take_over_loaded(hammock)
            compute_common_first(hammock)
            for arm in (hammock.then, hammock.orelse):
                hand_on_stored(hammock.arm_ops(arm), variables)
        if _can_convert(hammock, variables):
            if is_left_to_us:
                keep_written_anew(block)
            stored = just_stored(hammock.branch, variables)
            convert(hammock, stored)
            if stored:
                hand_on_stored(block.ops, variables)
        elif not is_by_data or not _sink_stores(hammock, variables):
            if any(keeps_best(hammock.arm_ops(arm)) for arm in (hammock.then, hammock.orelse)):
                keep_written_anew(block)  # LLVM sees no extreme in two branches
            return


def _is_alone(loop: NaturalLoop | None) -> bool:
    """Neither in another one nor around one."""
    return loop is not None and loop.depth == 1 and not loop.children


def _sink_updates_at(block: Block, variables: _Variables, *, is_in_nest: bool) -> None:
    """Conditions that are tested one after the other are one by now."""
    hammock = find_hammock(block)
    if hammock is None or SELDOM in hammock.branch.attributes or _waits_for_load(hammock.branch):
        return
    if depends_on_data(hammock.branch.cond) and sink_updates(
        hammock, variables, is_in_nest=is_in_nest
    ):
        merge_on(hammock.join)


def _sink_stores(hammock: Hammock, variables: _Variables) -> bool:
    if SELDOM in hammock.branch.attributes or _waits_for_load(hammock.branch):
        return False
    known = set(just_loaded(hammock.branch))
    return sink_common_stores(hammock, lambda op: _may_move(op, known, variables))


def _can_convert(hammock: Hammock, variables: _Variables) -> bool:
    if SELDOM in hammock.branch.attributes or _waits_for_load(hammock.branch):
        return False
    then, orelse = hammock.arm_ops(hammock.then), hammock.arm_ops(hammock.orelse)
    computed = sum(map(_computes, (*then, *orelse)))
    if computed > max(CORE.code.selected, CORE.code.counted):
        return False
    then_stores, else_stores = (_stores_at_end(ops, variables) for ops in (then, orelse))
    if then_stores is None or else_stores is None:
        return False
    counts = [store for one in (then_stores, else_stores) for store in one.values()]
    is_counted = bool(counts) and all(_is_count(store, variables) for store in counts)
    if computed > (CORE.code.counted if is_counted else CORE.code.selected):
        return False
    places = then_stores.keys() | else_stores.keys()
    if places and not depends_on_data(hammock.branch.cond):
        return False
    elements = [place for place in places if place not in variables]
    stored = just_stored(hammock.branch, variables)
    always = {place for place in places if place in then_stores and place in else_stores}
    if any(place not in always and place not in stored for place in elements):
        return False
    if len(elements) > 1 and not (stored and _are_all_apart(elements)):
        return False
    known = {*just_loaded(hammock.branch), *places, *stored}
    return all(
        _may_move(op, known, variables)
        or (isinstance(op, memref.LoadOp) and lies_beside(op, hammock))
        for op in (*then, *orelse)
    )


def _are_all_apart(places: list[ElementName]) -> bool:
    """Stored in another order they hold the same."""
    found = Places()
    return all(found.are_apart(one, other) for one, other in combinations(places, 2))


def _is_count(store: memref.StoreOp, variables: _Variables) -> bool:
    """Is an integer added to a variable? Lanes count under any conditions."""
    return place_of(store) in variables and isinstance(store.value.owner, arith.AddiOp)


def _computes(op: Operation) -> bool:
    return not isinstance(op, memref.LoadOp | memref.StoreOp | arith.ConstantOp)


def _waits_for_load(branch: cf.ConditionalBranchOp) -> bool:
    """The branch decides which element is loaded next, and is predicted: the search for a record
    seldom changes it, and a parser's cursor steps over what its grammar has there."""
    found = find_record(branch)
    if found is not None:
        return not found.keeps_best
    return stepping_arm(branch) is not None


def _may_move(op: Operation, known: set[ElementName], variables: _Variables) -> bool:
    if isinstance(op, memref.StoreOp):
        return True
    if isinstance(op, memref.LoadOp):
        place = place_of(op)
        return place in known or place in variables or lies_between(place, known)
    return is_cheap_anywhere(op)


def _stores_at_end(
    ops: list[Operation], variables: _Variables
) -> dict[ElementName, memref.StoreOp] | None:
    """Where an arm stores what; None if it stores before it loads what may be that, or twice to one
    place. What is stored to a variable only loads of it can see."""
    stores: dict[ElementName, memref.StoreOp] = {}
    for op in ops:
        if isinstance(op, memref.StoreOp):
            if place_of(op) in stores:
                return None
            stores[place_of(op)] = op
        elif isinstance(op, memref.LoadOp) and stores:
            is_hidden = place_of(op) in variables or all(place in variables for place in stores)
            if place_of(op) in stores or not is_hidden:
                return None
    return stores


class _Variables:
    """The scalars of a function that nobody else can see: they may be loaded and stored where C
    does not. Each is looked at once: it is one whatever branches are converted."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, bool] = {}

    def __contains__(self, place: ElementName) -> bool:
        slot = place[0]
        if slot not in self._known:
            self._known[slot] = _is_variable(slot)
        return self._known[slot]


def _is_variable(slot: SSAValue) -> bool:
    if not isinstance(slot.owner, memref.AllocaOp) or memref_type(slot).get_num_dims():
        return False
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.operation.memref is slot)
        for use in slot.uses
    )
