"""Output files appear whole or not at all, whatever ends the process."""

from __future__ import annotations

import errno
import os


def write_whole(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Make `path` hold exactly `data`; on failure (OSError) it is as it was before.

    The data goes to a neighbour first, which then takes the name. What is not a regular file,
    such as /dev/null or a pipe, is written directly.
    """
    content = data.encode() if isinstance(data, str) else data
    try:
        _replace(os.path.realpath(path), content)
    except OSError as error:
        # The error speaks of the name that the caller knows.
        raise type(error)(error.errno, os.strerror(error.errno or 0), os.fspath(path)) from None


def move_whole(made: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Give what was made the name `target`; what is not a regular file stays, and is written."""
    if os.path.exists(target) and not os.path.isfile(target):
        with open(made, "rb") as stream:
            _write(target, stream.read())
    else:
        os.replace(made, target)


def _replace(target: str, content: bytes) -> None:
    from polyopt.support.interrupts import removed_by_interrupt

    if os.path.exists(target) and not os.path.isfile(target):
        _write(target, content)
        return
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "may not be written")
    folder, name = os.path.split(target)
    neighbour = os.path.join(folder, f".{name}.{os.getpid()}")
    with removed_by_interrupt(neighbour), open(neighbour, "xb") as stream:
        try:
            stream.write(content)
            stream.flush()
            if os.path.exists(target):
                os.chmod(neighbour, os.stat(target).st_mode)
            os.replace(neighbour, target)
        except BaseException:
            os.unlink(neighbour)
            raise


def _write(target: str | os.PathLike[str], content: bytes) -> None:
    with open(target, "wb") as stream:
        stream.write(content)
