"""Programs compiled with schedules from files compute the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import polyopt
from polyopt.poly.exchange.correspondence import Names, corresponding_names, same_order
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.jscop import parse_jscop
from polyopt.poly.exchange.openscop_scop import description_of
from polyopt.poly.exchange.openscop_text import parse_openscop
from polyopt.poly.exchange.scoplib_text import parse_scoplib
from polyopt.support.diagnostics import CompileError

TEXT = """\
void gemm(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0;
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
"""


def product_by(options: list[str]) -> bool:
    program = polyopt.compile(TEXT, ["-O1", "-ffp-contract=off", *options])
    A, B, C = (np.random.default_rng(k).integers(9, size=(7, 7)).astype(float) for k in range(3))
    program.gemm(7, C, A, B)
    return bool(np.array_equal(C, A @ B))


def described(file: Path) -> Description:
    if file.suffix == ".jscop":
        return parse_jscop(file.read_text(), file.name)
    parse = parse_scoplib if file.suffix == ".scoplib" else parse_openscop
    return description_of(parse(file.read_text(), file.name), "gemm", ["S0", "S1"])


@pytest.mark.parametrize(
    ("form", "how"), [("jscop", "isl+tile"), ("openscop", "isl+tile"), ("scoplib", "isl")]
)
def test_what_was_exported_is_imported(form: str, how: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    tiles = ["--tile-sizes=3"] if "tile" in how else []
    assert product_by([f"--poly={how}", *tiles, f"--export={form}:{first}"])
    assert product_by([f"--import={form}:{first}", f"--export={form}:{second}"])
    (file,) = first.iterdir()
    ours, theirs = described(file), described(second / file.name)
    names = corresponding_names(ours, theirs)
    assert isinstance(names, Names), names
    assert same_order(ours, theirs, names)


def test_a_tree_that_was_exported_is_imported(tmp_path: Path) -> None:
    assert product_by(["--poly=isl+tile", "--tile-sizes=3", f"--export=schedule:{tmp_path}"])
    assert product_by([f"--import=schedule:{tmp_path}", f"--export=schedule:{tmp_path / 'again'}"])
    name = "gemm___gemm.schedule"
    first, second = ((folder / name).read_text() for folder in (tmp_path, tmp_path / "again"))
    assert "mark: " in first
    assert [line for line in second.splitlines() if "coincident" not in line] == [
        line for line in first.splitlines() if "coincident" not in line
    ]


def test_a_file_by_another_tool_under_its_own_name(tmp_path: Path) -> None:
    assert product_by([f"--export=jscop:{tmp_path}"])
    (file,) = tmp_path.iterdir()
    content = json.loads(file.read_text().replace("S0", "Stmt2").replace("S1", "Stmt5"))
    content["statements"][1]["schedule"] = "[n] -> { Stmt5[i, j, k] -> [k, 1, j, i] }"
    content["statements"][0]["schedule"] = "[n] -> { Stmt2[i, j] -> [-1, 0, j, i] }"
    file.unlink()
    (tmp_path / "gemm___%3---%9.jscop").write_text(json.dumps(content))
    assert product_by([f"--import=jscop:{tmp_path}"])
    (tmp_path / "gemm___%5---%7.jscop").write_text(json.dumps(content))
    with pytest.raises(CompileError, match="no file to import"):
        product_by([f"--import=jscop:{tmp_path}"])
