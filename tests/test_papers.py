"""benchmarks/papers.py: each table is printed, beside the numbers that the papers have."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence

import pytest
from doc_pages import ROOT

SCRIPT = ROOT / "benchmarks" / "papers.py"
TABLES = {
    "tile-simd": ["Table 1: ", "Figure 4: ", "Figure 5: "],
    "poly-ast": ["Table I: ", "Table III: pipelines", "Table III: reductions", "Table IV: "],
}


@pytest.mark.parametrize("paper", TABLES)
def test_every_table_has_its_rows(
    paper: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Of programs that take a second, or two if they are the first of a contest."""
    spec = importlib.util.spec_from_file_location("papers", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    papers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(papers)

    def best(
        _: object, kernel: str, defines: Iterable[str], commands: Mapping[str, Sequence[str]]
    ) -> dict[str, float]:
        assert (ROOT / "benchmarks" / "kernels" / f"{kernel}.c").exists()
        return {name: 1.0 + (place == 0) for place, name in enumerate(commands)}

    monkeypatch.setattr(papers.Bench, "best", best)
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), paper])
    assert papers.main() == 0
    printed = capsys.readouterr().out.split("\n\n")
    assert [text.strip().partition(": ")[0] for text in printed] == [
        title.partition(": ")[0] for title in TABLES[paper]
    ]
    for text, title in zip(printed, TABLES[paper], strict=True):
        assert text.strip().startswith(title)
        lengths = {len(line.split()) for line in text.strip().splitlines()[2:]}
        assert len(text.strip().splitlines()) > 3
        assert len(lengths) == 1


@pytest.mark.slow
@pytest.mark.parametrize("paper", TABLES)
def test_at_a_small_size(paper: str):
    """Programs are compiled and run, and their results compared."""
    small = ["--sizes", "mini"] if paper == "tile-simd" else ["--dataset", "MINI"]
    kernels = ["--kernels", "doitgen" if paper == "tile-simd" else "trisolv,atax"]
    command = [sys.executable, str(SCRIPT), paper, *small, *kernels, "-r", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert all(title in ran.stdout for title in TABLES[paper])
