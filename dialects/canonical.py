"""How operations name the patterns of their canonical form, which are imported when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.ir import Operation
from xdsl.traits import HasCanonicalizationPatternsTrait

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern


@dataclass(frozen=True)
class Canonical(HasCanonicalizationPatternsTrait):
    """`patterns` are classes of `polyopt.dialects.<module>`, with blanks between."""

    module: str
    patterns: str

    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        found = import_module(f"polyopt.dialects.{self.module}")
        return tuple(getattr(found, name)() for name in self.patterns.split())

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()
