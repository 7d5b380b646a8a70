"""The invariants of `poly.scop`, listed at the head of `poly.py`.

What isl has to say of a text is asked once: facts are cached by the texts that they depend on,
since the verifier runs between any two passes and most texts stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import islpy as isl
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.computing import only_computes
from polyopt.dialects.poly import PURE_CALL, ReadOp, ScopOp, SetAttr, StmtOp, WriteOp
from polyopt.poly.isl.budget import BudgetExceeded, budget


def verify_scop(scop: ScopOp) -> None:
    """Raise VerifyException naming the first invariant that does not hold."""
    parameters = _distinct("parameter", (name.data for name in scop.param_names))
    arrays = _distinct("array", (name.data for name in scop.array_names))
    if len(parameters) != len(scop.params):
        raise VerifyException(
            f"expected one name for each of the {len(scop.params)} parameters, "
            f"got {len(parameters)}"
        )
    if len(arrays) != len(scop.arrays):
        raise VerifyException(
            f"expected one name for each of the {len(scop.arrays)} arrays, got {len(arrays)}"
        )
    if len(set(scop.arrays)) != len(scop.arrays):
        raise VerifyException("expected each array once")
    for name in scop.local or ():
        if name.data not in arrays:
            raise VerifyException(f"local array {name.data!r} is not an array of the SCoP")
    _verify_parameter_set("context", scop.context, parameters)
    if scop.assumed is not None:
        _verify_parameter_set("assumed", scop.assumed, parameters)
    _verify_statements(scop, parameters)
    _verify_schedule(scop, parameters)


def _distinct(kind: str, names: Iterable[str]) -> dict[str, None]:
    found = dict[str, None]()
    for name in names:
        if name in found:
            raise VerifyException(f"{kind} name {name!r} is used twice")
        found[name] = None
    return found


def _verify_parameter_set(what: str, attribute: SetAttr, parameters: Iterable[str]) -> None:
    names, spaces = _spaces_of_set(attribute.data)
    _verify_parameters(what, names, parameters)
    if any(space is not None for space in spaces):
        raise VerifyException(f"{what} is not a set of parameter values: {attribute.data}")


def _verify_parameters(what: str, used: Iterable[str], known: Iterable[str]) -> None:
    for name in used:
        if name not in known:
            raise VerifyException(f"{what} speaks of {name!r}, which is no parameter of the SCoP")


def _verify_statements(scop: ScopOp, parameters: Iterable[str]) -> None:
    if scop.body.block.args:
        raise VerifyException("the body of a SCoP has no arguments")
    names = {value: name.data for value, name in zip(scop.arrays, scop.array_names, strict=True)}
    for op in scop.body.block.ops:
        if not isinstance(op, StmtOp):
            raise VerifyException(f"expected only poly.stmt in a SCoP, got {op.name}")
    _distinct("statement", (op.stmt_name.data for op in scop.statements()))
    for op in scop.statements():
        _verify_domain(op, parameters)
        for inner in op.body.walk():
            _verify_operation(op, inner)
        for access in op.accesses():
            _verify_access(op, access, names, parameters)


def _verify_domain(op: StmtOp, parameters: Iterable[str]) -> None:
    name, arguments = op.stmt_name.data, op.body.block.args
    if any(argument.type != IndexType() for argument in arguments):
        raise VerifyException(f"statement {name!r}: an iteration vector is of type index")
    used, spaces = _spaces_of_set(op.domain.data)
    _verify_parameters(f"the domain of {name!r}", used, parameters)
    for space in spaces:
        if space != (name, len(arguments)):
            raise VerifyException(
                f"the domain of {name!r} is not a set of {name}[…] with "
                f"{len(arguments)} dimensions: {op.domain.data}"
            )
    if op.iterators is not None and len(op.iterators) != len(arguments):
        raise VerifyException(f"statement {name!r}: expected one iterator name for each dimension")


def _verify_operation(statement: StmtOp, op: Operation) -> None:
    if not (isinstance(op, ReadOp | WriteOp | scf.IfOp | scf.YieldOp) or _only_computes(op)):
        raise VerifyException(
            f"statement {statement.stmt_name.data!r}: {op.name} may have side effects; memory is "
            "read by poly.read and written by poly.write only"
        )
    for operand in op.operands:
        other = _statement_of(operand)
        if other is not None and other is not statement:
            raise VerifyException(
                f"statement {statement.stmt_name.data!r} uses a value of statement "
                f"{other.stmt_name.data!r}"
            )


def _only_computes(op: Operation) -> bool:
    """The results depend on nothing but the operands, and nothing else is done. What a pointer
    leads to is no operand."""
    if PURE_CALL not in op.attributes:
        return only_computes(op)
    return isinstance(op, func.CallOp) and not any(
        isinstance(operand.type, LLVMPointerType | MemRefType) for operand in op.operands
    )


def _statement_of(value: SSAValue) -> StmtOp | None:
    owner = value.owner
    op = owner.parent_op() if isinstance(owner, Block) else owner
    while op is not None and not isinstance(op, StmtOp):
        op = op.parent_op()
    return op


def _verify_access(
    statement: StmtOp,
    access: ReadOp | WriteOp,
    array_names: dict[SSAValue, str],
    parameters: Iterable[str],
) -> None:
    what = f"statement {statement.stmt_name.data!r}: {access.name}"
    is_conditional = access.parent_op() is not statement
    if is_conditional and not isinstance(access.parent_op(), scf.IfOp):
        raise VerifyException(f"{what}: only scf.if may stand around an access")
    if access.may is None and is_conditional:
        raise VerifyException(f"{what}: data decide on it, so that it is a may access")
    array = array_names.get(access.array)
    if array is None:
        raise VerifyException(f"{what}: the array is not one of the SCoP's")
    rank = memref_type(access.array).get_num_dims()
    used, spaces = _spaces_of_map(access.relation.data)
    _verify_parameters(f"{what}: the relation", used, parameters)
    expected = (statement.stmt_name.data, len(statement.body.block.args), array, rank)
    for space in spaces:
        if space != expected:
            raise VerifyException(
                f"{what}: expected a relation from {expected[0]} ({expected[1]} dimensions) to "
                f"{array} ({rank} dimensions): {access.relation.data}"
            )
    is_single, is_total = _reach(access.relation.data, statement.domain.data)
    if access.index and len(access.index) != rank:
        raise VerifyException(f"{what}: expected one run-time index for each of {rank} dimensions")
    is_elsewhere = access.may is not None and not is_conditional
    if (is_elsewhere or not is_single) and len(access.index) != rank:
        raise VerifyException(
            f"{what}: an access that does not always touch exactly one element carries the "
            "run-time index"
        )
    if not access.index and not is_total:
        raise VerifyException(f"{what}: some instance touches no element")


def _verify_schedule(scop: ScopOp, parameters: Iterable[str]) -> None:
    _verify_parameters("the schedule", _parameters_of_schedule(scop.schedule.data), parameters)
    domains = tuple(op.domain.data for op in scop.statements())
    known = tuple(a.data for a in (scop.context, scop.assumed) if a is not None)
    if not _runs_exactly(scop.schedule.data, domains, known):
        raise VerifyException("the schedule's domain is not the union of the statements' domains")


# Facts, by text. A space is (name, dimensions), None for parameter values. What takes too long to
# find out is believed: a verifier looks for mistakes, and proves nothing that others rely on.

_OPERATIONS_OF_ACCESS = 300_000
_OPERATIONS_OF_SCHEDULE = 3_000_000
"""Ten times what the kernels of PolyBench take."""

SetSpace = tuple[str, int] | None
MapSpace = tuple[str, int, str, int]


def _parameters(space: isl.Space) -> tuple[str, ...]:
    count = space.dim(isl.dim_type.param)
    return tuple(space.get_dim_name(isl.dim_type.param, k) or "" for k in range(count))


@lru_cache(maxsize=4096)
def _spaces_of_set(text: str) -> tuple[tuple[str, ...], tuple[SetSpace, ...]]:
    union = isl.UnionSet(text)
    parts = list[isl.Set]()
    union.foreach_set(parts.append)
    spaces: list[SetSpace] = []
    for part in parts:
        if part.is_params():
            spaces.append(None)
        else:
            spaces.append((part.get_tuple_name() or "", part.dim(isl.dim_type.set)))
    return _parameters(union.get_space()), tuple(spaces)


@lru_cache(maxsize=4096)
def _spaces_of_map(text: str) -> tuple[tuple[str, ...], tuple[MapSpace, ...]]:
    union = isl.UnionMap(text)
    parts = list[isl.Map]()
    union.foreach_map(parts.append)
    spaces = tuple(
        (
            part.get_tuple_name(isl.dim_type.in_) or "",
            part.dim(isl.dim_type.in_),
            part.get_tuple_name(isl.dim_type.out) or "",
            part.dim(isl.dim_type.out),
        )
        for part in parts
    )
    return _parameters(union.get_space()), spaces


@lru_cache(maxsize=4096)
def _reach(relation: str, domain: str) -> tuple[bool, bool]:
    """Whether the relation gives at most one, and at least one, element for each instance."""
    try:
        with budget("accesses of a statement", _OPERATIONS_OF_ACCESS):
            instances = isl.UnionSet(domain)
            touched = isl.UnionMap(relation).intersect_domain(instances)
            return touched.is_single_valued(), instances.is_subset(touched.domain())
    except BudgetExceeded:
        return True, True


@lru_cache(maxsize=256)
def _parameters_of_schedule(text: str) -> tuple[str, ...]:
    return _parameters(isl.Schedule(text).get_domain().get_space())


@lru_cache(maxsize=256)
def _runs_exactly(schedule: str, domains: tuple[str, ...], known: tuple[str, ...]) -> bool:
    try:
        with budget("domain of a schedule", _OPERATIONS_OF_SCHEDULE):
            wanted = isl.UnionSet("{ }")
            for domain in domains:
                wanted = wanted.union(isl.UnionSet(domain))
            given = isl.Schedule(schedule).get_domain()
            for context in known:
                values = isl.Set(context)
                wanted, given = wanted.intersect_params(values), given.intersect_params(values)
            return given.is_equal(wanted)
    except BudgetExceeded:
        return True
