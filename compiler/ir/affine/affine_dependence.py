"""Exact memory dependences between the accesses of affine loops.

Two accesses to one array, at least one of them a write, depend on each other where they touch
the same element and one runs before the other. In isl's words, for loops around the source
(`i_0, ..., i_m`) and around the sink (`j_0, ..., j_n`):

    { [i] -> [j] : i in D_source, j in D_sink, f_source(i) = f_sink(j), i before j }

The classic tests answer first (`classic_answer`); isl is asked what they leave open.

What is not known makes more dependences, never fewer: a subscript or bound that is not affine
puts no constraint, arrays that may overlap depend everywhere, an operation with unknown effects
makes `is_complete` false and every question is answered "dependence".

The relation between original order and time is that of Kelly and Pugh: equal in the common
outer loops and later in the next one, or equal in all and later in the text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import islpy as isl
from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from polyopt.dialects.team import ShareOp
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    ElementAccess,
    accesses_in,
    enclosing_loops,
    is_defined_inside,
)
from polyopt.ir.affine.classic_answer import References
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.objects.alias import may_overlap
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.read_once import map_of, set_of
from polyopt.support.record import entity, record

OPERATIONS = 200_000
"""isl operations that the dependences of one nest may take."""


@record
class Dependence:
    """`relation` holds pairs of iterations of the loops around the two accesses, not empty;
    `parameters` are what its parameters stand for."""

    source: Access
    sink: Access
    common: tuple[AffineLoop, ...]
    relation: isl.Map
    parameters: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    @property
    def kind(self) -> str:
        """ "RAW", "WAR" or "WAW"."""
        return f"{'W' if self.sink.is_write else 'R'}A{'W' if self.source.is_write else 'R'}"

    @cached_property
    def distances(self) -> isl.Set:
        """{ j - i } over the common loops."""
        relation = self.relation
        count = len(self.common)
        for side in (isl.dim_type.in_, isl.dim_type.out):
            relation = relation.project_out(side, count, relation.dim(side) - count)
        return relation.deltas()

    def level(self, loop: AffineLoop) -> int | None:
        """The position of `loop` among the common loops."""
        for position, common in enumerate(self.common):
            if common.op is loop.op:
                return position
        return None

    def has_distance(self, constraints: str) -> bool:
        """Is there a distance with these constraints over `d0, d1, ...` (isl text)?"""
        dims = ", ".join(f"d{level}" for level in range(len(self.common)))
        condition = set_of(f"{{ [{dims}] : {constraints} }}")
        return not self.distances.intersect(condition).is_empty()


@record
class NestDependences:
    """All dependences below one operation."""

    dependences: tuple[Dependence, ...]
    is_complete: bool

    def carried_by(self, loop: AffineLoop) -> list[Dependence]:
        """Those whose two ends run in different iterations of `loop` and in the same iteration
        of every loop around it."""
        found: list[Dependence] = []
        for dependence in self.dependences:
            level = dependence.level(loop)
            if level is None:
                continue
            same = [f"d{outer} = 0" for outer in range(level)]
            if dependence.has_distance(" and ".join((*same, f"d{level} > 0"))):
                found.append(dependence)
        return found

    def is_parallel(self, loop: AffineLoop) -> bool:
        """No dependence is carried by `loop`, in memory or through `iter_args`."""
        if loop.op.inits:
            return False
        return loop.is_marked_parallel or (self.is_complete and not self.carried_by(loop))


@entity
class _Names:
    """isl names of SSA values: iterators by side, everything else a parameter."""

    parameters: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])

    def parameter(self, value: SSAValue) -> str:
        return self.parameters.setdefault(value, f"p{len(self.parameters)}")


def dependences_below(
    root: Operation,
    operations: int = OPERATIONS,
    private: Collection[SSAValue] = (),
) -> NestDependences:
    """The dependences between all accesses below `root`, for all common loops from `root` in, if
    isl finds them in so many operations. `private` arrays are somebody else's business."""
    accesses: list[Access] = []
    for access in accesses_in(root):
        if access is None:
            return NestDependences((), False)
        if access.array not in private:
            accesses.append(access)
    found: list[Dependence] = []
    references = References(root)
    try:
        with budget("affine dependences", operations):
            for first, source in enumerate(accesses):
                for second, sink in enumerate(accesses):
                    if not (source.is_write or sink.is_write):
                        continue
                    if not may_overlap(source.array, sink.array):
                        continue
                    dependence = _dependence(references, source, sink, first < second)
                    if dependence is not None:
                        found.append(dependence)
    except BudgetExceeded:
        return NestDependences((), False)
    return NestDependences(tuple(found), True)


