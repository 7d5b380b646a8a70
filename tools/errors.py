"""From exception to message: one clear text, one exit status, never a Python traceback.

    the user's mistake       "error: …" with place and caret    status 1
    a wrong command line     "error: …" with a hint             status 1
    a defect of polyopt      "internal error: …"                status 4

`POLYOPT_TRACEBACK=1` lets the exception through, for those who mend polyopt.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from polyopt.driver.units.reproducer import NOTE
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap, Span

if TYPE_CHECKING:
    from xdsl.utils.exceptions import ParseError

USER_ERROR = 1
INTERNAL_ERROR = 4
INTERRUPTED = 130

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def run_tool(program: str, body: Callable[[], int]) -> int:
    """The exit status of `body`; what it raises is reported on standard error."""
    try:
        status = _status_of(body)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever reads our output has seen enough; Python must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return USER_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except (Exception, _spec_error()) as error:
        if os.environ.get("POLYOPT_TRACEBACK"):
            raise
        message = explain(error)
        if message is not None:
            placed = not message.startswith("error:")
            print(message if placed else f"{program}: {message}", file=sys.stderr)
            return USER_ERROR
        print(f"{program}: {_internal(error)}", file=sys.stderr)
        return INTERNAL_ERROR


def _status_of(body: Callable[[], int]) -> int:
    """argparse ends `--help` by SystemExit; what it printed has still to be flushed."""
    try:
        return body()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0


def explain(error: BaseException) -> str | None:
    """The message for a mistake of the user's, None where the mistake is ours."""
    from xdsl.utils.exceptions import DiagnosticException, ParseError

    match error:
        case CompileError():
            return error.render()
        case ParseError():
            return _parse_error(error)
        case DiagnosticException():
            return "\n".join([f"error: {error}{_pass_of(error)}", *_marked_lines(error)])
        case UnicodeDecodeError():
            return "error: the input is not UTF-8 text"
        case OSError() if error.filename is not None:
            return f"error: {error.filename}: {error.strerror}"
        case OSError() if error.errno in _UNWRITABLE:
            return f"error: cannot write: {error.strerror}"
        case _ if isinstance(error, _spec_error()):
            return f"error: {str(error).rstrip()}"
        case _:
            return None


def _spec_error() -> type[BaseException]:
    """xDSL's error for a malformed pipeline text, which is no `Exception`."""
    from xdsl.utils.exceptions import ArgSpecParseError

    return ArgSpecParseError


def _parse_error(error: ParseError) -> str:
    place = error.span.get_location()
    span = Span(place.file, place.line, place.col)
    sources = SourceMap()
    content = error.span.input.content
    text = content if isinstance(content, str) else content.decode(errors="replace")
    sources.add(place.file, "\n" * error.span.line_offset + text)
    return Diagnostic("error", error.msg, span).render(sources)


def _pass_of(error: BaseException) -> str:
    """Where the pipeline says that the error came from (`polyopt.pass_runs.run_passes`)."""
    notes: list[str] = getattr(error, "__notes__", [])
    return next((f", {note}" for note in notes if note.startswith("in pass ")), "")


def _marked_lines(error: BaseException) -> list[str]:
    """Of the IR that xDSL attaches to an error: the operation and what is said below it."""
    lines = [line for note in getattr(error, "__notes__", []) for line in note.splitlines()]
    marks = [i for i, line in enumerate(lines) if line.lstrip().startswith(("^^^", "| ", "---"))]
    if not marks:
        return []
    return lines[max(0, marks[0] - 1) : marks[-1] + 1]


def _internal(error: BaseException) -> str:
    text = f": {error}" if str(error) else ""
    return (
        f"internal error{_pass_of(error)}: {type(error).__name__}{text}{_place_of(error)}\n"
        "  hint: this is a defect in polyopt; POLYOPT_TRACEBACK=1 shows the Python traceback"
        f"{_shown_again_by(error)}"
    )


def _shown_again_by(error: BaseException) -> str:
    """The command that shows the failure again, where one was kept (`driver/units/reproducer`)."""
    notes: list[str] = getattr(error, "__notes__", [])
    found = next((note for note in notes if note.startswith(NOTE)), None)
    return "" if found is None else f"\n  hint: shown again by  {found.removeprefix(NOTE)}"


def _place_of(error: BaseException) -> str:
    """The innermost line of polyopt's that the exception went through."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals["__name__"]
        if module.startswith("polyopt."):
            place = f" ({module}:{trace.tb_lineno})"
        trace = trace.tb_next
    return place
