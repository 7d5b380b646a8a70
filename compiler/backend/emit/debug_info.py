"""Line tables (-g): which line of C each instruction comes from, as LLVM's debug metadata.

    !DICompileUnit <- !DISubprogram of each definition <- !DILocation of each instruction

What has no place has that of the operation around it, or line 0, which debuggers show as code of
the compiler's own; what comes from another file than its function stands in a block of that file.
Variables are not described.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.ir import Attribute

from polyopt.backend.emit.metadata import Metadata
from polyopt.dialects.locations import span_of_location
from polyopt.support.noted import current_folder
from polyopt.support.record import entity

_DWARF_LANGUAGE = "DW_LANG_C11"


@entity
class DebugInfo:
    """The nodes of one module."""

    metadata: Metadata
    optimised: bool
    unit: str = ""
    files: dict[str, str] = field(default_factory=dict[str, str])

    def function(self, name: str, place: Attribute) -> Subprogram:
        """The function of this name, whose definition is at this place."""
        file, line, _ = _parts(place)
        scope_file = self._file(file or "<unknown>")
        if not self.unit:
            self._begin(scope_file)
        type = self.metadata.plain("!DISubroutineType(types: !{null})")
        flags = "DISPFlagDefinition" + (" | DISPFlagOptimized" if self.optimised else "")
        scope = self.metadata.plain(
            f'distinct !DISubprogram(name: "{name}", scope: {scope_file}, file: {scope_file}, '
            f"line: {line}, type: {type}, scopeLine: {line}, spFlags: {flags}, unit: {self.unit})"
        )
        return Subprogram(self, scope, file or "<unknown>", line)

    def _begin(self, file: str) -> None:
        optimised = "true" if self.optimised else "false"
        self.unit = self.metadata.plain(
            f"distinct !DICompileUnit(language: {_DWARF_LANGUAGE}, file: {file}, "
            f'producer: "polyopt", isOptimized: {optimised}, runtimeVersion: 0, '
            "emissionKind: LineTablesOnly)"
        )
        self.metadata.lines.append(f"!llvm.dbg.cu = !{{{self.unit}}}")
        self.metadata.flags += [
            'i32 2, !"Debug Info Version", i32 3',
            'i32 7, !"Dwarf Version", i32 5',
        ]

    def _file(self, path: str) -> str:
        return self.metadata.plain(
            f'!DIFile(filename: "{_quoted(path)}", directory: "{_quoted(current_folder())}")'
        )

    def block(self, scope: str, path: str) -> str:
        """The part of a function that comes from another file."""
        file = self._file(path)
        return self.metadata.plain(
            f"!DILexicalBlockFile(scope: {scope}, file: {file}, discriminator: 0)"
        )


@entity
class Subprogram:
    """One function; `suffix` is what an instruction carries."""

    info: DebugInfo
    scope: str
    file: str
    line: int
    _suffixes: dict[Attribute | None, str] = field(default_factory=dict[Attribute | None, str])

    def suffix(self, place: Attribute | None) -> str:
        known = self._suffixes.get(place)
        if known is None:
            file, line, column = _parts(place)
            scope = self.scope if file in (None, self.file) else self.info.block(self.scope, file)
            node = self.info.metadata.plain(
                f"!DILocation(line: {line}, column: {column}, scope: {scope})"
            )
            known = self._suffixes[place] = f", !dbg {node}"
        return known


def _parts(place: Attribute | None) -> tuple[str | None, int, int]:
    """File, line and column; line 0 is nowhere. LLVM keeps columns in 16 bits."""
    span = span_of_location(place) if place is not None else None
    if span is None:
        return None, 0, 0
    return span.file, span.line, span.column if span.column < 1 << 16 else 0


def _quoted(text: str) -> str:
    data = text.encode("utf-8", "surrogateescape")
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data
    )
