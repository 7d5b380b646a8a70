"""polyopt-bench: its arguments and its errors."""

import json
import shutil
from pathlib import Path

import pytest

from polyopt.tools.polyopt_bench import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kernels", "gem"], "unknown kernel 'gem'"),
        (["--size", "HUGE"], "unknown size 'HUGE'"),
        (["--check", "HUGE"], "unknown size 'HUGE'"),
        (["--configs", "ils"], "unknown configuration 'ils'"),
        (["--peers", "icc"], "unknown peer 'icc'"),
        (["--core", "99999"], "core 99999 is not among those of this process"),
        (["--repeat", "0"], "must be positive"),
        (["--directory", "/nowhere"], "/nowhere: no kernel programs"),
        (["--suite", "kinds", "--kernels", "gemm"], "unknown kernel 'gemm'"),
    ],
)
def test_mistakes_have_one_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_contest_among_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = tmp_path / "report.json"
    arguments = ["--size", "MINI", "--check", "MINI", "--kernels", "trisolv", "--configs", ""]
    assert main([*arguments, "--peers", "gcc,gcc-fast", "--json", str(report)]) == 0
    assert "trisolv" in capsys.readouterr().out
    entries = json.loads(report.read_text())["kernels"]["trisolv"]
    assert [entry["status"] for entry in entries] == ["ok", "ok"]
