"""What is said of a static control part as a whole, with its first loop.

What it takes to run it: run-time checks, memory; what the model expects of it, or why the judge has
given it back; and how long it took, where it was measured.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.report.contents import Contents, SourceLoop
from polyopt.report.left_loops import GIVEN_UP
from polyopt.report.membership import Membership, membership
from polyopt.report.speed import speed_words
from polyopt.report.words import NOTHING, sentence, times_as_fast
from polyopt.support.diagnostics import Span
from polyopt.support.remarks import Remark

PAYS = "pays"
"""The remark of the judge that what was made of a static control part is kept."""

CHECKED = "behind a run-time check"
"""What is asked before loops run that were made; the names of loops may stand in front."""

OF_PARTS = ("checked-overlap", "poly-keep-small", "poly-tile-written")
"""The remarks about all loops of a static control part that are told with its first one."""


def of_the_part(contents: Contents, found: Membership, *, is_changed: bool) -> list[str]:
    """What is true of all of it. `is_changed`: of a loop in it is told what was done."""
    view = found.view
    told = [
        sentence(f"{CHECKED}{one.message.partition(CHECKED)[2]}")
        if CHECKED in one.message
        else sentence(one.message)
        for one in contents.remarks
        if one.id in OF_PARTS and one.span is not None and one.span == view.span
    ]
    told = list(dict.fromkeys(told))
    nests = len(_nests(contents, found))
    dropped = given_back(contents, found)
    judged = dropped or remark_at(contents.remarks, view.span, (PAYS,))
    how = "" if is_changed else _in_the_old_order(told)
    told = [_of_all(text, nests, is_asked=dropped is None) for text in told]
    if judged is not None:
        told += _worth(judged, nests, how)
    if view.measured is not None:
        told += speed_words(view.measured, contents.machine)
    return told


def _of_all(text: str, nests: int, *, is_asked: bool) -> str:
    """What a run-time check asks, said with the first of several nests: it is about them all. Of
    loops that stay as they were written none is asked, but what is said of them holds only then."""
    if not text.lower().startswith(CHECKED):
        return text
    if not is_asked:
        of = f"All this, here and in {_the_others(nests)}," if nests > 1 else "All this"
        return f"{of} where {text[len(CHECKED) :].removeprefix(' that ')}"
    return text if nests <= 1 else f"With {_the_others(nests)} {text[:1].lower()}{text[1:]}"


def _the_others(nests: int) -> str:
    return "the next nest" if nests == 2 else f"the next {nests - 1} nests"


def _nests(contents: Contents, found: Membership) -> list[SourceLoop]:
    """The loops of the static control part that are in no other one of its own."""
    loops = [one for one in contents.loops if _is_in(contents, one, found)]
    return [a for a in loops if not any(b is not a and b.encloses(a.start) for b in loops)]


def _is_in(contents: Contents, loop: SourceLoop, found: Membership) -> bool:
    part = membership(contents, loop)
    return part is not None and part.number == found.number


def _in_the_old_order(told: Sequence[str]) -> str:
    """What makes loops faster that run as they were written: `told` names what is checked."""
    if any(text.lower().startswith(CHECKED) for text in told):
        return "in the source's order, with arrays that are known to be apart"
    return "made anew in the source's order"


def _worth(judged: Remark, nests: int, how: str) -> list[str]:
    """What the judge has found: its own words where loops stay as they were written; nothing where
    what was made is as good. `how`: by what, where no loop says so."""
    numbers = dict(judged.numbers)
    if judged.id != PAYS:
        return [sentence(judged.message)]
    times = numbers["source_cycles"] / numbers["cycles"] if numbers.get("cycles") else 1.0
    if abs(times - 1) < NOTHING:
        return []
    told = f"{times_as_fast(times)} as it was written, as far as the model knows"
    if nests > 1:
        told = told.replace("it was", "they were")
        how = f"the {nests} nests from here on together{f', {how}' if how else ''}"
    return [sentence(f"{how}: {told}" if how else told)]


def given_back(contents: Contents, found: Membership) -> Remark | None:
    """Why the nest is not as it was made, where the judge has kept it nowhere: of a function that
    is in several others there may be several."""
    span = found.view.span
    if remark_at(contents.remarks, span, (PAYS,)) is not None:
        return None
    return remark_at(contents.remarks, span, (GIVEN_UP,))


def remark_at(remarks: Sequence[Remark], span: Span | None, ids: Sequence[str]) -> Remark | None:
    return next((one for one in remarks if one.id in ids and one.span == span), None)
