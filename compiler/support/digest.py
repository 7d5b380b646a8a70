"""The name of a content: equal contents have equal names, and no two others do.

`hashlib` would load OpenSSL, which takes longer than all that a tool with nothing to do has to do.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_BYTES = 20


def digest(*parts: bytes) -> str:
    """The name of the parts in their order; where one ends and the next begins is part of it."""
    state = blake2b(digest_size=_BYTES)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()
