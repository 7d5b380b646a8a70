"""Names in isl's texts: parameters of a user's may have any name that C has."""

from dataclasses import replace

import islpy as isl
import pytest

from polyopt.poly.analysis.written import written_box
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.exchange import new_places
from polyopt.poly.exchange.openscop_matrices import map_of, matrices_of_map, matrices_of_set, set_of
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.generation.executions import execution_times
from polyopt.poly.isl.names import WORDS, apart, parameters_of
from polyopt.poly.loops.expressions import evaluate
from polyopt.poly.loops.loop_tree import Const, Instance, Loop, Name
from polyopt.poly.notation import parse_scop
from polyopt.poly.scanning.image import image, union_of
from polyopt.poly.scanning.tile_systems import rectangles
from polyopt.poly.scanning.tiling import instances_of_tile


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_word_is_no_name(word: str):
    """Of isl itself, or a key of its schedules: neither is read as a name everywhere."""
    keys = {"domain", "schedule", "filter", "sequence", "set", "leaf", "band", "mark"}
    keys |= {"context", "guard", "extension", "expansion", "contraction", "options"}
    if word in keys:
        return
    with pytest.raises(isl.Error):
        isl.UnionSet(f"[{word}] -> {{ {word}[i] : 0 <= i < {word} and {word} > 2 }}")


@pytest.mark.parametrize("taken", [(), ("x1",), ("x0", "xx1"), ("y0",)])
def test_names_apart(taken: tuple[str, ...]):
    found = apart("x", 3, taken)
    assert len(set(found)) == 3
    assert not set(found) & set(taken)
    assert taken != () or found == ["x0", "x1", "x2"]


def named(value: isl.Set, name: str) -> isl.Set:
    return value.set_dim_name(isl.dim_type.param, 0, name)


def named_map(value: isl.Map, name: str) -> isl.Map:
    return value.set_dim_name(isl.dim_type.param, 0, name)


@pytest.mark.parametrize("name", ["a0", "a1", "i0", "i1", "o0", "o1", "e0", "x0", "x1", "v"])
def test_a_parameter_may_have_the_name_of_a_dimension(name: str):
    """Each text says of a parameter of this name what it says of one that is called M."""

    domain = "[M] -> { S[p, q] : 0 <= p <= q < M and (exists e : p = 3e) }"
    relation = "[M] -> { S[p, q] -> A[p + q, M - q] : 0 <= p <= q < M }"
    own, moved = named(isl.Set(domain), name), named_map(isl.Map(relation), name)
    parameters = own.get_space().params()
    assert set_of(matrices_of_set(own, parameters), [name], "S").is_equal(own)
    back = map_of(matrices_of_map(moved, parameters), [name], "S")
    assert back.set_tuple_name(isl.dim_type.out, "A").is_equal(moved)
    assert union_of(image(moved), moved).is_equal(moved.range())
    tile = instances_of_tile(own, rectangles((4, 4)), (name, "t"))
    assert parameters_of(tile.get_space()) == [name, "t"]
    bounds = isl.Set("[M, t] -> { S[p, q] : 0 <= p - 4M < 4 and 0 <= q - 4t < 4 }")
    assert named(tile, "M").is_equal(isl.Set(domain).intersect(bounds))


@pytest.mark.parametrize("name", ["x0", "x1", "M"])
def test_what_runs_is_found_whatever_parameters_are_called(name: str):
    scop = parse_scop(f"[{name}]\nfor p : 0 <= p < {name}\n  S: A[p] =")
    right = (Loop("c", Const(0), Name(name), 1, (Instance("S", (Name("c"),)),)),)
    assert check_executed(scop, right, None, scop.schedule) is None
    short = (Loop("c", Const(1), Name(name), 1, (Instance("S", (Name("c"),)),)),)
    assert check_executed(scop, short, None, scop.schedule) is not None
    times = execution_times(scop, right)
    assert times.is_equal(isl.UnionMap(f"[{name}] -> {{ S[p] -> [0, p, 0] : 0 <= p < {name} }}"))


LETTERS = ["a", "e", "i", "x"]


@pytest.mark.parametrize("letter", LETTERS)
def test_a_box_within_the_extents(letter: str):
    first, end = f"{letter}0", f"{letter}1"
    scop = parse_scop(f"[{first}, {end}]\nfor k : {first} <= k < {end}\n  S: A[k mod 16] =")
    array = replace(scop.array("A"), extents=("300",))
    box = written_box(scop, array, is_object=True)
    assert box is not None
    sizes = {first: 1, end: 5}
    assert evaluate(box.is_any, sizes) == 1
    assert [evaluate(box.lower[0], sizes), evaluate(box.upper[0], sizes)] == [1, 4]


@pytest.mark.parametrize("letter", LETTERS)
def test_the_image_of_an_access(letter: str):
    low, high = f"{letter}0", f"{letter}1"
    text = f"[{low}, {high}] -> {{ S[p, q] -> A[q, p + q] : {low} <= p < {high} and 0 <= q <= p }}"
    relation = isl.Map(text)
    assert union_of(image(relation), relation).is_equal(relation.range())


@pytest.mark.parametrize("letter", LETTERS)
def test_the_extents_of_an_array_that_moves(letter: str):
    size = f"{letter}0"
    scop = parse_scop(f"[{size}, m]\nfor k : 0 <= k < {size}\n  S: A[k, m] =")
    array = replace(scop.array("A"), extents=(size, "9"))
    box = new_places._box(array, scop)  # pyright: ignore[reportPrivateUsage]
    wanted = isl.UnionSet(f"[{size}, m] -> {{ A[p, q] : 0 <= p < {size} and 0 <= q < 9 }}")
    assert box.is_equal(wanted)


SHAPES = {
    "triangle": "[{0}, {1}]\nfor j : {0} <= j < {1}\n  for k : {0} <= k <= j\n    S: A[j, k] =",
    "floors": "[{0}, {1}]\nfor k : 0 <= k < {0}\n  if k mod 3 = {1} mod 2\n    S: A[k] =",
    "negative": "[{0}, {1}]\nfor k : {0} <= k < {1}\n  S: A[{1} - k] = A[{0} + k]",
}


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("name", SHAPES)
def test_what_loops_run(name: str, letter: str):
    scop = parse_scop(SHAPES[name].format(f"{letter}0", f"{letter}1"))
    nodes = generate_loops(scop, None, scop.schedule)
    assert nodes is not None
    assert check_executed(scop, nodes, compute_dependences(scop)) is None
