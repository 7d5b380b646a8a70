"""Assembly formats that are put off are those that would have been read."""

import subprocess
import sys
from pathlib import Path

SAME_PROGRAMS = """
from polyopt.dialects.formats_on_demand import put_formats_off
from xdsl.irdl.declarative_assembly_format import FormatProgram
read = FormatProgram.from_str
put_formats_off()
put_formats_off()  # once is as good as twice
later, made = FormatProgram.from_str, []
def noted(text, definition):
    made.append((text, definition, later(text, definition)))
    return made[-1][2]
FormatProgram.from_str = staticmethod(noted)
from importlib import import_module
from polyopt.universe import DIALECTS
for place in DIALECTS.values():
    import_module(place.partition(":")[0])
for name in ("affine", "arith", "cf", "func", "llvm", "math", "memref", "scf", "vector"):
    import_module(f"xdsl.dialects.{name}")
assert len(made) > 150
for text, definition, program in made:
    assert isinstance(program, FormatProgram)
    assert "stmts" not in vars(program)
    assert program.stmts == read(text, definition).stmts, definition.name
    assert "stmts" in vars(program)
try:
    program.other
except AttributeError:
    print("same")
"""

READ = "xdsl.irdl.declarative_assembly_format_parser"
"""What xDSL loads to read a format."""


def test_same_programs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAME_PROGRAMS], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("same\n", "")


def test_compiling_reads_none(tmp_path: Path) -> None:
    source = tmp_path / "input.c"
    source.write_text("void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }")
    tool = ["-m", "polyopt.tools.polyopt_cc", "--cache=off", "-O2", str(source)]
    for action, reads in (("-c", False), ("--emit=scf", True)):
        command = [sys.executable, "-X", "importtime", *tool, action, "-o", str(tmp_path / "out")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert (READ in done.stderr) == reads


def test_library_is_left_alone() -> None:
    """Who imports polyopt has xDSL as it is: a wrong format is told where the class is made."""
    script = (
        "import polyopt; polyopt.compile('int f(void) { return 1; }')\n"
        "from xdsl.irdl.declarative_assembly_format import FormatProgram\n"
        "import dataclasses\n"
        "print(FormatProgram.from_str.__module__, hasattr(dataclasses, 'exec'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "xdsl.irdl.declarative_assembly_format False\n"
