"""Races as warnings: what happens, two iterations that show it, and the fix in OpenMP's words."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl
from xdsl.dialects import memref
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.locations import span_of
from polyopt.ir.expressions.integer_expr import Unknown
from polyopt.passes.openmp.races.constructs import Construct, SerialView
from polyopt.passes.openmp.races.reaches import Race, Reach, is_one_update
from polyopt.passes.scop.iterators import primary_variable
from polyopt.poly.analysis.races import alike, earlier, meeting
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.diagnostics import Diagnostic

ID = "openmp-races"
_OPERATIONS = 400_000

_PLACES = {
    "loop": "a shared loop",
    "single": "'single'",
    "master": "'master'",
    "section": "a section",
}


def report(view: SerialView, race: Race) -> Diagnostic:
    """The warning, at the construct's line."""
    name = _name(view, race.first.base)
    if race.around is None:
        place = race.second.maker or race.second.construct
        message = f"threads race on '{name}': nothing lets one wait for the other"
        if is_one_update(race.first, race.second):
            message = f"threads race on '{name}': each of them changes it"
        hint = _fix_between(race, name)
    else:
        place = race.around
        together = "that lanes do at once" if place.kind == "simd" else "in different threads"
        message = f"iterations {together} race on '{name}'"
        try:
            with budget("what is missing", _OPERATIONS):
                hint = _fix_inside(view, race, place, name)
        except BudgetExceeded:
            hint = "leave out the pragma, or say whose the variable is"
    return Diagnostic("warning", message, place.span, hint, ID, tuple(_notes(view, race, name)))


def _name(view: SerialView, base: SSAValue) -> str:
    variable = view.shadows.get(base, base)
    if isinstance(variable.owner, cmem.AddressOfOp):
        return variable.owner.symbol.string_value().rpartition(".")[2]
    return variable.name_hint or "memory"


# The two accesses


def _notes(view: SerialView, race: Race, name: str) -> list[Diagnostic]:
    example = race.example
    sizes = ", ".join(
        f"{size} = {value}"
        for key, value in example.parameters.items()
        if (size := _size(race, key)) is not None
    )
    found: list[Diagnostic] = []
    for touch, point in ((race.first, example.first), (race.second, example.second)):
        does = "writes" if touch.is_write else "reads"
        who = _who(race, touch, point)
        element = _element(view, touch, name, example.element)
        text = f"{who} {does} {element} here"
        if found and sizes:
            text += f", where {sizes}"
        found.append(Diagnostic("note", text, span_of(touch.op)))
    return found


def _who(race: Race, touch: Reach, point: Sequence[int]) -> str:
    counters = ", ".join(_counters(race, touch, point))
    if race.around is not None:
        return counters
    maker = touch.maker
    who = "a thread" if maker is None else _PLACES[maker.kind]
    return f"{who} ({counters})" if counters else who


def _counters(race: Race, touch: Reach, point: Sequence[int]) -> list[str]:
    """`i = 3` for each loop around, as far as the C variable's value is known."""
    space, evolution = race.plan.candidate.space, race.plan.candidate.evolution
    texts: list[str] = []
    for loop, value in zip(touch.loops, point, strict=True):
        variable = primary_variable(loop, evolution)
        name = loop.name if variable is None else variable.argument.name_hint or loop.name
        if variable is not None and not variable.counts_by_one:
            start = variable.start.as_constant
            if start is None:
                texts.append(f"iteration {value} of the loop of {name}")
                continue
            value = start + variable.step * value
        elif variable is not None and space.iterators[loop].direction == 1:
            if not space.iterators[loop].start.terms and variable.start.terms:
                texts.append(f"iteration {value} of the loop of {name}")
                continue
        texts.append(f"{name} = {value}")
    return texts


def _size(race: Race, parameter: str) -> str | None:
    """The C name of a parameter that is one variable."""
    for monomial, name in race.plan.candidate.space.parameters.items():
        if name == parameter and len(monomial) == 1 and isinstance(monomial[0], Unknown):
            return monomial[0].value.name_hint
    return None


def _element(view: SerialView, touch: Reach, name: str, element: Sequence[int]) -> str:
    if touch.base in view.shadows:
        return name
    indices = memref_type(touch.op.memref).get_num_dims()
    if indices != len(element):
        return f"an element of {name}" if element else name
    return name + "".join(f"[{index}]" for index in element)


# What to do


def _fix_between(race: Race, name: str) -> str:
    first, second = race.first.maker, race.second.maker
    if is_one_update(race.first, race.second) and first is None:
        clause = f"reduction({_operator(race)}: {name})"
        return f"put it under '#pragma omp critical' or 'atomic', or add {clause}"
    if first is not None and first.nowait:
        return "leave out 'nowait', or put '#pragma omp barrier' between the two"
    if first is not None and first.kind == "section" and second is not None:
        if first.parent is second.parent:
            return "put the two into one section, one behind the other"
    return "put '#pragma omp barrier' between the two"


