"""An operation's assembly format is read when the first such operation is printed or parsed.

xDSL reads the format of every operation of every dialect where its class is made: an eighth of the
start of a compiler that, on its way from C to code, prints and parses none of them. Put off, the
program of a format is the same; what is wrong with one is told when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.irdl import OpDef


def put_formats_off() -> None:
    """For all dialects that are imported from now on, in a process that is ours alone."""
    from xdsl.irdl.declarative_assembly_format import FormatDirective, FormatProgram

    read = FormatProgram.from_str
    if getattr(read, "__module__", None) == __name__:
        return

    class ProgramOnDemand(FormatProgram):
        """The program of a text that is not read yet; its statements are there when asked for."""

        def __init__(self, text: str, definition: OpDef):
            object.__setattr__(self, "_source", (text, definition))

        def __getattr__(self, name: str) -> Any:
            """What a frozen dataclass keeps as attributes is missing until now."""
            if name != "stmts":
                raise AttributeError(name)
            statements: tuple[FormatDirective, ...] = read(*self._source).stmts
            object.__setattr__(self, "stmts", statements)
            return statements

    def later(input: str, op_def: OpDef) -> FormatProgram:
        return ProgramOnDemand(input, op_def)

    setattr(FormatProgram, "from_str", staticmethod(later))
