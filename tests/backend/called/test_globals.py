"""Global variables of C, read and written from Python."""

from __future__ import annotations

import gc
import pickle
from typing import Any

import numpy as np
import pytest

import polyopt

SOURCE = """
int count = 3;
unsigned char small;
double ratio = 0.5;
float single;
_Bool is_on;
const int fixed = 7;
static int hidden = 1;
extern int elsewhere;
int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
const double weights[2] = {0.25, 0.75};
struct point { double x; int k[2]; struct point *next; } origin = {1.5, {1, 2}, 0};
struct point many[2];
double *data;
const char *text;
int (*step)(int);
int get(void) { return count + hidden + fixed; }
void bump(void) { count++; table[1][2]++; origin.x *= 2; many[1].k[1] = count; }
double sum(int n) { double s = 0; for (int i = 0; i < n; i++) s += data[i]; return s; }
char letter(int i) { return text[i]; }
int stepped(int x) { return step ? step(x) : -1; }
double number(void) { return small + ratio + single + is_on; }
"""


@pytest.fixture
def program() -> polyopt.Program:
    return polyopt.compile(SOURCE, "-O2")


def test_numbers_are_read_and_written(program: polyopt.Program) -> None:
    values = program.globals
    assert values["count"] == 3
    values["count"] = 40
    assert program.get() == 48
    program.bump()
    assert values["count"] == 41
    values["small"], values["ratio"], values["single"] = 255, 1, 0.25
    values["is_on"] = []
    assert program.number() == 256.25
    values["is_on"] = "yes"
    assert values["is_on"] is True
    assert isinstance(values["ratio"], float)


def test_arrays_are_their_own_memory(program: polyopt.Program) -> None:
    table = program.globals["table"]
    assert table.tolist() == [[1, 2, 3], [4, 5, 6]]
    program.bump()
    assert table[1, 2] == 7
    table[0, 0] = 9
    assert program.globals["table"][0, 0] == 9
    program.globals["table"] = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert table[1].tolist() == [3, 4, 5]
    with pytest.raises(TypeError):
        program.globals["table"] = np.ones((2, 3))
    with pytest.raises(ValueError, match="broadcast"):
        program.globals["table"] = np.ones((3, 2), np.int32)


def test_structs_are_records(program: polyopt.Program) -> None:
    origin = program.globals["origin"]
    assert (origin["x"], origin["k"].tolist(), origin["next"]) == (1.5, [1, 2], 0)
    program.bump()
    assert origin["x"] == 3
    assert program.globals["many"]["k"][1][1] == 4
    origin["x"] = 8
    assert program.globals["origin"]["x"] == 8


def test_pointers_hold_what_they_point_to(program: polyopt.Program) -> None:
    values = program.globals
    assert values["data"] is None
    values["data"] = np.arange(1000.0)
    gc.collect()
    assert program.sum(1000) == 499500
    values["text"] = b"polyopt"
    assert program.letter(4) == ord("o")
    assert values["text"] == b"polyopt"
    values["data"] = None
    assert values["data"] is None
    assert program.stepped(3) == -1

    def twice(x: int) -> int:
        return 2 * x

    values["step"] = twice
    del twice
    gc.collect()
    assert program.stepped(3) == 6


def test_text_is_bytes_and_other_pointers_are_addresses() -> None:
    values = polyopt.compile(
        """const char *name = "polyopt", *none; const char *const fixed = "f";
        typedef const char *text; text named = ""; char letters[3] = "ab"; char *mine = letters;
        const signed char *numbers = (const signed char *)letters; const char *list[1] = {"x"};
        const char **first = list; int one(void) { return mine[0] + numbers[0] + **first; }""",
        "-O1",
    ).globals
    assert (values["name"], values["fixed"], values["named"]) == (b"polyopt", b"f", b"")
    assert values["none"] is None
    assert values["letters"].tolist() == [ord("a"), ord("b"), 0]
    assert values["mine"] == values["numbers"] == values["letters"].ctypes.data
    assert isinstance(values["first"], int)


WRONG: list[tuple[str, Any, Any, str]] = [
    ("count", 1.5, TypeError, "globals: argument 'count' .*expected an integer, got float"),
    ("small", 256, ValueError, "256 does not fit"),
    ("ratio", "1", TypeError, "expected a number, got str"),
    ("fixed", 8, ValueError, "int fixed: it is const"),
    ("weights", [1, 2], ValueError, "it is const"),
    ("data", np.ones(3, np.int32), TypeError, "got an array of int32"),
    ("hidden", 1, KeyError, "no global variable 'hidden'; there are: count, "),
    ("elsewhere", 1, KeyError, "no global variable 'elsewhere'"),
    ("get", 1, KeyError, "no global variable 'get'"),
]


@pytest.mark.parametrize(("name", "value", "kind", "message"), WRONG)
def test_what_is_refused(
    program: polyopt.Program, name: str, value: Any, kind: Any, message: str
) -> None:
    with pytest.raises(kind, match=message):
        program.globals[name] = value


def test_constants_are_only_read(program: polyopt.Program) -> None:
    assert program.globals["fixed"] == 7
    weights = program.globals["weights"]
    assert weights.tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match="read-only"):
        weights[0] = 1


def test_they_are_a_mapping(program: polyopt.Program) -> None:
    names = "count small ratio single is_on fixed table weights origin many data text step".split()
    assert sorted(program.globals) == sorted(names)
    assert "count" in program.globals
    assert "int table[2][3]" in repr(program.globals)


def test_an_array_outlives_its_program() -> None:
    table = polyopt.compile("int table[4] = {1, 2, 3, 4}; int one(void) { return 1; }").globals[
        "table"
    ]
    gc.collect()
    assert table.sum() == 10


def test_found_again_and_copied(program: polyopt.Program, tmp_path: Any) -> None:
    for _ in range(2):
        again = polyopt.compile("int kept = 5;", "-O1", cache=str(tmp_path))
        assert again.globals["kept"] == 5
    assert pickle.loads(pickle.dumps(program)).globals["fixed"] == 7


def test_variables_are_no_attributes(program: polyopt.Program) -> None:
    """To set one as if it were would set it nowhere in C."""
    with pytest.raises(AttributeError, match=r"'count' is a variable of C: globals\['count'\]"):
        program.count
    with pytest.raises(AttributeError, match=r"'count' is a variable of C: globals\['count'\]"):
        program.count = 9
    program.mine = 1
    assert program.mine == 1


def test_variables_may_have_names_of_ours() -> None:
    program = polyopt.compile(
        "int remarks = 3, globals = 4; int f(void) { return remarks; }", "-O2"
    )
    assert (program.globals["remarks"], program.globals["globals"], program.f()) == (3, 4, 3)
    assert isinstance(program.remarks, tuple)


def test_nor_are_they_of_the_variables():
    """An assignment that only Python would see is refused."""
    values = polyopt.compile("int count = 3;", ["-O0"]).globals
    for use in (lambda: values.count, lambda: setattr(values, "count", 4)):
        with pytest.raises(AttributeError, match=r"'count' is a variable of C: globals\['count'\]"):
            use()
    assert values["count"] == 3
