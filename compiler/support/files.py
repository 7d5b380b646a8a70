"""Output files appear whole or not at all, whatever ends the process."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType


def write_whole(path: str | Path, data: str | bytes) -> None:
    """Make `path` hold exactly `data`; on failure (OSError) it is as it was before.

    The data goes to a neighbour first, which then takes the name. What is not a regular file,
    such as /dev/null or a pipe, is written directly.
    """
    content = data.encode() if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    try:
        _replace(target, content)
    except OSError as error:
        # The error speaks of the name that the caller knows.
        raise type(error)(error.errno, os.strerror(error.errno or 0), str(path)) from None


def move_whole(made: str | Path, target: Path) -> None:
    """Give what was made the name `target`; what is not a regular file stays, and is written."""
    if target.exists() and not target.is_file():
        target.write_bytes(Path(made).read_bytes())
    else:
        os.replace(made, target)


def _replace(target: Path, content: bytes) -> None:
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "may not be written")
    neighbour = target.with_name(f".{target.name}.{os.getpid()}")
    with removed_by_interrupt(neighbour), open(neighbour, "xb") as stream:
        try:
            stream.write(content)
            stream.flush()
            if target.exists():
                os.chmod(neighbour, target.stat().st_mode)
            os.replace(neighbour, target)
        except BaseException:
            os.unlink(neighbour)
            raise


_unfinished: list[Path] = []


@contextmanager
def removed_by_interrupt(path: str | Path) -> Generator[None]:
    """Where an interrupt ends the process at once, it removes this file or folder first. Elsewhere
    it is an exception, which whoever makes the file has to mind."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) not in (signal.SIG_DFL, _remove_and_end):
        yield
        return
    _unfinished.append(Path(path))
    signal.signal(signal.SIGINT, _remove_and_end)
    try:
        yield
    finally:
        _unfinished.pop()
        if not _unfinished:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _remove_and_end(number: int, _: FrameType | None) -> None:
    for path in _unfinished:
        shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            path.unlink()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
