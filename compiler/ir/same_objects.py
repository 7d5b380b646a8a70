"""Whether a piece of IR consists of the same objects as before.

What was found to be in order then is in order now: no verifier need be asked again. Attributes are
never changed, operations, blocks and values only by getting others of these; the lists keep all of
them alive, so that none can be taken for another that has come to stand in its place in memory.
"""

from __future__ import annotations

from xdsl.ir import Operation


def objects_in(op: Operation) -> list[object]:
    """Everything in its regions, in order, and what it takes from outside, but not its own
    attributes."""
    found: list[object] = list(op.operands)
    pending = [*op.regions]
    while pending:
        for block in pending.pop().blocks:
            found.append(block)
            found.extend(block.args)
            found.extend(argument.type for argument in block.args)
            for inner in block.ops:
                found.append(inner)
                found.extend(inner.operands)
                found.extend(result.type for result in inner.results)
                found.extend(inner.successors)
                found.extend(attributes_of(inner))
                pending.extend(inner.regions)
    return found


def attributes_of(op: Operation) -> list[object]:
    """Names and values."""
    found: list[object] = [*op.properties, *op.properties.values()]
    if op.attributes:
        found += [*op.attributes, *op.attributes.values()]
    return found


def are_same(before: list[object] | None, now: list[object]) -> bool:
    """Whether nothing has changed; None is a list that was never made. Operations, blocks and
    values are equal where they are one, attributes where they say the same."""
    return before == now
