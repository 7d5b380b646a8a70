"""A region that is a static control part: what it was understood to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from xdsl.dialects import cf, func, memref
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_pragmas import LEFT_ALONE
from polyopt.dialects.poly import READING_CALL
from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import defining_block, enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.control.regions import FlowRegion, loops_in
from polyopt.ir.effects import accesses_in, is_access, is_pure_here
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.affine_space import AffineSpace, NotAffine
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_expr import Choice, Expr, Extremum, Floor, Quotient
from polyopt.ir.references.array_layout import ArrayLayout, Subscript, layouts
from polyopt.ir.references.memory_references import Reference, reference, split_address
from polyopt.passes.scop.hoisting import find_hoisted
from polyopt.passes.scop.iterators import primary_variable, tell_counted
from polyopt.passes.scop.reading_calls import may_read
from polyopt.passes.scop.rejection import Reason, Rejected, Rejection
from polyopt.passes.scop.user_words import (
    TYPES_WORDS,
    base_words,
    call_words,
    condition_words,
    error_words,
    operation_words,
    part_text,
    read_words,
)
from polyopt.passes.scop.wrapped_products import SmallFactors, with_open_products
from polyopt.support.record import entity

MemoryOp = memref.LoadOp | memref.StoreOp


MOST_PAIRS = 192
"""How much may be asked of the subscripts of one array: two accesses with so many quotients
together that one of them may be in either of 2^n places of isl's cases."""


@entity
class CandidateArray:
    """All references to one base, in program order, and the layout that fits them; to a base that
    is only read, those as of one type."""

    base: SSAValue
    references: list[Reference]
    layout: ArrayLayout

    @property
    def is_written(self) -> bool:
        return any(reference.is_write for reference in self.references)


@entity
class Candidate:
    """`subscripts` say where each load and store goes; `affine` holds those that are affine, the
    others compute their index at run time: `coarse` are those of them whose quotients are too many
    to be compared with each other (`MOST_PAIRS`).
    `small` is what has to be no greater than it seems for products in subscripts not to wrap.
    `hoisted` are loads whose value does not change in the region; `guarded` are those of them
    that may only be done where the region does them. `copies` are the loads that stand for
    values in blocks which cannot compute them, once these values go through memory."""

    flow: ControlFlow
    region: FlowRegion
    evolution: Evolution
    loops: list[NaturalLoop]
    space: AffineSpace
    arrays: list[CandidateArray] = field(default_factory=list[CandidateArray])
    subscripts: dict[MemoryOp, Subscript] = field(default_factory=dict[MemoryOp, Subscript])
    affine: set[MemoryOp] = field(default_factory=set[MemoryOp])
    coarse: set[MemoryOp] = field(default_factory=set[MemoryOp])
    small: SmallFactors = field(default_factory=SmallFactors)
    hoisted: dict[memref.LoadOp, Reference] = field(default_factory=dict[memref.LoadOp, Reference])
    guarded: list[memref.LoadOp] = field(default_factory=list[memref.LoadOp])
    copies: dict[tuple[SSAValue, Block], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, Block], SSAValue]
    )
    _touched: dict[MemoryOp, CandidateArray] = field(default_factory=dict[MemoryOp, CandidateArray])

    def array_of(self, op: MemoryOp) -> CandidateArray:
        """The array that a load or store of the region accesses."""
        return self._touched[op]

    def is_affine(self, subscript: Subscript) -> bool:
        return all(self.space.defect(index) is None for index in subscript.indices) and all(
            self.space.defect(extent) is None for _, extent in subscript.bounds
        )

    def add_array(self, array: CandidateArray) -> None:
        self.arrays.append(array)
        for extent in array.layout.shape:
            if extent is not None:
                self.space.defect(extent)
        subscripts = array.layout.subscripts
        is_simple = _is_simple(array.references, array.layout)
        for ref, subscript in zip(array.references, subscripts, strict=True):
            self._touched[ref.op] = array
            self.subscripts[ref.op] = subscript
            if not (is_simple or subscript.bounds) and any(map(_quotients, subscript.indices)):
                self.coarse.add(ref.op)
            elif self.is_affine(subscript):
                self.affine.add(ref.op)

    def index_in_relation(self, op: MemoryOp, index: Expr) -> bool:
        """Whether the access relation says what the index is; else it is anything."""
        if op in self.coarse and _quotients(index):
            return False
        return self.space.defect(index) is None

    def seen_from(self, value: SSAValue, block: Block) -> SSAValue:
        """The value, or the load that stands for it in `block`."""
        return self.copies.get((value, block), value)

    @property
    def is_worthwhile(self) -> bool:
        """There is a loop, and something is computed."""
        return bool(self.loops) and any(array.is_written for array in self.arrays)


