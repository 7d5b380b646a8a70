"""Every way by which a schedule comes in from outside, tried with what is not legal.

A door takes a random change of a nest's order and asks the compiler to accept it. Whether it may
is found out by running: the nest in plain Python, at several sizes, in the order that was asked
for. What a change does to the order is known without isl for dates and trees, which are plain
data; for the steps of scripts isl says when the changed tree runs each instance, one by one.

A refusal names two instances. They are looked at too: where they are what the refusal says they
are, it is right, also where no small size shows it.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import islpy as isl
from oracles.copied_memory import Terms, memory_after
from oracles.plain_nests import Instance, PlainNest, PlainOrder, Sizes, is_before, parse_nest
from oracles.plain_schedules import (
    Dates,
    Time,
    Times,
    dates_of_source,
    tree_of_source,
    tree_text,
    tree_times,
)
from oracles.plain_schedules import Tree as PlainTree
from oracles.polyhedral import inside, times, values_at
from oracles.random_schedules import changed_dates, changed_tree
from oracles.random_steps import CHOOSING, random_change, random_copies
from oracles.scop_ir import scop_module
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScheduleAttr, ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.fast_math import FASTMATH
from polyopt.ir.problem import SOURCE_SCHEDULE
from polyopt.passes.exchange.jscop import PolyExportJscopPass, PolyImportJscopPass
from polyopt.passes.exchange.openscop import PolyExportOpenscopPass, PolyImportOpenscopPass
from polyopt.passes.exchange.schedule_files import PolyImportSchedulePass
from polyopt.passes.schedule.apply_steps import PolyApplyStepsPass
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Sequence, Tree, build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.places import single_loops
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import effort

GRID = ((1, 1), (3, 2), (2, 4), (4, 4), (5, 3), (3, 6), (7, 6))
MOST_INSTANCES = 80
PROMISES_AT = 1
"""At how many of the sizes, the last ones, the bands of accepted schedules are looked at."""
EFFORT = 500_000
"""What a change may cost: one with many quotients takes a second for 100,000."""
EXACT = ("max", "min")
"""The operators whose updates may always change places: the result is the same to the last bit."""


@dataclass
class Tally:
    """What came of the changes, by door, kind of change and verdict."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])
    wrong: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])

    def add(self, door: str, kinds: str, verdict: str) -> None:
        for kind in kinds.split("+"):
            self.counts[door, kind, verdict] += 1
        self.counts[door, "all", verdict] += 1

    def total(self, verdict: str | None = None) -> int:
        return sum(
            n for (_, kind, v), n in self.counts.items() if kind == "all" and verdict in (None, v)
        )

    def table(self) -> str:
        rows = sorted({(door, kind) for door, kind, _ in self.counts})
        lines = [f"{'':24}" + "".join(f"{verdict:>18}" for verdict in VERDICTS)]
        for door, kind in rows:
            numbers = "".join(f"{self.counts[door, kind, v]:>18}" for v in VERDICTS)
            lines.append(f"{door + ' ' + kind:24}{numbers}")
        return "\n".join(lines)


ACCEPTED, REFUSED, LARGER, LEGAL = "accepted", "refused", "refused, larger", "refused, legal"
VERDICTS = (ACCEPTED, REFUSED, LARGER, LEGAL)
"""`LARGER`: legal at the sizes that were tried, but the refusal names two instances, of other
sizes, that would change places."""


