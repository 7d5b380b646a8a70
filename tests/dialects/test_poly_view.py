"""What `read_scop` reads, compared by meaning; how computed subscripts move."""

from __future__ import annotations

from fractions import Fraction

import islpy as isl
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.parser import Parser
from xdsl.universe import Universe
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.poly import PURE_CALL, ScopOp, StmtOp, WriteOp
from polyopt.dialects.poly_view import read_scop, write_schedule
from polyopt.poly.analysis.strides import AccessMatrices, Stride
from polyopt.poly.scop import Moves, Reduction, Scop
from polyopt.support.diagnostics import Span

DOMAIN = "[n] -> { S[i, j] : 0 <= i, j < n }"


def parse(text: str) -> ModuleOp:
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def scop_op(module: ModuleOp) -> ScopOp:
    return next(op for op in module.walk() if isinstance(op, ScopOp))


def module_with(body: str, *, domain: str = DOMAIN, element: str = "f64") -> ModuleOp:
    """A SCoP of one statement S over two arrays A and B, with a value %v to compute with."""
    arguments = "%i : index, %j : index"
    return parse(
        f"""
        func.func @f(%A : memref<?x8x{element}>, %B : memref<?x8x{element}>,
                     %n : index, %v : {element}) {{
          poly.scop "f" params(%n) ["n"]
            arrays(%A, %B : memref<?x8x{element}>, memref<?x8x{element}>) ["A", "B"]
            context <"[n] -> {{ : n > 0 }}"> schedule <"{{ domain: \\"{domain}\\" }}"> {{
            poly.stmt "S" domain <"{domain}"> {{
            ^bb0({arguments}):
              {body}
            }} loc("k.c":3:5)
          }}
          func.return
        }}
        """
    )


def scop_with(body: str, **options: str) -> Scop:
    return read_scop(scop_op(module_with(body, **options)))


UPDATE = """
%a = poly.read %A <"{ S[i, j] -> A[i, 0] }"> : memref<?x8xf64>
%b = poly.read %B <"{ S[i, j] -> B[i, j] }"> : memref<?x8xf64>
%p = arith.mulf %b, %v : f64
%c = arith.addf %a, %p : f64
poly.write %c, %A <"{ S[i, j] -> A[i, 0] }"> : memref<?x8xf64>
"""


def test_statement() -> None:
    statement = scop_with(UPDATE).statements[0]
    assert statement.domain.is_equal(isl.Set(DOMAIN))
    assert [(a.array, a.is_write, a.is_must, a.position) for a in statement.accesses] == [
        ("A", False, True, 0),
        ("B", False, True, 1),
        ("A", True, True, 2),
    ]
    assert statement.accesses[1].relation.is_equal(isl.Map("{ S[i, j] -> B[i, j] }"))
    assert statement.reduction == Reduction("arith.addf", "A", 0, 2)
    assert statement.iterators == ("i", "j")
    assert statement.span == Span("k.c", 3, 5)


def test_may_and_several_elements() -> None:
    scop = scop_with(
        """
        %a = poly.read %A <"{ S[i, j] -> A[o, j] }"> at [%j, %i] : memref<?x8xf64>
        poly.write %a, %B <"{ S[i, j] -> B[i, j] }"> may at [%i, %j] : memref<?x8xf64>
        """
    )
    assert [a.is_must for a in scop.statements[0].accesses] == [False, False]


def test_empty_sets_keep_their_spaces() -> None:
    scop = scop_with("", domain="{ S[i, j] : 1 = 0 }")
    space = isl.Set("[n] -> { S[i, j] }").get_space()
    assert scop.statements[0].domain.get_space().has_equal_tuples(space)
    scop = scop_with(
        '%a = poly.read %A <"{ S[i, j] -> A[i, j] : 1 = 0 }"> may at [%j, %i] : memref<?x8xf64>'
    )
    access = scop.statements[0].accesses[0].relation
    assert access.is_empty()
    assert access.get_tuple_name(isl.dim_type.out) == "A"


