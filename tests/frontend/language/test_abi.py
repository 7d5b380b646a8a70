"""Functions and their callers agree with those of the system's C compiler on how values travel."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.processors.options import BackendOptions
from polyopt.frontend.options import CFrontendOptions

SOURCE = Path(__file__).parent / "abi.c"


@pytest.fixture(scope="module")
def halves(
    tmp_path_factory: pytest.TempPathFactory, compile_c: Callable[..., ModuleOp]
) -> dict[tuple[str, str], Path]:
    """The object files of each half, by gcc and by us."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    folder = tmp_path_factory.mktemp("abi")
    objects: dict[tuple[str, str], Path] = {}
    for half in ("CALLER", "CALLEE"):
        by_gcc = objects["gcc", half] = folder / f"gcc-{half}.o"
        subprocess.run([gcc, "-O1", "-c", f"-D{half}", SOURCE, "-o", by_gcc], check=True)
        module = compile_c(SOURCE.read_text(), options=CFrontendOptions(defines=(half,)))
        ours = objects["polyopt", half] = folder / f"polyopt-{half}.o"
        ours.write_bytes(emit_object(module, BackendOptions(opt_level=1)))
    return objects


def link_and_run(objects: list[Path], folder: Path) -> str:
    program = folder / "program"
    subprocess.run(["gcc", *objects, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("caller", "callee"), [("polyopt", "gcc"), ("gcc", "polyopt"), ("polyopt", "polyopt")]
)
def test_values_arrive(
    caller: str, callee: str, halves: dict[tuple[str, str], Path], tmp_path: Path
) -> None:
    expected = link_and_run([halves["gcc", "CALLER"], halves["gcc", "CALLEE"]], tmp_path)
    assert len(expected.splitlines()) > 40
    mixed = link_and_run([halves[caller, "CALLER"], halves[callee, "CALLEE"]], tmp_path)
    assert mixed == expected
