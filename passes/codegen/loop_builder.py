"""A loop tree as operations: `affine` wherever an expression is affine, `arith` on index else.

A minimum at the top of an upper bound (a maximum at the top of a lower one) is a bound map of
several results. A minimum, maximum or choice anywhere else is computed in front of what needs it
and enters the map as an operand. Conjunctions are `affine.if`, other conditions `scf.if`.
Iterators and computed values are the dimensions of the maps, the SCoP's parameters the symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from functools import reduce

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    IndexType,
    IntegerAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineExpr,
    AffineMap,
    AffineSet,
)

from polyopt.dialects.locations import location_of
from polyopt.dialects.loop_facts import MARKS, Carried, LoopFacts, stated
from polyopt.poly.loops.expressions import add, names_in
from polyopt.poly.loops.loop_tree import (
    All,
    Any,
    Branch,
    Compare,
    Condition,
    Const,
    Expr,
    FloorDiv,
    Instance,
    Loop,
    Max,
    Min,
    Mod,
    Name,
    Node,
    Product,
    Select,
    Sum,
)
from polyopt.support.index_width import NEAR_THE_END
from polyopt.support.record import entity, record

INDEX = IndexType()


@record
class Site:
    """Where code is made: it goes to the end of `block`, where `names` (parameters and the
    iterators of the loops around) have these values. `parameters` are symbols of maps.

    `outer` is the site of the loop or condition that `block` is the body of; its block ends in
    front of that, so what does not depend on `iterator` may be computed there, once."""

    block: Block
    names: Mapping[str, SSAValue]
    parameters: frozenset[SSAValue]
    outer: Site | None = None
    iterator: str | None = None
    computed: dict[Expr, SSAValue] = field(default_factory=dict["Expr", SSAValue])

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def inside(self, block: Block, iterator: str | None = None) -> Site:
        """The site in a nested block, whose argument is the iterator."""
        names = self.names if iterator is None else {**self.names, iterator: block.args[0]}
        return Site(block, names, self.parameters, self, iterator)

    def of(self, expression: Expr) -> Site:
        """The outermost site where all the names in `expression` have the values that they have
        here."""
        names, found = names_in(expression), self
        while found.outer is not None and found._is_outside(found.outer, names):
            found = found.outer
        return found

    def _is_outside(self, outer: Site, names: Collection[str]) -> bool:
        return self.iterator not in names and all(
            outer.names.get(name) is self.names[name] for name in names
        )


BuildInstance = Callable[[Instance, Site], None]


def build_loops(nodes: Iterable[Node], site: Site, instance: BuildInstance) -> None:
    """The operations of `nodes`; `instance` makes those of one statement instance."""
    for node in nodes:
        match node:
            case Loop():
                _build_loop(node, site, instance)
            case Branch():
                _build_branch(node, site, instance)
            case Instance():
                instance(node, site)


def _build_loop(node: Loop, site: Site, instance: BuildInstance) -> None:
    lower = node.lower.terms if isinstance(node.lower, Max) else (node.lower,)
    upper = node.upper.terms if isinstance(node.upper, Min) else (node.upper,)
    lower_map, lower_operands = affine_map(lower, site)
    upper_map, upper_operands = affine_map(upper, site)
    body = Block(arg_types=[INDEX])
    body.args[0].name_hint = _iterator_hint(node)
    build_loops(node.body, site.inside(body, node.iterator), instance)
    body.add_op(affine.YieldOp.get())
    loop = affine.ForOp.from_region(
        lower_operands, upper_operands, (), (), lower_map, upper_map, Region(body), node.step
    )
    loop.attributes.update(_facts(node))
    loop.location = location_of(node.span)
    site.block.add_op(loop)


def _build_branch(node: Branch, site: Site, instance: BuildInstance) -> None:
    tests = _conjunction(node.condition)
    regions = [Region(), Region()]
    for region, nodes in zip(regions, (node.then, node.orelse), strict=True):
        if nodes:
            region.add_block(Block())
            build_loops(nodes, site.inside(region.block), instance)
            region.block.add_op(scf.YieldOp() if tests is None else affine.YieldOp.get())
    if tests is None:
        site.block.add_op(scf.IfOp(truth(node.condition, site), [], regions[0], regions[1]))
        return
    condition, operands = _affine_set(tests, site)
    site.block.add_op(
        affine.IfOp.build(
            operands=[operands],
            properties={"condition": condition},
            result_types=[[]],
            regions=regions,
        )
    )


# Expressions


@entity
class _Operands:
    """The operands of a map in the making, each once: symbols and dimensions."""

    site: Site
    dims: dict[SSAValue, AffineExpr] = field(default_factory=dict[SSAValue, AffineExpr])
    symbols: dict[SSAValue, AffineExpr] = field(default_factory=dict[SSAValue, AffineExpr])

    @property
    def values(self) -> list[SSAValue]:
        return [*self.dims, *self.symbols]

    def expression(self, expression: Expr) -> AffineExpr:
        match expression:
            case Const(value):
                return AffineExpr.constant(value)
            case Sum(terms):
                return reduce(lambda a, b: a + b, map(self.expression, terms))
            case Product(factor, term):
                return self.expression(term) * factor
            case FloorDiv(term, divisor):
                return self.expression(term) // divisor
            case Mod(term, divisor):
                return self.expression(term) % divisor
            case Name():
                return self._operand(emit(expression, self.site))
            case Min() | Max() | Select():
                site = self.site.of(expression)
                if expression not in site.computed:
                    site.computed[expression] = emit(expression, site)
                return self._operand(site.computed[expression])

    def _operand(self, value: SSAValue) -> AffineExpr:
        if value in self.site.parameters:
            return self.symbols.setdefault(value, AffineExpr.symbol(len(self.symbols)))
        return self.dims.setdefault(value, AffineExpr.dimension(len(self.dims)))


def affine_map(results: Sequence[Expr], site: Site) -> tuple[AffineMapAttr, list[SSAValue]]:
    """The map that gives `results`, and its operands."""
    operands = _Operands(site)
    expressions = tuple(operands.expression(one) for one in results)
    map = AffineMap(len(operands.dims), len(operands.symbols), expressions)
    return AffineMapAttr(map), operands.values


def _affine_set(tests: Sequence[Compare], site: Site) -> tuple[AffineSetAttr, list[SSAValue]]:
    """The set where all of `tests` hold, and its operands."""
    operands = _Operands(site)
    constraints = tuple(
        AffineConstraintExpr(
            AffineConstraintKind.eq if test.is_equality else AffineConstraintKind.ge,
            operands.expression(test.term),
            AffineExpr.constant(0),
            canonicalize=False,
        )
        for test in tests
    )
    set = AffineSet(len(operands.dims), len(operands.symbols), constraints)
    return AffineSetAttr(set), operands.values


def emit(expression: Expr, site: Site) -> SSAValue:
    """`expression` as an index."""
    match expression:
        case Const(value):
            return site.add(arith.ConstantOp(IntegerAttr(value, INDEX)))
        case Name(name):
            return site.names[name]
        case Min(terms) | Max(terms):
            operation = arith.MinSIOp if isinstance(expression, Min) else arith.MaxSIOp
            values = [emit(term, site) for term in terms]
            return reduce(lambda a, b: site.add(operation(a, b)), values)
        case Select(condition, then, orelse):
            test = truth(condition, site)
            return site.add(arith.SelectOp(test, emit(then, site), emit(orelse, site)))
        case Sum() | Product() | FloorDiv() | Mod():
            map, operands = affine_map((expression,), site)
            return site.add(affine.ApplyOp(operands, map))


def truth(condition: Condition, site: Site) -> SSAValue:
    """`condition` as an i1."""
    match condition:
        case Compare(term, is_equality):
            rest, number = _apart(term)
            left, right = emit(rest, site), emit(Const(-number), site)
            return site.add(arith.CmpiOp(left, right, "eq" if is_equality else "sge"))
        case All(conditions) | Any(conditions):
            operation = arith.AndIOp if isinstance(condition, All) else arith.OrIOp
            tests = [truth(one, site) for one in conditions]
            if not tests:
                neutral = IntegerAttr.from_bool(isinstance(condition, All))
                return site.add(arith.ConstantOp(neutral))
            return reduce(lambda a, b: site.add(operation(a, b)), tests)


def _apart(term: Expr) -> tuple[Expr, int]:
    """(e, c) with e + c the term: c so great that the sum may wrap around where e does not, or
    0."""
    match term:
        case Sum((*rest, Const(number))) if abs(number) >= NEAR_THE_END:
            return add(*rest), number
        case _:
            return term, 0


def _conjunction(condition: Condition) -> Sequence[Compare] | None:
    """The comparisons with 0 that must all hold, None if the condition is no conjunction of
    such."""
    match condition:
        case Compare(term):
            return None if _apart(term)[1] else [condition]
        case All(conditions):
            tests = [_conjunction(one) for one in conditions]
            if any(one is None or len(one) != 1 for one in tests):
                return None
            return [test for one in tests for test in one or ()]
        case Any():
            return None


def _iterator_hint(node: Loop) -> str:
    if node.source is None:
        return node.iterator
    is_tile = "tile" in node.marks and not node.source.endswith("_tile")
    return f"{node.source}_tile" if is_tile else node.source


def _facts(node: Loop) -> dict[str, Attribute]:
    """What is known of a loop, as attributes (`dialects/loop_facts.py`). Marks that nobody but the
    author of the schedule knows stay behind: `poly-to-affine` says so."""
    return stated(
        LoopFacts(
            _carried(node),
            node.reductions or node.pipeline or (),
            node.source,
            tuple(mark for mark in node.marks if mark in MARKS),
        )
    )


def _carried(node: Loop) -> Carried:
    if node.is_parallel:
        return "parallel"
    if node.reductions:
        return "reduction"
    return "serial" if node.pipeline is None else "pipeline"
