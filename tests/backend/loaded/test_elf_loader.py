"""Object files in memory, without LLVM: every reference leads where it should, and what is not
known is left to LLVM."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.elf_loader import Placed, place
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions

HEAD = 'target triple = "x86_64-unknown-linux-gnu"\n'


def object_of(text: str) -> bytes:
    return target_machine(BackendOptions()).emit_object(parse_ir(HEAD + text))


def placed(*texts: str) -> Placed:
    found = place([object_of(text) for text in texts])
    assert found is not None
    return found


def function(code: Placed, name: str, *types: Any) -> Callable[..., int]:
    return ctypes.CFUNCTYPE(ctypes.c_long, *types)(code.addresses[name])


TABLE = """
@numbers = constant [4 x i64] [i64 10, i64 20, i64 30, i64 40], align 64
@state = internal global i64 5
@zeros = global [100000 x i64] zeroinitializer, align 4096
@pointer = global ptr getelementptr (i64, ptr @numbers, i64 2)
@callee = global ptr @bump
define i64 @bump(i64 %by) {
  %old = load i64, ptr @state
  %new = add i64 %old, %by
  store i64 %new, ptr @state
  ret i64 %new
}
define i64 @through(i64 %by) {
  %f = load ptr, ptr @callee
  %r = call i64 %f(i64 %by)
  ret i64 %r
}
define i64 @third() {
  %p = load ptr, ptr @pointer
  %v = load i64, ptr %p
  ret i64 %v
}
define i64 @last_zero() {
  %p = getelementptr i64, ptr @zeros, i64 99999
  %v = load i64, ptr %p
  ret i64 %v
}
"""


def test_data_code_and_addresses_in_data():
    code = placed(TABLE)
    assert function(code, "third")() == 30
    assert function(code, "last_zero")() == 0
    assert function(code, "bump", ctypes.c_long)(2) == 7
    assert function(code, "through", ctypes.c_long)(3) == 10
    assert code.addresses["numbers"] % 64 == 0
    assert code.addresses["zeros"] % 4096 == 0
    assert ctypes.c_long.from_address(code.addresses["numbers"] + 8).value == 20


def test_each_time_anew():
    first, second = placed(TABLE), placed(TABLE)
    assert [function(code, "bump", ctypes.c_long)(1) for code in (first, first, second)] == [
        6,
        7,
        6,
    ]


def test_functions_and_data_of_the_process():
    code = placed(
        "declare i64 @labs(i64)\ndeclare i64 @strlen(ptr)\n@environ = external global ptr\n"
        "@kept = global ptr @labs\n"
        "define i64 @twice(i64 %x) {\n %a = call i64 @labs(i64 %x)\n %b = call i64 @labs(i64 %a)\n"
        " %c = add i64 %a, %b\n ret i64 %c\n}\n"
        "define i64 @kept_call(i64 %x) {\n %f = load ptr, ptr @kept\n %a = call i64 %f(i64 %x)\n"
        " ret i64 %a\n}\n"
        "define i64 @place() {\n %a = ptrtoint ptr @environ to i64\n ret i64 %a\n}\n"
    )
    assert function(code, "twice", ctypes.c_long)(-21) == 42
    assert function(code, "kept_call", ctypes.c_long)(-3) == 3
    place_of = ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.CDLL(None), "environ"))
    assert function(code, "place")() == place_of


def test_between_files():
    """A strong definition takes the place of a weak one, in whatever order they come."""
    weak = "define weak i64 @which() { ret i64 1 }\ndefine i64 @weak_file() { ret i64 1 }\n"
    strong = "define i64 @which() { ret i64 2 }\n"
    asks = "declare i64 @which()\ndefine i64 @ask() {\n %a = call i64 @which()\n ret i64 %a\n}\n"
    for texts in ((weak, strong, asks), (strong, weak, asks), (asks, strong, weak)):
        assert function(placed(*texts), "ask")() == 2
    assert function(placed(asks, weak), "ask")() == 1


def test_same_local_names_in_two_files():
    text = (
        "@n = internal global i64 {0}\n"
        "define i64 @get{0}() {{\n %a = load i64, ptr @n\n ret i64 %a\n}}\n"
    )
    code = placed(text.format(3), text.format(4))
    assert [function(code, f"get{number}")() for number in (3, 4)] == [3, 4]


def test_weak_name_that_is_nowhere():
    code = placed(
        "declare extern_weak i64 @nowhere_at_all()\ndefine i64 @is_there() {\n"
        " %a = ptrtoint ptr @nowhere_at_all to i64\n ret i64 %a\n}\n"
    )
    assert function(code, "is_there")() == 0


def test_what_llvm_has_to_load():
    assert place([object_of("declare void @nowhere_at_all()\n" + CALLS)]) is None
    assert place([b"\x7fELF\x02\x01" + bytes(100)]) is None
    huge = "@huge = global [300000000 x i64] zeroinitializer\n"
    far = (
        "@behind = internal global i64 0\ndefine i64 @get(i64 %x) {\n store i64 %x, ptr @behind\n"
        "\n %a = load i64, ptr @behind\n ret i64 %a\n}\n"
    )
    assert place([object_of(huge + far)]) is None


CALLS = "define void @calls() {\n call void @nowhere_at_all()\n ret void\n}\n"


def test_debug_information_is_for_debuggers():
    """They learn of code that LLVM has loaded."""
    import polyopt.driver.options.flags as flags
    from polyopt.driver.units.source import Source
    from polyopt.driver.units.unit import produce

    settings = flags.Settings(debug=True)
    code = produce(Source("a.c", "int f(void) { return 4; }"), settings, "obj", lambda _: None)
    assert isinstance(code, bytes)
    assert place([code]) is None
    assert ctypes.CFUNCTYPE(ctypes.c_int)(load_objects([code]).address("f"))() == 4


@pytest.mark.parametrize("name", ["bump", "numbers"])
def test_code_and_constants_are_not_written(name: str):
    script = f"""
import ctypes, sys
from test_elf_loader import TABLE, placed
code = placed(TABLE)
assert code.addresses[{name!r}]
print("loaded", flush=True)
ctypes.c_char.from_address(code.addresses[{name!r}]).value = b"x"
"""
    folder = os.path.dirname(__file__)
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": folder},
        capture_output=True,
        check=False,
    )
    assert ran.stdout == b"loaded\n"
    assert ran.returncode < 0


def test_child_has_its_own_variables():
    code = placed(TABLE)
    child = os.fork()
    if not child:
        function(code, "bump", ctypes.c_long)(100)
        os._exit(0)
    os.waitpid(child, 0)
    assert function(code, "bump", ctypes.c_long)(1) == 6
