"""Each loop of the source in a sentence: what was done with it, or what stands against it.

What is said of the order, of tiles and of independence is read off the schedule trees; vectors,
lanes and threads are told by the passes that make them.
"""

from __future__ import annotations

from dataclasses import replace

from polyopt.report.advice import SUMS, advice_on_order
from polyopt.report.contents import Contents, SourceLoop
from polyopt.report.freedom import freedom_of
from polyopt.report.left_loops import (
    IRREGULAR,
    MAKES_VECTORS,
    NO_VECTORS,
    PERMUTED,
    back_end,
    left_alone,
)
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.machine_code import inner_loops
from polyopt.report.membership import Membership, loops_around, membership, tells_of
from polyopt.report.new_order import names_around, new_order, reordered
from polyopt.report.whole_parts import given_back, of_the_part, remark_at
from polyopt.report.words import sentence
from polyopt.support.diagnostics import Span
from polyopt.support.remarks import Remark

LOOP_STAGE = (
    "affine-flatten-nests",
    "affine-split-residues",
    "affine-isolate-calls",
    "affine-split-recurrences",
    "affine-narrow",
    "affine-vectorize",
    "affine-group-sums",
    "affine-interleave-rows",
    "affine-lanes",
    "affine-batches",
    "contract-block",
    "affine-tile-registers",
    "affine-stream",
    "late-terms",
    "affine-keep-states",
)
"""The passes, or parts of them, whose remarks are about the loops around a statement."""

OF_NESTS = ("contract-block", "affine-tile-registers")
"""Those of them that are about all of these loops."""

LANES = ("affine-lanes", "affine-batches")
"""Those of them that name the loop, which need not be an innermost one."""

NOT_VECTORS = (
    "affine-flatten-nests",
    *("affine-split-residues", "affine-isolate-calls", "affine-split-recurrences"),
    *("affine-narrow", "affine-stream"),
    *("late-terms", "affine-keep-states"),
)
VECTORS = tuple(name for name in LOOP_STAGE if name not in NOT_VECTORS)
"""Those that make vectors."""

THREADS = "affine-parallelize"
"""The pass whose remarks are about a loop in threads, at the place of the control part."""


def verdicts(contents: Contents) -> list[LoopVerdict]:
    """One for each loop, in the order of the source. The first of a static control part says what
    is expected of all of it, and what it took where it was measured."""
    loops = sorted(contents.loops, key=lambda one: one.start)
    parts = [membership(contents, loop) for loop in loops]
    found = [_verdict(contents, loop, part) for loop, part in zip(loops, parts, strict=True)]
    changed = {one.scop for one in found if one.status == "changed"}
    told = set[int]()
    for k, part in enumerate(parts):
        if part is None or part.number in told:
            continue
        told.add(part.number)
        whole = of_the_part(contents, part, is_changed=part.number in changed)
        found[k] = replace(found[k], details=(*found[k].details, *whole))
    return found


def _verdict(contents: Contents, loop: SourceLoop, found: Membership | None) -> LoopVerdict:
    moved = _told(contents, loop, PERMUTED)
    dealt_out = _told(contents, loop, IRREGULAR)
    if found is None and (done := [*_of_operation(contents, loop), *moved, *dealt_out]):
        return LoopVerdict(loop, "changed", "; ".join(done))
    if found is None:
        return left_alone(contents, loop)
    in_vectors = _has_vectors(contents, found)
    made = () if in_vectors else _by_the_back_end(contents, loop, found)
    status, against = freedom_of(contents, found, has_vectors=in_vectors, is_vector_code=bool(made))
    first, *rest = against
    if made and status == "held":
        made = _by_the_back_end(contents, loop, found, is_held=True)
    if not in_vectors and not made:
        rest += _without_vectors(contents, found, loop)
    if status == "held" and not in_vectors:
        rest += advice_on_order(contents, loop, found)
    rest += _in_one_thread(contents, loop)
    if given_back(contents, found) is not None:
        details = (*made, *rest, *(() if made else _tried(contents, found, loop)))
        if moved:
            return LoopVerdict(
                loop, "changed", "; ".join(moved), (*made, first, *rest), found.number
            )
        by = ", in vectors by LLVM" if made and made[0].startswith(MAKES_VECTORS) else ""
        headline = f"left as it is written{by}: {first}"
        return LoopVerdict(loop, status, headline, details, found.number)
    done = [*moved, *new_order(found), *_finished(contents, found, loop)]
    if done:
        return LoopVerdict(loop, "changed", "; ".join(done), (*made, first, *rest), found.number)
    return LoopVerdict(loop, status, first, (*made, *rest), found.number)


def _in_one_thread(contents: Contents, loop: SourceLoop) -> list[str]:
    """What a pragma on the loop asks for in vain."""
    return [
        sentence(one.message)
        for one in contents.remarks
        if one.id == "no-parallel" and one.span is not None and one.span < loop.start
        if not any(one.span < other.start < loop.start for other in contents.loops)
    ]


