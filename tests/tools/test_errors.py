"""Whatever goes wrong, a tool says it in one message and by its exit status."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.utils.arg_spec import parse_spec

from polyopt.support.diagnostics import CompileError, Span
from polyopt.tools.errors import run_tool


def parse_garbage() -> int:
    Parser(Context(), "what is\nthis?", "garbage.mlir").parse_module()
    return 0


def crash() -> int:
    try:
        raise ZeroDivisionError("division by zero")
    except ZeroDivisionError as error:
        error.add_note("in pass poly-tile")
        raise


def interrupt() -> int:
    raise KeyboardInterrupt


def refuse(message: str, span: Span | None = None, hint: str | None = None) -> int:
    raise CompileError(message, span, hint)


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (lambda: 3, 3, ""),
        (lambda: refuse("no"), 1, "tool: error: no\n"),
        (lambda: refuse("no", Span("no.c", 7, 2), "yes"), 1, "no.c:7:2: error: no\n  hint: yes\n"),
        (lambda: len(open("no/such/file").read()), 1, "tool: error: no/such/file: No such file"),
        (lambda: len(b"\xff".decode()), 1, "tool: error: the input is not UTF-8 text\n"),
        (lambda: len(str(parse_spec("a{"))), 1, "tool: error: Error parsing pass pipeline"),
        (parse_garbage, 1, "garbage.mlir:1:6: error: "),
        (interrupt, 130, ""),
        (crash, 4, "tool: internal error, in pass poly-tile: ZeroDivisionError: division by zero"),
    ],
)
def test_message_and_status(
    body: Callable[[], int], status: int, message: str, capfd: pytest.CaptureFixture[str]
):
    assert run_tool("tool", body) == status
    said = capfd.readouterr().err
    assert said.startswith(message)
    assert bool(said) == bool(message)
    assert "Traceback" not in said


def test_traceback_on_request(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("POLYOPT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        run_tool("tool", crash)


def test_reader_that_stops_reading():
    """`polyopt-opt --help | head -1` ends quietly."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "polyopt.tools.polyopt_opt", "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    assert writer.stderr.read() == b""
    writer.stderr.close()
    writer.wait()
