"""Definitions of operations that are put off are those that would have been made."""

import subprocess
import sys
from pathlib import Path

ALL_OPERATIONS = """
import sys
if "off" in sys.argv:
    from polyopt.dialects.definitions_on_demand import put_definitions_off
    put_definitions_off()
    put_definitions_off()  # once is as good as twice
from importlib import import_module
from polyopt.universe import DIALECTS
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
for place in DIALECTS.values():
    import_module(place.partition(":")[0])
for name in ("affine", "arith", "cf", "func", "llvm", "math", "memref", "scf", "vector"):
    import_module(f"xdsl.dialects.{name}")
def below(cls):
    for one in cls.__subclasses__():
        yield one
        yield from below(one)
def shown(value):
    return getattr(value, "__qualname__", None) or getattr(type(value), "__qualname__")
classes = [one for one in below(IRDLOperation) if isinstance(getattr(one, "name", None), str)]
if "traits" in sys.argv:
    for one in classes:
        one.traits
if "parse" in sys.argv:
    for one in classes:
        one.parse
if "last" in sys.argv:
    classes.reverse()
for one in sorted(classes, key=lambda one: one.name):
    traits = sorted(type(trait).__name__ for trait in one.traits)
    names = sorted((name, shown(value)) for name, value in vars(one).items())
    try:
        definition = one.get_irdl_definition()
    except NotImplementedError:
        definition = None
    print(one.name, one.__qualname__, traits, names, definition and [
        (kind, name, type(part).__name__, str(getattr(part, "constr", "")))
        for kind in ("operands", "results", "regions", "successors")
        for name, part in getattr(definition, kind)
    ], definition and (
        sorted(definition.properties), sorted(definition.attributes), definition.options,
        definition.accessor_names, definition.assembly_format, definition.name,
    ))
"""


def shown(*words: str) -> str:
    script = [sys.executable, "-c", ALL_OPERATIONS, *words]
    return subprocess.run(script, capture_output=True, text=True, check=True).stdout


def test_same_definitions() -> None:
    """Whatever is asked for first, and in whatever order."""
    plain = shown()
    assert plain.count("\n") > 250
    for words in (("off",), ("off", "traits", "last"), ("off", "parse")):
        assert shown(*words) == plain


MADE = """
from polyopt.dialects.definitions_on_demand import put_definitions_off
put_definitions_off()
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import i32
from xdsl.traits import Pure
assert arith.AddiOp.has_trait(Pure)
one = arith.ConstantOp.from_int_and_width(1, 32)
two = arith.MuliOp(one, one)
assert two.lhs is one.result and two.result.type == i32
two.verify()
class Own(llvm.MulOp):
    "Of a class that is not asked itself."
assert Own.get_irdl_definition() is llvm.MulOp.get_irdl_definition()
try:
    arith.SubiOp.create(operands=[one.result]).verify()
except Exception as error:
    print(type(error).__name__)
"""


def test_operations_are_made() -> None:
    done = subprocess.run([sys.executable, "-c", MADE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("VerifyException\n", "")


def test_compiling_defines_few(tmp_path: Path) -> None:
    source = tmp_path / "input.c"
    source.write_text("void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }")
    script = (
        "import os, sys\n"
        "end = os._exit\n"
        "def told(status):\n"
        "    from xdsl.irdl import IRDLOperation, operations\n"
        "    made = [one for one in operations.OpDef.made]\n"
        "    print(len(made), len(set(made)))\n"
        "    sys.stdout.flush()\n"
        "    end(status)\n"
        "os._exit = told\n"
        "from xdsl.irdl import operations\n"
        "read = operations.OpDef.from_pyrdl\n"
        "operations.OpDef.made = []\n"
        "def noted(cls):\n"
        "    operations.OpDef.made.append(cls)\n"
        "    return read(cls)\n"
        "operations.OpDef.from_pyrdl = staticmethod(noted)\n"
        f"sys.argv = ['polyopt-cc', '--cache=off', '-O3', '-c', {str(source)!r}, '-o', "
        f"{str(tmp_path / 'out.o')!r}]\n"
        "from polyopt.tools.polyopt_cc import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    made, different = map(int, done.stdout.split())
    assert made == different < 100