def test_extents() -> None:
    module = parse(
        """
        func.func @f(%p : !llvm.ptr, %q : memref<4x?xi16>, %n : index, %m : index) {
          %six = arith.constant 6 : index
          %A = cmem.view %p [%m, %six] : memref<?x?x5x?xf32>
          %B = memref.alloca(%n) : memref<?xi1>
          %P = memref.alloca() : memref<!llvm.ptr>
          %C:2 = cmem.distinct_objects %A, %B : memref<?x?x5x?xf32>, memref<?xi1>
              -> memref<?x?x5x?xf32>, memref<?xi1>
          poly.scop "f" params(%n, %m) ["n", "em"]
            arrays(%C#0, %C#1, %P, %q : memref<?x?x5x?xf32>, memref<?xi1>, memref<!llvm.ptr>,
                   memref<4x?xi16>)
            ["A", "B", "P", "Q"] local ["B"]
            context <"{ : }"> schedule <"{ domain: \\"{ S[] }\\" }"> {
            poly.stmt "S" domain <"{ S[] }"> { %c = arith.constant 0 : index }
          }
          func.return
        }
        """
    )
    arrays = {array.name: array for array in read_scop(scop_op(module)).arrays}
    assert arrays["A"].extents == (None, "em", "5", "6")
    assert arrays["B"].extents == ("n",)
    assert arrays["P"].extents == ()
    assert arrays["Q"].extents == ("4", None)
    assert [arrays[name].element_bytes for name in "ABPQ"] == [4, 1, 8, 2]
    assert [arrays[name].is_local for name in "ABPQ"] == [False, True, False, False]


READ = 'poly.read %A <"{ S[i, j] -> A[i, 0] }"> : memref<?x8xf64>'
WRITE = '%A <"{ S[i, j] -> A[i, 0] }"> : memref<?x8xf64>'
OTHER = 'poly.read %B <"{ S[i, j] -> B[i, j] }"> : memref<?x8xf64>'


@pytest.mark.parametrize(
    ("operation", "operator"),
    [
        ("arith.addf", "arith.addf"),
        ("arith.subf", "arith.addf"),
        ("arith.mulf", "arith.mulf"),
        ("arith.maximumf", "arith.maximumf"),
        ("arith.minnumf", "arith.minnumf"),
        ("arith.divf", None),
    ],
)
def test_operators(operation: str, operator: str | None) -> None:
    body = f"""
    %a = {READ}
    %c = {operation} %a, %v : f64
    poly.write %c, {WRITE}
    """
    reduction = scop_with(body).statements[0].reduction
    assert (reduction and reduction.operator) == operator


def test_integer_operators() -> None:
    access = '%A <"{ S[i, j] -> A[i, 0] }"> : memref<?x8xi32>'
    body = f"""
    %a = poly.read {access}
    %c = arith.xori %v, %a : i32
    poly.write %c, {access}
    """
    reduction = scop_with(body, element="i32").statements[0].reduction
    assert reduction == Reduction("arith.xori", "A", 0, 1)


REDUCTIONS = {
    "a chain of one operator": (f"%b = {OTHER}\n%d = arith.addf %b, %a : f64", "%d", "%v", True),
    "another operator on the way": ("%d = arith.mulf %a, %v : f64", "%d", "%v", False),
    "the accumulator is subtracted": ("%d = arith.subf %v, %a : f64", "%d", "%v", False),
    "the accumulator is used twice": ("", "%a", "%a", False),
    "another read of the array": (
        '%d = poly.read %A <"{ S[i, j] -> A[i, 1] }"> : memref<?x8xf64>',
        "%a",
        "%d",
        True,
    ),
    "two reads of the accumulator": (f"%d = {READ}", "%a", "%d", False),
}


@pytest.mark.parametrize("case", REDUCTIONS)
def test_reductions(case: str) -> None:
    middle, left, right, is_reduction = REDUCTIONS[case]
    body = f"""
    %a = {READ}
    {middle}
    %c = arith.addf {left}, {right} : f64
    poly.write %c, {WRITE}
    """
    assert (scop_with(body).statements[0].reduction is not None) == is_reduction, case


def test_another_element_is_no_reduction() -> None:
    body = UPDATE.replace("-> A[i, 0] }", "-> A[i, 1] }", 1)
    assert scop_with(body).statements[0].reduction is None


def test_written_schedule_is_read_back() -> None:
    op = scop_op(module_with(UPDATE))
    schedule = read_scop(op).schedule
    band = isl.MultiUnionPwAff("[n] -> [{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]")
    changed = schedule.insert_partial_schedule(band)
    write_schedule(op, changed)
    op.verify()
    assert read_scop(op).schedule.get_map().is_equal(changed.get_map())


