"""Which accesses of one object meet, though nothing keeps the threads or lanes that do them apart.

Asked about are accesses whose place is affine and which are done for sure where control is (others
are silent), within one static control part. Two of them race

    in a shared loop     in different iterations (chunks, where the schedule names a size)
    between constructs   in one run of the parallel region, with no barrier between, where different
                         threads may have them: an equal static schedule gives equal numbers to one
    among lanes          in different iterations, if lanes that do each statement together do the
                         second one's before the first one's

A race is spoken of where it happens whatever the parameters are, as long as loops are long: of a
parameter that no loop's length depends on nobody knows what values it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import enclosing_block, is_conditional
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.regions import FlowRegion, sequence
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_conditions import condition_flags
from polyopt.ir.expressions.integer_expr import Condition, Unknown, condition_terms
from polyopt.passes.openmp.races.constructs import Construct, SerialView
from polyopt.passes.openmp.races.reaches import (
    Race,
    Reach,
    is_one_update,
    locks,
    loop_of,
    pairs,
    undoes,
    up_to,
)
from polyopt.passes.openmp.races.updates import update_of
from polyopt.passes.scop.access_relations import StatementSpace
from polyopt.passes.scop.candidate import MemoryOp
from polyopt.passes.scop.detection import Findings, search
from polyopt.passes.scop.plan import ScopPlan
from polyopt.poly.analysis.races import (
    Instances,
    Moment,
    alike,
    earlier,
    is_certain,
    long_loops,
    meeting,
    reasonable,
    separated,
)
from polyopt.poly.example import example
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.numbers import val

_OPERATIONS = 400_000
"""Some tenth of a second of isl, for each object."""
_MOST_TRIES = 24
"""Of sequences of loops that may be static control parts, for each outermost construct."""
_MOST_ACCESSES = 24
"""Of one object; of more, the first ones are looked at."""


def find_races(view: SerialView) -> Iterator[Race]:
    """At most one for each object in each construct, or two of them."""
    flow = ControlFlow(view.function.body)
    places = _places(view)
    for root in view.roots:
        if root.kind not in ("parallel", "loop", "simd") or not _is_there(root):
            continue
        findings = Findings(
            is_wanted=lambda parts: any(block in part for block in places for part in parts),
            needs_loops=False,
            tries=_MOST_TRIES,
        )
        search(flow, _parts(flow, root), findings)
        for plan in findings.plans:
            yield from _Races(view, flow, root, plan).find()


def _places(view: SerialView) -> set[Block]:
    """Where loops are shared, and where a thread writes outside of them: of what stands within a
    shared loop that is not understood nothing can be said."""
    found: set[Block] = set()
    for op, construct in view.under.items():
        for one in construct.around():
            found.update(one.headers)
        if isinstance(op, memref.StoreOp) and construct.find("loop", "simd") is None:
            if op.parent is not None:
                found.add(enclosing_block(op))
    return found


def _is_there(construct: Construct) -> bool:
    """Whether control reaches its start and its end."""
    marks = [mark for mark in (construct.begin, construct.end) if mark is not None]
    return all(mark.parent is not None for mark in marks)


def _parts(flow: ControlFlow, root: Construct) -> list[FlowRegion]:
    assert root.begin is not None
    last = root.headers[0] if root.end is None else enclosing_block(root.end)
    parts: list[FlowRegion] = []
    for part in sequence(flow, enclosing_block(root.begin)):
        parts.append(part)
        if last in part:
            break
    return parts


class _Races:
    def __init__(self, view: SerialView, flow: ControlFlow, root: Construct, plan: ScopPlan):
        self.view = view
        self.flow = flow
        self.root = root
        self.plan = plan
        self.candidate = plan.candidate
        self.space = plan.candidate.space
        self.places = {block: n for n, block in enumerate(self.candidate.region.blocks)}
        self.headers = {loop.header: loop for loop in self.space.iterators}
        self.inside: dict[Construct, set[Block]] = {}
        self.numbers: dict[Operation, int] = {}
        self.names = 0

    def find(self) -> Iterator[Race]:
        for array in self.candidate.arrays:
            ops = [ref.op for ref in array.references if ref.op in self.view.under]
            if not any(isinstance(op, memref.StoreOp) for op in ops):
                continue
            yield from self._within_budget(array.base, ops)

    def _within_budget(self, base: SSAValue, ops: Sequence[MemoryOp]) -> list[Race]:
        """What was found before it was spent."""
        found: list[Race] = []
        try:
            with budget("races", _OPERATIONS):
                for race in self._of_object(base, ops):
                    found.append(race)
        except BudgetExceeded:
            pass
        shared = {race.around for race in found}
        return [one for one in found if one.around is None or loop_of(one.around) not in shared]

    def _of_object(self, base: SSAValue, ops: Sequence[MemoryOp]) -> Iterator[Race]:
        touches = [touch for op in ops if (touch := self._touch(op, base)) is not None]
        found: set[tuple[Construct | None, ...]] = set()
        for x, y in pairs(touches[:_MOST_ACCESSES]):
            for around, key, race in self._races(x, y):
                if key in found:
                    continue
                if not is_certain(race, self._expected(x, y)):
                    continue
                shown = example(race, x.instances.relation)
                if shown is not None:
                    found.add(key)
                    complete = len(touches) == len(ops)
                    yield Race(x, y, around, race, shown, self.plan, touches, complete)

    # Accesses as instances

    def _touch(self, op: MemoryOp, base: SSAValue) -> Reach | None:
        candidate = self.candidate
        if op not in candidate.affine or is_conditional(op):
            return None
        block = enclosing_block(op)
        array = next(one for one in candidate.arrays if one.base is base)
        subscript = candidate.subscripts[op]
        self.names += 1
        domain = self.plan.domains.of[block]
        named = StatementSpace(self.space, block, f"A{self.names}", domain)
        relation = named.relation("E", subscript.indices, array.layout.shape)
        instances = Instances(named.domain(), relation, self._time(op, block))
        update = self.view.updates.get(op)
        if update is None and isinstance(op, memref.StoreOp):
            update = update_of(op, lambda load: self._same_place(op, load))
        return Reach(
            op,
            base,
            self.view.under[op],
            block,
            self.space.loops_around(block),
            instances,
            isinstance(op, memref.StoreOp),
            update,
        )

    def _same_place(self, store: memref.StoreOp, load: memref.LoadOp) -> bool:
        subscripts = self.candidate.subscripts
        if load not in subscripts or load not in self.view.under:
            return False
        if self.candidate.array_of(load) is not self.candidate.array_of(store):
            return False
        return subscripts[load].indices == subscripts[store].indices

    def _time(self, op: Operation, block: Block) -> tuple[Moment, ...]:
        """Places are those of blocks, in steps that leave room for what stands in a block."""
        parts: list[Moment] = []
        for dimension, loop in enumerate(self.space.loops_around(block)):
            parts.append(self._place(loop.header, None))
            parts.append((dimension, self.space.iterators[loop].direction))
        return (*parts, self._place(block, op))

    def _place(self, block: Block, op: Operation | None) -> int:
        start = self.places[block] << 20
        if op is None:
            return start
        if op not in self.numbers:
            for number, one in enumerate(block.ops):
                self.numbers[one] = number
        return start + self.numbers[op]

    # Who shares what

    def _blocks(self, region: Construct) -> set[Block]:
        """The blocks in which a parallel region's operations stand."""
        known = self.inside.get(region)
        if known is not None:
            return known
        assert region.begin is not None
        assert region.end is not None
        start, end = enclosing_block(region.begin), enclosing_block(region.end)
        seen, pending = {start, end}, [start] if start is not end else []
        while pending:
            for edge in outgoing(pending.pop()):
                if edge.target not in seen:
                    seen.add(edge.target)
                    pending.append(edge.target)
        self.inside[region] = seen
        return seen

    def _is_made_in(self, value: SSAValue, region: Construct) -> bool:
        """Whether a parallel region computes the value, perhaps in each thread another one."""
        owner = value.owner
        block = owner if isinstance(owner, Block) else enclosing_block(owner)
        if block not in self._blocks(region):
            return False
        assert region.begin is not None
        if block is not enclosing_block(region.begin):
            return True
        return isinstance(owner, Operation) and region.begin.is_before_in_block(owner)

    def _is_shared(self, base: SSAValue, region: Construct | None, inner: Construct) -> bool:
        """Whether the threads of the region have the object together; without a region around the
        loop, all that is known to be so are globals."""
        if self._is_own(base, inner, region):
            return False
        variable = self.view.shadows.get(base, base)
        if variable in self.view.homes:
            home = self.view.homes[variable]
            return region is not None and home not in up_to(inner, region)
        if isinstance(base.owner, cmem.AddressOfOp):
            return base.owner.symbol.string_value() not in self.view.thread_local
        if region is None:
            return base in self.view.uniform
        return not self._is_made_in(base, region)

    def _is_own(self, base: SSAValue, inner: Construct, region: Construct | None) -> bool:
        return any(base in one.own for one in up_to(inner, region))

    def _is_uniform(self, touch: Reach, region: Construct | None) -> bool:
        """Whether threads agree on all sizes that say where the access goes and when."""
        instances = touch.instances
        for monomial, name in self.space.parameters.items():
            if all(self._agreed(atom, region) for atom in monomial):
                continue
            for one in (instances.relation, *(() if region is None else (instances.domain,))):
                place = one.find_dim_by_name(isl.dim_type.param, name)
                if place >= 0 and one.involves_dims(isl.dim_type.param, place, 1):
                    return False
        return True

    def _agreed(self, atom: object, region: Construct | None) -> bool:
        if not isinstance(atom, Unknown):
            return False
        if region is None:
            return atom.value in self.view.uniform
        return not self._is_made_in(atom.value, region)

    # Pairs

    def _races(
        self, x: Reach, y: Reach
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        """(the loop, what to tell races apart by, the pairs)"""
        yield from self._among_lanes(x, y)
        region = x.construct.find("parallel")
        if y.construct.find("parallel") is not region:
            return
        if region is not None and (region.has_tasks or not self._is_parallel(region)):
            return
        for one in (x, y):
            if not self._is_shared(one.base, region, one.construct):
                return
            if not self._is_uniform(one, region):
                return
        if locks(x) & locks(y):
            return
        if x.maker is y.maker and x.maker is not None and x.maker.kind == "loop":
            yield from self._in_loop(x, y, x.maker, region)
        elif region is not None and not region.has_calls:
            yield from self._between(x, y, region)

    def _in_loop(
        self, x: Reach, y: Reach, loop: Construct, region: Construct | None
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        if not self._is_held(loop) or loop.chunk is None:
            return
        if loop.nowait and (region is None or region.has_calls):
            return  # a lock may be held around it
        different = self._later(x, y, loop, is_exact=False)
        if different is None:
            return
        run = alike(x.instances, y.instances, self._outside(loop))
        race = meeting(x.instances, y.instances).intersect(run).intersect(different)
        yield loop, (loop,), race
        if region is None or region.has_calls or not loop.nowait or not self._is_held(region):
            return
        if self._outside(loop) > self._outside(region):
            runs = self._between_pairs(x, y, region).subtract(run)
            yield None, (loop, loop), runs.intersect(self._different_threads(x, y))

    def _between(
        self, x: Reach, y: Reach, region: Construct
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        a, b = x.maker, y.maker
        kinds = {one.kind if one is not None else "each" for one in (a, b)}
        if "unknown" in kinds or kinds == {"master"}:
            return
        if kinds == {"each"} and not (is_one_update(x, y) or undoes(x, y)):
            return
        race = self._between_pairs(x, y, region)
        if a is b and a is not None:
            if not self._is_held(a):
                return
            race = race.subtract(alike(x.instances, y.instances, self._outside(a)))
        elif kinds in ({"loop"}, {"loop", "master"}):
            race = race.intersect(self._different_threads(x, y))
        elif kinds == {"section"} and a is not None and b is not None and a.parent is b.parent:
            if not self._is_held(a):
                return
        yield None, (a, b), race

    def _between_pairs(self, x: Reach, y: Reach, region: Construct) -> isl.Map:
        waits = [
            Instances(named.domain(), named.relation("W", [], []), self._time(op, named.block))
            for op, construct in self.view.waits.items()
            if region in construct.around()
            for named in self._named(op)
        ]
        count = self._outside(region) if self._is_held(region) else 0
        a, b = x.instances, y.instances
        race = meeting(a, b).intersect(earlier(a, b)).intersect(alike(a, b, count))
        return race.subtract(separated(a, b, waits))

    def _named(self, op: Operation) -> Iterator[StatementSpace]:
        block = op.parent
        if block is not None and block in self.places:
            yield StatementSpace(self.space, block, "W", self.plan.domains.of[block])

    def _different_threads(self, x: Reach, y: Reach) -> isl.Map:
        """{ s -> t : some team gives them to two threads }; none where that is not known."""
        a, b = x.instances, y.instances
        everything = isl.Map.from_domain_and_range(a.domain, b.domain)
        nothing = everything.subtract(everything)
        makers = [one.maker for one in (x, y)]
        loops = [one for one in makers if one is not None and one.kind == "loop"]
        if any(loop.schedule in ("dynamic", "guided") for loop in loops):
            return everything
        if any(loop.chunk is None or not self._is_held(loop) for loop in loops):
            return nothing
        numbers = [self._numbers(one, one.maker) for one in (x, y)]
        if any(one.dim(isl.dim_type.out) != 1 for one in numbers):
            return nothing
        left, right = numbers
        return left.lex_lt_map(right).union(left.lex_gt_map(right))

    def _among_lanes(
        self, x: Reach, y: Reach
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        lanes = x.construct.find("simd")
        if lanes is None or y.construct.find("simd") is not lanes or lanes.has_calls:
            return
        if not self._is_held(lanes) or any(not self._is_lanes_own(one, lanes) for one in (x, y)):
            return
        later = self._later(x, y, lanes, is_exact=True)
        if later is None:
            return
        a, b = x.instances, y.instances
        dimensions = frozenset(x.loops.index(self.headers[one]) for one in lanes.headers)
        race = meeting(a, b).intersect(alike(a, b, self._outside(lanes))).intersect(later)
        race = race.intersect(earlier(b, a, dimensions).reverse())
        yield lanes, (lanes,), race

    def _is_lanes_own(self, touch: Reach, lanes: Construct) -> bool:
        return not any(touch.base in one.own for one in up_to(touch.construct, lanes.parent))

    # Loops

    def _is_held(self, construct: Construct) -> bool:
        """Whether the static control part holds all of the construct."""
        if construct.headers:
            return all(header in self.headers for header in construct.headers)
        return construct.begin is not None and construct.begin.parent in self.places

    def _outside(self, construct: Construct) -> int:
        """How many of the loops are around the construct."""
        if construct.headers:
            return len(self.space.loops_around(construct.headers[0])) - 1
        assert construct.begin is not None
        return len(self.space.loops_around(enclosing_block(construct.begin)))

    def _numbers(self, touch: Reach, construct: Construct | None) -> isl.Map:
        """{ S[i] -> [k] }: the numbers of iterations, or of chunks; for what the first thread does,
        0."""
        domain = touch.instances.domain
        affs = isl.PwAffList.alloc(isl.DEFAULT_CONTEXT, 1)
        count = 0
        for header in () if construct is None else construct.headers:
            assert construct is not None
            counter = self.space.counter(self.headers[header])
            missing = touch.instances.depth - counter.dim(isl.dim_type.in_)
            number = counter.add_dims(isl.dim_type.in_, missing)
            if construct.chunk not in (1, None) and len(construct.headers) == 1:
                number = number.scale_down_val(val(construct.chunk)).floor()
            affs, count = affs.add(number), count + 1
        if not count:
            local = isl.LocalSpace.from_space(self.space.space(touch.instances.depth))
            affs, count = affs.add(isl.PwAff.from_aff(isl.Aff.zero_on_domain(local))), 1
        source = self.space.space(touch.instances.depth)
        space = source.map_from_domain_and_range(self.space.space(count))
        result = isl.Map.from_multi_pw_aff(isl.MultiPwAff.from_pw_aff_list(space, affs))
        name = domain.get_tuple_name()
        return result.set_tuple_name(isl.dim_type.in_, name).intersect_domain(domain)

    def _later(self, x: Reach, y: Reach, loop: Construct, *, is_exact: bool) -> isl.Map | None:
        """{ s -> t : t has a greater number }, one that counts: of another chunk, or, for lanes
        (`is_exact`), of those that are done at once."""
        if len(loop.headers) > 1 and (loop.chunk != 1 or loop.safelen is not None):
            return None
        left, right = self._numbers(x, loop), self._numbers(y, loop)
        later = left.lex_lt_map(right)
        if is_exact and loop.safelen is not None:
            step = isl.Map.from_domain_and_range(left.range(), right.range())
            near = step.deltas_map().intersect_range(isl.Set(f"{{ [d] : 0 < d < {loop.safelen} }}"))
            later = later.intersect(
                left.apply_range(near.domain().unwrap()).apply_range(right.reverse())
            )
        return later

    def _expected(self, x: Reach, y: Reach) -> isl.Set:
        """The parameters for which the race has to happen."""
        loops = dict.fromkeys((*x.loops, *y.loops))
        domains = (self.plan.domains.of[loop.latches[0]] for loop in loops)
        context = reasonable(self.plan.context)
        enough = long_loops(domains) if loops else context
        return context.subtract(context) if enough is None else context.intersect(enough)

    def _is_parallel(self, region: Construct) -> bool:
        """Whether what makes the region one of many threads is known: sizes of its own loops."""
        for op in region.conditions:
            if op.parent is None:
                return False
            evolution = self.candidate.evolution
            condition = edge_condition(next(iter(outgoing(enclosing_block(op)))), evolution)
            if not self._is_known(condition):
                return False
        return True

    def _is_known(self, condition: Condition) -> bool:
        return not any(condition_flags(condition)) and all(
            not monomial or monomial in self.space.parameters
            for term in condition_terms(condition)
            for monomial in term.terms
        )
