"""Whether this process is a tool's own, begun for one thing and ended with it.

In such a process nobody else can notice that a library is made quicker to load. A program that
imports polyopt is somebody else's: there libraries are left as they are.
"""

from __future__ import annotations

_claims: list[bool] = []


def claim() -> None:
    """Say that it is; a tool does, in its first line."""
    _claims.append(True)


def is_own() -> bool:
    return bool(_claims)