def _by_the_back_end(
    contents: Contents, loop: SourceLoop, found: Membership, *, is_held: bool = False
) -> tuple[str, ...]:
    """What LLVM made of the loop, if it is an innermost one; in another order, that is told of the
    one that is innermost now, of which the code has the place of the one that was."""
    if not reordered(found):
        return back_end(contents, loop, _alone(found), is_held=is_held)
    for name in found.positions:
        around = loops_around(contents, found.view.statement(name))
        if around and _is_innermost(found, name):
            return back_end(contents, around[-1], _alone(found), is_held=is_held)
    return ()


def _tried(contents: Contents, found: Membership, loop: SourceLoop) -> list[str]:
    """The vectors that an innermost loop was in, until the nest was given back."""
    if inner_loops(contents, loop):
        return []
    statements = [found.view.statement(name) for name in found.positions]
    told = [
        one.message
        for one in contents.remarks
        if one.id in VECTORS and one.kind != "applied" and not one.id.startswith(NO_VECTORS)
        if any(tells_of(contents, found.view, one, statement) for statement in statements)
    ]
    return [sentence(message) for message in dict.fromkeys(told)]


def _without_vectors(contents: Contents, found: Membership, loop: SourceLoop) -> list[str]:
    """Why an innermost loop is one iteration after the other, where the vectorizer has said it."""
    if inner_loops(contents, loop):
        return []
    statements = [found.view.statement(name) for name in found.positions]
    told = (
        one.message
        for one in contents.remarks
        if one.id.startswith(NO_VECTORS)
        if any(tells_of(contents, found.view, one, statement) for statement in statements)
    )
    return [sentence(message) for message in [next(told, None)] if message is not None]


def _alone(found: Membership) -> Span | None:
    """The place of its static control part, if nothing but the loop is in it."""
    return found.view.span if len(found.positions) == len(found.view.statements) else None


def _has_vectors(contents: Contents, found: Membership) -> bool:
    """Whether a pass has made vectors of its statements, whichever loop they go along."""
    statements = [found.view.statement(name) for name in found.positions]
    return any(
        one.id in VECTORS and tells_of(contents, found.view, one, statement)
        for one in contents.remarks
        for statement in statements
        if one.kind == "applied"
    )


def advised_sums(contents: Contents) -> set[Span]:
    """The static control parts of which a loop is told that its sum might be reordered."""
    parts = {
        contents.scops[one.scop].span
        for one in verdicts(contents)
        if one.scop is not None and any(SUMS in detail for detail in one.details)
    }
    return {span for span in parts if span is not None}


def _of_operation(contents: Contents, loop: SourceLoop) -> list[str]:
    """What became of an operation that is a whole nest, and never was loops before it was made."""
    return [
        one.message
        for one in contents.remarks
        if one.kind == "applied" and one.id in OF_NESTS and one.span == loop.start
    ]


def _told(contents: Contents, loop: SourceLoop, by: str) -> list[str]:
    """What a pass has done to it that is about loops which are no static control parts."""
    name = f"loop {loop.name} "
    return [
        one.message.removeprefix(name)
        for one in contents.remarks
        if one.kind == "applied" and one.id == by and one.message.startswith(name)
        if one.span is not None and one.span.line == loop.start.line
    ][:1]


def _finished(contents: Contents, found: Membership, loop: SourceLoop) -> list[str]:
    """What the later stages made of the loops: told of the innermost, where it is in vectors; of
    all, where a whole contraction is; of the one that is named, where threads share it."""
    told = list[str]()
    for name in found.positions:
        statement = found.view.statement(name)
        for one in contents.remarks:
            if one.kind != "applied" or one.id not in LOOP_STAGE:
                continue
            if not tells_of(contents, found.view, one, statement):
                continue
            if one.id in LANES and " of " in one.message:
                told += _in_lanes(one, found.iterator(name))
            elif one.id in OF_NESTS or _is_innermost(found, name):
                told.append(one.message)
    applied = [one for one in contents.remarks if one.kind == "applied"]
    threads = remark_at(applied, found.view.span, (THREADS,))
    if (
        threads is not None
        and f"loop {loop.name} " in threads.message
        and 0 in (found.positions.values())
    ):
        told.append(threads.message.partition(f"loop {loop.name} ")[2])
    return list(dict.fromkeys(told))


def _in_lanes(one: Remark, iterator: str) -> list[str]:
    """The message without the name of the loop, if it is of this one."""
    count, _, rest = one.message.partition(" of ")
    return [f"{count}{rest.removeprefix(iterator)}"] if rest.startswith(f"{iterator} ") else []


def _is_innermost(found: Membership, statement: str) -> bool:
    names = names_around(found.view.rows_after, statement)
    return bool(names) and names[-1] == found.iterator(statement)
