"""The loops around a statement are called what a reader of the C source would call them."""

from dataclasses import replace

import islpy as isl
import pytest

from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.names import Names, loop_names
from polyopt.poly.transform.outline import outline
from polyopt.poly.transform.places import CannotTransform, single_loops


@pytest.mark.parametrize(
    ("functions", "names"),
    [
        (["t", "i", "j"], ["t", "i", "j"]),
        (["j", "-i", "3t + n"], ["j", "i", "t"]),
        (["t", "2t + i", "t + i + j"], ["t", "i", "j"]),
        (["t + i + j", "2t + i", "t"], ["j", "i", "t"]),
        (["t + i", "i", "j"], ["t", "i", "j"]),
        (["t + i", "t - i", "j"], ["i", "t", "j"]),
        (["32*floor(t/32)", "t", "i", "j"], ["t_tile", "t", "i", "j"]),
        (["floor(i/8)", "8*floor(i/8)", "t", "i"], ["i_tile", "i_tile2", "t", "i"]),
        (["4*floor((t + i)/4)", "t", "t + i"], ["i_tile", "t", "i"]),
        (["4*floor((t + i)/4)", "t + i", "i"], ["t_tile", "t", "i"]),
        (
            ["4*floor(t/4) + 4*floor((t + i)/4)", "4*floor((t + i)/4)", "t", "t + i"],
            ["t_tile", "i_tile", "t", "i"],
        ),
        (
            [
                "8*floor(t/8)",
                "8*floor((t + i)/8)",
                "4*floor(t/4)",
                "4*floor((t + i)/4)",
                "t",
                "t + i",
            ],
            ["t_tile", "i_tile", "t_tile2", "i_tile2", "t", "i"],
        ),
        (["t", "0", "n", "i"], ["t", None, None, "i"]),
        (["i", "2i", "t"], ["i", "i2", "t"]),
    ],
)
def test_names(functions: list[str], names: list[str | None]):
    loops = [
        isl.UnionPwAff(f"[n] -> {{ S[t, i, j] -> [({f})]; T[i] -> [(i)] }}") for f in functions
    ]
    assert loop_names("S", ("t", "i", "j"), loops) == names


IMPERFECT = """
[n]
for i : 0 <= i < n
  S: A[i] =
  for k : 0 <= k < n
    T: B[i, k] =
"""


def names_in(text: str) -> Names:
    scop = parse_scop(text)
    return Names.of(scop, single_loops(read_tree(scop.schedule)))


def test_a_loop_around_several_statements_has_a_name_for_each():
    names = names_in(IMPERFECT)
    assert names.loop("S", "i") == names.loop("T", "i") == ()
    assert names.loop("T", "k") == (0, 1)


def test_two_loops_of_one_name():
    """Shadowing: the inner loop's variable hides the outer one's; `n` is a parameter as well."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] =")
    shadowing = replace(scop.statements[0], iterators=("n", "n"))
    renamed = replace(scop, statements=(shadowing,))
    names = Names.of(renamed, single_loops(read_tree(scop.schedule)))
    assert [loop.name for loop in names.part("S").loops] == ["n2", "n3"]


@pytest.mark.parametrize(
    ("statement", "loop", "part", "reason", "hint"),
    [
        ("S", "l", None, "no loop 'l' around S", "there is i"),
        ("T", "kk", None, "no loop 'kk' around T", "did you mean k? there are i, k"),
        ("R", "i", None, "no statement 'R'", "there are S, T"),
        ("S", "i", 2, "no S:2: S stands in one place", None),
    ],
)
def test_what_there_is_instead(
    statement: str, loop: str, part: int | None, reason: str, hint: str | None
):
    names = names_in(IMPERFECT)
    with pytest.raises(CannotTransform) as raised:
        names.loop(statement, loop, part)
    assert (raised.value.reason, raised.value.hint) == (reason, hint)


def test_outline():
    scop = parse_scop(IMPERFECT)
    lines = outline(scop, single_loops(read_tree(scop.schedule))).splitlines()
    assert [line.split() for line in lines] == [
        ["for", "i", "S.i,", "T.i"],
        ["S"],
        ["for", "k", "T.k"],
        ["T"],
    ]


def test_a_part_with_one_iteration_keeps_its_names():
    """isl knows that j is i there, and that i is 0; a reader of the source sees `j` and `i`."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] =")
    steps = "split S.j where j = i\npeel S:2.i first 1\nstrip S:1.j 4\nreverse S:2.i\nreverse S:2.j"
    schedule_by_hand(scop, None, steps)
