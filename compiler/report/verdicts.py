"""Each loop of the source in a sentence: what was done with it, or what stands against it.

A loop is found again in a static control part by its statements: those in its text, with the loops
around them counted from outside. What is said of the order, of tiles and of independence is read
off the schedule trees; vectors, lanes and threads are told by the passes that make them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from polyopt.poly.picture.obstacles import Obstacle, carries_only_sums, obstacle
from polyopt.poly.picture.tree_rows import Row
from polyopt.report.contents import Contents, ScopView, SourceLoop, Statement
from polyopt.report.left_loops import IRREGULAR, NO_VECTORS, back_end, left_alone
from polyopt.report.machine_code import inner_loops
from polyopt.report.speed import speed_words
from polyopt.report.verdict import Status, Verdict
from polyopt.report.words import Counts, freedom, listed, obstacle_text, sentence
from polyopt.support.diagnostics import Span
from polyopt.support.record import record
from polyopt.support.remarks import COUNTED, Remark

LOOP_STAGE = (
    "affine-isolate-calls",
    "affine-narrow",
    "affine-vectorize",
    "affine-group-sums",
    "affine-interleave-rows",
    "affine-lanes",
    "contract-block",
    "affine-tile-registers",
    "affine-stream",
)
"""The passes whose remarks are about the loops around a statement."""

OF_NESTS = ("contract-block", "affine-tile-registers")
"""Those of them that are about all of these loops."""

NOT_VECTORS = ("affine-isolate-calls", "affine-narrow", "affine-stream")
VECTORS = tuple(name for name in LOOP_STAGE if name not in NOT_VECTORS)
"""Those that make vectors."""

INLINED = ("inline-functions", "inline-calls")
"""The passes that put statements of other functions into loops, whose remarks are at the calls."""

THREADS = "affine-parallelize"
"""The pass whose remarks are about a loop in threads, at the place of the control part."""


SUMS = (
    "The sum is kept in the order of the source; -ffast-math (or -fassociative-math) "
    "permits partial sums"
)
"""The advice where nothing but the order of additions stands against a loop."""


APART = "If no two iterations touch the same element, '#pragma omp simd' says so (with -fopenmp)."
"""The advice where subscripts are data."""


@record
class _Membership:
    """A loop as part of a SCoP: its statements there, each with the position of the loop among its
    iterators."""

    number: int
    view: ScopView
    positions: dict[str, int]

    def iterator(self, statement: str) -> str:
        return self.view.statement(statement).iterators[self.positions[statement]]


def verdicts(contents: Contents) -> list[Verdict]:
    """One for each loop, in the order of the source. The first of a static control part that was
    measured says what this took."""
    found, told = list[Verdict](), set[int]()
    for loop in sorted(contents.loops, key=lambda one: one.start):
        one = _verdict(contents, loop)
        measured = None if one.scop is None else contents.scops[one.scop].measured
        if measured is not None and one.scop is not None and one.scop not in told:
            told.add(one.scop)
            words = speed_words(measured, contents.machine)
            one = replace(one, details=(*one.details, *words))
        found.append(one)
    return found


def _verdict(contents: Contents, loop: SourceLoop) -> Verdict:
    found = _membership(contents, loop)
    if found is None and (done := [*_of_operation(contents, loop), *_dealt_out(contents, loop)]):
        return Verdict(loop, "changed", "; ".join(done))
    if found is None:
        return left_alone(contents, loop)
    in_vectors = _has_vectors(contents, found)
    made = () if in_vectors else back_end(contents, loop, _alone(found))
    status, against = _freedom(contents, found, may_advise=not in_vectors and not made)
    first, *rest = against
    if not in_vectors and not made:
        rest += _without_vectors(contents, found, loop)
    dropped = _given_back(contents, found)
    if dropped is not None:
        details = (*made, *rest, sentence(dropped.message))
        return Verdict(loop, "left", f"left as it is written: {first}", details, found.number)
    done = [*_reordered(found), *_tiles(found), *_finished(contents, found, loop)]
    if done:
        return Verdict(loop, "changed", "; ".join(done), (*made, first, *rest), found.number)
    return Verdict(loop, status, first, (*made, *rest), found.number)


def _given_back(contents: Contents, found: _Membership) -> Remark | None:
    """Why the nest is not as it was made, where the judge has kept it nowhere: of a function that
    is in several others there may be several."""
    span = found.view.span
    if _remark(contents.remarks, span, ("pays",)) is not None:
        return None
    return _remark(contents.remarks, span, ("does-not-pay",))


def _without_vectors(contents: Contents, found: _Membership, loop: SourceLoop) -> list[str]:
    """Why an innermost loop is one iteration after the other, where the vectorizer has said it."""
    if inner_loops(contents, loop):
        return []
    statements = [found.view.statement(name) for name in found.positions]
    told = (
        one.message
        for one in contents.remarks
        if one.id.startswith(NO_VECTORS)
        if any(_is_about(one, statement, found) for statement in statements)
    )
    return [sentence(message) for message in [next(told, None)] if message is not None]


def _alone(found: _Membership) -> Span | None:
    """The place of its static control part, if nothing but the loop is in it."""
    return found.view.span if len(found.positions) == len(found.view.statements) else None


def _is_about(one: Remark, statement: Statement, found: _Membership) -> bool:
    """Whether the loops around the statement are meant: where it is all there is, what is made of
    it may have the place of the control part."""
    is_single = len(found.view.statements) == 1 and found.view.span is not None
    return statement.stores_at(one.span) or (is_single and one.span == found.view.span)


def _has_vectors(contents: Contents, found: _Membership) -> bool:
    """Whether a pass has made vectors of its statements, whichever loop they go along."""
    statements = [found.view.statement(name) for name in found.positions]
    return any(
        one.id in VECTORS and _is_about(one, statement, found)
        for one in contents.remarks
        for statement in statements
        if one.kind == "applied"
    )


def advised_sums(contents: Contents) -> set[Span]:
    """The static control parts of which a loop is told that its sum might be reordered."""
    parts = {
        contents.scops[one.scop].span
        for one in verdicts(contents)
        if one.scop is not None and any(detail.startswith(SUMS) for detail in one.details)
    }
    return {span for span in parts if span is not None}


def _membership(contents: Contents, loop: SourceLoop) -> _Membership | None:
    for number, view in enumerate(contents.scops):
        positions = dict[str, int]()
        for statement in view.statements:
            at = _position(contents, view, loop, statement)
            if at is not None:
                positions[statement.name] = at
        if positions:
            return _Membership(number, view, positions)
    return None


def _position(
    contents: Contents, view: ScopView, loop: SourceLoop, statement: Statement
) -> int | None:
    """Of the loop among the iterators of the statement; None where it is not around it."""
    around, names = _around(contents, statement), statement.iterators
    if loop in around:
        taken = _taken(around, names)
        outside = max(0, len(names) - len(taken))
        return outside + taken.index(loop) if loop in taken else None
    outer = names[: len(names) - len(around)]
    calls = (one for one in contents.remarks if one.id in INLINED and one.span is not None)
    is_caller = loop.function == view.function and loop.name in outer
    if not is_caller or not any(loop.encloses(one.span) for one in calls if one.span):
        return None
    chain = [one.name for one in sorted(contents.loops, key=_nesting) if one.encloses(loop.start)]
    at = outer.index(loop.name)
    return at if tuple(chain[-at - 1 :]) == outer[: at + 1] else None


def _around(contents: Contents, statement: Statement) -> list[SourceLoop]:
    """The loops in whose text it stands, outermost first."""
    span = statement.span
    if span is None:
        return []
    return sorted((one for one in contents.loops if one.encloses(span)), key=_nesting)


def _taken(around: Sequence[SourceLoop], iterators: Sequence[str]) -> Sequence[SourceLoop]:
    """The loops around a statement that its iterators count: the innermost ones, but where others
    have just these names, as those around a loop that was unrolled."""
    innermost = around[max(0, len(around) - len(iterators)) :]
    if [one.name for one in innermost] == list(iterators) or len(innermost) < len(iterators):
        return innermost
    rest = list(around)
    named = list[SourceLoop]()
    for name in iterators:
        while rest and rest[0].name != name:
            rest.pop(0)
        if rest:
            named.append(rest.pop(0))
    return named if len(named) == len(iterators) else innermost


def _nesting(loop: SourceLoop) -> tuple[Span, int, int]:
    return loop.start, -loop.end.line, -loop.end.column


def _of_operation(contents: Contents, loop: SourceLoop) -> list[str]:
    """What became of an operation that is a whole nest, and never was loops before it was made."""
    return [
        one.message
        for one in contents.remarks
        if one.kind == "applied" and one.id in OF_NESTS and one.span == loop.start == loop.end
    ]


def _dealt_out(contents: Contents, loop: SourceLoop) -> list[str]:
    """That it runs in threads, of a loop that is no static control part."""
    name = f"loop {loop.name} "
    return [
        one.message.removeprefix(name)
        for one in contents.remarks
        if one.kind == "applied" and one.id == IRREGULAR and one.message.startswith(name)
        if one.span is not None and one.span.line == loop.start.line
    ][:1]


def _gain(contents: Contents, found: _Membership) -> str:
    """What the model says of the advice, if it says anything."""
    times = dict(contents.gains).get(found.view.span) if found.view.span is not None else None
    if times is None:
        return ""
    return f": about {times:.0f} times as fast, as far as the model knows"


def _freedom(
    contents: Contents, found: _Membership, *, may_advise: bool
) -> tuple[Status, tuple[str, ...]]:
    """What the loop carries in the order of the source, with a pair of iterations, and what would
    free it, where that is not so already."""
    row = _row_of(found.view.rows_before, found)
    if row is None:
        return "held", (f"what it carries is not known{_why_unknown(found.view)}",)
    word, phrase = freedom(row.parallelism)
    status: Status = "free" if word == "free" else "partly" if word == "partly" else "held"
    if status == "free":
        return status, (phrase,)
    pair = _obstacle(found)
    if pair is None:
        return status, (phrase,)
    source = _as_written(contents, found.view.statement(pair.arrow.source[0]))
    target = _as_written(contents, found.view.statement(pair.arrow.target[0]))
    variables, counts = dict(found.view.variables), _counts(contents, found)
    example = obstacle_text(pair, source, target, variables, counts)
    details = [phrase, f"For example, {example}."]
    if may_advise and status == "held" and pair.element is None:
        details.append(APART)
    if may_advise and status == "held" and _only_sums(found):
        details.append(f"{SUMS}{_gain(contents, found)}.")
    return status, tuple(details)


def _why_unknown(view: ScopView) -> str:
    if view.rows_before:
        return ""
    count = len(view.statements)
    return f": finding out costs too much ({count} statements in one control part)"


def _as_written(contents: Contents, statement: Statement) -> Statement:
    """With the iterators by the names that its loops have in the source: where that is a
    parameter's, too, the iterator has another one (k_1)."""
    known = {one.name for one in _around(contents, statement)}
    plain = [re.sub(r"_\d+$", "", one) for one in statement.iterators]
    names = [b if b in known and a not in known else a for a, b in zip(statement.iterators, plain)]
    return replace(statement, iterators=tuple(names))