@dataclass(frozen=True)
class Case:
    """A nest in all its forms, and what its order must keep."""

    nest: PlainNest
    scop: Scop
    module: ModuleOp
    op: ScopOp
    orders: tuple[PlainOrder, ...]
    free: tuple[str, ...]

    @classmethod
    def of(cls, text: str, *, may_reassociate: bool) -> Case | None:
        """None if nothing of the nest is in any order at small sizes."""
        return cls.of_module(text, scop_module(parse_scop(text)), may_reassociate=may_reassociate)

    @classmethod
    def of_module(cls, text: str, module: ModuleOp, *, may_reassociate: bool) -> Case | None:
        """Of the one SCoP in a module, which is `text` in the notation."""
        nest = parse_nest(text)
        if may_reassociate:
            flags = arith.FastMathFlagsAttr((FastMathFlag.REASSOC,))
            module.attributes[FASTMATH] = flags
        (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
        free = (*EXACT, "+", "*") if may_reassociate else EXACT
        orders = tuple(PlainOrder(nest, sizes, free) for sizes in _sizes_of(nest))
        if not any(order.pairs for order in orders):
            return None
        return cls(nest, read_scop(op), module, op, orders, free)

    def renew(self) -> None:
        """The order of the source."""
        self.op.properties["schedule"] = ScheduleAttr.of(self.scop.schedule)
        self.op.attributes.pop(SOURCE_SCHEDULE, None)

    def copy(self) -> Case:
        """On a module of its own: files may leave out instances, which change domains."""
        module = self.module.clone()
        (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
        return replace(self, module=module, op=op)

    @property
    def schedule(self) -> isl.Schedule:
        return self.op.schedule.schedule()

    def problem_with(
        self, times_at: Callable[[PlainOrder], Times], *, may_leave_out: bool = False
    ) -> str | None:
        """Why running the instances at these times is not legal; None if it is. Instances that are
        left out, where they may be, leave memory as it would be with them."""
        for order in self.orders:
            found = times_at(order)
            if isinstance(found, str):
                return f"an instance runs {found} at {order.sizes}"
            missing = set(order.instances) - set(found)
            if not set(order.instances) >= set(found):
                return f"other instances run at {order.sizes}"
            if missing and not (may_leave_out and self.is_without_effect(missing, order.sizes)):
                return f"an instance that something needs runs never at {order.sizes}"
            pair = order.broken(found)
            if pair is not None:
                return f"{pair[0]} and {pair[1]} at {order.sizes}"
        return None

    def is_without_effect(self, instances: set[Instance], sizes: Sizes) -> bool:
        """Whether memory is the same at the end if these do not run."""
        terms = Terms()
        memories = (
            memory_after(self.scop, sizes, terms, without=left_out) for left_out in ((), instances)
        )
        with_all, without = memories
        return all(
            with_all.get(place, terms.before(place)) == without.get(place, terms.before(place))
            for place in {*with_all, *without}
        )

    def false_promise(self) -> str | None:
        """Where the accepted tree says more of a band than is true."""
        tree = read_tree(self.schedule)
        for order in self.orders[-PROMISES_AT:]:
            running = inside(self.schedule.get_domain(), set(order.instances), order.sizes)
            pairs = {(a, b) for a, b in order.pairs if a in running and b in running}
            found = next(false_promises(tree, running, pairs, order.sizes), None)
            if found is not None:
                return f"{found} at {order.sizes}"
        return None


def _sizes_of(nest: PlainNest) -> Iterator[Sizes]:
    for values in GRID:
        sizes = dict(zip(nest.parameters, values, strict=False))
        if nest.admits(sizes) and len(nest.instances(sizes)) <= MOST_INSTANCES:
            yield sizes


def false_promises(
    tree: Tree, instances: set[Instance], pairs: set[tuple[Instance, Instance]], sizes: Sizes
) -> Iterator[str]:
    """Bands below which one of `pairs`, none of which is ordered above, goes backward although
    the band is permutable, or anywhere along a member that is said to be coincident."""
    match tree:
        case Leaf():
            return
        case Mark(_, child):
            yield from false_promises(child, instances, pairs, sizes)
        case Sequence(children):
            for chosen, child in children:
                here = inside(chosen, instances, sizes)
                some = {(a, b) for a, b in pairs if a in here and b in here}
                yield from false_promises(child, here, some, sizes)
        case Band(members, child, permutable):
            equal = pairs
            for member in members:
                when = values_at(member.function, instances, sizes) if pairs else {}
                for one, two in pairs:
                    if member.coincident and when[one] != when[two]:
                        yield f"{one} and {two} differ along a coincident member"
                    if permutable and when[one] > when[two]:
                        yield f"{one} and {two} go back in a permutable band"
                equal = {(a, b) for a, b in equal if when[a] == when[b]}
            yield from false_promises(child, instances, equal, sizes)


# Refusals

_EXAMPLE = re.compile(
    r"is not kept: .* by (?P<source>\w+)(?: at (?P<first>[^(]*?))?,"
    r" and then .* by (?P<target>\w+)(?: at (?P<then>[^(]*?))?(?: \(for (?P<sizes>.*)\))?$",
    re.MULTILINE,
)


def true_example(
    case: Case, message: str, time_of: Callable[[Instance, Sizes], Time]
) -> bool | None:
    """Whether the two instances in a refusal exist, must not change places, and do; None where
    it names none."""
    found = _EXAMPLE.search(message)
    if found is None:
        return None
    sizes = {name: 0 for name in case.nest.parameters} | _values(found["sizes"])
    source = found["source"], tuple(_values(found["first"]).values())
    target = found["target"], tuple(_values(found["then"]).values())
    nest = case.nest
    if not (nest.admits(sizes) and nest.runs(source, sizes) and nest.runs(target, sizes)):
        return False
    if nest.place(source) >= nest.place(target) or not _touch_alike(case, source, target, sizes):
        return False
    return not is_before(time_of(source, sizes), time_of(target, sizes))


def _values(text: str | None) -> dict[str, int]:
    """ "i = 1, j = 2" """
    pairs = (part.split(" = ") for part in (text or "").split(", ") if part)
    return {name: int(value) for name, value in pairs}


def _touch_alike(case: Case, one: Instance, two: Instance, sizes: Sizes) -> bool:
    """Whether a pair of their references touches one element, one of them writing."""
    return any(
        a.array == b.array and (a.is_write or b.is_write) and (x is None or y is None or x == y)
        for a, x in case.nest.touched(one, sizes)
        for b, y in case.nest.touched(two, sizes)
    )


# Doors

Door = Callable[[Case, Random, int, Tally], None]


def _ask(
    case: Case,
    tally: Tally,
    door: str,
    kinds: str,
    asked: str,
    item: ModulePass,
    times_at: Callable[[PlainOrder], Times],
    time_of: Callable[[Instance, Sizes], Time],
    *,
    may_choose: bool = False,
    may_leave_out: bool = False,
) -> bool:
    """Let a pass give the SCoP a new order, and judge whether it should have. Whether it did. Where
    it `may_choose` another one than was asked for, what it has made is judged alone."""
    problem = case.problem_with(times_at, may_leave_out=may_leave_out)
    where = f"{door} {kinds}\n{case.nest.text}\nfree: {case.free}\n{asked}\n"
    try:
        with effort(EFFORT):
            item.apply(Context(), case.module)
    except CompileError as error:
        message = error.diagnostic.message
        verdict = REFUSED
        if problem is None:
            verdict = LARGER if true_example(case, message, time_of) else LEGAL
        if verdict == LEGAL:
            tally.refused.append(f"{where}{message}")
        tally.add(door, kinds, verdict)
        return False
    if problem is not None and not may_choose:
        tally.wrong.append(f"{where}ACCEPTED: {problem}")
    now = {id(order): times(case.schedule, order.sizes) for order in case.orders}
    problem = case.problem_with(lambda order: now[id(order)], may_leave_out=may_leave_out)
    problem = problem or case.false_promise()
    if problem is not None:
        tally.wrong.append(f"{where}MADE OF IT: {problem}\n{case.schedule}")
    tally.add(door, kinds, ACCEPTED)
    return True


def by_steps(case: Case, random: Random, count: int, tally: Tally) -> None:
    """Scripts: each step that is legal stands, and the next is tried on top of it; some lines
    hold two steps, of which only the second needs to be legal."""
    done = 0
    while done < count:
        case.renew()
        scop, tree = case.scop, single_loops(read_tree(case.scop.schedule))
        for _ in range(random.randint(1, 4)):
            change = random_change(scop, tree, random)
            if change is None:
                return
            text, changed = change
            if random.random() < 0.15:
                again = random_change(scop, changed, random)
                if again is not None:
                    text, changed = f"{text}; {again[0]}", again[1]
            schedule = build_schedule(scop.schedule.get_domain(), changed)
            words = {part.split()[0] for part in text.split("; ")}
            kinds = "+".join(sorted(words))
            done += 1
            if not _ask(
                case,
                tally,
                "steps",
                kinds,
                text,
                PolyApplyStepsPass(steps=text),
                lambda order, schedule=schedule: _isl_times(schedule, order.sizes),
                lambda one, sizes, schedule=schedule: _isl_time(schedule, one, sizes),
                may_choose=not words.isdisjoint(CHOOSING),
            ):
                break
            scop = scop.with_schedule(case.schedule)
            tree = single_loops(read_tree(scop.schedule))
        if random.random() < 0.3:
            ask_for_copies(case, random, tally)


def ask_for_copies(case: Case, random: Random, tally: Tally) -> None:
    """On top of the order that the SCoP has: whatever is accepted leaves memory as it was. Where
    parameters decide whether the buffers fit, a version without them stands beside it."""
    scop = read_scop(case.op)
    text = random_copies(Names.of(scop, single_loops(read_tree(scop.schedule))), random)
    if text is None:
        return
    module = case.module.clone()
    where = f"steps localize\n{case.nest.text}\n{scop.schedule}\n{text}\n"
    try:
        PolyApplyStepsPass(steps=text).apply(Context(), module)
        module.verify()
    except CompileError as error:
        message = error.diagnostic.message
        if "is illegal" in message or "break the order" in message:
            tally.wrong.append(f"{where}{message}")
        tally.add("steps", "localize", REFUSED)
        return
    scops = [one for one in module.walk() if isinstance(one, ScopOp)]
    copied = read_scop(max(scops, key=lambda one: len(one.array_names)))
    leading = {
        one.name: len(copied.statement(one.name).iterators) - len(one.iterators)
        for one in scop.statements
    }
    known = {one.name for one in scop.arrays}
    for order in case.orders[::2]:
        terms = Terms()
        before = memory_after(scop, order.sizes, terms)
        after = memory_after(copied, order.sizes, terms, leading)
        touched = {place for place in (*before, *after) if place[0] in known}
        if any(
            before.get(one, terms.before(one)) != after.get(one, terms.before(one))
            for one in touched
        ):
            tally.wrong.append(f"{where}MADE OF IT: other memory at {order.sizes}")
    tally.add("steps", "localize", ACCEPTED)


def _isl_times(schedule: isl.Schedule, sizes: Sizes) -> Mapping[Instance, tuple[int, ...]]:
    return times(schedule, sizes)


def _isl_time(schedule: isl.Schedule, instance: Instance, sizes: Sizes) -> tuple[int, ...]:
    return times(schedule, sizes, [instance])[instance]


def by_jscop(case: Case, random: Random, count: int, tally: Tally) -> None:
    with tempfile.TemporaryDirectory() as folder:
        case.renew()
        PolyExportJscopPass(dir=folder).apply(Context(), case.module)
        (path,) = Path(folder).iterdir()
        content = json.loads(path.read_text())
        for _ in range(count):
            kinds, dates = changed_dates(dates_of_source(case.nest), random)
            for one in content["statements"]:
                one["schedule"] = dates.isl_text(one["name"])
            path.write_text(json.dumps(content, indent=3))
            asked = "\n".join(map(dates.isl_text, dates.of))
            item = PolyImportJscopPass(file=str(path))
            _ask(
                case.copy(),
                tally,
                "jscop",
                kinds,
                asked,
                item,
                lambda order, dates=dates: dates.times(order.instances, order.sizes),
                dates.time,
                may_leave_out=True,
            )


_SCATTERING = re.compile(
    r"(?<=SCATTERING\n).*?(?=\n\n(?:READ|WRITE|MAY_WRITE|# Number of Statement Ext))", re.DOTALL
)


def import_openscop(case: Case, dates: Dates) -> None:
    """Give the SCoP, as the source has it, these dates by a file."""
    with tempfile.TemporaryDirectory() as folder:
        case.renew()
        PolyExportOpenscopPass(dir=folder).apply(Context(), case.module)
        (path,) = Path(folder).iterdir()
        matrices = iter([dates.matrix(one.name) for one in case.nest.statements])
        path.write_text(_SCATTERING.sub(lambda _: "\n".join(next(matrices)), path.read_text()))
        PolyImportOpenscopPass(file=str(path)).apply(Context(), case.module)


def by_openscop(case: Case, random: Random, count: int, tally: Tally) -> None:
    """The rows of the matrices are written here, from the dates. OpenScop has no way to say that
    an instance runs twice but by an inequality, which is left to JSCoP."""
    with tempfile.TemporaryDirectory() as folder:
        case.renew()
        PolyExportOpenscopPass(dir=folder).apply(Context(), case.module)
        (path,) = Path(folder).iterdir()
        text = path.read_text()
        names = [one.name for one in case.nest.statements]
        for _ in range(count):
            kinds, dates = changed_dates(dates_of_source(case.nest), random)
            if dates.where or dates.again:
                continue
            matrices = iter([dates.matrix(name) for name in names])
            path.write_text(_SCATTERING.sub(lambda _, rows=matrices: "\n".join(next(rows)), text))
            assert next(matrices, None) is None
            case.renew()
            _ask(
                case,
                tally,
                "openscop",
                kinds,
                "\n".join(map(dates.isl_text, names)),
                PolyImportOpenscopPass(file=str(path)),
                lambda order, dates=dates: dates.times(order.instances, order.sizes),
                dates.time,
            )


def by_tree(case: Case, random: Random, count: int, tally: Tally) -> None:
    nest = case.nest
    iterators = {one.name: one.iterators for one in nest.statements}
    domain = str(case.scop.domain)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.schedule"
        for _ in range(count):
            kinds, tree = changed_tree(tree_of_source(nest), iterators, random)
            text = tree_text(nest, tree, domain)
            path.write_text(text)
            case.renew()

            def time_of(one: Instance, sizes: Sizes, tree: PlainTree = tree) -> Time:
                found = tree_times(nest, tree, [one], sizes)
                return () if isinstance(found, str) else found[one]

            _ask(
                case,
                tally,
                "tree",
                kinds,
                text,
                PolyImportSchedulePass(file=str(path)),
                lambda order, tree=tree: tree_times(nest, tree, order.instances, order.sizes),
                time_of,
            )


DOORS: dict[str, Door] = {
    "steps": by_steps,
    "jscop": by_jscop,
    "openscop": by_openscop,
    "tree": by_tree,
}
