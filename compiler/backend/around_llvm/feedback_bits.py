"""What is fed back, or not, as a bit of what is fed back says, is selected as a whole.

    loop:                                               loop:
      r = phi i16 [ …, %entry ], [ s, %loop ]             …
      b = and i16 r, 1
      c = icmp eq i16 b, 0                        =>
      f = select i1 c, i16 0, i16 p                       x = xor i16 h, p
      h = lshr i16 r, 1
      s = xor i16 f, h                                    s = select i1 c, i16 h, i16 x

Registers that are shifted and fed back by a polynomial (check sums bit by bit, sequences that look
like chance) are made so that no bit can be foreseen. LLVM makes selections of the branches in them,
and its code generator branches of these again (its pass x86-cmov-conversion), since the next step
waits for them: eight steps of 16 bits take 42 ns so, and 11.5 as selections that are said to be
unpredictable, whose step waits for no more than the comparison. In 32 bits at least, where that is
heard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from polyopt.backend.around_llvm.llvm_text import NAME, free_node, with_functions
from polyopt.backend.around_llvm.value_graph import ValueGraph
from polyopt.support.record import record

_OPERAND = rf"(?:{NAME}|-?\d+)"
_CHOICE = re.compile(rf"select i1 ({NAME}), i\d+ ({_OPERAND}), i\d+ ({_OPERAND})(?:, !prof !\d+)?$")
_FEEDBACK = re.compile(rf"(?m)^  ({NAME}) = xor (i\d+) ({NAME}), ({NAME})$")
_IS_ZERO = re.compile(rf"icmp (?:samesign )?(?:eq|ne) i\d+ ({NAME}), 0$")
_IS_NEGATIVE = re.compile(rf"icmp (?:samesign )?s(?:lt i\d+ ({NAME}), 0|gt i\d+ ({NAME}), -1)$")
_BIT = re.compile(rf"and i\d+ {NAME}, (-?\d+)$")
_SHIFTED = re.compile(rf"(?:shl|lshr|ashr)(?: exact| nuw| nsw)* i\d+ {NAME}, 1$")
_LEAST = 32
_QUOTE = '"'


def may_feed_back(text: str) -> bool:
    """Whether a module has what such a register needs, as it was given to LLVM."""
    return " xor i" in text and "icmp " in text


def with_selected_feedback(text: str) -> str:
    """The module, as LLVM prints it, with such selections; the same text where there are none."""
    node = free_node(text)
    changed = with_functions(text, lambda function: _function(function, node))
    return text if changed == text else f"{changed}\n!{node} = !{{}}\n"


def _function(text: str, node: int) -> str:
    if " xor i" not in text or " select i1 " not in text:
        return text
    graph = ValueGraph.of(text)

    def selected(found: re.Match[str]) -> str:
        feedback = _feedback(graph, *found.groups())
        return found[0] if feedback is None else "\n".join(feedback.lines(found[1], node))

    return _FEEDBACK.sub(selected, text)


@record
class _Feedback:
    """`shifted`, and by exclusive or what is `fed` where the condition is `holds`."""

    condition: str
    type: str
    shifted: str
    fed: str
    holds: bool

    def lines(self, name: str, node: int) -> Iterator[str]:
        """What is written for the value of that name."""
        both, chosen, *wide = (f'%".fed{k}.{name[1:].strip(_QUOTE)}"' for k in range(4))
        type = self.type
        operands = [self.shifted, self.fed]
        if int(type[1:]) < _LEAST:
            type = f"i{_LEAST}"
            for k, operand in enumerate(operands):
                operands[k] = wide[k]
                yield f"  {operands[k]} = zext {self.type} {operand} to {type}"
        yield f"  {both} = xor {type} {', '.join(operands)}"
        ways = (both, operands[0]) if self.holds else (operands[0], both)
        chosen = name if type == self.type else chosen
        arms = ", ".join(f"{type} {way}" for way in ways)
        yield f"  {chosen} = select i1 {self.condition}, {arms}, !unpredictable !{node}"
        if chosen != name:
            yield f"  {name} = trunc {type} {chosen} to {self.type}"


def _feedback(graph: ValueGraph, name: str, type: str, one: str, other: str) -> _Feedback | None:
    """What the exclusive or of `one` and `other` feeds back; None where it is none of that kind."""
    around = None
    for chosen, shifted in ((one, other), (other, one)):
        choice = _CHOICE.match(graph.made.get(chosen, ""))
        if choice is None or (choice[2] == "0") == (choice[3] == "0"):
            continue
        around = graph.around(name) if around is None else around
        if choice[1] in around and _is_of_bit(graph, choice[1]):
            if any(_SHIFTED.match(graph.made[value]) for value in around):
                fed = choice[3] if choice[2] == "0" else choice[2]
                return _Feedback(choice[1], type, shifted, fed, choice[3] == "0")
    return None


def _is_of_bit(graph: ValueGraph, condition: str) -> bool:
    """Whether it asks for one bit."""
    made = graph.made[condition]
    if _IS_NEGATIVE.match(made):
        return True
    found = _IS_ZERO.match(made)
    bit = None if found is None else _BIT.match(graph.made.get(found[1], ""))
    if bit is None:
        return False
    number = abs(int(bit[1]))  # the highest bit is printed as the least number
    return number > 0 and number & (number - 1) == 0
