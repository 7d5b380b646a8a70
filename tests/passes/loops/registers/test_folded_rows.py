"""Several short rows in one vector: the bits of gcc's program, and nothing behind the arrays."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("folded_rows.c")


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_bits_of_each_row(tmp_path: Path, march: str) -> None:
    flags = ["-w", "-ffp-contract=off", str(SOURCE), "-o"]
    output("gcc", "-O0", *flags, tmp_path / "wanted")
    made = ["-O3", f"-march={march}", "--skip-pass=keep-what-pays", "-fno-inline"]
    assert main([*made, *flags, str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")


def test_batches_of_matrices_fill_vectors(tmp_path: Path) -> None:
    text = tmp_path / "transfers.mlir"
    flags = ["-w", "-O3", "-march=x86-64-v4", "--emit=transfers", str(SOURCE), "-o", str(text)]
    assert main(flags) == 0
    functions = text.read_text().split("func.func")
    for name, wide in (("batch_d", "8xf64"), ("batch_f", "16xf32"), ("turned", "8xf64")):
        body = next(one for one in functions if f"@{name}(" in one.splitlines()[0])
        assert f"memref<?x{wide[-3:]}>, vector<{wide}>" in body, name
