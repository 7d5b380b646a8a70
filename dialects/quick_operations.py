"""xDSL's operations, read and made by shorter ways that mean the same.

A compilation makes some ten thousand operations and asks for what is in them a million times. In
xDSL most such questions pass through a view that is made for it, through properties that only hand
out a field, and through a generator for each level of a nest. Here

    op.next_op, value.type, …     are the field
    op.lhs, op.indices            are the operands, without the view of all of them
    sizes of segments             are unpacked once for each attribute that holds some
    op.walk()                     is one generator, whatever is nested
    Op(operands=…)                of values and types of results is made at once, and its sizes of
                                  segments are those of all that have the same; what is rarer is
                                  made as before
    Operation(…), block.add_op    ask nothing of operands, successors and regions that are not there
    operations_in(…)              walks what has no loops once (`flat_regions.py`)
    value.name_hint = …           is the name that the same text became before
    {value}, {op: …}              hash and compare by identity in the interpreter, not in Python

What is next is looked up, as in xDSL, before an operation is handed out: a walk goes on though that
one is erased.
"""

# pyright: reportPrivateUsage=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from xdsl.dialects.builtin import UNKNOWN_LOC, DenseArrayBase, i32
from xdsl.ir import (
    Attribute,
    Block,
    BlockOps,
    Operation,
    OpResult,
    Region,
    SSAValue,
    SSAValues,
    Use,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    OptionalDef,
    OptOperandDef,
    ParsePropInAttrDict,
    VarOperandDef,
    VarResultDef,
    operations,
)

from polyopt.dialects.flat_regions import keep_flatness, may_be_flat_no_longer

_FIELDS = {
    Operation: {"next_op": "_next_op", "prev_op": "_prev_op"},
    Block: {
        "first_op": "_first_op",
        "last_op": "_last_op",
        "next_block": "_next_block",
        "prev_block": "_prev_block",
    },
    Region: {"first_block": "_first_block", "last_block": "_last_block"},
    SSAValue: {"type": "_type"},
    Use: {"operation": "_operation", "index": "_index"},
}
"""Properties that do nothing but to hand out a field."""


def quicken_operations() -> None:
    """For this process, which has to be ours alone; again, it does nothing."""
    if Operation.walk.__module__ == __name__:
        return
    for cls, fields in _FIELDS.items():
        for name, field in fields.items():
            setattr(cls, name, property(attrgetter(field), doc=getattr(cls, name).__doc__))
    setattr(SSAValues, "__getitem__", _item)
    setattr(BlockOps, "__iter__", _iterate)
    setattr(Operation, "walk", _walker(Operation.walk))
    setattr(operations.BeforeVariadicSingleAccessor, "__get__", _get_before)
    setattr(operations.BaseAccessor, "__get__", _get)
    setattr(operations.BaseAttrAccessor, "__get__", _get_in_segments)
    setattr(operations, "irdl_op_init", _maker(operations.irdl_op_init))
    setattr(Operation, "__init__", _init)
    setattr(IRDLOperation, "__post_init__", _fill_in)
    setattr(Block, "_attach_op", _attacher(Block._attach_op))
    keep_flatness()
    for cls in (SSAValue, Block):
        setattr(cls, "extract_valid_name", classmethod(_named(cls.extract_valid_name.__func__)))
    for cls in (SSAValue, Operation, IRDLOperation, Block, Region):
        setattr(cls, "__hash__", object.__hash__)
        setattr(cls, "__eq__", object.__eq__)


_tuple_item = tuple[Any, ...].__getitem__
_OPERAND = operations.VarIRConstruct.OPERAND
_RESULT = operations.VarIRConstruct.RESULT
_REGION = operations.VarIRConstruct.REGION


def _item(values: SSAValues, index: int | slice) -> Any:
    found = _tuple_item(values, index)
    return SSAValues(found) if type(found) is tuple else found


def _get_before(accessor: Any, op: Operation, owner: object = None) -> Any:
    construct = accessor.construct
    if construct is _OPERAND:
        return _tuple_item(op._operands, accessor.idx)
    if construct is _RESULT:
        return _tuple_item(op.results, accessor.idx)
    return _tuple_item(op.regions if construct is _REGION else op._successors, accessor.idx)


def _get(accessor: Any, op: Operation, owner: object = None) -> Any:
    return accessor.index(_constructs(op, accessor.construct))


