"""What would free a loop that is held: another order of its operations, or a promise.

An advice on the order of floating-point operations is given with what the model expects of it
(`polyopt.driver.observed.advice` asks the model): where sums alone stand against the loop it is
said in any case, where more than that does only if it is worth it.
"""

from __future__ import annotations

from polyopt.poly.picture.obstacles import carried_by, common_elements
from polyopt.poly.picture.updates import only_updates
from polyopt.report.contents import Contents, SourceLoop
from polyopt.report.machine_code import inner_loops
from polyopt.report.membership import Membership, membership, row_of
from polyopt.report.source_names import plain
from polyopt.report.words import NOTHING, freedom, listed, times_as_fast
from polyopt.support.diagnostics import Span

SUMS = "; -fassociative-math (or all of -ffast-math) permits partial sums"
"""What an advice says where nothing but the order of additions stands against a loop."""

ORDER = "The order of the floating-point operations is the source's; -ffast-math permits others"
"""The advice where other operations than sums, too, are carried from iteration to iteration."""

WORTH = 1.2
"""How many times as fast a part must be expected to become for ORDER to be said: below that the
model's estimate says little."""

APART = "If no two iterations touch the same element, '#pragma omp simd' says so (with -fopenmp)."
"""The advice where subscripts are data."""


def advice_on_sums(contents: Contents, found: Membership) -> list[str]:
    """For a loop that no pass has made vectors of, and that LLVM must not reorder."""
    times = dict(contents.gains_of_sums).get(found.view.span) if found.view.span else None
    names = updates_of(found)
    all_sums = {name for one in found.view.statements for name in one.sums}
    sums = plain(contents, found, [name for name in names if name in all_sums])
    if not sums or (times is not None and times < 1 + NOTHING):
        return []
    named = f" in {listed(sums)}" if len(names) > 1 else ""
    kept = f"sum{named} is" if len(sums) == 1 else f"sums{named} are"
    return [f"The {kept} kept in the order of the source{SUMS}{_told(times)}."]


def advice_on_order(contents: Contents, loop: SourceLoop, found: Membership) -> list[str]:
    """For a loop that is held, where it is worth it."""
    times = dict(contents.gains_of_order).get(found.view.span) if found.view.span else None
    if times is None or times < WORTH or not _is_held_by_order(contents, loop, found):
        return []
    return [f"{ORDER}{_told(times)}."]


def parts_held_by_order(contents: Contents) -> set[Span]:
    """The static control parts with a loop that another order might free, if anything does."""
    parts = ((loop, membership(contents, loop)) for loop in contents.loops)
    return {
        found.view.span
        for loop, found in parts
        if found is not None and found.view.span is not None
        if _is_held_by_order(contents, loop, found)
    }


def _is_held_by_order(contents: Contents, loop: SourceLoop, found: Membership) -> bool:
    """Whether it is an innermost loop that carries floating-point values and more than sums, and
    nothing else."""
    if inner_loops(contents, loop) or updates_of(found):
        return False
    row = row_of(found.view.rows_own, found) or row_of(found.view.rows_before, found)
    is_held = row is not None and freedom(row.parallelism)[0] == "held"
    statements = [found.view.statement(name) for name in found.positions]
    return is_held and any(one.rounds for one in statements) and not _waits_for_integers(found)


def _waits_for_integers(found: Membership) -> bool:
    """Whether an iteration needs integers of another one for more than to update them (places in a
    list, states): no order of other operations changes that."""
    pairs = found.view.examples
    if pairs is None:
        return False
    by_name = {one.name: one for one in found.view.statements}
    for one in carried_by(pairs.arrows, found.positions):
        written = by_name[one.source[0]]
        names = {array for array, _ in common_elements(one, pairs.touched, "flow")}
        if "flow" in one.kinds and names & set(written.integers) - set(written.updates):
            return True
    return False


def _told(times: float | None) -> str:
    return "" if times is None else f": {times_as_fast(times)}, as far as the model knows"


def updates_of(found: Membership, *, are_sums_free: bool = True) -> tuple[str, ...]:
    """The arrays that the loop's iterations only update, if that is all that it carries: in any
    order, or with `are_sums_free` if only floating-point sums may be in any order."""
    view = found.view
    updated = {
        one.name: (*one.updates, *(one.sums if are_sums_free else ())) for one in view.statements
    }
    pairs = view.examples
    for some in () if pairs is None else (pairs, *pairs.further):
        if carried_by(some.arrows, found.positions):
            return only_updates(some.arrows, some.touched, found.positions, updated, view.own)
    return ()
