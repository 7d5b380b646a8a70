"""Dependences of affine loops against a run that remembers who touched what."""

from itertools import combinations

import islpy as isl
import pytest
from oracles.affine_trace import only_loop, parse_module, trace
from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.ir.affine.affine_dependence import NestDependences, dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop

ARGUMENTS = (
    "%A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}, "
    "%v : memref<?xf64> {llvm.noalias}"
)

NESTS = {
    "accumulation": """
      affine.for %i = 0 to 4 { affine.for %j = 0 to 3 {
        %x = affine.load %v[%i] : memref<?xf64>
        affine.store %x, %v[%i] : memref<?xf64>
      } }""",
    "stencil": """
      affine.for %t = 0 to 3 { affine.for %i = 1 to 6 {
        %a = affine.load %v[%i - 1] : memref<?xf64>
        %b = affine.load %v[%i + 1] : memref<?xf64>
        affine.store %a, %v[%i] : memref<?xf64>
      } }""",
    "triangle": """
      affine.for %i = 0 to 5 { affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 5 {
        affine.for %j = 0 to 3 {
          %x = affine.load %A[%i, %j] : memref<?x?xf64>
          %y = affine.load %A[%k, %j] : memref<?x?xf64>
          affine.store %y, %A[%i, %j] : memref<?x?xf64>
      } } }""",
    "two-statements": """
      affine.for %i = 0 to 5 {
        %x = affine.load %v[%i] : memref<?xf64>
        affine.store %x, %A[%i, %i] : memref<?x?xf64>
        affine.for %j = 0 to 4 {
          %y = affine.load %A[%j, %i] : memref<?x?xf64>
          affine.store %y, %v[%j] : memref<?xf64>
        }
      }""",
    "steps-and-division": """
      affine.for %i = 1 to 12 step 3 { affine.for %j = 0 to min affine_map<(d0) -> (d0, 5)>(%i) {
        %x = affine.load %v[%i floordiv 2] : memref<?xf64>
        affine.store %x, %v[(%j + 7) mod 4] : memref<?xf64>
      } }""",
    "products": """
      affine.for %i = affine_map<() -> (-3)>() to 4 { affine.for %j = 0 to 3 {
        %x = affine.load %v[%i * -1 + 3] : memref<?xf64>
        affine.store %x, %v[%j * 2] : memref<?xf64>
      } }""",
    "rounded-up": """
      affine.for %i = affine_map<() -> (-3)>() to 6 { affine.for %j = 0 to 4 {
        %x = affine.load %v[%i ceildiv 2 + 3] : memref<?xf64>
        affine.store %x, %v[(%j + 2) * -1 + 6] : memref<?xf64>
      } }""",
    "symbols": """
      affine.for %i = 0 to 4 {
        %p = affine.apply affine_map<(d0) -> (d0 * 3 - 2)>(%i)
        %q = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        affine.for %j = affine_map<(d0)[s0, s1] -> (s0 - s1 + d0)>(%i)[%p, %q] to 7 {
          %x = affine.load %v[%i floordiv 1 + 2] : memref<?xf64>
          affine.store %x, %v[%j] : memref<?xf64>
      } }""",
    "different-arrays": """
      affine.for %i = 0 to 4 {
        %x = affine.load %A[%i, 0] : memref<?x?xf64>
        affine.store %x, %B[0, %i] : memref<?x?xf64>
      }""",
}


def loop_of(body: str) -> affine.ForOp:
    return only_loop(parse_module(f"func.func @f({ARGUMENTS}) {{ {body} return }}"))


Pair = tuple[Operation, Operation, tuple[int, ...], tuple[int, ...]]


