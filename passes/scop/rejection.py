"""Why a part of a program is no static control part: data, for people and for tests.

After Polly's `ScopDetectionDiagnostic.h`: a closed set of reasons, each with a text for
developers (which may name IR) and one for users (which may not, and says what to change).
"""

from __future__ import annotations

from enum import Enum

from xdsl.ir import Block

from polyopt.support.diagnostics import Span
from polyopt.support.record import record


class Reason(Enum):
    """The value is the remark's id."""

    CALL = "scop-call"
    OPERATION = "scop-operation"
    IRREDUCIBLE = "scop-irreducible"
    ENDLESS = "scop-endless-loop"
    RETURN = "scop-return"
    LOOP_BOUND = "scop-loop-bound"
    CONDITION = "scop-condition"
    BASE = "scop-base-pointer"
    ELEMENT_TYPE = "scop-element-type"
    SUBSCRIPT = "scop-subscript"
    ALIAS = "scop-alias"
    ERROR = "scop-error-exit"
    WRAP = "scop-wrap"
    NOTHING_STORED = "scop-nothing-stored"
    PRAGMA = "pragma-off"
    COMPLEXITY = "scop-complexity"


@record
class Rejection:
    """`block` is where the reason stands."""

    reason: Reason
    block: Block
    span: Span | None
    developer: str
    message: str


class Rejected(Exception):
    """A region turned out to be no static control part."""

    def __init__(self, rejection: Rejection):
        super().__init__(rejection.developer)
        self.rejection = rejection