def elements_by_iteration(
    root: affine.ForOp, touches: Sequence[ElementAccess]
) -> list[isl.Map | None]:
    """For each access, { [i] -> [element] : iteration i of `root` touches the element there }; what
    is outside of `root` are parameters, the same in all. None where a bound or subscript is not
    affine. Conditions around an access are left out."""
    names = _Names()
    return [_elements(root, op, names) for op in touches]


def is_touched_alike(root: affine.ForOp, touches: Sequence[ElementAccess]) -> bool:
    """Do all iterations of `root` touch the same elements of one array, taken together?"""
    names, loop = _Names(), AffineLoop(root)
    ivs: dict[SSAValue, str] = {loop.iv: "i0"}
    if not touches or not _has_known_range(root, loop, ivs, names):
        return False
    constraints = _domain(root, [loop], ivs, names)
    touched: isl.Map | None = None
    for op in touches:
        elements = _elements(root, op, names)
        if elements is None:
            return False
        touched = elements if touched is None else touched.union(elements)
    assert touched is not None
    header = f"[{', '.join(names.parameters.values())}]"
    iterations = isl.Set(f"{header} -> {{ [i0] : {' and '.join(constraints)} }}")
    return isl.Map.from_domain_and_range(iterations, touched.range()).is_subset(touched)


def reads_own_writes(
    root: affine.ForOp,
    reads: Sequence[ElementAccess],
    writes: Sequence[ElementAccess],
    box: isl.Set,
) -> bool:
    """Does each of the reads find, as far as it is in the `box`, what one of the writes has written
    in the same iteration of `root`, before? All are of one array; no write is conditional."""
    names = _Names()
    depth = max((len(enclosing_loops(op, root)) for op in (*reads, *writes)), default=0)
    wanted = [_timed_elements(root, op, names, depth) for op in reads]
    made: isl.Map | None = None
    for op in writes:
        one = _timed_elements(root, op, names, depth)
        if one is not None:
            made = one if made is None else made.union(one)
    if made is None or any(one is None for one in wanted):
        return False
    count = 2 * depth - 1
    found = made.apply_range(isl.Map(_later(count, box.dim(isl.dim_type.set))))
    times = isl.Set(f"{{ [{', '.join(f't{n}' for n in range(count))}] }}")
    inside = times.product(box).flatten()
    return all(one is not None and one.intersect_range(inside).is_subset(found) for one in wanted)


def _later(count: int, dims: int) -> str:
    """{ [t, e] -> [s, e] : t < s }, in the order of time."""
    before, after = [f"t{n}" for n in range(count)], [f"s{n}" for n in range(count)]
    elements = [f"e{n}" for n in range(dims)]
    cases = [
        " and ".join(
            [*(f"{before[m]} = {after[m]}" for m in range(n)), f"{before[n]} < {after[n]}"]
        )
        for n in range(count)
    ]
    left, right = ", ".join([*before, *elements]), ", ".join([*after, *elements])
    return f"{{ [{left}] -> [{right}] : {' or '.join(f'({one})' for one in cases)} }}"


def _timed_elements(
    root: affine.ForOp, op: ElementAccess, names: _Names, depth: int
) -> isl.Map | None:
    """{ [i] -> [time, element] }: places in the blocks around, and iterators between them."""
    elements = _elements(root, op, names)
    loops = enclosing_loops(op, root)
    ivs: dict[SSAValue, str] = {loop.iv: f"i{n}" for n, loop in enumerate(loops)}
    subscripts = _texts(root, op.map.data, op.indices, ivs, names)
    if elements is None or None in subscripts:
        return None
    times: list[str] = []
    for n, loop in enumerate(loops):
        times += [f"i{n}"] if n else []
        times.append(str(_place(loop.block, op)))
    times += ["0"] * (2 * depth - 1 - len(times))
    inner = [name for name in ivs.values() if name != "i0"]
    bound = f"exists {', '.join(inner)} : " if inner else ""
    outs = [f"t{n}" for n in range(len(times))], [f"e{n}" for n in range(len(subscripts))]
    constraints = _domain(root, loops, ivs, names)
    constraints += [f"t{n} = {one}" for n, one in enumerate(times)]
    constraints += [f"e{n} = {one}" for n, one in enumerate(subscripts)]
    header = f"[{', '.join(names.parameters.values())}]"
    space = f"[i0] -> [{', '.join((*outs[0], *outs[1]))}]"
    return isl.Map(f"{header} -> {{ {space} : {bound}{' and '.join(constraints)} }}")


