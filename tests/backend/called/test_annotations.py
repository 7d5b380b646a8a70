"""What arguments are in Python: the same in annotations, in stubs, and in what calls take."""

from __future__ import annotations

import ast
import ctypes
import inspect
import json
import subprocess
import sys
import typing
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polyopt
from polyopt.backend.called.annotations import STUB_HEAD, stub_of

SOURCE = """
struct pair { int first; double second; };
double number(int i, unsigned long u, float f, _Bool b) { return i + u + f + b; }
void arrays(int n, int m, double a[n][m], const float x[restrict 4]) { a[0][0] = x[0]; }
void pointers(double *p, const char *text, int *_Nullable q, struct pair *s) { *p = s->second; }
int *back(int *p) { return p; }
__int128 whole(int i) { return i; }
int lambda(int x) { return x; }
int taken(int from, int x, int in, int y) { return from + x + in + y; }
void call(void (*f)(void)) { f(); }
"""


def html(shown: object) -> str:
    """What a notebook shows."""
    return getattr(shown, "_repr_html_")()


@pytest.fixture(scope="module")
def program() -> polyopt.Program:
    return polyopt.compile(SOURCE, "-O1")


def types(program: polyopt.Program, name: str) -> dict[str, Any]:
    return program[name].__annotations__


def test_numbers(program: polyopt.Program):
    assert types(program, "number") == {
        "i": int, "u": int, "f": float, "b": bool, "return": float
    }  # fmt: skip


def test_arrays(program: polyopt.Program):
    found = types(program, "arrays")
    ways = {name: typing.get_args(found[name]) for name in ("a", "x")}
    assert (ways["a"][0], ways["x"][0]) == (NDArray[np.float64], NDArray[np.float32])
    assert {memoryview, bytearray} <= {*ways["a"]} & {*ways["x"]}
    assert found["return"] is None


def test_pointers(program: polyopt.Program):
    found = types(program, "pointers")
    ways = {name: set(typing.get_args(found[name])) for name in found if name != "return"}
    assert all(ctypes.c_void_p in way for way in ways.values())
    assert {name for name, way in ways.items() if bytes in way} == {"text"}
    assert {name for name, way in ways.items() if type(None) in way} == {"q"}
    assert set(typing.get_args(types(program, "back")["return"])) == {int, type(None)}


