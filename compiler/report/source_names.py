"""What arrays and variables of a static control part are called in the source."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyopt.report.contents import Contents
from polyopt.report.membership import Membership


def plain(contents: Contents, found: Membership, arrays: Sequence[str]) -> tuple[str, ...]:
    """The names that they have in the source: one that is made for a second variable of the same
    name has a number behind it."""
    variables = {**dict(found.view.called), **dict(found.view.variables)}
    text = "\n".join(contents.source)
    names = dict[str, None]()
    for array in arrays:
        name = variables.get(array, array)
        is_made = array in found.view.own and not re.search(rf"\b{re.escape(name)}\b", text)
        names[re.sub(r"_\d+$", "", name) if is_made else name] = None
    return tuple(names)
