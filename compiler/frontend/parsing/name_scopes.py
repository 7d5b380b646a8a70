"""Where names begin to hide types: right behind their declarators (C 6.2.1), in front of their
values and of the declarators that follow.

    rax *rax = malloc(sizeof(*rax));
    void copy(T T, char to[sizeof(T)]);

pycparser knows the names of a declaration when all of it has been read, those of parameters in the
body only. What it takes of declarators and C does not is refused here.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast
from pycparser.c_parser import Coord, ParseError

from polyopt.frontend.parsing.tokens_ahead import ParserOfTokens

_DECLARATORS = (c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)


class ScopedParser(ParserOfTokens):
    """What follows a member function of `CParser` in name takes its place."""

    _declares_types = False
    """Whether the declarators that are read are a typedef's."""

    def _parse_decl_body_with_spec(
        self, spec: dict[str, list[Any]], saw_type: bool
    ) -> list[c_ast.Node]:
        around, self._declares_types = self._declares_types, "typedef" in spec["storage"]
        try:
            return super()._parse_decl_body_with_spec(spec, saw_type)
        finally:
            self._declares_types = around

    def _parse_init_declarator(self, id_only: bool = False) -> dict[str, c_ast.Node]:
        """As it stands there, but for what is known behind the declarator, and attributes in front
        of a declarator that is not the first (GNU C)."""
        attributes = self._parse_attribute_specifier_sequence()
        decl = self._parse_id_declarator() if id_only else self._parse_declarator()
        name, coord = _declared(decl, attributes)
        if name is not None and self._peek_type() in ("EQUALS", "COMMA"):
            if self._declares_types:
                self._add_typedef_name(name, coord)
            else:
                self._add_identifier(name, coord)
        if self._accept("EQUALS"):
            return {"decl": decl, "init": self._parse_initializer()}
        return {"decl": decl}

    def _parse_function_decl(self, base_decl: c_ast.Node) -> c_ast.Node:
        """Parameters have a scope of their own, which ends with the declarator."""
        depth = len(self._scope_stack)
        self._push_scope()
        try:
            return super()._parse_function_decl(base_decl)
        finally:
            del self._scope_stack[depth:]
            self._typedef_checked_token = None

    def _parse_parameter_declaration(self) -> c_ast.Node:
        parameter = super()._parse_parameter_declaration()
        if isinstance(parameter, c_ast.Decl) and {*parameter.storage} - {"register"}:
            word = next(word for word in parameter.storage if word != "register")
            self._parse_error(f"a parameter cannot be '{word}'", parameter.coord)
        if isinstance(parameter, c_ast.Decl) and parameter.name:
            self._add_identifier(parameter.name, parameter.coord)
        return parameter

    def _build_declarations(
        self,
        spec: dict[str, list[Any]],
        decls: list[dict[str, Any]],
        typedef_namespace: bool = False,
    ) -> list[c_ast.Node]:
        for one in decls if "typedef" in spec["storage"] else []:
            if one.get("init") is not None:
                name, coord = _declared(one["decl"], [])
                self._parse_error(f"typedef '{name}' is initialised like a variable", coord)
        return super()._build_declarations(spec, decls, typedef_namespace)

    def _fix_decl_name_type(self, decl: c_ast.Node, typename: list[c_ast.Node]) -> c_ast.Node:
        """pycparser fails in its own way on an `_Atomic(T)` that cannot be."""
        try:
            return super()._fix_decl_name_type(decl, typename)
        except ParseError:
            self._parse_error("_Atomic of an array or a function", typename[0].coord)


def _declared(
    decl: c_ast.Node, attributes: list[c_ast.AttributeSpecifier]
) -> tuple[str | None, Coord | None]:
    """The name and its place; None where it has been taken for one of the specifiers. It gets the
    attributes."""
    while isinstance(decl, _DECLARATORS):
        decl = decl.type
    if not isinstance(decl, c_ast.TypeDecl):
        return None, None
    if attributes:
        decl.attributes = [*(decl.attributes or []), *attributes]
    return decl.declname, decl.coord