@pytest.mark.slow
def test_type_checkers_know_arrays_of_other_libraries(tmp_path: Any):
    """Whatever has one of the ways to give its memory; text and lists have none."""
    polyopt.stubs(polyopt.compile("void f(int n, double x[n]) { x[0] = n; }"), tmp_path / "k.pyi")
    (tmp_path / "use.py").write_text(
        """from array import array
from enum import IntEnum
from typing import Any
import numpy as np
import k

class Tensor:
    def __dlpack__(self, *, stream: Any = None) -> Any: ...
    def __dlpack_device__(self) -> tuple[IntEnum, int]: ...

all_of_them: list[Any] = [k.f(1, np.zeros(1)), k.f(1, memoryview(b"")), k.f(1, array("d")),
                          k.f(1, bytearray()), k.f(1, Tensor())]
k.f(1, [1.0])
k.f(1, "text")
k.f(1, np.zeros(1, np.float32))
"""
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "use.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(ran.stdout)["generalDiagnostics"]
    wrong = {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}
    assert wrong == {13, 14, 15}, ran.stdout


def test_what_is_promised_is_taken(program: polyopt.Program):
    assert program.number(1, 2, 0.5, True) == 4.5
    a, x = np.zeros((2, 3)), np.ones(4, np.float32)
    program.arrays(2, 3, a, x)
    assert a[0, 0] == 1
    assert inspect.signature(program.arrays).bind(2, 3, a, x=x)


def test_names_that_python_keeps_for_itself(program: polyopt.Program):
    signature = inspect.signature(program.taken)
    kinds = [one.kind for one in signature.parameters.values()]
    assert list(signature.parameters) == ["from", "x", "in", "y"]
    assert kinds == [inspect.Parameter.POSITIONAL_ONLY] * 3 + [
        inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    assert program.taken(1, 2, 3, y=4) == 10
    stub = stub_of(program.taken.signature)
    assert stub.startswith("def taken(from_: int, x: int, in_: int, /, y: int) -> int:\n")
    assert stub_of(program["lambda"].signature).startswith("# lambda is a keyword of Python")


def test_stubs_are_python(program: polyopt.Program, tmp_path: Any):
    path = tmp_path / "kernels.pyi"
    text = polyopt.stubs(program, path)
    assert path.read_text() == text
    assert text.startswith(STUB_HEAD)
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert [one.name for one in functions] == [
        "number", "arrays", "pointers", "back", "taken", "call"
    ]  # fmt: skip
    assert "# whole cannot be called from Python: what it returns is a __int128," in text
    for one in functions:
        known = inspect.signature(program[one.name])
        arguments = [*one.args.posonlyargs, *one.args.args]
        assert [a.arg.rstrip("_") for a in arguments] == list(known.parameters)
        assert all(a.annotation is not None for a in arguments)


@pytest.mark.slow
def test_functions_may_be_called_as_types_are(tmp_path: Any):
    """What a stub defines is what its types mean: they are Python's all the same."""
    source = """
    long bytes(const char *text, int array) { return array + text[0]; }
    double array(double *x, int n, double (*f)(double)) { return f(x[n]); }
    int Pointer(struct np { int a; } s) { return s.a; }
    void Any(int n, short np[n], void *p) { np[0] = p != 0; }
    int np(float x) { return x; }
    """
    text = polyopt.stubs(polyopt.compile(source, "-O1"), tmp_path / "k.pyi")
    (tmp_path / "use.py").write_text(
        "import array, ctypes\nimport numpy as np\nimport k\n"
        "print(k.bytes(b'a', 1), k.bytes(np.zeros(1, np.int8), array=2), k.np(1.0))\n"
        "k.array(array.array('d'), 0, lambda x: x)\n"
        "k.Any(1, np.zeros(1, np.int16), ctypes.c_void_p(0))\n"
    )
    words = [sys.executable, "-m", "pyright", "use.py", "k.pyi"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "def bytes(text: _NDArray" not in text
    assert "def bytes(text: NDArray[_np.int8] | OtherArray | _Pointer | builtins.bytes" in text
    assert "def np(x: float) -> int:" in text


def test_help_says_what_each_argument_is(program: polyopt.Program):
    told = (program.arrays.__doc__ or "").splitlines()
    assert told[0].startswith("The C function `void arrays(int n, int m, double a[n][m]")
    assert told[2:] == [
        "n: int",
        "m: int",
        "a: array of float64, shape (n, m), read and written",
        "x: array of float32, shape (4,), read",
    ]
    assert "or None" in (program.pointers.__doc__ or "")
    assert "It cannot be called from Python" in (program.whole.__doc__ or "")


def test_a_notebook_shows_prototypes_and_remarks():
    text = "void twice(int n, double x[n]) { for (int i = 0; i < n; i++) x[i] += x[i]; }"
    shown = html(polyopt.compile(text, "-O3"))
    assert "void twice(int n, double x[n])" in shown
    assert "applied" in shown
    assert "line 1" in shown


def test_structs_have_their_names():
    text = """struct pair { int first; double second; };
    typedef struct { float x, y; } point;
    double sum(int n, const struct pair p[n], struct pair *q, point (*r)[2]) {
      return p[0].second + q->second + r[0][1].x;
    }"""
    sum = polyopt.compile(text, "-O1")["sum"]
    prototype = "double sum(int n, const struct pair p[n], struct pair *q, point r[][2])"
    assert str(sum.signature) == prototype
    assert "p: array of struct pair, shape (n,), read\n" in str(sum.__doc__)
    assert "q: array of or pointer to struct pair, read and written\n" in str(sum.__doc__)
    assert "r: array of point, shape (?, 2), read and written" in str(sum.__doc__)