def _counts(contents: Contents, found: _Membership) -> Counts:
    """What the iterators of its statements mean that count iterations."""
    told = [one for one in contents.remarks if one.id == COUNTED and one.span is not None]
    counts = dict[str, tuple[int, int] | None]()
    for statement in found.view.statements:
        for loop in _taken(_around(contents, statement), statement.iterators):
            inner = inner_loops(contents, loop)
            for one in told:
                assert one.span is not None
                if not loop.encloses(one.span) or any(i.encloses(one.span) for i in inner):
                    continue
                numbers = dict(one.numbers)
                counts[loop.name] = (
                    (int(numbers["start"]), int(numbers["step"])) if numbers else None
                )
    return counts


def _only_sums(found: _Membership) -> bool:
    """Whether another order of additions would free the loop."""
    pairs = found.view.examples
    if pairs is None:
        return False
    sums = {one.name: one.adds_to for one in found.view.statements if one.adds_to is not None}
    return carries_only_sums(pairs.arrows, pairs.touched, found.positions, sums)


def _obstacle(found: _Membership) -> Obstacle | None:
    pairs = found.view.examples
    return None if pairs is None else obstacle(pairs.arrows, pairs.touched, found.positions)


def _row_of(rows: Sequence[Row], found: _Membership) -> Row | None:
    """The loop among the rows of the source's tree."""
    for row in rows:
        names = dict(row.names)
        if any(names.get(name) == found.iterator(name) for name in found.positions):
            return row
    return None