def _get_in_segments(accessor: Any, op: Operation, owner: object = None) -> Any:
    option = accessor.option
    held: Attribute = (op.properties if option.as_property else op.attributes)[
        option.attribute_name
    ]
    sizes = held.__dict__.get(_SIZES)
    if sizes is None:
        assert isinstance(held, DenseArrayBase)
        sizes = held.get_values()
        object.__setattr__(held, _SIZES, sizes)
    return accessor.index(sizes, _constructs(op, accessor.construct))


_SIZES = "_sizes_of_segments"
"""Where an attribute, which never changes, keeps what has been unpacked of it."""


def _constructs(op: Operation, construct: Any) -> Any:
    if construct is _OPERAND:
        return op._operands
    if construct is _RESULT:
        return op.results
    return op.regions if construct is _REGION else op._successors


def _iterate(ops: BlockOps) -> Iterator[Operation]:
    return _from(ops.block._first_op)


def _from(op: Operation | None) -> Iterator[Operation]:
    while op is not None:
        current, op = op, op._next_op
        yield current


def _walker(general: Callable[..., Iterator[Operation]]) -> Callable[..., Iterator[Operation]]:
    def walk(
        self: Operation, *, reverse: bool = False, region_first: bool = False
    ) -> Iterator[Operation]:
        if reverse or region_first:
            return general(self, reverse=reverse, region_first=region_first)
        return walk_of(self)

    walk.__module__ = __name__
    return walk


def walk_of(root: Operation) -> Iterator[Operation]:
    """The operation and all inside of it, each before what is inside of it."""
    yield root
    regions = iter(root.regions)
    op: Operation | None = None
    block: Block | None = None
    around: list[tuple[Operation | None, Block | None, Iterator[Region]]] = []
    while True:
        if op is not None:
            current, op = op, op._next_op
            yield current
            if current.regions:
                around.append((op, block, regions))
                op, block, regions = None, None, iter(current.regions)
        elif block is not None:
            op, block = block._first_op, block._next_block
        elif (region := next(regions, None)) is not None:
            block = region._first_block
        elif around:
            op, block, regions = around.pop()
        else:
            return


def _maker(general: Callable[..., None]) -> Callable[..., None]:
    def make(
        self: Any,
        definition: Any,
        *,
        operands: Sequence[Any],
        result_types: Sequence[Any],
        properties: dict[str, Attribute | None],
        attributes: dict[str, Attribute | None],
        successors: Sequence[Any],
        regions: Sequence[Any],
    ) -> None:
        sized = _segments(definition)
        is_rare = sized is None or regions or definition.regions
        found = None if is_rare else _values(definition.operands, operands)
        types = None if found is None else _types(definition.results, result_types)
        is_plain = (
            found is not None
            and types is not None
            and len(successors) == len(definition.successors)
            and all([isinstance(block, Block) for block in successors])
        )
        if not is_plain or found is None or types is None:
            general(
                self,
                definition,
                operands=operands,
                result_types=result_types,
                properties=properties,
                attributes=attributes,
                successors=successors,
                regions=regions,
            )
            return
        values, sizes = found
        held = {name: one for name, one in properties.items() if one is not None}
        loose = {name: one for name, one in attributes.items() if one is not None}
        for option in sized or ():
            (held if option.as_property else loose)[option.attribute_name] = _sizes(sizes)
        Operation.__init__(
            self,
            operands=values,
            result_types=types,
            properties=held,
            attributes=loose,
            successors=successors,
        )

    return make


def _segments(definition: Any) -> Sequence[Any] | None:
    """The options, where they are no more than that sizes of segments of operands are told, and
    how an operation is parsed."""
    known = _known_segments.get(id(definition))
    if known is None:
        options = [one for one in definition.options if type(one) is not ParsePropInAttrDict]
        is_plain = all(type(one) is AttrSizedOperandSegments for one in options)
        known = _known_segments[id(definition)] = definition, options if is_plain else None
    return known[1]


_known_segments: dict[int, tuple[Any, Sequence[Any] | None]] = {}
"""With the definition, so that no other comes to stand in its place in memory."""


@cache
def _sizes(sizes: tuple[int, ...]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i32, sizes)


