"""xDSL's verification of operations, by shorter ways that mean the same.

An operation is checked against its definition by the types of its operands and results, and by its
properties and attributes: none of these ever changes, and most operations of a module have those of
another, or are what they were behind the pass before. What was found right is known by all of them:
by their identity, and, where that is new, by what they are equal to. Asked each time, as in xDSL:
operations with regions or successors, traits (which look around an operation), what an operation
verifies itself, and whatever is wrong.

    def.verify(op)                once for all operations that have the same types and attributes
    isa(attribute, Of[...])       the constraint of a hint is made once
    IsolatedFromAbove             what is defined in a block inside is inside, without climbing up
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, get_origin

from xdsl import irdl
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import AttrSizedSegments, OpDef
from xdsl.traits import IsolatedFromAbove, OpTrait

MOST = 50_000
"""Forms of operations that are known at a time."""


def quicken_verification() -> None:
    """For this process, which has to be ours alone; again, it does nothing."""
    if OpDef.verify.__module__ == __name__:
        return
    setattr(OpDef, "verify", _verifier(OpDef.verify))
    setattr(IsolatedFromAbove, "verify", _isolated(IsolatedFromAbove.verify))
    setattr(irdl, "irdl_to_attr_constraint", _once(irdl.irdl_to_attr_constraint))


def _verifier(general: Callable[[OpDef, Operation], None]) -> Callable[[OpDef, Operation], None]:
    same: dict[tuple[int, ...], _Right] = {}
    equal: dict[Hashable, _Right] = {}

    def verify(self: OpDef, op: Operation) -> None:
        if op.regions or op._successors or self.regions or self.successors:
            general(self, op)
            return
        form = _form(self, op)
        key = tuple(map(id, form))
        found = same.get(key)
        if found is None:
            try:
                other = key[:2], *form[2:]
                found = equal.get(other)
            except TypeError:  # an attribute that has no hash
                general(self, op)
                return
            if found is None:
                general(self, op)
                found = equal[other] = [one for one in self.traits if _asks(one)], form
                same[key] = found[0], form
                return
            if len(same) >= MOST:
                same.clear()
                equal.clear()
            same[key] = found[0], form
        for trait in found[0]:
            trait.verify(op)

    verify.__module__ = __name__
    return verify


_Right = tuple[list[OpTrait], list[object]]
"""What is asked each time, and what has to be kept."""


def _form(definition: OpDef, op: Operation) -> list[object]:
    """All that xDSL looks at, in an order that tells it apart. Names of properties are told with
    them, since there may be some that the definition lacks."""
    form: list[object] = [definition, definition.traits.traits]
    form += [one._type for one in op._operands]
    form.append(None)
    form += [one._type for one in op.results]
    form.append(None)
    for name, value in op.properties.items():
        form += (_names.setdefault(name, name), value)
    form.append(None)
    attributes = op.attributes
    if attributes:
        form += [attributes.get(name) for name in definition.attributes]
        form += [
            attributes.get(option.attribute_name)
            for option in definition.options
            if isinstance(option, AttrSizedSegments)
        ]
    return form


_names: dict[str, str] = {}
"""One object for each text."""


def _asks(trait: OpTrait) -> bool:
    """Whether the trait verifies anything."""
    return type(trait).verify is not OpTrait.verify


def _isolated(
    general: Callable[[IsolatedFromAbove, Operation], None],
) -> Callable[[IsolatedFromAbove, Operation], None]:
    def verify(self: IsolatedFromAbove, op: Operation) -> None:
        inside = _blocks_of(op)
        for block in inside:
            for one in block.ops:
                for value in one._operands:
                    owner = value.owner
                    if (owner.parent if isinstance(owner, Operation) else owner) not in inside:
                        general(self, op)  # which finds it, or that it is in an isolated one inside
                        return

    return verify


def _blocks_of(op: Operation) -> set[Block]:
    """Those in it, but for what is in others that check themselves."""
    found = set[Block]()
    regions: list[Region] = list(op.regions)
    while regions:
        for block in regions.pop().blocks:
            found.add(block)
            for one in block.ops:
                if one.regions and not one.has_trait(IsolatedFromAbove):
                    regions += one.regions
    return found


def _once(general: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[object, Any] = {}

    def constraint(hint: Any, *, allow_type_var: bool = False) -> Any:
        if allow_type_var or get_origin(hint) is None:
            return general(hint, allow_type_var=allow_type_var)
        try:
            found = known.get(hint)
        except TypeError:
            return general(hint)
        if found is None:
            found = known[hint] = general(hint)
        return found

    return constraint
