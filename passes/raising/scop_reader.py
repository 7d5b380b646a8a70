"""Loops and branches in a row as the parts of a SCoP: statements, domains, and their order.

    affine.for %i = L to U step s     [i] : L <= i < U and (i - L) mod s = 0; a band over i
    affine.if #set                    the set's condition, or its negation in the else part
    straight-line code                one statement after another: it is cut after each store
                                      where no loaded value lives on

The iteration vector of a statement are the iterators of the loops around it, with their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from xdsl.dialects import affine, func, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, NoneAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import is_pure
from polyopt.passes.raising.affine_values import why_not
from polyopt.passes.raising.isl_text import NotAffineText, map_texts, set_text, value_text
from polyopt.passes.raising.scalars import is_inside, is_recomputable, segments_of
from polyopt.poly.isl.names import WORDS
from polyopt.support.record import entity, record

ACCESSES = affine.LoadOp | affine.StoreOp | memref.LoadOp | memref.StoreOp
STORES = affine.StoreOp | memref.StoreOp


class NotRaisable(Exception):
    """`op` cannot be part of a SCoP, and why."""

    def __init__(self, op: Operation, reason: str):
        super().__init__(reason)
        self.op = op


@record
class Around:
    """The loops and conditions around a place; `iterators` by name, outermost first."""

    iterators: tuple[tuple[SSAValue, str], ...] = ()
    conditions: tuple[str, ...] = ()


@record
class RawStatement:
    """Operations of one block that run as one step."""

    name: str
    ops: tuple[Operation, ...]
    around: Around

    @property
    def instance(self) -> str:
        return f"{self.name}[{', '.join(name for _, name in self.around.iterators)}]"


@record
class _Part:
    """The schedule of the statements from number `first` to `end`; "" where one is all."""

    tree: str
    first: int
    end: int


@entity
class ScopReader:
    """Reads the operations of `region`; what it meets is collected."""

    region: Sequence[Operation]
    parameters: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    arrays: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    written: set[SSAValue] = field(default_factory=set[SSAValue])
    statements: list[RawStatement] = field(default_factory=list[RawStatement])
    _iterators: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    _taken: set[str] = field(default_factory=set[str])

    def read(self) -> str:
        """The schedule tree below the domain, as isl writes it. Raises NotRaisable."""
        tree = self._sequence([self._part(op, Around()) for op in self.region])
        # What a loop carries becomes a statement when it is demoted.
        if not self.statements and not any(op.results for op in self.region):
            raise NotRaisable(self.region[0], "nothing is stored")
        return tree

    def name_of(self, value: SSAValue) -> str | None:
        """The name of an iterator or, from outside, of a parameter, which it becomes."""
        if value in self._iterators:
            return self._iterators[value]
        if not isinstance(value.type, IndexType) or is_inside(value, self.region):
            return None
        if value not in self.parameters:
            self.parameters[value] = self.fresh(value.name_hint or "p")
        return self.parameters[value]

    def fresh(self, hint: str) -> str:
        """A name that isl takes and that stands for nothing else yet."""
        base = hint if hint.isidentifier() and hint not in WORDS else f"v_{hint}"
        base = "".join(c if c.isalnum() else "_" for c in base)
        name, count = base, 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def _part(self, op: Operation, around: Around) -> _Part:
        first = len(self.statements)
        try:
            match op:
                case affine.ForOp():
                    tree = self._loop(op, around)
                case affine.IfOp():
                    tree = self._branch(op, around)
                case _:
                    raise NotRaisable(op, f"{op.name} is neither a loop nor a branch")
        except NotAffineText as error:
            what = "the bound of a loop" if isinstance(op, affine.ForOp) else "a condition"
            cause, _ = why_not(error.value)
            raise NotRaisable(op, f"{what} in it is not affine: {cause}") from None
        return _Part(tree, first, len(self.statements))

    def _loop(self, op: affine.ForOp, around: Around) -> str:
        iterator, step = op.body.block.args[0], op.step.value.data
        lowers = map_texts(op.lowerBoundMap.data, op.lowerBoundOperands, self.name_of)
        uppers = map_texts(op.upperBoundMap.data, op.upperBoundOperands, self.name_of)
        name = self.fresh(iterator.name_hint or "i")
        self._iterators[iterator] = name
        tests = [f"{lower} <= {name}" for lower in lowers] + [f"{name} < {u}" for u in uppers]
        if step != 1:
            if len(lowers) != 1:
                raise NotRaisable(op, "a loop in steps from the greatest of several bounds")
            tests.append(f"({name} - {lowers[0]}) mod {step} = 0")
        first = len(self.statements)
        inner = Around(
            (*around.iterators, (iterator, name)), (*around.conditions, " and ".join(tests))
        )
        below = self._block(op.body.block, inner)
        members = "; ".join(f"{one.instance} -> [({name})]" for one in self.statements[first:])
        if not members:
            return ""
        band = f'schedule: "[{{ {members} }}]"'
        return f"{band}, child: {{ {below} }}" if below else band

    def _branch(self, op: affine.IfOp, around: Around) -> str:
        condition = set_text(op.condition.data, op.args, self.name_of)
        parts: list[_Part] = []
        for region, test in ((op.then_region, condition), (op.else_region, f"not ({condition})")):
            if region.blocks:
                first = len(self.statements)
                inner = Around(around.iterators, (*around.conditions, test))
                tree = self._block(region.block, inner)
                parts.append(_Part(tree, first, len(self.statements)))
        return self._sequence(parts)

    def _block(self, block: Block, around: Around) -> str:
        parts: list[_Part] = []
        for segment in list(segments_of(block)):
            if not isinstance(segment, list):
                parts.append(self._part(segment, around))
                continue
            for ops in self._steps(segment):
                number = len(self.statements)
                self.statements.append(RawStatement(self.fresh("S"), ops, around))
                parts.append(_Part("", number, number + 1))
        return self._sequence(parts)

    def _sequence(self, parts: Iterable[_Part]) -> str:
        """One part after another; parts without statements are nothing."""
        real = [part for part in parts if part.first < part.end]
        if len(real) <= 1:
            return real[0].tree if real else ""
        filters: list[str] = []
        for part in real:
            names = "; ".join(one.instance for one in self.statements[part.first : part.end])
            below = f", child: {{ {part.tree} }}" if part.tree else ""
            filters.append(f'{{ filter: "{{ {names} }}"{below} }}')
        return f"sequence: [ {', '.join(filters)} ]"

    # Straight-line code

    def _steps(self, segment: list[Operation]) -> list[tuple[Operation, ...]]:
        """The statements of a segment; operations after the last store have no effect."""
        steps: list[tuple[Operation, ...]] = []
        step: list[Operation] = []
        for place, op in enumerate(segment):
            self._check(op)
            step.append(op)
            if isinstance(op, STORES) and not self._lives_on(step, segment[place + 1 :]):
                steps.append(tuple(step))
                step = []
        return steps

    def _lives_on(self, step: list[Operation], rest: list[Operation]) -> bool:
        later = set(rest)
        return any(
            use.operation in later and not is_recomputable(value, self.region)
            for op in step
            for value in op.results
            for use in value.uses
        )

    def _check(self, op: Operation) -> None:
        if not isinstance(op, ACCESSES):
            if not is_pure(op):
                raise NotRaisable(op, _why_no_statement(op))
            return
        array = op.memref
        name = f"'{array.name_hint}'" if array.name_hint else "an array"
        if is_inside(array, self.region):
            raise NotRaisable(op, f"{name} is made inside the loops; before them it can be kept")
        if not isa(array.type, MemRefType) or not isinstance(array.type.layout, NoneAttr):
            reason = f"{name} has a layout of its own, as views have whose source is not known"
            raise NotRaisable(op, reason)
        if array not in self.arrays:
            self.arrays[array] = self.fresh(array.name_hint or "A")
        if isinstance(op, STORES):
            self.written.add(array)

    def element(self, op: Operation) -> list[str] | None:
        """The subscripts of an access; None where they are known only at run time."""
        try:
            match op:
                case affine.LoadOp() | affine.StoreOp():
                    return map_texts(op.map.data, op.indices, self.name_of)
                case memref.LoadOp() | memref.StoreOp():
                    return [value_text(index, self.name_of) for index in op.indices]
                case _:
                    raise AssertionError(f"{op.name} is no access")
        except NotAffineText:
            return None


def _why_no_statement(op: Operation) -> str:
    """Why an operation inside the loops cannot be part of a statement, and what to do."""
    match op:
        case scf.ForOp() | scf.WhileOp() | scf.ParallelOp():
            return f"there is a loop in it that is none of affine ({op.name})"
        case scf.IfOp():
            return "there is a conditional in it on what is computed; arith.select has no branch"
        case func.CallOp():
            callee = op.callee.string_value()
            return f"it calls '{callee}', which may do anything; inlined, it can be looked into"
        case _:
            return f"{op.name} may have side effects"