def _values(
    definitions: Sequence[Any], given: Sequence[Any]
) -> tuple[list[SSAValue], tuple[int, ...]] | None:
    """The operands, those of a variadic one in its place, and how many are of each; None for what
    is rarer."""
    if len(given) != len(definitions):
        return None
    values: list[SSAValue] = []
    sizes: list[int] = []
    for (_, definition), one in zip(definitions, given, strict=True):
        if isinstance(one, SSAValue):
            values.append(one)
            sizes.append(1)
        elif type(one) in _SEQUENCES and type(definition) is VarOperandDef:
            if not all(isinstance(value, SSAValue) for value in one):
                return None
            values += one
            sizes.append(len(one))
        elif one is None and type(definition) is OptOperandDef:
            sizes.append(0)
        else:
            return None
    return values, tuple(sizes)


_SEQUENCES = (list, tuple, SSAValues)


def _types(definitions: Sequence[Any], given: Sequence[Any]) -> Sequence[Attribute] | None:
    """The types of the results, those of a variadic one in its place; None for what is rarer."""
    if len(given) != len(definitions):
        return None
    types: list[Attribute] = []
    for (_, definition), one in zip(definitions, given, strict=True):
        if _is_one_type(type(one)):
            types.append(one)
        elif type(one) in (list, tuple) and type(definition) is VarResultDef:
            types += one
        else:
            return None
    return types


def _init(
    self: Operation,
    *,
    operands: Iterable[SSAValue] = (),
    result_types: Iterable[Attribute] = (),
    properties: Mapping[str, Attribute] = {},
    attributes: Mapping[str, Attribute] = {},
    location: Any = None,
    successors: Iterable[Block] = (),
    regions: Iterable[Region] = (),
) -> None:
    self._operands = values = SSAValues(operands)
    self._operand_uses = _uses(self, values)
    self.results = SSAValues([OpResult(one, self, k) for k, one in enumerate(result_types)])
    self.properties = dict(properties)
    self.attributes = dict(attributes)
    self.location = UNKNOWN_LOC if location is None else location
    self._successors = blocks = tuple(successors)
    self._successor_uses = _uses(self, blocks)
    self.regions = ()
    for region in regions:
        self.add_region(region)
    self.__post_init__()


def _uses(op: Operation, used: Sequence[SSAValue | Block]) -> tuple[Use, ...]:
    if not used:
        return ()
    uses = tuple([Use(op, k) for k in range(len(used))])
    for one, use in zip(used, uses, strict=True):
        one.add_use(use)
    return uses


def _fill_in(self: IRDLOperation) -> None:
    """What an operation says where nothing else is said of it."""
    cls = type(self)
    defaults = _defaults.get(cls)
    if defaults is None:
        definition = cls.get_irdl_definition()
        defaults = _defaults[cls] = (
            _those_of(definition.properties),
            _those_of(definition.attributes),
        )
    for given, known in zip((self.properties, self.attributes), defaults, strict=True):
        for name, value in known:
            given.setdefault(name, value)
    Operation.__post_init__(self)  # which an ImplicitBuilder exchanges


_defaults: dict[type, tuple[list[tuple[str, Attribute]], list[tuple[str, Attribute]]]] = {}


def _those_of(definitions: Mapping[str, Any]) -> list[tuple[str, Attribute]]:
    return [
        (name, one.default_value)
        for name, one in definitions.items()
        if not isinstance(one, OptionalDef) and one.default_value is not None
    ]


def _attacher(general: Callable[[Block, Operation], None]) -> Callable[[Block, Operation], None]:
    def attach(self: Block, operation: Operation) -> None:
        """Only what has regions can be around a block."""
        if operation.regions or operation.parent is not None:
            general(self, operation)
            if operation.regions and self.parent is not None:
                may_be_flat_no_longer(self.parent)
        else:
            operation.parent = self

    return attach


def _named(general: Callable[..., str | None]) -> Callable[[Any, str | None], str | None]:
    known: dict[str | None, str | None] = {None: None}

    def extract(cls: Any, name: str | None) -> str | None:
        """What is no name is refused each time."""
        if name not in known:
            known[name] = general(cls, name)
        return known[name]

    return extract


_one_type: dict[type, bool] = {}


def _is_one_type(cls: type) -> bool:
    """Whether it is an attribute and no sequence of some, which stands for several results."""
    known = _one_type.get(cls)
    if known is None:
        known = issubclass(cls, Attribute) and not issubclass(cls, Sequence)
        _one_type[cls] = known
    return known