def _place(block: Block, op: Operation) -> int:
    inside = block.find_ancestor_op_in_block(op)
    return next(n for n, one in enumerate(block.ops) if one is inside)


def _elements(root: affine.ForOp, op: ElementAccess, names: _Names) -> isl.Map | None:
    loops = enclosing_loops(op, root)
    ivs: dict[SSAValue, str] = {loop.iv: f"i{n}" for n, loop in enumerate(loops)}
    if not all(_has_known_range(root, loop, ivs, names) for loop in loops):
        return None
    elements = _texts(root, op.map.data, op.indices, ivs, names)
    if None in elements:
        return None
    constraints = _domain(root, loops, ivs, names)
    constraints += [f"e{n} = {one}" for n, one in enumerate(elements)]
    inner = [name for name in ivs.values() if name != "i0"]
    bound = f"exists {', '.join(inner)} : " if inner else ""
    header = f"[{', '.join(names.parameters.values())}]"
    space = f"[i0] -> [{', '.join(f'e{n}' for n in range(len(elements)))}]"
    return isl.Map(f"{header} -> {{ {space} : {bound}{' and '.join(constraints)} }}")


def _has_known_range(
    root: Operation, loop: AffineLoop, ivs: dict[SSAValue, str], names: _Names
) -> bool:
    op = loop.op
    lowers = _texts(root, op.lowerBoundMap.data, op.lowerBoundOperands, ivs, names)
    uppers = _texts(root, op.upperBoundMap.data, op.upperBoundOperands, ivs, names)
    return None not in (*lowers, *uppers) and (loop.step == 1 or len(lowers) == 1)


def meets_itself(root: Operation, access: Access) -> bool:
    """May the access touch an element in two iterations of the loops below `root`?"""
    try:
        with budget("affine dependences", OPERATIONS):
            return _dependence(References(root), access, access, False) is not None
    except BudgetExceeded:
        return True


def meet_at_once(root: Operation, one: Access, other: Access) -> bool:
    """May both touch an element in the same iteration of the loops from `root` in, which are those
    around both?"""
    if one.array is not other.array:
        return may_overlap(one.array, other.array)
    loops, names = enclosing_loops(one.op, root), _Names()
    ivs: dict[SSAValue, str] = {loop.iv: f"i{n}" for n, loop in enumerate(loops)}
    constraints = [
        *_domain(root, loops, ivs, names),
        *_same_element(root, one, other, ivs, ivs, names),
    ]
    header = f"[{', '.join(names.parameters.values())}]"
    body = " and ".join(constraints) or "1 = 1"
    try:
        with budget("affine dependences", OPERATIONS):
            return not isl.Set(f"{header} -> {{ [{', '.join(ivs.values())}] : {body} }}").is_empty()
    except BudgetExceeded:
        return True


def _dependence(
    references: References, source: Access, sink: Access, is_before: bool
) -> Dependence | None:
    root, names = references.root, _Names()
    sources, sinks = references.loops_around(source.op), references.loops_around(sink.op)
    common = tuple(a for a, b in zip(sources, sinks, strict=False) if a.op is b.op)
    if source.array is sink.array and not references.may_meet(source, sink, len(common)):
        return None
    source_ivs: dict[SSAValue, str] = {loop.iv: f"i{n}" for n, loop in enumerate(sources)}
    sink_ivs: dict[SSAValue, str] = {loop.iv: f"j{n}" for n, loop in enumerate(sinks)}
    constraints = [
        *_domain(root, sources, source_ivs, names),
        *_domain(root, sinks, sink_ivs, names),
        *_same_element(root, source, sink, source_ivs, sink_ivs, names),
    ]
    order = _order(len(common), is_before)
    if order is None:
        return None
    body = " and ".join((*constraints, f"({order})"))
    space = f"[{', '.join(source_ivs.values())}] -> [{', '.join(sink_ivs.values())}]"
    known = ", ".join(names.parameters.values())
    relation = map_of(f"[{known}] -> {{ {space} : {body} }}")
    if relation is None:
        return None
    parameters = {name: value for value, name in names.parameters.items()}
    return Dependence(source, sink, common, relation, parameters)


def _order(common: int, is_before: bool) -> str | None:
    """`i` runs before `j`."""
    cases = [
        " and ".join((*(f"i{outer} = j{outer}" for outer in range(level)), f"i{level} < j{level}"))
        for level in range(common)
    ]
    if is_before:
        cases.append(" and ".join(f"i{level} = j{level}" for level in range(common)) or "1 = 1")
    return " or ".join(f"({case})" for case in cases) if cases else None


