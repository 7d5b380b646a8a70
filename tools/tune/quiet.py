"""One timing at a time on a machine, whoever measures: processes of one search, or several."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def timing_alone() -> Generator[None]:
    """Wait until no other process or thread of this user on this machine is in here. Who dies in
    here leaves it."""
    path = os.path.join(tempfile.gettempdir(), f"polyopt-timing-{os.getuid()}")
    flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
