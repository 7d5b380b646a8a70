"""`#pragma omp …` as data: a directive's name and its clauses, each with its words and its place.

What a directive may be and which clauses it takes are tables. What OpenMP has and we have not is in
the tables too, with the reason: nothing is read and then forgotten.
"""

from __future__ import annotations

from typing import NoReturn

from pcpp.parser import LexToken

from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import entity

_DATA = "private firstprivate"
_PARALLEL = f"if num_threads default shared copyin reduction proc_bind allocate {_DATA}"
_LOOP = f"lastprivate linear reduction schedule collapse ordered nowait order allocate {_DATA}"
_SIMD = "safelen simdlen linear aligned nontemporal private lastprivate reduction collapse order if"
_SECTIONS = f"lastprivate reduction nowait allocate {_DATA}"
_TASK = f"if final untied default mergeable shared priority in_reduction allocate {_DATA}"
_TASKLOOP = f"{_TASK} lastprivate reduction grainsize num_tasks collapse nogroup"
_TEAMS = f"num_teams thread_limit default shared reduction allocate {_DATA}"
_DISTRIBUTE = f"lastprivate collapse dist_schedule order allocate {_DATA}"
_ATOMIC = "read write update capture compare fail weak seq_cst acq_rel acquire release relaxed hint"

CLAUSES: dict[str, frozenset[str]] = {
    name: frozenset(clauses.split())
    for name, clauses in {
        "parallel": _PARALLEL,
        "for": _LOOP,
        "for simd": f"{_LOOP} {_SIMD}",
        "parallel for": f"{_PARALLEL} {_LOOP}".replace(" nowait", ""),
        "parallel for simd": f"{_PARALLEL} {_LOOP} {_SIMD}".replace(" nowait", ""),
        "simd": _SIMD,
        "loop": "bind collapse order lastprivate private reduction",
        "parallel loop": f"{_PARALLEL} bind collapse order lastprivate",
        "parallel master": _PARALLEL,
        "parallel masked": f"{_PARALLEL} filter",
        "sections": _SECTIONS,
        "parallel sections": f"{_PARALLEL} {_SECTIONS}".replace(" nowait", ""),
        "section": "",
        "single": f"copyprivate nowait allocate {_DATA}",
        "master": "",
        "masked": "filter",
        "critical": "hint",
        "atomic": _ATOMIC,
        "barrier": "",
        "flush": "seq_cst acq_rel acquire release",
        "ordered": "threads simd depend doacross",
        "task": f"{_TASK} depend affinity detach",
        "taskloop": _TASKLOOP,
        "taskloop simd": f"{_TASKLOOP} {_SIMD}",
        **{
            f"{around} taskloop{simd}": f"{_TASKLOOP} {_SIMD if simd else ''} {more}"
            for around, more in (
                ("master", ""),
                ("masked", "filter"),
                ("parallel master", _PARALLEL),
                ("parallel masked", f"{_PARALLEL} filter"),
            )
            for simd in ("", " simd")
        },
        "teams": _TEAMS,
        "teams loop": f"{_TEAMS} bind collapse order lastprivate",
        **{
            f"{around}distribute{inner}": f"{_DISTRIBUTE} {clauses} {more}"
            for around, clauses in (("", ""), ("teams ", _TEAMS))
            for inner, more in (
                ("", ""),
                (" simd", _SIMD),
                (" parallel for", f"{_PARALLEL} {_LOOP}".replace(" nowait", "")),
                (" parallel for simd", f"{_PARALLEL} {_LOOP} {_SIMD}".replace(" nowait", "")),
            )
        },
        "cancel": "parallel sections for taskgroup if",
        "cancellation point": "parallel sections for taskgroup",
        "scan": "inclusive exclusive",
        "taskwait": "depend nowait",
        "taskyield": "",
        "taskgroup": "task_reduction allocate",
        "threadprivate": "",
        "declare simd": "simdlen linear aligned uniform inbranch notinbranch",
        "declare reduction": "",
    }.items()
}
"""The clauses of each directive."""