def _same_element(
    root: Operation,
    source: Access,
    sink: Access,
    source_ivs: dict[SSAValue, str],
    sink_ivs: dict[SSAValue, str],
    names: _Names,
) -> list[str]:
    if source.array is not sink.array or source.subscripts is None or sink.subscripts is None:
        return []
    left = _element(root, source, source_ivs, names)
    right = _element(root, sink, sink_ivs, names)
    return [
        f"{a} = {b}" for a, b in zip(left, right, strict=True) if a is not None and b is not None
    ]


def _element(
    root: Operation, access: Access, ivs: dict[SSAValue, str], names: _Names
) -> list[str | None]:
    """The subscripts in isl's words; None where they cannot be said."""
    op = access.op
    if isinstance(op, (affine.LoadOp, affine.StoreOp)):
        return _texts(root, op.map.data, op.indices, ivs, names)
    forms = access.subscripts or ()
    return [None if form is None else _text(root, form, ivs, names) for form in forms]


def _domain(
    root: Operation, loops: Sequence[AffineLoop], ivs: dict[SSAValue, str], names: _Names
) -> list[str]:
    """What the bounds say about the iterators."""
    constraints: list[str] = []
    for loop in loops:
        op, iv = loop.op, ivs[loop.iv]
        lowers = _texts(root, op.lowerBoundMap.data, op.lowerBoundOperands, ivs, names)
        uppers = _texts(root, op.upperBoundMap.data, op.upperBoundOperands, ivs, names)
        constraints += [f"{iv} >= {lower}" for lower in lowers if lower is not None]
        constraints += [f"{iv} < {upper}" for upper in uppers if upper is not None]
        constraints += _of_shares(root, op, ivs, names)
        if loop.step != 1 and len(lowers) == 1 and lowers[0] is not None:
            constraints.append(f"({iv} - ({lowers[0]})) mod {loop.step} = 0")
    return constraints


def _of_shares(
    root: Operation, loop: affine.ForOp, ivs: dict[SSAValue, str], names: _Names
) -> list[str]:
    """Where bounds are ends of a thread's share, it is part of a range: wherever anything runs."""
    constraints: list[str] = []
    for end in loop.operands:
        share = end.owner
        if not isinstance(share, ShareOp):
            continue
        whole = share.lower if end is share.first else share.upper
        one, other = (_text(root, linear_of(value), ivs, names) for value in (end, whole))
        if one is not None and other is not None:
            constraints.append(f"{one} {'>=' if end is share.first else '<='} {other}")
    return constraints


def _texts(
    root: Operation,
    affine_map: AffineMap,
    operands: Sequence[SSAValue],
    ivs: dict[SSAValue, str],
    names: _Names,
) -> list[str | None]:
    """Each result of the map in isl's words; None where it cannot be said."""
    leaves = [_text(root, linear_of(operand), ivs, names) for operand in operands]
    return [_expression(result, leaves, affine_map.num_dims) for result in affine_map.results]


def _text(root: Operation, form: Linear, ivs: dict[SSAValue, str], names: _Names) -> str | None:
    """The form in isl's words; None if it depends on a value computed below `root`."""
    terms = [str(form.constant)]
    for value, coefficient in form.terms:
        if value in ivs:
            terms.append(f"{coefficient}*{ivs[value]}")
        elif is_defined_inside(value, root):
            return None
        else:
            terms.append(f"{coefficient}*{names.parameter(value)}")
    return f"({' + '.join(terms)})"


def _expression(expr: AffineExpr, leaves: Sequence[str | None], num_dims: int) -> str | None:
    if isinstance(expr, AffineConstantExpr):
        return f"({expr.value})"
    if isinstance(expr, AffineDimExpr):
        return leaves[expr.position]
    if isinstance(expr, AffineSymExpr):
        return leaves[num_dims + expr.position]
    assert isinstance(expr, AffineBinaryOpExpr)
    left = _expression(expr.lhs, leaves, num_dims)
    right = _expression(expr.rhs, leaves, num_dims)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return f"({left} + {right})"
    # xDSL's maps multiply and divide by numbers only, which stand on the right.
    assert isinstance(expr.rhs, AffineConstantExpr)
    by = expr.rhs.value
    if expr.kind is AffineBinaryOpKind.Mul:
        return f"({by}*{left})"
    if by <= 0:
        return None
    if expr.kind is AffineBinaryOpKind.Mod:
        return f"({left} mod {by})"
    if expr.kind is AffineBinaryOpKind.FloorDiv:
        return f"floor({left}/{by})"
    return f"(-floor(-{left}/{by}))"