def _quotients(index: Expr) -> int:
    """How many atoms of the index isl has existential variables or cases for."""
    return sum(isinstance(atom, Floor | Quotient | Extremum | Choice) for atom in index.all_atoms())


def _is_simple(references: list[Reference], layout: ArrayLayout) -> bool:
    """Whether isl can say which accesses meet which stores: it tells the cases of all quotients of
    two accesses apart."""
    counts = [sum(map(_quotients, one.indices)) for one in layout.subscripts]
    stores = [n for n, ref in zip(counts, references, strict=True) if ref.is_write]
    pairs = sum((1 << min(own + other, 20)) - 1 for own in stores for other in counts)
    return pairs <= MOST_PAIRS


def pointer_parts(candidate: Candidate, value: SSAValue, at: Block) -> tuple[SSAValue, Expr] | None:
    """(base, bytes from it) of a pointer as block `at` sees it, where the base does not change in
    the region and the bytes are affine."""
    here = candidate.evolution.address(value, defining_block(value))
    parts = split_address(here)
    if parts is None:
        return None
    base, offset = parts
    # How far other pointers are apart may say how often a loop has run.
    offset += candidate.evolution.address(value, at) - here
    is_known = candidate.space.is_constant(base) and isinstance(base.type, LLVMPointerType)
    return (base, offset) if is_known and candidate.space.defect(offset) is None else None


LeastRows = Mapping[SSAValue, int | None]
"""How long the rows of an object at least are where nothing but numbers tells; None for no rows."""


def understand(flow: ControlFlow, region: FlowRegion, least_rows: LeastRows) -> Candidate:
    """Raises Rejected with the first reason, in the order of the region's blocks, why the region
    is no static control part."""
    loops = loops_in(flow, region)
    _raise_first(_obstacles_of_shape(flow, region, loops))
    _raise_first(_obstacles_in_operations(region))
    candidate = _begun(flow, region, loops)
    references = _references(candidate)
    _hoist(candidate, references)
    _raise_first(_obstacles_in_conditions(candidate))
    _choose_iterators(candidate)
    same = _same_pointers(candidate)
    laid_out = [
        replace(r, base=same.get(r.base, r.base))
        for r in references
        if r.op not in candidate.hoisted
    ]
    _lay_out(candidate, laid_out, least_rows)
    _check_calls(candidate)
    return candidate


def obstacles(flow: ControlFlow, region: FlowRegion) -> list[Rejection]:
    """All that stands in a region against its being a static control part, each as if the others
    were not there: what `understand` raises first, and what it would raise next. Of what is only
    seen when shapes are chosen and domains compared, nothing; nor of what never ends."""
    loops = loops_in(flow, region)
    found = list(_obstacles_of_shape(flow, region, loops))
    if any(one.rejection.reason is Reason.ENDLESS for one in found):
        return []
    found += _obstacles_in_operations(region)
    if not any(one.rejection.reason is Reason.IRREDUCIBLE for one in found):
        candidate = _begun(flow, region, loops)
        results = [_referenced(candidate, op, block) for op, block in _accesses(region)]
        found += (one for one in results if isinstance(one, Rejected))
        references = [one for one in results if isinstance(one, Reference)]
        _hoist(candidate, references)
        found += _obstacles_in_conditions(candidate)
        found += _obstacles_in_bases(candidate, references)
    return [one.rejection for one in found]


def _raise_first(found: Iterable[Rejected]) -> None:
    for one in found:
        raise one


def _begun(flow: ControlFlow, region: FlowRegion, loops: list[NaturalLoop]) -> Candidate:
    evolution = Evolution(flow, region.blocks)
    space = AffineSpace(flow, region.blocks, loops, set(_entry_arguments(region, loops)))
    return Candidate(flow, region, evolution, loops, space)


def _hoist(candidate: Candidate, references: list[Reference]) -> None:
    """Take what is read and does not change as read before the region."""
    entry = candidate.region.entry
    for read, is_safe in find_hoisted(candidate.flow, entry, candidate.space, references):
        assert isinstance(read.op, memref.LoadOp)
        candidate.hoisted[read.op] = read
        if not is_safe:
            candidate.guarded.append(read.op)


