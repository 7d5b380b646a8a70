"""Sums over groups of lanes: what gcc gives, with what each machine has for them."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.told_programs import output, wanted

from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("group_sums.c")
_BYTES = {(signs, bits) for signs in ("ss", "uu") for bits in (2, 4, 8)}
TAKEN = _BYTES | {("us", 2), ("us", 8), ("hh", 2)}
"""Pairs of types, by their letters in `SUMS(…)`, and how many neighbours go into a lane. All have
products of 16 bits that two of are summed; distances are known of bytes with the same sign."""
BYTE_PRODUCTS = ("us", 4)
"""Where the machine multiplies bytes, those of different signs, too."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "march",
    ["native", "x86-64", pytest.param("native~avx512vnni~avxvnni", marks=pytest.mark.slow)],
)
def test_the_sums_are_those_of_c(march: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    flags = ["-w", str(SOURCE), "-o"]
    name, *features = march.split("~")
    options = [f"-march={name}", *(f"-mno-{feature}" for feature in features)]
    made = ["-O3", *options, "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == wanted(SOURCE)
    said = capfd.readouterr().err.splitlines()
    taken = {_pair_and_group(one) for one in said if "[affine-group-sums]" in one}
    assert taken == TAKEN | ({BYTE_PRODUCTS} if _target(name, features).sums_bytes else set())


def _pair_and_group(remark: str) -> tuple[str, int]:
    """Of `FILE:LINE:1: applied: 4 neighbours …`: the letters of the macro in that line, and 4."""
    line = SOURCE.read_text(encoding="utf-8").splitlines()[int(remark.split(":")[1]) - 1]
    first, second = line.rstrip(")").split(", ")[-2:]
    return first + second, int(remark.partition("applied: ")[2].split()[0])


def _target(name: str, without: Sequence[str]) -> Target:
    return Target.named("~".join([name, *without]))


@pytest.mark.parametrize(
    ("machine", "sums"),
    [
        ("cascadelake", True),
        ("cascadelake~avx512vnni", False),
        ("cascadelake~avx512f", False),
        ("cascadelake+prefer256", True),
        ("x86-64-v4", False),
        ("x86-64-v4+avx512vnni", True),
        ("x86-64-v3+avxvnni", True),
        ("x86-64-v3", False),
    ],
)
def test_who_sums_bytes(machine: str, sums: bool):
    assert Target.named(machine).sums_bytes == sums