def _reordered(found: _Membership) -> list[str]:
    """What the new order is, where the loop has another place in it around some statement."""
    for name, position in found.positions.items():
        iterators = found.view.statement(name).iterators
        order = [one for one in _names_around(found.view.rows_after, name) if "_tile" not in one]
        if sorted(order) == sorted(iterators) and order[position] != iterators[position]:
            return [f"the order is now {', '.join(order)}"]
        skewed = _skewed(found, name)
        if skewed is not None:
            return [f"runs skewed, as {skewed}"]
    return []


def _skewed(found: _Membership, statement: str) -> str | None:
    wanted = found.iterator(statement)
    for row in found.view.rows_after:
        functions = dict(row.functions)
        if dict(row.names).get(statement) == wanted and statement in functions:
            as_before = functions in [dict(one.functions) for one in found.view.rows_before]
            return None if as_before else functions[statement]
    return None


def _names_around(rows: Sequence[Row], statement: str) -> list[str]:
    """The loops around the statement, outermost first; of several places the first."""
    names = list[str]()
    for row in rows:
        if statement not in row.statements:
            continue
        if row.kind == "statement":
            break
        name = dict(row.names).get(statement)
        if name is not None:
            names.append(name)
    return names


def _tiles(found: _Membership) -> list[str]:
    sizes = dict[int, None]()
    for row in found.view.rows_after:
        for name, given in row.names:
            if row.size is None or given is None or name not in found.positions:
                continue
            if given.partition("_tile")[0] == found.iterator(name):
                sizes[row.size] = None
    return [f"tiles of {listed([str(size) for size in sizes])}"] if sizes else []


