"""Which iteration of the loops around a place is an instance in? Its number, as iterators.

    S[i, j]   in   for 32 floor(i / 32), for 32 floor(j / 32)      =>     S[a, b, i, j]

where a = floor(i / 32) and b = floor(j / 32): a statement whose number is not affine in its
iterators gets it as iterators of its own, in front of the others. Then whatever is said of a tile,
such as where in a buffer an element of it is, is affine. The instances are the same, each under a
longer name, and so is their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import gcd

import islpy as isl

from polyopt.poly.isl.lists import pieces, pw_affs, sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.scanning.footprint import undivided
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Tree
from polyopt.poly.schedule_tree import Sequence as SequenceNode
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.places import (
    CannotTransform,
    Path,
    SingleLoop,
    instances_at,
    loops_on,
    replace_loop,
)
from polyopt.support.record import record

_IN, _OUT, _SET, _PARAM = (
    isl.dim_type.in_,
    isl.dim_type.out,
    isl.dim_type.set,
    isl.dim_type.param,
)


@record(eq=False)
class Numbered:
    """`tree` orders `scop`'s instances as before. The k-th loop around the place counts the k-th of
    `numbers`, one by one, and is called `names[k]`. `leading`: how many iterators statements have
    got; `inside` are the instances below the place."""

    scop: Scop
    tree: Tree
    numbers: tuple[isl.UnionPwAff, ...]
    names: tuple[str, ...]
    leading: Mapping[str, int]
    inside: isl.UnionSet
    back: isl.UnionPwMultiAff
    """{ S[numbers, i] -> S[i] }, of every statement."""

    def number_of(self, statement: str) -> list[isl.PwAff]:
        """Its functions for the instances of one statement."""
        return [_part(one, statement) for one in self.numbers]


def number_instances(scop: Scop, tree: Tree, place: Path) -> Numbered:
    """The instances below the node at `place` that run under what is known, with their numbers.
    CannotTransform where a statement has others elsewhere, too."""
    inside = instances_at(tree, place, scop.domain.intersect_params(scop.known))
    below = [one.get_tuple_name() or "" for one in sets(inside) if not one.is_empty()]
    if not below:
        raise CannotTransform(
            "nothing runs in the loop", "a loop around statements that do will do"
        )
    for one in below:
        domain = scop.statement(one).domain.intersect_params(scop.known)
        if not domain.is_subset(_set_of(inside, one)):
            raise CannotTransform(
                f"{one} stands in the loop and elsewhere",
                "a loop around all of its parts will do",
            )
    around = list(loops_on(tree, place))
    counted = [_counted(loop.function) for _, loop in around]
    named = Names.of(scop, tree)
    words = {
        name: [_name_at(named, name, path, k) for k, (path, _) in enumerate(around)]
        for name in below
    }
    changes = {
        name: _Change.of(scop.statement(name), [_part(one, name) for one in counted], words[name])
        for name in below
    }
    new = replace(
        scop,
        statements=tuple(
            changes[one.name].statement if one.name in changes else one for one in scop.statements
        ),
    )
    tree = _renamed(tree, changes)
    numbers = list[isl.UnionPwAff]()
    for k, (path, _) in enumerate(around):
        number = _by_own_iterators(_renamed_function(counted[k], changes), k, changes)
        numbers.append(_only(number, below))

        def counting(loop: SingleLoop, number: isl.UnionPwAff = number) -> Tree:
            return loop.counting(number).tree()

        tree = replace_loop(tree, path, counting)
    leading = {name: len(change.own) for name, change in changes.items() if change.own}
    inside = new.domain.intersect(_renamed_set(inside, changes))
    back = isl.UnionPwMultiAff.empty(scop.context.get_space())
    for one in scop.statements:
        change = changes.get(one.name) or _Change(one, {}, ())
        back = back.union_add(isl.UnionPwMultiAff.from_pw_multi_aff(change.back))
    return Numbered(new, tree, tuple(numbers), tuple(words[below[0]]), leading, inside, back)


@record(eq=False)
class _Change:
    """A statement that gets the `own` numbers, by the position of the loop, as iterators."""

    before: Statement
    own: Mapping[int, isl.PwAff]
    names: tuple[str, ...]

    @staticmethod
    def of(statement: Statement, numbers: Sequence[isl.PwAff], names: Sequence[str]) -> _Change:
        own = {k: one for k, one in enumerate(numbers) if not _is_affine(one)}
        return _Change(statement, own, tuple(names[k] for k in own))

    @property
    def back(self) -> isl.PwMultiAff:
        """{ S[numbers, i] -> S[i] }"""
        space = self.before.domain.get_space()
        name = space.get_tuple_name(_SET)
        longer = space.insert_dims(_SET, 0, len(self.own)).set_tuple_name(_SET, name)
        back = isl.Map.identity(longer.map_from_set()).project_out(_OUT, 0, len(self.own))
        return isl.PwMultiAff.from_map(back.set_tuple_name(_OUT, name))

    @property
    def longer(self) -> isl.Map:
        """{ S[i] -> S[numbers, i] }"""
        space = self.before.domain.get_space()
        longer = isl.Map.from_domain_and_range(isl.Set.universe(space), isl.Set("{ [] }"))
        for number in self.own.values():
            longer = longer.flat_range_product(isl.Map.from_pw_aff(number))
        longer = longer.flat_range_product(isl.Map.identity(space.map_from_set()))
        return longer.set_tuple_name(_OUT, self.before.name)

    @cached_property
    def statement(self) -> Statement:
        if not self.own:
            return self.before
        back = self.back
        domain = self.before.domain.apply(self.longer)
        (plain,) = sets(undivided(isl.UnionSet.from_set(domain))) or [domain]
        return replace(
            self.before,
            domain=plain,
            accesses=tuple(
                replace(one, relation=one.relation.preimage_domain_pw_multi_aff(back))
                for one in self.before.accesses
            ),
            iterators=(*self.names, *self.before.iterators),
        )


def _name_at(names: Names, statement: str, path: Path, position: int) -> str:
    for part in names.parts:
        for loop in part.loops:
            if part.statement == statement and loop.path == path and loop.name is not None:
                return loop.name
    return f"t{position}"


def _part(function: isl.UnionPwAff, statement: str) -> isl.PwAff:
    return next(
        one for one in pw_affs(function) if one.get_domain_space().get_tuple_name(_SET) == statement
    )


def _set_of(union: isl.UnionSet, statement: str) -> isl.Set:
    return next(one for one in sets(union) if one.get_tuple_name() == statement)


def _is_affine(part: isl.PwAff) -> bool:
    found = pieces(part)
    return len(found) == 1 and not found[0][1].dim(isl.dim_type.div)


def _counted(function: isl.UnionPwAff) -> isl.UnionPwAff:
    """The function by the greatest integer that all of its values are multiples of, by its form:
    loops over tiles of 32 iterations count 0, 32, ..."""
    factor = 0
    for part in pw_affs(function):
        for _, aff in pieces(part):
            if not aff.get_denominator_val().is_one():
                return function
            factors = [aff.get_constant_val()]
            for kind in (_IN, _PARAM, isl.dim_type.div):
                factors += [aff.get_coefficient_val(kind, k) for k in range(aff.dim(kind))]
            factor = gcd(factor, *(one.to_python() for one in factors))
    if factor in (0, 1):
        return function
    return function.scale_down_val(val(factor))


def _only(function: isl.UnionPwAff, statements: Sequence[str]) -> isl.UnionPwAff:
    total = isl.UnionPwAff.empty(function.get_space())
    for name in statements:
        total = total.union_add(isl.UnionPwAff.from_pw_aff(_part(function, name)))
    return total


def _by_own_iterators(
    function: isl.UnionPwAff, position: int, changes: Mapping[str, _Change]
) -> isl.UnionPwAff:
    """The number at this position, by the iterators that now hold it."""
    total = isl.UnionPwAff.empty(function.get_space())
    for part in pw_affs(function):
        space = part.get_domain_space()
        change = changes.get(space.get_tuple_name(_SET) or "")
        if change is not None and position in change.own:
            at = list(change.own).index(position)
            local = isl.LocalSpace.from_space(space)
            part = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, _SET, at))
        total = total.union_add(isl.UnionPwAff.from_pw_aff(part))
    return total


def _renamed(tree: Tree, changes: Mapping[str, _Change]) -> Tree:
    """The tree over the longer names."""
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=_renamed(child, changes))
        case Band(members, child):
            longer = tuple(
                replace(one, function=_renamed_function(one.function, changes)) for one in members
            )
            return replace(tree, members=longer, child=_renamed(child, changes))
        case SequenceNode(children):
            return replace(
                tree,
                children=tuple(
                    (_renamed_set(one, changes), _renamed(child, changes))
                    for one, child in children
                ),
            )


def _renamed_function(function: isl.UnionPwAff, changes: Mapping[str, _Change]) -> isl.UnionPwAff:
    total = isl.UnionPwAff.empty(function.get_space())
    for part in pw_affs(function):
        change = changes.get(part.get_domain_space().get_tuple_name(_SET) or "")
        if change is not None and change.own:
            part = part.pullback_pw_multi_aff(change.back)
        total = total.union_add(isl.UnionPwAff.from_pw_aff(part))
    return total


def _renamed_set(instances: isl.UnionSet, changes: Mapping[str, _Change]) -> isl.UnionSet:
    total = isl.UnionSet.empty(instances.get_space())
    for part in sets(instances):
        change = changes.get(part.get_tuple_name() or "")
        if change is not None and change.own:
            part = part.preimage_pw_multi_aff(change.back)
        total = total.union(isl.UnionSet.from_set(part))
    return total