_STANDALONE = frozenset("barrier flush taskwait taskyield cancel scan".split()) | {
    "cancellation point"
}
DECLARATIVE = frozenset(("threadprivate", "declare simd", "declare reduction"))

_OTHER_DIRECTIVES = {
    "target": "there is no device to run it",
    "scope": "'parallel' and 'single' do without",
    "metadirective": "conditional compilation chooses directives",
    "depobj": "tasks have no dependences",
    "requires": "nothing may be required",
    "allocate": "memory comes from where C takes it",
    "interop": "there is no foreign runtime",
    "tile": "--schedule= tiles loops",
    "unroll": "--schedule= unrolls loops",
    "assumes": "what is assumed is proved",
    "assume": "what is assumed is proved",
    "dispatch": "functions have no variants",
}
_OTHER_CLAUSES = {
    "allocate": "memory comes from where C takes it",
    "detach": "a task ends with its statement",
}
_WITHOUT_ARGUMENT = frozenset(
    "nowait untied mergeable threads simd inbranch notinbranch read write update capture seq_cst "
    "acq_rel acquire release relaxed compare weak nogroup parallel sections for taskgroup".split()
)
_MAYBE_ARGUMENT = frozenset(("ordered",))
_MANY_TIMES = frozenset(
    "private firstprivate lastprivate shared copyin copyprivate reduction linear aligned depend "
    "uniform nontemporal if in_reduction task_reduction affinity doacross inclusive "
    "exclusive".split()
)
_COMBINED = sorted(
    (
        name
        for name in CLAUSES
        if " " in name and name.split()[0] not in ("declare", "cancellation")
    ),
    key=lambda name: -len(name),
)
_FIRST_WORDS = frozenset(name.split()[0] for name in CLAUSES)


@entity
class Clause:
    name: str
    span: Span
    words: list[LexToken]


@entity
class Directive:
    """`words` is what stands in brackets behind the name: of critical, flush, threadprivate,
    declare reduction."""

    name: str
    span: Span
    clauses: list[Clause]
    words: list[LexToken] | None = None

    def all(self, name: str) -> list[Clause]:
        return [clause for clause in self.clauses if clause.name == name]

    def one(self, name: str) -> Clause | None:
        return next((clause for clause in self.clauses if clause.name == name), None)

    def has(self, name: str) -> bool:
        return self.one(name) is not None

    @property
    def is_standalone(self) -> bool:
        """No statement belongs to it."""
        return self.name in _STANDALONE or (
            self.name == "ordered" and (self.has("depend") or self.has("doacross"))
        )


def read_directive(line: list[LexToken]) -> Directive:
    """The directive that a line says; its first token is `omp`."""
    return _Reader(line).directive()


