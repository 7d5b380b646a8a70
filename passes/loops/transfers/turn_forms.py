"""How vectors that are written in turns can be computed in turns: a plan, as data.

Vectors v0 .. v(g-1), of which the first lanes are written side by side, then the second ones, fill
g vectors, the parts. A key names the components of what the parts hold; None where any value will
do. Its form says how the parts come about without the components:

    loaded     side by side, as they lie in memory, or each group in another order
    uniform    what is the same in all lanes of each component, in turns
    spread     one vector, each lane g times
    lanewise   one operation on the parts of its operands
    turning    sums where the others are differences
    signed     other signs in some places
    blended    from two keys, each of which has what the other does not
    woven      by shuffles of the components, which are computed apart

After S. Larsen, S. Amarasinghe, Exploiting superword level parallelism with multimedia instruction
sets (PLDI 2000): the isomorphic statements of a group there, of which loops make vectors here.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.affine.linear import Linear
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.shuffle_network import shuffle_network
from polyopt.support.record import record


@record
class Key:
    """Components, and which of them with the other sign."""

    values: tuple[SSAValue | None, ...]
    negated: tuple[bool, ...]

    @property
    def known(self) -> list[SSAValue]:
        return [one for one in self.values if one is not None]

    @property
    def plain(self) -> Key:
        return Key(self.values, (False,) * len(self.values))


@record
class TurnRow:
    """Groups of elements side by side in memory, from the first component of the first group on;
    `epoch` tells apart what was read before and after a write."""

    array: SSAValue
    first: tuple[Linear, ...]
    epoch: int


@record
class Loaded:
    """In each group, place c holds component `order[c]` of the row."""

    row: TurnRow
    order: tuple[int, ...]


@record
class Uniform:
    pass


@record
class Spread:
    value: SSAValue


@record
class Lanewise:
    """`like` on the parts of the operands."""

    like: Operation
    operands: tuple[Key, ...]


@record
class Turning:
    """A difference where the flag is set, a sum elsewhere."""

    difference: Operation
    sum: Operation
    operands: tuple[Key, Key]
    flags: tuple[bool, ...]
    is_one: bool
    """Is there one instruction for it?"""


@record
class Signed:
    """The other sign where the flag is set."""

    plain: Key
    flags: tuple[bool, ...]


@record
class Blended:
    """From the second key where the flag is set."""

    first: Key
    second: Key
    flags: tuple[bool, ...]


@record
class Woven:
    pass


Form = Loaded | Uniform | Spread | Lanewise | Turning | Signed | Blended | Woven


def operands_of(form: Form) -> Sequence[Key]:
    match form:
        case Lanewise() | Turning():
            return form.operands
        case Signed():
            return [form.plain]
        case Blended():
            return [form.first, form.second]
        case _:
            return []


def components_of(key: Key, form: Form) -> Sequence[SSAValue]:
    """What has to be computed apart."""
    if isinstance(form, Spread):
        return [form.value]
    return key.known if isinstance(form, Woven | Uniform) else []


def moves_of(form: Form, group: int, lanes: int) -> float:
    """How many operations one part takes."""
    match form:
        case Loaded():
            if form.order == tuple(range(group)) or _is_loaded_so(form):
                return 0.0
            stretch = range(group * lanes)
            wanted = [one // group * group + form.order[one % group] for one in stretch]
            network = shuffle_network(cut(stretch, lanes), cut(wanted, lanes), lanes)
            return len(network.shuffles) / group
        case Uniform():
            return 0.0
        case Turning():
            return 1.0 if form.is_one else 2.0
        case Woven():
            return weaving(group, lanes)
        case _:
            return 1.0


def _is_loaded_so(form: Loaded) -> bool:
    """Does the machine repeat the one half of each pair while it loads (movddup, movsldup)?"""
    size = element_bytes(cmem.memref_type(form.row.array).element_type)
    evens = form.order == (0, 0)
    return (evens and size in (4, 8)) or (form.order == (1, 1) and size == 4)


def weaving(group: int, lanes: int) -> float:
    """Shuffles for each part, where components are put in turns, or taken out of them."""
    stretch = range(group * lanes)
    sources = [stretch[place::group] for place in range(group)]
    return len(shuffle_network(sources, cut(stretch, lanes), lanes).shuffles) / group


def cut(stretch: Sequence[int], lanes: int) -> list[Sequence[int]]:
    return [stretch[start : start + lanes] for start in range(0, len(stretch), lanes)]
