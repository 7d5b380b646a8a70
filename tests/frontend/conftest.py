"""C texts compiled to IR and run, for the tests of the front end."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.run import run_main
from polyopt.backend.processors.options import BackendOptions
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parse_c import parse_c
from polyopt.support.diagnostics import Diagnostic, SourceMap


@pytest.fixture(scope="session")
def compile_c() -> Callable[..., ModuleOp]:
    """The verified module of a C text."""

    def compile_text(
        text: str,
        *,
        filename: str = "test.c",
        options: CFrontendOptions | None = None,
        warnings: list[Diagnostic] | None = None,
    ) -> ModuleOp:
        options = options or CFrontendOptions(fp_contract="off")
        module = parse_c(text, filename, options, SourceMap(), warnings)
        module.verify()
        return module

    return compile_text


@pytest.fixture
def run_c(
    compile_c: Callable[..., ModuleOp], capfd: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Compile a C text and run its `main`; gives what it wrote and its status as one text."""

    def run(text: str, *, filename: str = "test.c", opt_level: int = 0) -> str:
        module = compile_c(text, filename=filename)
        code = emit_object(module, BackendOptions(opt_level=opt_level))
        capfd.readouterr()
        ending = run_main([code], ["program"])
        written = capfd.readouterr()
        return _outcome(written.out, written.err, ending.shell_status)

    return run


@pytest.fixture(scope="session")
def run_with_gcc(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[Path]], str]:
    """The same from gcc -O0, the judge of what a program means; skips where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("there is no gcc")
    program = tmp_path_factory.mktemp("gcc") / "program"
    flags = ["-w", "-O0", "-std=gnu17", "-ffp-contract=off"]

    def run(sources: Sequence[Path]) -> str:
        command = [gcc, *flags, "-o", str(program), *map(str, sources), "-lm"]
        subprocess.run(command, check=True, timeout=60)
        ended = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
        return _outcome(ended.stdout, ended.stderr, ended.returncode)

    return run


def _outcome(stdout: str, stderr: str, status: int) -> str:
    return f"{stdout}--- stderr\n{stderr}--- status {status}\n"