def pairs_of(dependences: NestDependences) -> set[Pair]:
    found: set[Pair] = set()
    for dependence in dependences.dependences:
        points: list[isl.Point] = []
        dependence.relation.wrap().flatten().foreach_point(points.append)
        sources = dependence.relation.dim(isl.dim_type.in_)
        for point in points:
            numbers = _coordinates(point)
            ends = (dependence.source.op, dependence.sink.op)
            found.add((*ends, numbers[:sources], numbers[sources:]))
    return found


@pytest.mark.parametrize("row", ["%k + %i", "%k * 4 + %i", "%i + %k", "%k"])
def test_columns_are_told_apart_where_nothing_is_known_of_rows(row: str):
    loop = loop_of(f"""
      affine.for %i = 0 to 3 {{
        %x = affine.load %v[%i] : memref<?xf64>
        %n = arith.fptosi %x : f64 to i64
        %k = arith.index_cast %n : i64 to index
        %y = affine.load %A[%i, %i] : memref<?x?xf64>
        affine.store %y, %A[{row}, %i] : memref<?x?xf64>
      }}""")
    dependences = dependences_below(loop)
    assert dependences.is_complete
    assert dependences.is_parallel(AffineLoop(loop))


def test_a_subscript_that_isl_has_no_word_for_may_be_any_element():
    """A quotient by what is no number says nothing: each iteration may touch what others do."""
    loop = loop_of("""
      affine.for %i = 0 to 3 {
        %x = affine.load %v[%i] : memref<?xf64>
        affine.store %x, %v[%i floordiv 0] : memref<?xf64>
      }""")
    dependences = dependences_below(loop)
    assert not dependences.is_parallel(AffineLoop(loop))
    load, store = (op for op in loop.walk() if isinstance(op, (affine.LoadOp, affine.StoreOp)))
    flow = {(i, j) for a, b, (i,), (j,) in pairs_of(dependences) if (a, b) == (store, load)}
    assert flow == {(0, 1), (0, 2), (1, 2)}


def _coordinates(point: isl.Point) -> tuple[int, ...]:
    count = point.get_space().dim(isl.dim_type.set)
    return tuple(point.get_coordinate_val(isl.dim_type.set, n).to_python() for n in range(count))


@pytest.mark.parametrize("name", NESTS)
def test_dependences_are_the_conflicts_of_a_run(name: str):
    loop = loop_of(NESTS[name])
    touches = trace(loop, {})
    wanted = {
        (a.op, b.op, a.iteration, b.iteration)
        for a, b in combinations(touches, 2)
        if a.element == b.element and (a.is_write or b.is_write)
    }
    dependences = dependences_below(loop)
    assert dependences.is_complete
    assert pairs_of(dependences) == wanted


@pytest.mark.parametrize("name", NESTS)
def test_a_loop_is_parallel_where_a_run_has_no_conflict_across_it(name: str):
    loop = loop_of(NESTS[name])
    touches = trace(loop, {})
    dependences = dependences_below(loop)
    loops = [op for op in loop.walk() if isinstance(op, affine.ForOp)]
    for op in loops:
        depth = sum(1 for other in loops if other.is_ancestor(op)) - 1
        inside = [touch for touch in touches if op.is_ancestor(touch.op)]
        conflict = any(
            a.element == b.element
            and (a.is_write or b.is_write)
            and a.iteration[:depth] == b.iteration[:depth]
            and a.iteration[depth] != b.iteration[depth]
            for a, b in combinations(inside, 2)
        )
        assert dependences.is_parallel(AffineLoop(op)) == (not conflict)


def test_symbolic_sizes_are_for_all_sizes():
    module = parse_module("""
      func.func @f(%n : index, %m : index, %v : memref<?xf64>) {
        affine.for %i = 0 to %n {
          %x = affine.load %v[%i + %m] : memref<?xf64>
          affine.store %x, %v[%i] : memref<?xf64>
        }
        return
      }""")
    loop = only_loop(module)
    assert not dependences_below(loop).is_parallel(AffineLoop(loop))


