"""Why a loop is in no static control part, and what the back end does with it all the same.

The first reason that holds is told: no loop was looked at; a pass had made another one of it
before; something in the loop itself stands against it; something in a loop inside; something about
the whole function.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.report.contents import Contents, SourceLoop
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.machine_code import inner_loops, loop_code
from polyopt.report.words import sentence
from polyopt.support.diagnostics import Span
from polyopt.support.remarks import Remark

BEFOREHAND = ("unroll-windows", "scan-records", "count-bits")
"""The passes after which a loop is another one or none, whose remarks stand in it."""

OF_FUNCTIONS = ("optnone",)
"""Reasons that stand where a function begins."""

REJECTED = "scop-"
"""How the reasons begin why a region is no static control part: one may be in it all the same."""

NO_VECTORS = "no-vectors"
"""How the reasons of the vectorizers begin."""

OF_A_LOOP = "the loop's condition"
"""How the reasons begin that are about the bounds of the loop where they stand."""

IRREGULAR = "parallelize-irregular"
"""The pass whose remarks are about a loop in threads that is no control part, at its condition."""

NOT_WHY = (IRREGULAR, "jam-irregular")
"""Those that say what else is not done with a loop that is no control part, and not why it is
none: they come last."""

GIVEN_UP = "does-not-pay"
"""The remark of the judge that a static control part is as it was written."""

PERMUTED = "permute-irregular"
"""The pass that lets two loops change places before control parts are looked for, kept or not."""


def left_alone(contents: Contents, loop: SourceLoop) -> LoopVerdict:
    if contents.why_not_looked_at is not None:
        details = (*back_end(contents, loop), contents.why_not_looked_at)
        return LoopVerdict(loop, "left", "not optimised", details)
    rewritten = _rewritten(contents, loop)
    if rewritten is not None:
        return rewritten
    told = _not_of_parts(contents)
    missed = [one for one in told if one.span and loop.encloses(one.span)]
    others = [one for one in missed if one.id not in NOT_WHY]
    own = _in_itself(contents, loop, others) or others or [o for o in told if _is_about(o, loop)]
    own = [*own, *(one for one in _in_itself(contents, loop, missed) if one.id in NOT_WHY)]
    if own:
        first, *rest = dict.fromkeys(_in_words(contents, loop, one) for one in own)
        details = (*back_end(contents, loop), *map(sentence, rest))
        return LoopVerdict(loop, "left", f"not optimised: {first}", details)
    if not loop_code(contents, loop).instructions:
        return LoopVerdict(loop, "left", "gone: no code is made of it")
    beforehand = "It was removed or joined with others beforehand."
    return LoopVerdict(loop, "left", "not optimised", (*back_end(contents, loop), beforehand))


MAKES_VECTORS = "LLVM makes vectors"
"""How a sentence begins that says so of a whole loop."""


def back_end(
    contents: Contents, loop: SourceLoop, shared: Span | None = None, *, is_held: bool = False
) -> tuple[str, ...]:
    """What LLVM has made of an innermost loop, where that shows in the code; `shared` as in
    `loop_code`. `is_held`: its iterations need each other, so that vectors may be of what stands
    side by side in one of them."""
    if inner_loops(contents, loop):
        return ()
    code = loop_code(contents, loop, shared)
    if code.moved_by is not None:
        part = "a part of it" if code.computes or code.calls else "it"
        return (f"LLVM calls {code.moved_by} for {part}.",)
    if not code.vector_bytes:
        return ()
    if is_held or code.calls:
        return (f"LLVM uses vectors of {code.vector_bytes} bytes in it.",)
    return (f"{MAKES_VECTORS} of {code.vector_bytes} bytes of it.",)


def _not_of_parts(contents: Contents) -> list[Remark]:
    """What is not done, but for what is about static control parts, or loops in them."""
    parts = {view.span for view in contents.scops}
    return [
        one
        for one in contents.remarks
        if (one.kind == "missed" or one.id.startswith(REJECTED))
        and not one.id.startswith(NO_VECTORS)
        and (one.span not in parts or one.id.startswith(REJECTED))
    ]


def _in_itself(contents: Contents, loop: SourceLoop, remarks: Sequence[Remark]) -> Sequence[Remark]:
    """Those that do not stand in a loop inside."""
    inner = inner_loops(contents, loop)
    return [one for one in remarks if not any(i.encloses(one.span) for i in inner if one.span)]


def _is_about(one: Remark, loop: SourceLoop) -> bool:
    """Whether it is about the whole function that the loop is in."""
    return one.function == loop.function and (one.span is None or one.id in OF_FUNCTIONS)


def _rewritten(contents: Contents, loop: SourceLoop) -> LoopVerdict | None:
    """What a pass has made of it before any loop was looked at, be it that this was not kept: why
    the rest is no static control part says nothing about the source then."""
    told = [
        one
        for one in contents.remarks
        if one.id in BEFOREHAND and one.span is not None and loop.encloses(one.span)
    ]
    own = _in_itself(contents, loop, told)
    done = [one.message for one in own if one.kind == "applied"]
    made = back_end(contents, loop)
    if done:
        return LoopVerdict(loop, "changed", "; ".join(dict.fromkeys(done)), made)
    if own:
        tried = (sentence(one.message) for one in own)
        details = (*made, *tried, *_given_up_around(contents, loop))
        return LoopVerdict(loop, "left", "left as it is written", details)
    return None


def _given_up_around(contents: Contents, loop: SourceLoop) -> Sequence[str]:
    """Why the nest around it is as it was written, if it was weighed."""
    around = [loop, *(one for one in contents.loops if one.encloses(loop.start))]
    told = (
        sentence(one.message)
        for one in contents.remarks
        if one.id == GIVEN_UP and one.span and any(other.encloses(one.span) for other in around)
    )
    return [text for text in [next(told, None)] if text is not None]


def _in_words(contents: Contents, loop: SourceLoop, one: Remark) -> str:
    """The message without the loop's name, where it says that first; with that of the loop inside
    whose bounds it is about, if it is."""
    message = one.message.partition(" not optimised: ")[2] or one.message
    if one.span is None or not message.startswith(OF_A_LOOP):
        return message
    around = [i for i in inner_loops(contents, loop) if i.encloses(one.span)]
    if not around:
        return message
    name = max(around, key=lambda inner: inner.start).name
    return message.replace(OF_A_LOOP, f"the condition of loop {name}", 1)
