"""The remarks of a program as Python has them: a tuple that is shown line by line, as a compiler
tells it, and in a notebook as a table."""

from __future__ import annotations

from polyopt.support.remarks import Remark


class ToldRemarks(tuple[Remark, ...]):
    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "(no remarks)"

    def _repr_html_(self) -> str:
        from polyopt.report.program_table import remarks_table

        return remarks_table(self)
