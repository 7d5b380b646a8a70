"""Instructions find the line that they were made of; what says nothing to a reader goes."""

import pytest

from polyopt.driver.observed.assembly_lines import functions_of
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import produce

TEXT = """\
\t.text
\t.type\tf,@function
f:
.Lfunc_begin0:
\t.file\t0 "/somewhere" "dir/k.c"
\t.file\t1 "/somewhere" "other.h"
\t.loc\t0 3 0
\tpushq\t%rbp
.Ltmp0:
\t.loc\t1 9 1
\tnop                                    # a comment
\t.loc\t0 0 1
\tnop
.LBB0_1:
\t.loc\t0 4 1
\tjne\t.LBB0_1
.LBB0_2:
\tretq
.Lfunc_end0:
\t.size\tf, .Lfunc_end0-f
x:
\t.long\t3
"""


def test_lines_labels_and_directives():
    (function,) = functions_of(TEXT, "/somewhere/dir/k.c")
    assert function.name == "f"
    assert [(line.text.split(), line.source) for line in function.lines] == [
        (["pushq", "%rbp"], 3),
        (["nop"], None),
        (["nop"], None),
        ([".LBB0_1:"], None),
        (["jne", ".LBB0_1"], 4),
        (["retq"], 4),
    ]


@pytest.mark.parametrize("name", ["k.c", 'a"b\\c.c', "é.c", "<string>", "sub/dir/../k.c"])
def test_any_name_of_a_file(name: str):
    text = "int f(int x)\n{\n  return x * 31;\n}\n"
    assembly = produce(Source(name, text), read_settings(["-O1", "-g"]), "asm", lambda _: None)
    assert isinstance(assembly, str)
    (function,) = functions_of(assembly, name)
    assert 3 in {line.source for line in function.lines}


def test_without_line_numbers_there_is_the_code():
    text = "int f(int x) { return x; }\nint g(int x) { return x + 1; }\n"
    assembly = produce(Source("k.c", text), read_settings(["-O1"]), "asm", lambda _: None)
    assert isinstance(assembly, str)
    found = functions_of(assembly, "k.c")
    assert [one.name for one in found] == ["f", "g"]
    assert {line.source for one in found for line in one.lines} == {None}
