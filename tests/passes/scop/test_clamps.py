"""Clamps, written in all ways, are a maximum and a minimum where the bounds are in order, and
choose as C does where they are not."""

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

_BOUNDS = [(0, 255), (5, 5), (7, 3)]
_LESS = ["<", "<="]


def _low_first(x: str, low: str, high: str, below: str) -> list[str]:
    above = below.replace("<", ">")
    inner = [f"({x} {above} {high} ? {high} : {x})", f"({high} {below} {x} ? {high} : {x})"]
    not_below = ">" if below == "<=" else ">="
    return [
        text
        for one in inner
        for text in (
            f"{x} {below} {low} ? {low} : {one}",
            f"{low} {above} {x} ? {low} : {one}",
            f"{x} {not_below} {low} ? {one} : {low}",
        )
    ]


def _high_first(x: str, low: str, high: str, below: str) -> list[str]:
    above = below.replace("<", ">")
    return [
        f"{x} {above} {high} ? {high} : ({x} {below} {low} ? {low} : {x})",
        f"{high} {above} {x} ? ({low} {below} {x} ? {x} : {low}) : {high}",
    ]


def _functions() -> list[tuple[str, bool]]:
    """Each with whether its bounds are in order."""
    found: list[tuple[str, bool]] = []
    for (low, high), below, type_ in product(_BOUNDS, _LESS, ["int", "unsigned"]):
        suffix = "u" if type_ == "unsigned" else ""
        array = "w" if type_ == "int" else "v"
        x, ends = f"{array}[i]", (f"{low}{suffix}", f"{high}{suffix}")
        for text in _low_first(x, *ends, below) + _high_first(x, *ends, below):
            name = f"clamp{len(found)}"
            found.append((f"void {name}(void) {{ FOR out[i] = {text}; }}", low <= high))
    return found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_clamps_are_extremes_and_choose_as_c_does(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    functions = _functions()
    lines = [
        "#include <stdio.h>",
        "#define FOR for (int i = 0; i < 64; i++)",
        "int w[64], out[64]; unsigned v[64];",
        *(text for text, _ in functions),
        "static void all(void) {",
        *(f'  clamp{n}(); FOR printf("%d ", out[i]); puts("");' for n in range(len(functions))),
        "}",
        "int main(void) {",
        "  FOR { w[i] = i < 40 ? i - 20 : 200 + i * 3 - 120; v[i] = (unsigned)w[i]; }",
        "  all(); return 0;",
        "}",
    ]
    source = tmp_path / "clamps.c"
    source.write_text("\n".join(lines))
    subprocess.run(["gcc", "-O0", "-w", source, "-o", tmp_path / "wanted"], check=True)
    made = ["-O3", "-march=x86-64", "-w", "--skip-pass=keep-what-pays", str(source)]
    assert main([*made, "--print-after=detect-scops", "-o", str(tmp_path / "made")]) == 0
    told = capfd.readouterr().err
    outputs = [
        subprocess.run([tmp_path / one], capture_output=True, check=True).stdout
        for one in ("wanted", "made")
    ]
    assert outputs[0] == outputs[1]
    bodies = told.split("func.func @clamp")[1:]
    for (text, is_in_order), body in zip(functions, bodies, strict=True):
        body = body.partition("func.func")[0]
        if is_in_order:
            assert "arith.select" not in body, text
        else:
            assert "arith.select" in body, text