@pytest.mark.parametrize(("read", "is_apart"), [("%t - 1", True), ("%n", True), ("%t", False)])
def test_a_share_lies_in_its_range(read: str, is_apart: bool):
    module = parse_module(f"""
      func.func @f(%n : index, %t : index, %a : index, %b : index, %v : memref<?xf64>) {{
        %first, %last = team.share %a to %b of %t to %n
        affine.for %i = %first to %last {{
          %x = affine.load %v[{read}] : memref<?xf64>
          affine.store %x, %v[%i] : memref<?xf64>
        }}
        return
      }}""")
    loop = only_loop(module)
    assert dependences_below(loop).is_parallel(AffineLoop(loop)) == is_apart


REFUSED = {
    "arguments-may-overlap": """
      func.func @f(%A : memref<?xf64>, %B : memref<?xf64>) {
        affine.for %i = 0 to 4 {
          %x = affine.load %A[%i] : memref<?xf64>
          affine.store %x, %B[%i] : memref<?xf64>
        }
        return
      }""",
    "unknown-subscript": """
      func.func @f(%A : memref<?xf64>, %p : memref<?xindex>) {
        affine.for %i = 0 to 4 {
          %k = affine.load %p[%i] : memref<?xindex>
          %x = affine.load %A[%i] : memref<?xf64>
          memref.store %x, %A[%k] : memref<?xf64>
        }
        return
      }""",
    "call": """
      func.func private @g()
      func.func @f(%A : memref<?xf64>) {
        affine.for %i = 0 to 4 {
          func.call @g() : () -> ()
        }
        return
      }""",
    "value-carried": """
      func.func @f(%A : memref<?xf64>, %z : f64) {
        %r = affine.for %i = 0 to 4 iter_args(%s = %z) -> (f64) {
          %x = affine.load %A[%i] : memref<?xf64>
          %t = arith.addf %s, %x : f64
          affine.yield %t : f64
        }
        return
      }""",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_a_dependence(name: str):
    loop = only_loop(parse_module(REFUSED[name]))
    assert not dependences_below(loop).is_parallel(AffineLoop(loop))


def test_a_mark_is_believed():
    text = REFUSED["arguments-may-overlap"].replace(
        "}\n        return", "} {poly.loop = #poly.loop<parallel>}\n return"
    )
    loop = only_loop(parse_module(text))
    assert dependences_below(loop).is_parallel(AffineLoop(loop))


def test_distances():
    loop = loop_of(NESTS["stencil"])
    first = next(op for op in loop.walk() if isinstance(op, affine.LoadOp))
    (anti,) = [d for d in dependences_below(loop).dependences if d.source.op is first]
    assert anti.kind == "WAR"
    assert anti.has_distance("d0 > 0 and d1 = -1")
    assert not anti.has_distance("d1 != -1")


APART = {
    "odd and even": ("%v[%i * 2]", "%v[%i * 2 + 1]"),
    "two halves": ("%v[%i]", "%v[%i + 100]"),
    "one symbol on both sides": ("%v[%n]", "%v[%n + 1]"),
}


@pytest.mark.parametrize("case", APART)
def test_the_classic_tests_answer_before_isl(case: str, monkeypatch: pytest.MonkeyPatch):
    read, written = APART[case]
    module = parse_module(f"""
      func.func @f(%n : index, %v : memref<?xf64>) {{
        affine.for %i = 0 to 100 {{
          %x = affine.load {read} : memref<?xf64>
          affine.store %x, {written} : memref<?xf64>
        }}
        return
      }}""")
    asked: list[str] = []
    whole = isl.Map

    def counted(text: str) -> isl.Map:
        asked.append(text)
        return whole(text)

    monkeypatch.setattr("polyopt.ir.affine.affine_dependence.isl.Map", counted)
    found = dependences_below(only_loop(module)).dependences
    assert not [one for one in found if one.source.op is not one.sink.op]
    assert len(asked) == 1  # the store with itself
