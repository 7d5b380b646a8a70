"""What translation units became: found again where the same text is compiled the same way.

The question is the text, its name, what it shall become, and the settings; the answer holds as long
as all that the compilation asked of the world around it (`support/noted`) is as it was. What was
said on the way, warnings and remarks, is said again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from polyopt.backend.called.signature import Signature, Variable
from polyopt.driver.cache.circumstances import are_still_so, circumstances
from polyopt.driver.cache.plain import made_of, plain
from polyopt.driver.cache.store import Store
from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.driver.units.findings import Findings
from polyopt.driver.units.source import Source
from polyopt.support.diagnostics import Diagnostic, SourceMap
from polyopt.support.digest import digest
from polyopt.support.noted import Noted, Present, note_facts
from polyopt.support.record import entity, record
from polyopt.support.remarks import Remarks, are_collected

ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH")
"""The variables that change what a C compiler finds."""


@record
class Made:
    """`product`, what was said of the text, and what of the loops; for Python, the functions and
    variables."""

    product: str | bytes
    findings: Findings
    remarks: Remarks
    signatures: tuple[Signature, ...] = ()
    variables: tuple[Variable, ...] = ()


@entity
class Products:
    """Those in a store."""

    store: Store

    def question(self, source: Source, settings: Settings, product: str) -> str | None:
        """What to ask for; None where it may not be asked. Somebody who is told of loops asks
        another one than who only wants what is made."""
        around = circumstances()
        if around is None:
            return None
        runtime = chosen_runtime(settings)
        words = (
            *(around, product, repr(settings), source.name, str(source.is_preprocessed)),
            runtime.family if runtime is not None else "",
            "with remarks" if are_collected() else "",
            *(os.environ.get(name, "") for name in ENVIRONMENT),
            source.text,
        )
        return digest(*(word.encode(errors="surrogateescape") for word in words))

    def find(self, question: str) -> Made | None:
        facts, kept = self.store.find(question, Present()) or ((), None)
        content = self.store.content(kept["content"]) if kept is not None else None
        if kept is None or content is None:
            self.store.count("misses")
            return None
        self.store.count("hits")
        note_facts(facts)
        sources = SourceMap()
        for file, line, text in kept["lines"]:
            lines = sources.files.setdefault(file, [])
            lines += [""] * (line - len(lines))
            lines[line - 1] = text
        findings = Findings(list(made_of(kept["warnings"])), sources, made_of(kept["included"]))
        remarks = Remarks(list(made_of(kept["remarks"])), dict(kept["counters"]))
        product = content.decode(errors="surrogateescape") if kept["is_text"] else content
        return Made(
            product, findings, remarks, made_of(kept["signatures"]), made_of(kept["variables"])
        )

    def keep(self, question: str, made: Made, noted: Noted) -> None:
        """Remember what was made, unless it could not be made again so."""
        if noted.unrepeatable is not None or not are_still_so():
            return
        product, findings = made.product, made.findings
        is_text = isinstance(product, str)
        answer = {
            "content": self.store.put(
                product.encode(errors="surrogateescape") if isinstance(product, str) else product
            ),
            "is_text": is_text,
            "warnings": plain(tuple(findings.warnings)),
            "lines": _quoted_lines(findings.warnings, findings.sources),
            "included": plain(tuple(findings.included)),
            "remarks": plain(tuple(made.remarks.items)),
            "counters": made.remarks.counters,
            "signatures": plain(made.signatures),
            "variables": plain(made.variables),
        }
        self.store.keep(question, noted.facts, answer)


def _quoted_lines(
    diagnostics: Sequence[Diagnostic], sources: SourceMap
) -> tuple[tuple[str, int, str], ...]:
    """The lines of the text that the diagnostics show."""
    found: list[tuple[str, int, str]] = []
    for diagnostic in diagnostics:
        line = sources.line(diagnostic.span)
        if diagnostic.span is not None and line is not None:
            found.append((diagnostic.span.file, diagnostic.span.line, line))
        found += _quoted_lines(diagnostic.notes, sources)
    return tuple(found)