def _same_pointers(candidate: Candidate) -> dict[SSAValue, SSAValue]:
    """Of pointers that are read in one place before the region the first one: `rows[i]` as the
    base of what is loaded in front of a loop and of what is stored in it is one array."""
    same: dict[SSAValue, SSAValue] = {}
    first: dict[tuple[SSAValue, Expr], SSAValue] = {}
    for op, read in candidate.hoisted.items():
        if isinstance(op.res.type, LLVMPointerType) and read.place is not None:
            base = same.get(read.base, read.base)
            same[op.res] = first.setdefault((base, read.place), op.res)
    return same


def _obstacles_of_shape(
    flow: ControlFlow, region: FlowRegion, loops: list[NaturalLoop]
) -> Iterator[Rejected]:
    for source, _ in flow.loops.irreducible:
        block = flow.cfg.blocks[source]
        if block in region:
            message = "control jumps into the middle of a loop: give the loop one entry"
            yield rejected(Reason.IRREDUCIBLE, block, block.last_op, "irreducible", message)
    for loop in loops:
        if not loop.exits():
            message = "the loop never ends"
            yield rejected(Reason.ENDLESS, loop.header, loop.header.last_op, "no exit", message)
    if region.exit is None:
        place = loops[0].header if loops else region.entry
        message = "control may leave the function in the middle: let the loops end first"
        yield rejected(Reason.RETURN, region.entry, place.last_op, "no exit", message)


def _entry_arguments(region: FlowRegion, loops: list[NaturalLoop]) -> Iterable[SSAValue]:
    """The arguments of the region's entry come from outside, unless they are a loop's."""
    if all(loop.header is not region.entry for loop in loops):
        yield from region.entry.args


def _obstacles_in_operations(region: FlowRegion) -> Iterator[Rejected]:
    for block in region.blocks:
        for op in block.ops:
            why = obstacle_of(op, block)
            if why is not None:
                yield why


def obstacle_of(op: Operation, block: Block) -> Rejected | None:
    """Why no region may have the operation in it."""
    if isinstance(op, cf.BranchOp | cf.ConditionalBranchOp | cf.SwitchOp | func.ReturnOp):
        return None
    if LEFT_ALONE in op.attributes:
        message = "'#pragma polyopt off' keeps the loop as it is written"
        return rejected(Reason.PRAGMA, block, op, "left alone", message)
    if is_access(op) or is_pure_here(op):
        return None
    callee = op.get_attr_or_prop("callee")
    if callee is not None:
        name = str(callee).lstrip("@").strip('"')
        return rejected(Reason.CALL, block, op, f"call of {name}", call_words(op, name))
    return rejected(Reason.OPERATION, block, op, f"operation {op.name}", operation_words(op))


def _check_calls(candidate: Candidate) -> None:
    """Nothing that a call may read is written: which instance of it comes first is open then."""
    written = [array.base for array in candidate.arrays if array.is_written]
    for block in candidate.region.blocks:
        for call in (op for top in block.ops for op in top.walk() if READING_CALL in op.attributes):
            assert isinstance(call, func.CallOp)
            read = next((base for base in written if may_read(call, base)), None)
            if read is not None:
                message = read_words(call, read)
                raise rejected(Reason.CALL, block, call, "call reads what is written", message)


def _references(candidate: Candidate) -> list[Reference]:
    """All loads and stores in program order."""
    result: list[Reference] = []
    for op, block in _accesses(candidate.region):
        found = _referenced(candidate, op, block)
        if isinstance(found, Rejected):
            raise found
        result.append(found)
    return result


def _accesses(region: FlowRegion) -> Iterator[tuple[MemoryOp, Block]]:
    for block in region.blocks:
        for top in block.ops:
            yield from ((access, block) for access in accesses_in(top))


def _referenced(candidate: Candidate, op: MemoryOp, block: Block) -> Reference | Rejected:
    found = reference(op, candidate.evolution)
    if found is not None:
        return found
    message = "it is not clear which array this address is in"
    return rejected(Reason.BASE, block, op, "address is no base plus offset", message)


def _obstacles_in_conditions(candidate: Candidate) -> Iterator[Rejected]:
    for block in candidate.region.blocks:
        op = block.last_op
        if op is None or len(op.successors) < 2:
            continue
        for edge in outgoing(block):
            condition = edge_condition(edge, candidate.evolution)
            defect = candidate.space.condition_defect(condition)
            if defect is not None:
                yield _conditionrejected(candidate, block, op, defect)