def test_a_value_of_another_statement_is_refused() -> None:
    """Nothing that can be parsed says this: a region's values are not visible outside."""
    module = module_with(UPDATE)
    op = scop_op(module)
    statement = op.statements()[0]
    other = statement.clone()
    other.properties["stmt_name"] = op.scop_name.__class__("T")
    write = next(w for w in other.walk() if isinstance(w, WriteOp))
    inner = next(w for w in statement.walk() if isinstance(w, WriteOp))
    write.operands[0] = inner.value
    for access in list(other.body.block.ops):
        if access is not write:
            access.detach()
    write.properties["relation"] = write.relation.from_text("{ T[i, j] -> A[i, 0] }")
    other.properties["domain"] = other.domain.from_text(DOMAIN.replace("S", "T"))
    op.body.block.add_op(other)
    with pytest.raises(VerifyException, match="uses a value of statement 'S'"):
        other.verify_()


def test_a_call_must_be_marked_pure() -> None:
    module = parse(
        """
        func.func private @g(f64) -> f64
        func.func @f(%v : f64) {
          poly.scop "f" params() [] arrays() [] context <"{ : }">
            schedule <"{ domain: \\"{ S[] }\\" }"> {
            poly.stmt "S" domain <"{ S[] }"> {
              %x = func.call @g(%v) {poly.pure} : (f64) -> f64
            }
          }
          func.return
        }
        """
    )
    call = next(op for op in module.walk() if op.name == "func.call")
    assert call.attributes.pop(PURE_CALL) == UnitAttr()
    with pytest.raises(VerifyException, match=r"func.call may have side effects"):
        module.verify()
    assert isinstance(call.parent_op(), StmtOp)


LOOKUP = """
%row = poly.read %A <"{{ S[i, j] -> A[i, 0] }}"> : memref<?x8xi64>
%c = arith.index_cast %row : i64 to index
%two = arith.constant 2 : index
{index}
%b = poly.read %B <"{{ S[i, j] -> B[o0, o1] }}"> may at [{at}] : memref<?x8xi64>
poly.write %b, %A <"{{ S[i, j] -> A[i, 1] }}"> : memref<?x8xi64>
"""


def lookup(index: str, at: str) -> Scop:
    return scop_with(LOOKUP.format(index=index, at=at), element="i64")


@pytest.mark.parametrize(
    ("index", "moves"),
    [
        ("%x = arith.addi %c, %j : index", (None, 1)),
        ("%x = arith.subi %c, %j : index", (None, -1)),
        ("%x = arith.muli %j, %two : index", (0, 2)),
        ("%x = arith.muli %c, %n : index", (None, 0)),
        ("%x = arith.muli %j, %j : index", (0, None)),
        ("%d = arith.muli %c, %n : index\n%x = arith.addi %d, %i : index", (None, 0)),
        ("%x = arith.addi %n, %two : index", (0, 0)),
    ],
)
def test_what_is_added_with_each_iterator(index: str, moves: Moves):
    (access,) = [one for one in lookup(index, "%c, %x").statements[0].accesses if one.array == "B"]
    assert access.moves is not None
    assert access.moves[1] == moves


@pytest.mark.parametrize(
    ("index", "at", "strides"),
    [
        ("%x = arith.addi %j, %n : index", "%c, %x", ("far", 1)),
        ("%x = arith.addi %c, %j : index", "%n, %x", ("unknown", 1)),
        ("%x = arith.muli %j, %two : index", "%x, %c", ("unknown", "far")),
    ],
)
def test_strides_of_computed_places(index: str, at: str, strides: tuple[Stride, Stride]):
    scop = lookup(index, at)
    matrices = AccessMatrices(scop)
    (access,) = [one for one in scop.statements[0].accesses if one.array == "B"]
    steps = [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))]
    assert tuple(matrices.stride("S", access, step) for step in steps) == strides


def test_updates_beside_other_writes() -> None:
    """What is updated once is a reduction, what is written twice none."""
    other = '%A <"{ S[i, j] -> A[i, 1] }"> : memref<?x8xf64>'
    once = f"""
    poly.write %v, %B <"{{ S[i, j] -> B[i, 7] }}"> : memref<?x8xf64>
    {UPDATE}
    """
    (statement,) = scop_with(once).statements
    assert [one.array for one in statement.reductions] == ["A"]
    assert statement.reduction is None
    twice = f"poly.write %v, {other}\n{UPDATE}"
    assert scop_with(twice).statements[0].reductions == ()
