"""The generator: what it draws, that seeds reproduce, that what it draws is defined."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.module_texts import make_context
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.pass_runs import Watch, run_passes
from polyopt.passes.storage.layout import PolyLayoutPass
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.effort import current_effort
from polyopt.support.remarks import collect_remarks
from polyopt.tools.fuzz.campaigns.reduce import is_defined
from polyopt.tools.fuzz.programs.choices import Choices, all_features
from polyopt.tools.fuzz.programs.layouts import DrawLayouts
from polyopt.tools.fuzz.programs.program import random_program
from polyopt.tools.fuzz.trials import configurations, reference
from polyopt.tools.fuzz.trials.harness import main_of
from polyopt.tools.fuzz.trials.reference import FLAGS, system_compiler
from polyopt.tools.fuzz.trials.trial import compile_unit

OF_CONFIGURATIONS = (
    "arithmetic",
    "optimisation level",
    "scheduler",
    "way to a schedule",
    "-march",
    "tile sizes",
    "pass left out",
    "pass option",
    "threads",
    "work that threads pay from",
    "--check",
    "layouts of arrays",
)
OF_MUTANTS = ("mutant", "mistake")


def test_the_same_seed_gives_the_same_program():
    assert random_program(17).text == random_program(17).text
    assert random_program(17).text != random_program(18).text


def test_every_feature_occurs():
    drawn = Counter[tuple[str, str]]()
    for seed in range(2000):
        drawn.update(random_program(seed).drawn)
    topics = (*OF_CONFIGURATIONS, *OF_MUTANTS)
    missing = [one for one in all_features() if not drawn[one] and one[0] not in topics]
    assert missing == []


def test_what_nests_write_is_read_through_a_pointer_between_them():
    """The pointer leads into the array: it is made of it, or is passed beside it."""
    read = re.compile(r"^ +\w[\w ]* x\d* = \*(p\d*);$", re.MULTILINE)
    ways = Counter[str]()
    for seed in range(2400):
        program = random_program(seed)
        for found in read.finditer(program.text):
            pointer = found[1]
            before, after = program.text[: found.start()], program.text[found.end() :]
            made = re.search(rf" \*{pointer} = &(\w+)\[", before)
            passed = re.search(rf"(\w+)(?:\[\d+\])?, [\w ]+ \*{pointer}[,)]", before)
            way = made or passed
            assert way, program.text
            written = re.compile(rf"^ {{8,}}{way[1]}\[.*\] *(?:\.\w+ )?=", re.MULTILINE)
            assert written.search(before), program.text
            assert written.search(after), program.text
            ways["made" if made else "passed"] += 1
    assert ways["made"] >= 3
    assert ways["passed"] >= 3


SUBSCRIPT = re.compile(r"\[[^\[\]]*\) ?(/|%|&|>>) -?\d[^\[\]]*\] (?:[-+*&|^]?=)")


def test_what_issues_asked_for_occurs():
    """Rows of pointers, some behind parameters; products whose zero points are arguments; stores
    to subscripts with each of `/ % & >>`."""
    seen = Counter[str]()
    for seed in range(1600):
        text = random_program(seed).text
        seen["rows"] += bool(re.search(r" \*rows\d*\[", text))
        seen["rows of a parameter"] += bool(re.search(r"\*\*R0, .*\n\{", text))
        seen["zero points"] += bool(re.search(r"int za, int zb\)", text))
        seen["no zero points"] += bool(re.search(r"- \(0\)|- 0\)", text))
        for found in SUBSCRIPT.finditer(text):
            seen[found[1]] += 1
    names = ("rows", "rows of a parameter", "zero points", "no zero points", "/", "%", "&", ">>")
    assert {name: count for name in names if (count := seen[name]) < 4} == {}


KINDS_OF_LINES = {
    "rows by parity": r"t\d*\[i\d* (%|&) [12]\]\[j",
    "rows that change places": r"^ +now\d* = swap",
    "negative subscripts": r"middle\d*\[-\w+\]|to\[-i\]",
    "loads that are the same for all": r"if \(.*\[i\d*\].*\) .*\[(p|o)\d*\]",
    "sums under a condition": r"if \(.*\[i\d*\].*\) s\d* \+= ",
    "cursors": r"while \(at\d* < .*\) \{",
    "scratch arrays": r"^ +own\d*\[k\d*\] = ",
    "sums of irregular loops": r"^ +total\d* [-+^]= k\d*;",
    "records": r"R\d*\[i\d*\]\.f\d = .*R\d*\[.*\]\.f\d",
    "small products of a batch": r"^ +total\d* \+= .*\[b\d* \*",
    "small problems side by side": r"\w\[\(\(i\d*\) \* \w+ \+ \w+\) \* .* \+ b\d*\]",
    "small eliminations": r"^ +(own\d*\[|\w+\[b\d* \* ).* /= 3 ",
    "extremes beside sums": r"^ +if \(.*\) best\d* = .*;\n +(total|some)",
    "windows at borders": r"const int y\d* = i\d* \+ u\d* < 0 \?",
    "updates gathered in a scalar": r"^ +s\d* -= 0\.0625 \* ",
    "intervals cut in two": r"^ +\w+ cost\d* = ",
    "rings": r"^ +(if \(\+\+at\d* == \d+\) at\d* = 0|at\d* = \(at\d* \+ 1\) [%&] \d+);",
    "registers": r"\) held\d*\[k\d*\] = held\d*\[k\d* - 1\];",
    "machines": r"^ +switch \(state\d*\) \{",
    "machines of labels": r"^ +goto one_state\d*;",
    "queues": r"^ +const int u\d* = queue\d*\[head\d*\+\+\];",
    "chains": r"; p\d* >= 0; p\d* = following\d*\[p\d*\]\)",
    "orders by counting": r"\[start\d*\[.* & \d+\]\+\+\] = i\d*;",
    "joined sets": r"^ +while \(.* != (u|v)\d*\)",
    "ways back": r"^ +while \(row\d* > 0 && column",
    "rows taken": r"^ +room\d* -= ",
    "exchanges": r"^ +const \w[\w ]* held\d* = ",
    "rows exchanged by a key": r"^ +int pivot\d* = k\d*;",
    "best few": r"; j\d*--\) few\d*\[j\d*\] = few",
    "butterflies": r"half\d* <= .*; i\d* \+= 2 \* half",
    "steps that double": r"for \(int step\d* = 1; .*; step\d* \*= 2\)",
    "levels": r"^ +base\d* \+= size\d*;",
    "bits counted": r"^ +v\d* &= v\d* - 1;",
    "places of bits": r"^ +for \(\w+ b\d* = \d+; b\d* (<|<=|!=|>=) \d+; b\d*",
    "bits shifted out": r"^ +v\d* >>= 1;",
    "bits reversed": r"^ +for \(; j\d* & bit\d*; bit",
}


def test_what_is_new_and_least_tried_occurs():
    seen = Counter[str]()
    for seed in range(2000):
        text = random_program(seed).text
        seen.update(
            name for name, line in KINDS_OF_LINES.items() if re.search(line, text, re.MULTILINE)
        )
    assert {name: seen[name] for name in KINDS_OF_LINES if seen[name] < 5} == {}


def test_layouts_are_drawn_and_can_be_asked_for_again(tmp_path: Path):
    """Records split, columns as rows: what is drawn for a program is done when it is compiled."""
    flags = ("-O1", "-ffp-contract=off", "--poly=isl", "--skip-pass=poly-keep-small")
    applied = Counter[str]()
    for seed in range(1, 9):
        configuration = configurations.read_configuration((*flags, f"--layouts={seed}"))
        unit = parse(Source("records.c", RECORDS), read_settings(list(flags)), SourceMap())
        with collect_remarks() as remarks:
            unit, _ = compile_unit(unit, configuration, tmp_path, lambda _: None)
        told = [item for item in remarks.items if item.id == "poly-layout"]
        # What is done twice is told once.
        assert len(told) == len(set(unit.settings.added_passes))
        applied.update(name for item in told for name in KINDS_OF_LAYOUTS if name in item.message)
    assert set(applied) == set(KINDS_OF_LAYOUTS)


def test_layouts_that_are_dropped_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch):
    """What an attempt finds out, and what it pays, would let the next one cost something else when
    it is drawn than when it is asked for."""
    asked_before: list[str] = []

    def apply(self: PolyLayoutPass, ctx: Context, op: ModuleOp) -> None:
        account = current_effort()
        assert account is not None  # that of the passes before it
        account.charge(1)
        spent.append(account.spent)
        asked_before.append(self.layout)
        if len(asked_before) < 2 or self.layout == "split":
            raise CompileError("too dear")

    spent: list[int] = []
    monkeypatch.setattr(PolyLayoutPass, "apply", apply)
    unit = parse(Source("records.c", RECORDS), read_settings(["-O1"]), SourceMap())
    lower(unit, "poly")
    drawing = DrawLayouts(1)
    run_passes(unit.module, make_context(), [drawing], Watch())
    assert (drawing.found, asked_before, spent) == ([], [], [])


KINDS_OF_LAYOUTS = ("dimensions in the order", "rows that are", "members of its records")
RECORDS = """
struct point { double x, y; };
void kernel(int n, struct point *p, double A[20][30])
{
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++) {
            p[i].x = 0.5 * p[i].x + 0.25 * p[i].y;
            A[i][3] += A[3][i];
        }
}
"""


def test_every_option_occurs():
    choices = Choices("options")
    for _ in range(3000):
        mode = configurations.draw_mode(choices)
        configurations.random_configuration(choices, mode)
    wide = {("-march", "x86-64-v3"), ("-march", "x86-64-v4")}  # where the machine has them
    missing = [
        one
        for one in all_features()
        if one[0] in OF_CONFIGURATIONS and not choices.drawn[one] and one not in wide
    ]
    assert missing == []


def test_words_are_a_configuration():
    choices = Choices("words")
    for _ in range(200):
        drawn = configurations.random_configuration(choices, configurations.draw_mode(choices))
        assert configurations.read_configuration(drawn.words) == drawn


def test_functions_are_called_by_their_names():
    """Whatever their declarations begin with."""
    called = Counter[str]()
    for seed in range(400):
        text = random_program(seed).text
        names = set(re.findall(r"^static .*?\b(\w+)\([^()]+\) \{", text, re.MULTILINE))
        calls = re.findall(r"[=(] ?(f\d*|__attribute__)\(", text.partition("void kernel(")[2])
        assert set(calls) <= names
        called.update(calls)
    assert called.total() > 20


@pytest.mark.parametrize("seed", range(0, 40, 10))
def test_programs_are_defined(seed: int, tmp_path: Path):
    program = random_program(seed)
    assert is_defined(program.text + main_of(program), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_more_programs_are_defined(seed: int, tmp_path: Path):
    program = random_program(seed)
    assert is_defined(program.text + main_of(program), tmp_path)


def test_local_arrays_fit_on_the_stack(tmp_path: Path):
    """Seed 800659 had one of 102 x 104 x 101 numbers."""
    program = random_program(800659)
    reference.results(program, reference.build(program.text, tmp_path), spread=False)


def test_c_and_numpy_fill_the_same(tmp_path: Path):
    """What the function gets in this process is what it gets from the `main` in C."""
    from polyopt.tools.fuzz.trials.harness import columns, filled

    program = random_program(6)
    source = tmp_path / "program.c"
    main = "\n".join(
        line for line in main_of(program, [0]).splitlines() if not line.startswith("    kernel(")
    )
    source.write_text(program.text + main, encoding="utf-8")
    command = [system_compiler(), *FLAGS, "-DDUMP=1", str(source), "-o", str(tmp_path / "p"), "-lm"]
    subprocess.run(command, check=True)
    printed = subprocess.run([tmp_path / "p"], capture_output=True, text=True, check=True).stdout
    shown = [float(line.split(" = ")[1]) for line in printed.splitlines() if " = " in line]
    expected = list[float]()
    for buffer in program.buffers:
        for _, column in columns(filled(buffer)[: buffer.count]):
            parts = [column] if column.ndim == 1 else [column[:, k] for k in range(column.shape[1])]
            for part in parts:
                wide = part.dtype.kind in "iu" and part.dtype.itemsize == 8
                expected += [_shown(float(v)) if wide else float(v) for v in part]
    assert shown == expected


def _shown(value: float) -> float:
    """Wide integers are shown as a third, and what is left in sixteenths."""
    third = int(value / 3)
    return third + (value - 3 * third) * 0.0625