def _operator(race: Race) -> str:
    update = race.second.update or race.first.update
    return "+" if update is None else update.operator


def _fix_inside(view: SerialView, race: Race, loop: Construct, name: str) -> str:
    is_scalar = race.first.base in view.shadows or not race.example.element
    touches = [one for one in race.touches if loop in one.construct.around()]
    operator = _common_operator(touches) if race.all_seen else None
    if operator is not None and is_scalar:
        return f"add reduction({operator}: {name})"
    if operator is not None and _is_fixed(race, loop):
        where = "" if loop.kind == "simd" else ", or '#pragma omp atomic' in front of it"
        return f"add reduction({operator}: {name}[...]) of the elements that it sums up{where}"
    if race.all_seen and _is_written_first(touches, loop, race):
        is_read = is_scalar and _is_read_elsewhere(view, race.first.base, touches)
        if is_read and all(one.is_write for one in touches):
            return f"add lastprivate({name})"
        if is_read:
            return f"add private({name}), or lastprivate({name}) where its value is used behind"
        return f"add private({name})"
    if loop.kind == "simd":
        distance = _distance(race, loop)
        if distance is not None and distance > 1:
            return f"add safelen({distance}): iterations so far apart depend on each other"
        return "leave out 'simd': an iteration needs what one before it leaves"
    if len(loop.headers) > 1 and _is_within_outermost(race, loop):
        return "leave out 'collapse': the iterations of the outermost loop are independent"
    if all(one.is_write for one in touches):
        return "let one iteration write it, or leave out the pragma"
    return (
        "leave out the pragma: an iteration needs what another one leaves; or put what has to be "
        "in turn under '#pragma omp ordered'"
    )


def _common_operator(touches: Sequence[Reach]) -> str | None:
    """All accesses belong to updates by one operator."""
    updates = [one.update for one in touches if one.is_write]
    operators = {None if update is None else update.operator for update in updates}
    loads = {update.load for update in updates if update is not None}
    if len(operators) != 1 or any(not one.is_write and one.op not in loads for one in touches):
        return None
    return operators.pop()


def _is_fixed(race: Race, loop: Construct) -> bool:
    """The elements do not depend on the loop's own counters: each iteration updates the same."""
    place = race.first.loops
    return all(
        not race.first.instances.relation.is_empty() and not _hangs_on(race.first, number)
        for number, one in enumerate(place)
        if one.header in loop.headers
    )


def _hangs_on(touch: Reach, dimension: int) -> bool:
    relation = touch.instances.relation
    return relation.involves_dims(isl.dim_type.in_, dimension, 1)


def _is_written_first(touches: Sequence[Reach], loop: Construct, race: Race) -> bool:
    """What an iteration reads it has written before."""
    headers = [number for number, one in enumerate(race.first.loops) if one.header in loop.headers]
    if not headers:
        return False
    count = headers[-1] + 1
    for read in touches:
        if read.is_write:
            continue
        missing = read.instances.domain
        for write in touches:
            if write.is_write:
                a, b = write.instances, read.instances
                before = meeting(a, b).intersect(earlier(a, b)).intersect(alike(a, b, count))
                missing = missing.subtract(before.range())
        if not missing.is_empty():
            return False
    return any(one.is_write for one in touches)


def _is_read_elsewhere(view: SerialView, base: SSAValue, touches: Sequence[Reach]) -> bool:
    variable = view.shadows.get(base)
    if variable is None:
        return True
    inside = {view.originals[one.op] for one in touches if one.op in view.originals}
    return view.reads.get(variable, 0) > sum(isinstance(op, memref.LoadOp) for op in inside)


def _distance(race: Race, loop: Construct) -> int | None:
    """How many iterations are at least between the two."""
    if len(loop.headers) != 1:
        return None
    position = next(n for n, one in enumerate(race.first.loops) if one.header in loop.headers)
    first, second = (
        one.instances.prefix(position + 1).project_out(isl.dim_type.out, 0, position)
        for one in (race.first, race.second)
    )
    ways = race.pairs.apply_domain(first).apply_range(second).deltas().project_out_all_params()
    direction = race.plan.candidate.space.iterators[race.first.loops[position]].direction
    least = ways.dim_min_val(0) if direction > 0 else ways.dim_max_val(0).neg()
    return least.to_python() if least.is_int() else None


def _is_within_outermost(race: Race, loop: Construct) -> bool:
    """No race is between two iterations of the nest's outermost loop."""
    position = next(n for n, one in enumerate(race.first.loops) if one.header is loop.headers[0])
    same = alike(race.first.instances, race.second.instances, position + 1)
    return race.pairs.is_subset(same)
