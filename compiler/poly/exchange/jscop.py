"""JSCoP: a SCoP as the JSON text that Polly writes and reads (`lib/Exchange/JSONExporter.cpp`).

    { "arrays":     [{ "name", "sizes": ["*" or a number, ...], "type" }, ...],
      "context":    a set of parameter values,
      "location":   "file:first-last",                       (where it is known)
      "name":       the SCoP's,
      "statements": [{ "accesses": [{ "kind": "read" or "write", "relation" }, ...],
                       "domain", "name", "schedule": { S[i] -> [d_0, ..., d_n] } }, ...] }

Sets and relations are isl's text. Polly names files `<function>___<name>.jscop[.<postfix>]`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import islpy as isl

from polyopt.poly.exchange.description import (
    DescribedAccess,
    DescribedArray,
    DescribedStatement,
    Description,
)
from polyopt.poly.isl.messages import explain
from polyopt.support.diagnostics import CompileError, Span

INDENT = 3
KINDS = ("read", "write")
_T = TypeVar("_T")


def jscop_text(jscop: Description) -> str:
    """The file as Polly writes it: every relation names all parameters, in the context's order,
    by which Polly tells them from one another."""
    space = jscop.context.get_space()
    content: dict[str, Any] = {
        "arrays": [
            {"name": array.name, "sizes": list(array.sizes), "type": array.type}
            for array in jscop.arrays
        ],
        "context": str(jscop.context),
    }
    if jscop.location is not None:
        content["location"] = jscop.location
    content["name"] = jscop.name
    content["statements"] = [
        {
            "accesses": [
                {"kind": access.kind, "relation": str(access.relation.align_params(space))}
                for access in statement.accesses
            ],
            "domain": str(statement.domain.align_params(space)),
            "name": statement.name,
            "schedule": str(statement.schedule.align_params(space)),
        }
        for statement in jscop.statements
    ]
    return json.dumps(content, indent=INDENT)


def parse_jscop(text: str, file: str) -> Description:
    """Raises CompileError with the line in `file` for what is no JSCoP."""
    try:
        content: Any = json.loads(text)
    except json.JSONDecodeError as error:
        span = Span(file, error.lineno, error.colno)
        raise CompileError(f"no JSON: {error.msg}", span) from None
    except RecursionError:
        raise CompileError("no JSCoP: nested too deeply", Span(file, 1)) from None
    return _Reader(text, file).read(content)


@dataclass(frozen=True)
class _Reader:
    """From JSON's values to data. `near` is a text that stands in the file near the value: it
    tells the line of an error."""

    text: str
    file: str

    def read(self, content: Any) -> Description:
        name = self.string(content, "name", "")
        statements = self.list(content, "statements", name)
        location = self.string(content, "location", name) if "location" in content else None
        found = Description(
            name,
            self.parsed(isl.Set, self.string(content, "context", name)),
            tuple(self.array(one, name) for one in self.list(content, "arrays", name)),
            tuple(self.statement(one, name) for one in statements),
            location,
        )
        for one, written in zip(found.statements, statements, strict=True):
            self.check_parameters(found.context.get_space(), one, written)
        for kind, names in (
            ("array", [array.name for array in found.arrays]),
            ("statement", [statement.name for statement in found.statements]),
        ):
            twice = next((one for one in names if names.count(one) > 1), None)
            if twice is not None:
                raise self.error(f"there are two {kind}s '{twice}'", twice)
        return found

    def check_parameters(
        self, known: isl.Space, statement: DescribedStatement, content: dict[str, Any]
    ) -> None:
        """The schedule speaks of the context's parameters only."""
        space, kind = statement.schedule.get_space(), isl.dim_type.param
        for k in range(space.dim(kind)):
            name = space.get_dim_name(kind, k) or ""
            if known.find_dim_by_name(kind, name) < 0:
                raise self.error(
                    f"the schedule of '{statement.name}' speaks of '{name}', "
                    "which is no parameter of the SCoP",
                    content["schedule"],
                )

    def array(self, content: Any, near: str) -> DescribedArray:
        name = self.string(content, "name", near)
        sizes = self.list(content, "sizes", name)
        if not all(isinstance(size, str) for size in sizes):
            raise self.error("the sizes of an array are texts", name)
        return DescribedArray(name, tuple(sizes), self.string(content, "type", name))

    def statement(self, content: Any, near: str) -> DescribedStatement:
        name = self.string(content, "name", near)
        domain = self.string(content, "domain", name)
        schedule = self.string(content, "schedule", name)
        found = DescribedStatement(
            name,
            self.parsed(isl.Set, domain),
            self.parsed(isl.Map, schedule),
            tuple(self.access(one, name) for one in self.list(content, "accesses", name)),
        )
        if found.domain.get_tuple_name() != name:
            raise self.error(f"the domain of statement '{name}' is not its own", domain)
        self.check_instances(found, "the schedule", found.schedule, schedule)
        for one, written in zip(found.accesses, content["accesses"], strict=True):
            self.check_instances(found, "an access", one.relation, written["relation"])
        return found

    def check_instances(
        self, statement: DescribedStatement, what: str, relation: isl.Map, text: str
    ) -> None:
        """It speaks of the statement's instances."""
        space, in_ = relation.get_space(), isl.dim_type.in_
        depth = statement.domain.dim(isl.dim_type.set)
        if space.get_tuple_name(in_) != statement.name or space.dim(in_) != depth:
            raise self.error(f"{what} of statement '{statement.name}' is not its own", text)

    def access(self, content: Any, near: str) -> DescribedAccess:
        kind = self.string(content, "kind", near)
        if kind not in KINDS:
            raise self.error(f"expected an access of kind read or write, got {kind!r}", near)
        relation = self.string(content, "relation", near)
        return DescribedAccess(kind == "write", self.parsed(isl.Map, relation))

    def parsed(self, kind: Callable[[str], _T], text: str) -> _T:
        try:
            return kind(text)
        except isl.Error as error:
            raise self.error(f"isl does not read '{text}': {explain(error)}", text) from None

    def string(self, content: Any, key: str, near: str) -> str:
        return cast(str, self.value(content, key, near, str, "a text"))

    def list(self, content: Any, key: str, near: str) -> list[Any]:
        return cast("list[Any]", self.value(content, key, near, list, "a list"))

    def value(self, content: Any, key: str, near: str, kind: type, described: str) -> Any:
        if not isinstance(content, dict):
            raise self.error(f"expected an object with '{key}' in it", near)
        found = cast("dict[str, Any]", content).get(key)
        if not isinstance(found, kind):
            problem = "missing" if found is None else f"not {described}"
            raise self.error(f"'{key}' is {problem}", near)
        return found

    def error(self, message: str, near: str) -> CompileError:
        position = self.text.find(json.dumps(near)) if near else 0
        return CompileError(message, Span(self.file, self.text.count("\n", 0, position) + 1))
