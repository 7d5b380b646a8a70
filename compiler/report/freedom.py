"""What stands against running the iterations of a loop at once, in sentences.

Values that one iteration needs of another come before memory that they only use again. A variable
that each iteration writes before it reads it stands against nothing: each can have its own. What is
told is one pair of iterations as an example, what else they share, and what would free them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.obstacles import Obstacle, carried_by, common_elements, obstacle
from polyopt.poly.picture.reuse import REUSE, is_reuse, shared_names
from polyopt.poly.picture.sample import Instance
from polyopt.report.advice import APART, advice_on_sums, updates_of
from polyopt.report.contents import Contents, Examples, ScopView, SourceLoop, Statement
from polyopt.report.loop_verdict import Status
from polyopt.report.machine_code import inner_loops
from polyopt.report.membership import Membership, counted_loops, loops_around, row_of
from polyopt.report.source_names import plain
from polyopt.report.words import (
    MAY_NEED,
    Counts,
    freedom,
    in_any_order,
    listed,
    obstacle_text,
)
from polyopt.support.remarks import COUNTED

TURNS = re.compile(r"unrolled by (\d+): \w+ change places")
"""What is said of a loop that was unrolled until pointers, or memrefs, are back in their places."""

MOST_NAMES = 4
"""More are not named one by one."""


def freedom_of(
    contents: Contents, found: Membership, *, has_vectors: bool, is_vector_code: bool
) -> tuple[Status, tuple[str, ...]]:
    """What the loop carries in the order of the source, with a pair of iterations, and what would
    free it, where that is not so already: a pass has made vectors of it, or the back end."""
    view = found.view
    row = row_of(view.rows_before, found)
    if row is None:
        return "held", (f"what it carries is not known{_why_unknown(view)}",)
    own = row_of(view.rows_own, found) or row
    word, phrase = freedom(own.parallelism, {**dict(view.called), **dict(view.variables)})
    if word == "free":
        reused = () if row.parallelism.is_parallel else _reused(contents, found)
        reused += tuple(one for one in _spread(contents, found) if one not in reused)
        return "free", (f"{phrase}, each with its own {listed(reused)}" if reused else phrase,)
    status: Status = "partly" if word == "partly" else "held"
    pair = _obstacle(found)
    if status == "held" and _is_only_memory(found, pair):
        phrase = "an iteration overwrites what earlier ones use"
    elif status == "held" and pair is not None and not _is_certain(pair):
        phrase = MAY_NEED
    if pair is None:
        return status, (phrase,)
    if status == "held" and (free := updates_of(found, are_sums_free=contents.any_order)):
        status, phrase = "partly", in_any_order(plain(contents, found, free))
        pair = _of_updates(found, pair, free)
    elif status == "partly" and own.parallelism.reductions:
        pair = _of_updates(found, pair, own.parallelism.reductions)
    details = [phrase, f"For example, {_example(contents, found, pair)}."]
    if pair.others:
        details.append(f"The same goes for {_some(plain(contents, found, pair.others))}.")
    if status == "held":
        if pair.element is not None:
            details += () if has_vectors else advice_on_sums(contents, found)
        elif not has_vectors and not is_vector_code:
            details.append(APART)
        details += _of_its_own(contents, found, pair)
    return status, tuple(details)


def _obstacle(found: Membership) -> Obstacle | None:
    pairs = found.view.examples
    for some in () if pairs is None else (pairs, *pairs.further):
        told = obstacle(_obstacles(some, found.view.own), some.touched, found.positions)
        if told is not None:
            return told
    return None


def _of_updates(found: Membership, pair: Obstacle, names: Collection[str]) -> Obstacle:
    """A pair of updates of these arrays, instead of one that memory is used again."""
    pairs = found.view.examples
    for some in () if pairs is None else (pairs, *pairs.further):
        updated = {
            one: element
            for one in _obstacles(some, found.view.own)
            for kind in one.kinds
            if kind != "order"
            for element in common_elements(one, some.touched, kind)
            if element[0] in names
        }
        told = obstacle(updated, some.touched, found.positions)
        if told is not None:
            element = told.element
            if element is None or element[0] not in names:
                element = updated[told.arrow]
            others = tuple(one for one in told.others if one in names and one != element[0])
            return replace(told, kind="reduction", element=element, others=others)
    return replace(pair, kind="reduction")


def _obstacles(pairs: Examples, own: Collection[str]) -> list[Arrow]:
    """The pairs of which more is to be said than that they use a variable again."""
    return [one for one in pairs.arrows if not is_reuse(one, pairs.touched, own)]


def _reused(contents: Contents, found: Membership) -> tuple[str, ...]:
    """The variables of which each iteration can have its own."""
    pairs = found.view.examples
    if pairs is None:
        return ()
    carried = carried_by(pairs.arrows, found.positions)
    names = shared_names(carried, pairs.touched)
    return plain(contents, found, [name for name in names if name in found.view.own])


def _spread(contents: Contents, found: Membership) -> tuple[str, ...]:
    """The variables that have been given to each iteration of the loop, though they last."""
    pairs = found.view.examples
    if pairs is None:
        return ()
    names = list[str]()
    for array, leading in found.view.spread:
        places = dict[tuple[object, ...], set[tuple[object, ...]]]()
        for (name, values), touches in pairs.touched.items():
            at = found.positions.get(name)
            for one in touches if at is not None else ():
                if one.element[0] == array and one.is_write:
                    subscripts = one.element[1]
                    same = (name, values[:at], subscripts[leading:])
                    places.setdefault(same, set()).add(subscripts[:leading])
        if any(len(one) > 1 for one in places.values()):
            names.append(array)
    return plain(contents, found, names)


def _is_certain(pair: Obstacle) -> bool:
    """Whether the two iterations touch one element whatever the data are."""
    return pair.element is not None and pair.is_sure and pair.is_used


def _is_only_memory(found: Membership, pair: Obstacle | None) -> bool:
    """Whether no value goes from iteration to iteration."""
    row = row_of(found.view.rows_of_values, found)
    is_free = row is not None and row.parallelism.is_parallel
    return is_free and (pair is None or pair.kind in REUSE)


def _example(contents: Contents, found: Membership, pair: Obstacle) -> str:
    view = found.view
    counts = dict(_counts(contents, found))
    ends = [_turned(contents, view, end, counts) for end in (pair.arrow.source, pair.arrow.target)]
    for loop in contents.loops:
        if _turn(contents, loop) > 1:
            counts.pop(loop.name, None)
    pair = replace(pair, arrow=replace(pair.arrow, source=ends[0], target=ends[1]))
    source, target = (_as_written(contents, view.statement(name)) for name, _ in ends)
    if pair.element is not None:
        source = source.where(pair.element[0], is_written=pair.kind != "anti")
        target = target.where(pair.element[0], is_written=pair.kind in REUSE)
    variables = dict(view.variables)
    for name in view.own:
        (variables[name],) = plain(contents, found, [name])
    if pair.element is not None:
        array, subscripts = pair.element
        pair = replace(pair, element=(dict(view.called).get(array, array), subscripts))
        variables = {dict(view.called).get(name, name): told for name, told in variables.items()}
    return obstacle_text(pair, source, target, variables, counts)


def _turned(contents: Contents, view: ScopView, instance: Instance, counts: Counts) -> Instance:
    """The run in the source's iteration: of a loop that was unrolled since pointers change places
    in it, the copies of a statement are one iteration after the other."""
    name, values = instance
    statement = view.statement(name)
    copies = [one.name for one in view.statements if one.span == statement.span]
    around = counted_loops(loops_around(contents, statement), statement.iterators)
    if len(around) != len(values):
        return instance
    counted = list(values)
    for at, loop in enumerate(around):
        turn = _turn(contents, loop)
        if turn > 1:
            start, step = counts.get(loop.name) or (0, 1)
            later = copies.index(name) % turn * max(1, step // turn)
            counted[at] = start + step * values[at] + later
    return name, tuple(counted)


def _turn(contents: Contents, loop: SourceLoop) -> int:
    """How many iterations of the source are one of what was looked at."""
    inner = inner_loops(contents, loop)
    for one in contents.remarks:
        found = TURNS.match(one.message) if one.span and loop.encloses(one.span) else None
        if found and not any(other.encloses(one.span) for other in inner if one.span):
            return int(found[1])
    return 1


def _some(names: Sequence[str]) -> str:
    """All of them, or the first ones and how many there are besides."""
    if len(names) <= MOST_NAMES:
        return listed(names)
    return listed([*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"])


def _of_its_own(contents: Contents, found: Membership, pair: Obstacle) -> list[str]:
    """The change of the program that frees a loop whose iterations use the same memory, one after
    the other, for what each of them computes first."""
    pairs = found.view.examples
    if pairs is None or pair.kind != "anti" or not _is_only_memory(found, pair):
        return []
    carried = carried_by(_obstacles(pairs, found.view.own), found.positions)
    names = shared_names(carried, pairs.touched)
    if not names or not all(name in found.view.fresh for name in names):
        return []
    called = plain(contents, found, names)
    what = "it" if len(called) == 1 else "them"
    advice = f"declare {what} in the loop, so that each iteration has its own"
    return [f"If nothing else reads {_some(called)}, {advice}."]


def _why_unknown(view: ScopView) -> str:
    if view.rows_before:
        return ""
    count = len(view.statements)
    return f": finding out costs too much ({count} statements in one control part)"


def _as_written(contents: Contents, statement: Statement) -> Statement:
    """With the iterators by the names that its loops have in the source: where that is a
    parameter's, too, the iterator has another one (k_1). The loops of one operation, which are
    written nowhere, are told by position."""
    around = loops_around(contents, statement)
    taken = counted_loops(around, statement.iterators)
    is_one = len({one.start for one in taken}) == 1
    if len(taken) == len(statement.iterators) > 1 and is_one:
        return replace(statement, iterators=tuple(one.name for one in taken))
    known = {one.name for one in around}
    plain = [re.sub(r"_\d+$", "", one) for one in statement.iterators]
    names = [b if b in known and a not in known else a for a, b in zip(statement.iterators, plain)]
    return replace(statement, iterators=tuple(names))


def _counts(contents: Contents, found: Membership) -> Counts:
    """What the iterators of its statements mean that count iterations."""
    told = [one for one in contents.remarks if one.id == COUNTED and one.span is not None]
    counts = dict[str, tuple[int, int] | None]()
    for statement in found.view.statements:
        for loop in counted_loops(loops_around(contents, statement), statement.iterators):
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
