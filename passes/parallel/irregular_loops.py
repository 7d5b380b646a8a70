"""Loops of the source whose iterations take as long as data say, and may run in any order.

    for (i = 0; i < n; i++) {                     how often j runs, only ptr tells
      double s = 0;                               s: made in each iteration, its own; so are
                                                  arrays that it fills first (`scratch_arrays`)
      for (j = ptr[i]; j < ptr[i + 1]; j++)
        s += val[j] * x[idx[j]];                  read at any place: nobody writes there
      y[i] = s;                                   one element for each i
    }

Such a loop is no static control part, but to know that its iterations are independent it is enough
to know whose each element is that is written. An element belongs to the one iteration that its
subscript names: one subscript of all accesses to the array is `c*i + r`, c a number other than 0
and r the same in all iterations (what C says of subscripts and their dimensions holds); or each is
`s*i + r` in bytes with `0 <= r < s`, the rows of a matrix in one dimension. All else that is read
lies in objects that nothing in the loop writes. What is not known is a dependence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.bases import BaseKind, are_disjoint, base_kind
from polyopt.ir.cfg import defining_block, enclosing_block
from polyopt.ir.conditions import edge_condition
from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.effects import bit_width, is_pure
from polyopt.ir.integer_conditions import negated
from polyopt.ir.integer_expr import Atom, Compare, Counter, Expr, Monomial, Unknown, Wrapped
from polyopt.ir.integer_forms import replaced
from polyopt.ir.loops import NaturalLoop
from polyopt.ir.memory_references import Reference, reference
from polyopt.ir.ranges import Ranges
from polyopt.ir.scalar_evolution import Evolution
from polyopt.ir.trip_count import trip_count
from polyopt.passes.parallel.scratch_arrays import scratch_arrays
from polyopt.passes.parallel.shared_sums import SharedSum, shared_sum
from polyopt.support.record import record

INDEX_BITS = 64
_STRUCTURE = (scf.IfOp, scf.YieldOp)


class NotProved(Exception):
    """Why iterations may depend on each other, or the loop is none that can be shared out; for the
    user. `op`: where."""

    def __init__(self, message: str, op: Operation | None = None):
        super().__init__(message)
        self.message = message
        self.op = op


@record
class IrregularLoop:
    """`counter` goes by `step`, `rounds` times; `private` are the variables, and the arrays, of
    which each thread has its own; `sums` what all iterations add to. The loop is left from its
    header alone, for the block `after`, which is passed `passed`: nothing else that an iteration
    computes is used behind the loop."""

    loop: NaturalLoop
    counter: BlockArgument
    step: int
    is_signed: bool
    rounds: Expr
    private: tuple[SSAValue, ...]
    sums: tuple[SharedSum, ...]
    after: Block
    passed: tuple[SSAValue, ...]


class LoopView:
    """A loop with what is known of it: evolutions are relative to it, what is computed outside is
    unknown, and the same in all iterations. `of_threads` are the variables that each thread has for
    itself."""

    def __init__(self, loop: NaturalLoop, flow: ControlFlow, of_threads: Collection[str] = ()):
        self.loop = loop
        self.of_threads = of_threads
        self.flow = flow
        self.evolution = Evolution(flow, loop.blocks, tells_growth=False)
        self.ranges = Ranges(flow, self.evolution)
        self.blocks = [block for block in loop.blocks if block in flow.cfg]
        self._exact = _exact_counter(loop, self.evolution)

    @property
    def is_unsigned(self) -> bool:
        """It counts with an unsigned number that does not wrap."""
        return self._exact is not None

    def exactly(self, one: Reference) -> Reference:
        """With exact expressions."""
        indices = tuple(map(self.exact, one.indices))
        return Reference(one.op, one.base, self.exact(one.offset), one.shape, indices)

    def operations(self) -> Iterator[Operation]:
        for block in self.blocks:
            yield from block.walk()

    def counted(self, value: BlockArgument, is_signed: bool) -> Expr:
        """An argument of the header, in the header."""
        known = self.evolution.of_argument(value, is_signed)
        return known if is_signed else self.exact(known)

    def exact(self, expr: Expr) -> Expr:
        """The same, as far as addresses go, where what the loop counts with is known not to wrap,
        nor sums of products that their type has more than room for."""
        return replaced(expr, self._term)

    def _term(self, atom: Atom) -> Expr | None:
        if not isinstance(atom, Wrapped):
            return None
        term = self.exact(atom.term)
        if _is_held(atom, self._exact) or _has_room(atom, term):
            return term
        return None

    def is_fixed(self, expr: Expr) -> bool:
        """It is the same in all iterations."""
        return not any(
            isinstance(atom, Counter) or (isinstance(atom, Unknown) and self.is_inside(atom.value))
            for atom in expr.all_atoms()
        )

    def is_inside(self, value: SSAValue) -> bool:
        return defining_block(value) in self.loop


def _exact_counter(loop: NaturalLoop, evolution: Evolution) -> Wrapped | None:
    """What the loop counts with, in a type in which it could wrap, but does not: it goes by one,
    unsigned, as long as it is less than (greater than) a number of its type, which it comes to
    before it wraps."""
    exits = loop.exits()
    if len(exits) != 1 or exits[0].source is not loop.header or len(loop.header.args) != 1:
        return None
    (counter,) = loop.header.args
    if not isinstance(counter.type, IntegerType):
        return None
    atom = evolution.of_argument(counter, False).as_atom
    stay = negated(edge_condition(exits[0], evolution))
    if not isinstance(atom, Wrapped) or not isinstance(stay, Compare) or stay.relation != "<":
        return None
    parts = atom.term.split(Counter(loop))
    compared = stay.term.split(atom)
    if parts is None or compared is None:
        return None
    step, side = parts[1].as_constant, compared[1].as_constant
    bound = compared[0] if side == -1 else -compared[0]
    is_in_type = _is_of_type(parts[0], atom) and _is_of_type(bound, atom)
    return atom if step in (1, -1) and side == step and is_in_type else None


def _is_of_type(expr: Expr, wrapped: Wrapped) -> bool:
    """It is a number of the unsigned type for sure."""
    number, atom = expr.as_constant, expr.as_atom
    if number is not None:
        return wrapped.range[0] <= number <= wrapped.range[1]
    return isinstance(atom, Unknown | Wrapped) and not atom.is_signed


def _is_held(wrapped: Wrapped, counter: Wrapped | None) -> bool:
    """It is what the loop counts with, read in a type that holds all of it."""
    if counter is None or wrapped.term != counter.term:
        return False
    if wrapped.bits >= INDEX_BITS or wrapped.bits > counter.bits:
        return True
    return wrapped.bits == counter.bits and not wrapped.is_signed


def _has_room(wrapped: Wrapped, term: Expr) -> bool:
    """The numbers that it is made of are so small that it never wraps; below 0, where it has no
    sign, it does, but not as an address."""
    if not wrapped.is_signed and wrapped.bits < INDEX_BITS:
        return False
    widths = [_width(monomial, factor) for monomial, factor in term.terms.items()]
    return sum(1 << width for width in widths) < 1 << (wrapped.bits - 1)


def _width(monomial: Monomial, factor: int) -> int:
    """The product is less than two to the power of this, on either side of 0."""
    return abs(factor).bit_length() + sum(map(_atom_width, monomial))


def _atom_width(atom: Atom) -> int:
    match atom:
        case Unknown(value, _) if isinstance(value.type, IntegerType):
            return bit_width(value)
        case Counter(loop) if len(loop.header.args) == 1:
            return bit_width(loop.header.args[0])
        case _:
            return INDEX_BITS


def is_irregular(view: LoopView) -> bool:
    """How often some loop inside runs is not known from sums and products of counters and of what
    is there before."""
    pending = list(view.loop.children)
    while pending:
        inner = pending.pop()
        count = view.evolution.trip_count(inner)
        if count is None or any(_is_read_inside(atom, view) for atom in count.taken.all_atoms()):
            return True
        pending += inner.children
    return False


def _is_read_inside(atom: object, view: LoopView) -> bool:
    """It is loaded, at places that change."""
    if not isinstance(atom, Unknown) or not view.is_inside(atom.value):
        return False
    owner = atom.value.owner
    if not isinstance(owner, memref.LoadOp):
        return True
    place = reference(owner, view.evolution)
    return place is None or not all(map(view.is_fixed, (place.offset, *place.indices)))


def irregular_loop(view: LoopView) -> IrregularLoop:
    """Raises NotProved where the loop cannot be shared out among threads."""
    counter, step, is_signed = _counter(view)
    after, passed = _way_out(view)
    rounds = _rounds(view)
    _check_names(view)
    references = list(_references(view))
    variables, sums = _private_variables(view, references)
    private = (
        *variables,
        *scratch_arrays(view.loop, view.flow, view.evolution, references),
    )
    apart = {*private, *(one.variable for one in sums)}
    _check_header(view, [one for one in references if one.base not in private])
    _check_order(view, [one for one in references if one.base not in apart])
    return IrregularLoop(view.loop, counter, step, is_signed, rounds, private, sums, after, passed)


def _counter(view: LoopView) -> tuple[BlockArgument, int, bool]:
    """The variable that it counts with, its step, and whether that is signed."""
    header = view.loop.header
    if len(header.args) != 1 or not isinstance(header.args[0].type, IntegerType):
        raise NotProved("an iteration hands values on to the next one", header.last_op)
    (counter,) = header.args
    for is_signed in (True, False):
        parts = view.counted(counter, is_signed).split(Counter(view.loop))
        step = None if parts is None else parts[1].as_constant
        if step:
            return counter, step, is_signed
    raise NotProved("what it counts with does not go in steps", header.last_op)


def _way_out(view: LoopView) -> tuple[Block, tuple[SSAValue, ...]]:
    loop = view.loop
    exits = loop.exits()
    if len(exits) != 1 or exits[0].source is not loop.header or len(loop.latches) != 1:
        raise NotProved("it may be left before it is through", loop.header.last_op)
    for block in view.blocks:
        values = [*block.args, *(result for op in block.ops for result in op.results)]
        for value in values:
            if any(enclosing_block(use.operation) not in loop for use in value.uses):
                raise NotProved("what its last iteration computes is used behind it", block.last_op)
    (leaving,) = exits
    if any(view.is_inside(value) for value in leaving.values):
        raise NotProved("what its last iteration computes is used behind it", loop.header.last_op)
    return leaving.target, tuple(leaving.values)


def _rounds(view: LoopView) -> Expr:
    count = trip_count(view.loop, view.flow, view.evolution, wraps=not view.is_unsigned)
    if count is None or count.assumptions or not view.is_fixed(count.taken):
        raise NotProved("how often it runs is not known before", view.loop.header.last_op)
    return count.taken


def _check_names(view: LoopView) -> None:
    """By the names in it, and in front of it, every thread finds the same objects. Raises
    NotProved."""
    pending, seen = list(view.operations()), set[Operation]()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        if isinstance(op, cmem.AddressOfOp) and op.symbol.string_value() in view.of_threads:
            name = op.symbol.string_value()
            raise NotProved(f"each thread has a variable {name} of its own", op)
        owners = (operand.owner for operand in op.operands)
        pending += [one for one in owners if isinstance(one, cmem.ViewOp | cmem.AddressOfOp)]


def _references(view: LoopView) -> Iterator[Reference]:
    """All that the iterations touch; nothing else happens in them."""
    for op in view.operations():
        match op:
            case memref.LoadOp() | memref.StoreOp():
                found = reference(op, view.evolution)
                if found is None:
                    raise NotProved("what it touches is not known", op)
                yield view.exactly(found)
            case _ if isinstance(op, _STRUCTURE) or op.successors or is_pure(op):
                continue
            case _:
                callee = op.get_attr_or_prop("callee")
                what = "it does what may have effects" if callee is None else "it calls a function"
                raise NotProved(what, op)


# Variables of an iteration


def _private_variables(
    view: LoopView, references: Sequence[Reference]
) -> tuple[list[SSAValue], tuple[SharedSum, ...]]:
    """The variables that are written: those of which nobody else reads what an iteration leaves
    there, and sums."""
    written = dict.fromkeys(one.base for one in references if one.is_write)
    variables, sums = list[SSAValue](), list[SharedSum]()
    for variable in filter(_is_variable, written):
        reader = _first_reader(view.loop.header, variable)
        found = None if reader is None else shared_sum(view.loop, variable)
        if found is not None:
            sums.append(found)
        elif reader is None:
            variables.append(variable)
        else:
            name = variable.name_hint or "a variable"
            raise NotProved(f"what an iteration leaves in {name} is read later", reader)
    return variables, tuple(sums)


def _check_header(view: LoopView, references: Sequence[Reference]) -> None:
    """It runs once more than the iterations do, which what is written there must not show. Raises
    NotProved."""
    for one in references:
        if one.is_write and enclosing_block(one.op) is view.loop.header:
            raise NotProved("it writes where it asks whether to go on", one.op)


def _is_variable(base: SSAValue) -> bool:
    """A local one of no dimension, of which all accesses are seen."""
    if base_kind(base) is not BaseKind.LOCAL or memref_type(base).get_num_dims():
        return False
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.operation.memref is base)
        for use in base.uses
    )


def _first_reader(start: Block, variable: SSAValue) -> Operation | None:
    """What may read the variable before it is written, from the start of a block on."""
    pending, seen = [start], {start}
    while pending:
        block = pending.pop()
        is_written = False
        for op in block.walk():
            if isinstance(op, memref.LoadOp) and op.memref is variable:
                return op
            if isinstance(op, memref.StoreOp) and op.memref is variable and op.parent is block:
                is_written = True
                break
        last = block.last_op
        for target in () if is_written or last is None else last.successors:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return None


# Elements


def _check_order(view: LoopView, references: Sequence[Reference]) -> None:
    """No iteration touches what another one writes. Raises NotProved."""
    stores = {one.base: one for one in references if one.is_write}
    for base, store in stores.items():
        if not view.is_fixed(Expr.of(Unknown(base))) and base_kind(base) is not BaseKind.GLOBAL:
            raise NotProved("through which pointer it writes is not known before", store.op)
        _check_owned(view, [one for one in references if one.base is base])
    for base, store in stores.items():
        for other in references:
            if other.base is not base and not are_disjoint(base, other.base):
                raise NotProved(_may_meet(store, other), other.op)


def _may_meet(store: Reference, other: Reference) -> str:
    one, two = (each.base.name_hint or "an array" for each in (store, other))
    return (
        f"{one}, which it writes, and {two} may overlap: `restrict` on {one} says that they do not"
    )


def _check_owned(view: LoopView, references: Sequence[Reference]) -> None:
    """Accesses to one object, by different iterations, are to different elements."""
    if _name_iteration(view, references) or _stay_in_rows(view, references):
        return
    store = next(one for one in references if one.is_write)
    name = store.base.name_hint or "an array"
    raise NotProved(f"iterations may meet in {name}", store.op)


def _name_iteration(view: LoopView, references: Sequence[Reference]) -> bool:
    """One subscript is the same in all of them, `c*i + r`."""
    first, *others = references
    shape = (first.shape, first.offset, first.element_bytes)
    if any((one.shape, one.offset, one.element_bytes) != shape for one in others):
        return False
    if not view.is_fixed(first.offset):
        return False
    for place, index in enumerate(first.indices):
        parts = index.split(Counter(view.loop))
        if parts is None or not parts[1].as_constant or not view.is_fixed(parts[0]):
            continue
        if all(one.indices[place] == index for one in others):
            return True
    return False


def _stay_in_rows(view: LoopView, references: Sequence[Reference]) -> bool:
    """Each goes `s` bytes on by iteration, and reaches from 0 to less than `s` from there, but for
    what is the same in all iterations and all of them."""
    row: Expr | None = None
    start: Expr | None = None
    for one in references:
        parts = None if one.place is None else one.place.split(Counter(view.loop))
        if parts is None or not view.is_fixed(parts[1]) or row not in (None, parts[1]):
            return False
        row = parts[1]
        fixed = _fixed_part(parts[0], view)
        if start is None:
            start = fixed
        reach, block = parts[0] - start, enclosing_block(one.op)
        inside = (Compare("<=", -reach), Compare("<=", reach + one.element_bytes - row))
        if not all(view.ranges.always(condition, block) for condition in inside):
            return False
    return True


def _fixed_part(expr: Expr, view: LoopView) -> Expr:
    """The terms that are the same in all iterations, without the number."""
    terms = {
        monomial: factor
        for monomial, factor in expr.terms.items()
        if monomial and view.is_fixed(Expr({monomial: factor}))
    }
    return Expr(terms)