class _Reader:
    def __init__(self, line: list[LexToken]):
        self.line = line
        self.position = 1

    def directive(self) -> Directive:
        span = place_of(self.line[1] if len(self.line) > 1 else self.line[0])
        name = self._name(span)
        words = None
        if name in ("critical", "flush", "threadprivate", "declare reduction", "declare simd"):
            words = self._brackets() if self._peek() == "(" else None
        if name in ("threadprivate", "declare reduction") and words is None:
            self._fail(f"'{name}' needs brackets behind it", self._place())
        if name == "declare reduction":
            return Directive(name, span, [self._initializer()] if self._peek() else [], words)
        clauses: list[Clause] = []
        while self._peek():
            if self._peek() == "," and clauses:
                self.position += 1
            clauses.append(self._clause(name, clauses))
        return Directive(name, span, clauses, words)

    def _name(self, span: Span) -> str:
        first = self._word("a directive behind '#pragma omp'")
        following = [token.value for token in self.line[self.position : self.position + 4]]
        if first in ("declare", "cancellation", "end"):
            second = following[0] if following else ""
            if f"{first} {second}" not in CLAUSES:
                self._fail(f"'#pragma omp {first} {second}'".rstrip() + " is not supported", span)
            self.position += 1
            return f"{first} {second}"
        for name in _COMBINED:
            words = name.split()
            if [first, *following][: len(words)] == words:
                self.position += len(words) - 1
                return name
        if first in _OTHER_DIRECTIVES:
            raise CompileError(
                f"'#pragma omp {first}' is not supported", span, _OTHER_DIRECTIVES[first]
            )
        if first not in _FIRST_WORDS:
            hint = did_you_mean(first, [*_FIRST_WORDS, *_OTHER_DIRECTIVES])
            raise CompileError(f"'{first}' is no directive of OpenMP", span, hint)
        return first

    def _clause(self, directive: str, before: list[Clause]) -> Clause:
        span = self._place()
        name = self._word("a clause")
        if name not in CLAUSES[directive]:
            if directive in _FIRST_WORDS and name in _OTHER_DIRECTIVES:
                raise CompileError(
                    f"'#pragma omp {directive} {name}' is not supported",
                    span,
                    _OTHER_DIRECTIVES[name],
                )
            hint = did_you_mean(name, CLAUSES[directive])
            self._fail(f"'{name}' is no clause of '#pragma omp {directive}'", span, hint)
        if name in _OTHER_CLAUSES:
            self._fail(f"clause '{name}' is not supported", span, _OTHER_CLAUSES[name])
        if name not in _MANY_TIMES and any(clause.name == name for clause in before):
            self._fail(f"clause '{name}' is given twice", span)
        if name in _WITHOUT_ARGUMENT:
            return Clause(name, span, [])
        if self._peek() != "(":
            if name in _MAYBE_ARGUMENT:
                return Clause(name, span, [])
            self._fail(f"clause '{name}' needs brackets behind it", self._place())
        return Clause(name, span, self._brackets())

    def _initializer(self) -> Clause:
        span = self._place()
        name = self._word("'initializer'")
        if name != "initializer":
            self._fail(f"'{name}' is no clause of '#pragma omp declare reduction'", span)
        words = self._brackets()
        if self._peek():
            self._fail("a directive ends here", self._place())
        return Clause(name, span, words)

    def _brackets(self) -> list[LexToken]:
        """What stands between brackets."""
        opening = self._place()
        if self._peek() != "(":
            self._fail("expected '('", opening)
        depth = 0
        for index in range(self.position, len(self.line)):
            value = self.line[index].value
            depth += (value in "([{") - (value in ")]}")
            if depth == 0:
                words = self.line[self.position + 1 : index]
                self.position = index + 1
                if not words:
                    self._fail("there is nothing between these brackets", opening)
                return words
        self._fail("this bracket is not closed", opening)

    def _peek(self) -> str:
        return self.line[self.position].value if self.position < len(self.line) else ""

    def _word(self, what: str) -> str:
        word = self._peek()
        if not word.isidentifier():
            self._fail(f"expected {what}" + (f" before '{word}'" if word else ""), self._place())
        self.position += 1
        return word

    def _place(self) -> Span:
        """Of the next token; of what is missing at the end, right behind the last one."""
        if self.position < len(self.line):
            return place_of(self.line[self.position])
        last = place_of(self.line[-1])
        column = last.column + len(self.line[-1].value) if last.column else 0
        return Span(last.file, last.line, column)

    def _fail(self, message: str, span: Span, hint: str | None = None) -> NoReturn:
        raise CompileError(message, span, hint)


def split_at(
    words: list[LexToken], separator: str, at_most: int | None = None
) -> list[list[LexToken]]:
    """The words between separators that stand in no brackets, between the first few of them.

    A colon that belongs to a `?` separates nothing."""
    parts: list[list[LexToken]] = [[]]
    depth = conditions = 0
    for word in words:
        depth += (word.value in "([{") - (word.value in ")]}")
        wanted = at_most is None or len(parts) <= at_most
        if depth == 0 and word.value == "?":
            conditions += 1
        ends_condition = depth == 0 and word.value == ":" and conditions > 0
        if ends_condition:
            conditions -= 1
        if word.value == separator and depth == 0 and wanted and not ends_condition:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