def _conditionrejected(
    candidate: Candidate, block: Block, op: Operation, defect: NotAffine
) -> Rejected:
    loop = candidate.flow.loops.innermost(block)
    leaves = loop is not None and any(target not in loop for target in op.successors)
    developer = f"not affine: {part_text(defect.part)}"
    if any(target in candidate.region.aside for target in op.successors):
        message = error_words(defect.part, candidate.flow)
        return rejected(Reason.ERROR, block, op, developer, message)
    message = condition_words(op, defect.part, candidate.flow, leaves=leaves)
    reason = Reason.LOOP_BOUND if leaves else Reason.CONDITION
    return rejected(reason, block, op, developer, message)


def _choose_iterators(candidate: Candidate) -> None:
    for loop in candidate.loops:
        variable = primary_variable(loop, candidate.evolution)
        name = loop.name if variable is None else variable.argument.name_hint or loop.name
        if variable is not None and variable.counts_by_one:
            candidate.space.add_iterator(loop, name, variable.start, variable.step)
        else:
            candidate.space.add_iterator(loop, name)
            tell_counted(loop, variable)


def _lay_out(candidate: Candidate, references: list[Reference], least_rows: LeastRows) -> None:
    """Group the references by their base and give each group one shape. What is only read may be
    read as of several types: it is an array of each."""
    groups: dict[tuple[SSAValue, Attribute | None], list[Reference]] = {}
    _raise_first(_obstacles_in_bases(candidate, references))
    written = {ref.base for ref in references if ref.is_write}
    for ref in references:
        type = None if ref.base in written else ref.type.element_type
        groups.setdefault((ref.base, type), []).append(ref)
    for (base, _), group in groups.items():
        _check_element_types(candidate, group)
        candidate.add_array(_laid_out(candidate, base, group, least_rows.get(base, 2)))


def _obstacles_in_bases(candidate: Candidate, references: list[Reference]) -> Iterator[Rejected]:
    for ref in references:
        if not candidate.space.is_constant(ref.base):
            message = base_words(ref.base)
            block = enclosing_block(ref.op)
            yield rejected(Reason.BASE, block, ref.op, "base is not constant", message)


def _check_element_types(candidate: Candidate, group: list[Reference]) -> None:
    first = group[0].type.element_type
    for ref in group:
        if ref.type.element_type != first:
            developer = f"{ref.type.element_type} and {first}"
            block = enclosing_block(ref.op)
            raise rejected(Reason.ELEMENT_TYPE, block, ref.op, developer, TYPES_WORDS)


def _laid_out(
    candidate: Candidate, base: SSAValue, group: list[Reference], least_row: int | None
) -> CandidateArray:
    """In the first layout in which all is affine, if need be where no product wraps; else in one
    that needs no assumption, with accesses that may go anywhere in the array. So too where
    subscripts have too many quotients."""
    found = _layouts(candidate, group, least_row)
    unassuming = [one for one in found if not any(s.bounds for s in one.subscripts)]
    affine = _affine_layout(candidate, found)
    if affine is not None and (_is_simple(group, affine) or not unassuming):
        return CandidateArray(base, group, affine)
    opened = None if affine is not None else with_open_products(group, candidate.space)
    if opened is not None:
        references, small = opened
        affine = _affine_layout(candidate, _layouts(candidate, references, least_row))
        if affine is not None and _is_simple(references, affine):
            candidate.small |= small
            return CandidateArray(base, references, affine)
    if unassuming:
        return CandidateArray(base, group, unassuming[0])
    message = "the array is accessed with different shapes, or its shape changes"
    op = group[0].op
    raise rejected(Reason.SUBSCRIPT, enclosing_block(op), op, "no common shape", message)


def _layouts(
    candidate: Candidate, group: list[Reference], least_row: int | None
) -> list[ArrayLayout]:
    found = layouts(group, candidate.space.is_parameter, least_row)
    return [one for one in found if _is_constant_shape(candidate, one)]


def _affine_layout(candidate: Candidate, found: list[ArrayLayout]) -> ArrayLayout | None:
    return next((one for one in found if all(map(candidate.is_affine, one.subscripts))), None)


def _is_constant_shape(candidate: Candidate, layout: ArrayLayout) -> bool:
    return all(extent is None or candidate.space.is_invariant(extent) for extent in layout.shape)


def rejected(
    reason: Reason, block: Block, op: Operation | None, developer: str, message: str
) -> Rejected:
    span = None if op is None else span_of(op)
    return Rejected(Rejection(reason, block, span, developer, message))