def _finished(contents: Contents, found: _Membership, loop: SourceLoop) -> list[str]:
    """What the later stages made of the loops: told of the innermost, where it is in vectors; of
    all, where a whole contraction is; of the one that is named, where threads share it."""
    told = list[str]()
    for name in found.positions:
        statement = found.view.statement(name)
        for one in contents.remarks:
            if one.kind != "applied" or one.id not in LOOP_STAGE:
                continue
            if not _is_about(one, statement, found):
                continue
            if one.id in OF_NESTS or _is_innermost(found, name):
                told.append(one.message)
    applied = [one for one in contents.remarks if one.kind == "applied"]
    threads = _remark(applied, found.view.span, (THREADS,))
    if (
        threads is not None
        and f"loop {loop.name} " in threads.message
        and 0 in (found.positions.values())
    ):
        told.append(threads.message.partition(f"loop {loop.name} ")[2])
    return list(dict.fromkeys(told))


def _is_innermost(found: _Membership, statement: str) -> bool:
    names = _names_around(found.view.rows_after, statement)
    return bool(names) and names[-1] == found.iterator(statement)


def _remark(remarks: Sequence[Remark], span: Span | None, ids: Sequence[str]) -> Remark | None:
    return next((one for one in remarks if one.id in ids and one.span == span), None)
