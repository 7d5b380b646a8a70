"""GNU C's grammar: what `CParser` does not read of it.

    attributes    __attribute__((name, name(arguments)))  wherever [[...]] may stand, and behind
                  the suffixes of a declarator, among the specifiers, behind the braces of a type
    assembly      asm("name") behind a declarator is an attribute, asm volatile ("") a statement
    ranges        case 1 ... 5:    [1 ... 5] = 0
    operators     a ?: b    _Alignof expression    __real__ a    __imag__ a
    labels        __label__ a, b;    &&label    goto *address;
    functions     whose arguments are types, typeof without an initialiser's type: __auto_type

The token of `__attribute__` and that of `asm` have the type of `[[`, so that they are asked for
where attributes may stand.
"""

from __future__ import annotations

from typing import Any, cast

from pycparser import c_ast
from pycparser.c_ast import Attribute, AttributeSpecifier, Node
from pycparser.c_lexer import Token
from pycparser.c_parser import Coord

from polyopt.frontend.parsing.gnu_nodes import (
    Assembly,
    BlockExpression,
    ComputedGoto,
    LabelAddress,
    LocalLabels,
    NumberRange,
    Operand,
)
from polyopt.frontend.parsing.name_scopes import ScopedParser

Specifiers = dict[str, list[Any]]
"""The specifiers of a declaration by their kind, as `CParser` collects them."""

ATTRIBUTE = "__attribute__"
ASSEMBLY = "__asm__"
BEGIN = "ATTRIBUTE_BEGIN"
AUTO = "__auto_type"
LOCAL_LABELS = "__label__"
IMPLICIT = "implicit int"
"""The name of the type of a declaration that says none."""
OF_TYPES = ("__builtin_types_compatible_p",)
"""Builtin functions whose arguments are types."""
PARTS = ("__real__", "__imag__")
"""The operators that take a complex number apart."""


class InBrackets(Coord):
    """The place of an operation that stands in brackets of its own."""


_NUMBERS = frozenset(("INT_CONST_DEC", "INT_CONST_HEX", "INT_CONST_OCT", "FLOAT_CONST"))


class GnuParser(ScopedParser):
    """C's grammar with GNU's in its places. What follows a member function of `CParser` in name
    takes its place."""

    # Attributes

    def _parse_attribute_specifier_sequence(self) -> list[AttributeSpecifier]:
        groups: list[AttributeSpecifier] = []
        while (token := self._peek()) is not None and token.type == BEGIN:
            if token.value == ATTRIBUTE:
                groups.append(self._gnu_attributes())
            elif token.value == ASSEMBLY:
                groups.append(self._assembler_name())
            else:
                groups += super()._parse_attribute_specifier_sequence()
        return groups

    def _gnu_attributes(self) -> AttributeSpecifier:
        """`__attribute__((name, name(argument, ...)))`"""
        coord = self._tok_coord(self._advance())
        self._expect("LPAREN")
        self._expect("LPAREN")
        attributes: list[Attribute] = []
        while self._peek_type() != "RPAREN":
            if self._accept("COMMA"):
                continue
            name = self._advance()
            arguments: list[Node] = []
            if self._accept("LPAREN"):
                while not self._accept("RPAREN"):
                    arguments.append(self._type_or_expression())
                    if self._peek_type() != "RPAREN":
                        self._expect("COMMA")
            spelling = name.value.strip("_") or name.value
            attributes.append(Attribute(spelling, "gnu", arguments, self._tok_coord(name)))
        self._expect("RPAREN")
        self._expect("RPAREN")
        return AttributeSpecifier(attributes, coord)

    def _assembler_name(self) -> AttributeSpecifier:
        """`__asm__("name")`: what the assembler calls the thing declared."""
        coord = self._tok_coord(self._advance())
        self._expect("LPAREN")
        text = self._parse_unified_string_literal()
        self._expect("RPAREN")
        return AttributeSpecifier([Attribute("asm", "gnu", [text], coord)], coord)

    def _type_or_expression(self) -> Node:
        if self._starts_declaration():
            return self._parse_type_name()
        return self._parse_assignment_expression()

    def _attribute_declarations(
        self, nodes: list[Node], attributes: list[AttributeSpecifier]
    ) -> list[Node]:
        """Those before a declaration go with those that it has already."""
        for node in nodes:
            declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
            if isinstance(declaration, c_ast.Decl | c_ast.Typedef):
                declaration.attributes = [*attributes, *(declaration.attributes or [])]
        return nodes

    def _attach_type_attributes(self, decl: Node, spec: Specifiers) -> Node:
        """GNU's among the specifiers speak of what is declared, C23's of the type."""
        attributes = spec["type_attributes"]
        gnu = [group for group in attributes if _is_gnu(group)]
        if gnu and isinstance(decl, c_ast.Decl | c_ast.Typedef | c_ast.Typename):
            decl.attributes = [*(decl.attributes or []), *gnu]
        rest = [group for group in attributes if not _is_gnu(group)]
        return super()._attach_type_attributes(decl, {**spec, "type_attributes": rest})

    def _parse_specifiers(
        self, *, allow_storage_and_function: bool
    ) -> tuple[Specifiers | None, bool, Coord | None]:
        """Attributes stand anywhere among the specifiers."""
        attributes = self._parse_attribute_specifier_sequence()
        spec, saw_type, coord = super()._parse_specifiers(
            allow_storage_and_function=allow_storage_and_function
        )
        while spec is not None and _is_gnu_at_end(spec):
            attributes += spec["type_attributes"]
            spec["type_attributes"] = []
            if saw_type and self._peek_type() == "TYPEID":
                break
            more, saw_more, _ = super()._parse_specifiers(
                allow_storage_and_function=allow_storage_and_function
            )
            if more is None:
                break
            saw_type = saw_type or saw_more
            for kind, found in more.items():
                spec[kind] += found
        if spec is not None:
            spec["type_attributes"] = attributes + spec["type_attributes"]
        return spec, saw_type, coord

    def _parse_abstract_declarator_opt(self) -> Node | None:
        """`int (__attribute__((x)) *)(void)`"""
        self._parse_attribute_specifier_sequence()
        return super()._parse_abstract_declarator_opt()

    def _parse_direct_abstract_declarator(self) -> Node:
        if self._peek_type() != "LPAREN" or self._peek_type(2) != BEGIN:
            return super()._parse_direct_abstract_declarator()
        self._advance()
        inner = self._parse_abstract_declarator_opt()
        self._expect("RPAREN")
        if inner is None:
            self._parse_error("Invalid abstract declarator", self.clex.filename)
        return self._parse_decl_suffixes(inner)

    def _parse_direct_declarator(self, kind: str, allow_paren: bool = True) -> Node:
        if allow_paren and self._peek_type() == "LPAREN" and self._peek_type(2) == BEGIN:
            self._advance()
            attributes = self._parse_attribute_specifier_sequence()
            inner = self._parse_declarator_kind(kind, allow_paren=True)
            self._expect("RPAREN")
            if isinstance(inner, c_ast.PtrDecl | c_ast.TypeDecl):
                inner.attributes = [*(inner.attributes or []), *attributes]
            return self._parse_decl_suffixes(inner)
        return super()._parse_direct_declarator(kind, allow_paren=allow_paren)

    def _parse_pointer(self) -> Node | None:
        pointer: Node | None = None
        while (star := self._accept("TIMES")) is not None:
            quals, attributes = self._parse_behind_star()
            pointer = c_ast.PtrDecl(quals, pointer, self._tok_coord(star), attributes=attributes)
        return pointer

    def _parse_behind_star(self) -> tuple[list[str], list[AttributeSpecifier]]:
        """Attributes stand before, behind and between the qualifiers."""
        quals: list[str] = []
        attributes: list[AttributeSpecifier] = []
        while True:
            more = self._parse_attribute_specifier_sequence()
            behind = self._parse_type_qualifier_list() or []
            attributes += more
            quals += behind
            if not more and not behind:
                return quals, attributes

    def _scan_declarator_name_info(self) -> tuple[str | None, bool]:
        self._parse_attribute_specifier_sequence()
        while self._accept("TIMES"):
            self._parse_behind_star()
        return super()._scan_declarator_name_info()

    def _parse_decl_suffixes(self, decl: Node) -> Node:
        """Behind `[n]` too."""
        whole = super()._parse_decl_suffixes(decl)
        attributes = self._parse_attribute_specifier_sequence()
        if attributes:
            name = whole
            while not isinstance(name, c_ast.TypeDecl):
                name = cast("c_ast.PtrDecl", name).type
            name.attributes = [*(name.attributes or []), *attributes]
        return whole

    def _parse_struct_or_union_specifier(self) -> Node:
        node = super()._parse_struct_or_union_specifier()
        assert isinstance(node, c_ast.Struct | c_ast.Union)
        if node.decls is not None:
            node.attributes = [*node.attributes, *self._parse_attribute_specifier_sequence()]
        return node

    def _parse_enum_specifier(self) -> Node:
        node = super()._parse_enum_specifier()
        assert isinstance(node, c_ast.Enum)
        if node.values is not None:
            node.attributes = [*node.attributes, *self._parse_attribute_specifier_sequence()]
        return node

    def _parse_struct_declarator(self) -> dict[str, Node]:
        member = super()._parse_struct_declarator()
        attributes = self._parse_attribute_specifier_sequence()
        if attributes and isinstance(member["decl"], c_ast.TypeDecl):
            member["decl"].attributes = [*(member["decl"].attributes or []), *attributes]
        return member

    def _fix_decl_name_type(self, decl: Node, typename: list[Node]) -> Node:
        """What says no type is an int, as in C before 1999."""
        return super()._fix_decl_name_type(
            decl, typename or [c_ast.IdentifierType([IMPLICIT], decl.coord)]
        )

    def _parse_specifier_qualifier_list(self) -> Specifiers:
        """Qualifiers alone are of an int, too: `(const *)p`."""
        spec, _, _ = self._parse_specifiers(allow_storage_and_function=False)
        if spec is None:
            self._parse_error("Invalid specifier list", self.clex.filename)
        return spec

    def _is_inferred_auto(self, spec: Specifiers) -> bool:
        return super()._is_inferred_auto(spec) or (AUTO in spec["storage"] and not spec["type"])

    # Statements

    def _parse_external_declaration(self) -> list[Node]:
        if self._at_assembly():
            return [self._assembly()]
        token = self._peek()
        if token is not None and token.type in ("ID", "TIMES", "LPAREN"):
            return self._untyped_declaration()
        return super()._parse_external_declaration()

    def _untyped_declaration(self) -> list[Node]:
        """A declaration without specifiers, of an int: `main(argc, argv) char **argv; { ... }`."""
        declarator = self._parse_id_declarator()
        spec: Specifiers = {
            kind: [] for kind in ("qual", "alignment", "storage", "function", "type_attributes")
        }
        spec["type"] = [c_ast.IdentifierType([IMPLICIT], declarator.coord)]
        if self._peek_type() == "LBRACE" or self._starts_declaration():
            return [self._parse_function_definition(spec, declarator)]
        first: dict[str, Node] = {"decl": declarator}
        if self._accept("EQUALS"):
            first["init"] = self._parse_initializer()
        found = self._parse_init_declarator_list(first=first)
        nodes = self._build_declarations(spec=spec, decls=found, typedef_namespace=True)
        return self._parse_declaration_end(nodes)

    def _parse_block_item(self) -> Node | list[Node]:
        if self._at_assembly():
            return self._assembly()
        token = self._peek()
        if token is not None and token.type == "ID" and token.value == LOCAL_LABELS:
            return self._local_labels()
        return super()._parse_block_item()

    def _local_labels(self) -> LocalLabels:
        """`__label__ a, b;`"""
        coord = self._tok_coord(self._advance())
        names = [self._parse_identifier_or_typeid()]
        while self._accept("COMMA"):
            names.append(self._parse_identifier_or_typeid())
        self._expect("SEMI")
        return LocalLabels(names, coord)

    def _parse_statement(self) -> Node:
        if self._at_assembly():
            return self._assembly()
        token = self._peek()
        if token is not None and token.type == "GOTO" and self._peek_type(2) == "TIMES":
            self._advance()
            self._advance()
            goto = ComputedGoto(self._parse_expression(), self._tok_coord(token))
            self._expect("SEMI")
            return goto
        return super()._parse_statement()

    def _starts_statement(self) -> bool:
        return self._at_assembly() or super()._starts_statement()

    def _at_assembly(self) -> bool:
        token = self._peek()
        return token is not None and token.type == BEGIN and token.value == ASSEMBLY

    def _assembly(self) -> Assembly:
        coord = self._tok_coord(self._advance())
        while self._peek_type() in ("VOLATILE", "INLINE", "GOTO"):
            self._advance()
        self._expect("LPAREN")
        template = self._parse_unified_string_literal()
        operands: list[list[Operand]] = []
        clobbers: list[str] | None = None
        labels: list[str] = []
        while not self._accept("RPAREN"):
            if self._accept("COLONCOLON"):
                operands.append([])
            else:
                self._expect("COLON")
            if len(operands) >= 2:
                for token in self._until_colon():
                    if token.type == "ID":
                        labels.append(token.value)
                    elif token.value.startswith('"'):
                        clobbers = [*(clobbers or ()), token.value.strip('"')]
            else:
                clobbers = []
                operands.append(self._operands())
        self._expect("SEMI")
        assert isinstance(template, c_ast.Constant)
        return Assembly(template.value, operands, clobbers, labels, coord)

    def _until_colon(self) -> list[Token]:
        found: list[Token] = []
        while self._peek_type() not in ("COLON", "COLONCOLON", "RPAREN"):
            found.append(self._advance())
        return found

    def _operands(self) -> list[Operand]:
        """`[name] "constraint" (value), ...`"""
        found: list[Operand] = []
        while self._peek_type() not in ("COLON", "COLONCOLON", "RPAREN"):
            name = ""
            if self._accept("LBRACKET"):
                name = self._advance().value
                self._expect("RBRACKET")
            constraint = self._parse_unified_string_literal()
            assert isinstance(constraint, c_ast.Constant)
            self._expect("LPAREN")
            text, value = constraint.value.strip('"'), self._parse_expression()
            found.append(Operand(name, text, value, constraint.coord))
            self._expect("RPAREN")
            if not self._accept("COMMA"):
                break
        return found

    def _parse_constant_expression(self) -> Node:
        """`first ... last` behind `case` and in `[ ] =`."""
        first = super()._parse_constant_expression()
        if not self._accept("ELLIPSIS"):
            return first
        return NumberRange(first, super()._parse_constant_expression(), first.coord)

    def _parse_initializer_item(self) -> Node:
        """`name: value` is `.name = value`, and the `=` behind `[n]` may be missing."""
        if self._peek_type() in ("ID", "TYPEID") and self._peek_type(2) == "COLON":
            name = self._parse_identifier_or_typeid()
            self._expect("COLON")
            return c_ast.NamedInitializer([name], self._parse_initializer())
        if self._peek_type() in _NUMBERS and self._peek_type(2) in ("COMMA", "RBRACE"):
            # Tables are long, and most of what stands in them is this.
            return self._parse_constant()
        return super()._parse_initializer_item()

    def _parse_designation(self) -> list[Node]:
        designators = self._parse_designator_list()
        if self._peek_type() == "EQUALS" or isinstance(designators[-1], c_ast.ID):
            self._expect("EQUALS")
        return designators

    # Expressions

    def _parse_conditional_expression(self) -> Node:
        """`a ?: b` is `a ? a : b` with one evaluation of `a`: the arm that is missing is None."""
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        if_true = None if self._peek_type() == "COLON" else self._parse_expression()
        self._expect("COLON")
        if_false = self._parse_conditional_expression()
        return c_ast.TernaryOp(condition, if_true, if_false, condition.coord)

    def _parse_unary_expression(self) -> Node:
        token = self._peek()
        if token is not None and token.type == "LAND":
            self._advance()
            name = self._parse_identifier_or_typeid()
            return LabelAddress(name.name, self._tok_coord(token))
        if token is not None and token.type == "ID" and token.value in PARTS:
            self._advance()
            operand = self._parse_cast_expression()
            return c_ast.UnaryOp(token.value, operand, self._tok_coord(token))
        if token is not None and token.type == "_ALIGNOF":
            self._advance()
            operand = self._try_parse_paren_type_name()
            if operand is not None and self._peek_type() != "LBRACE":
                return c_ast.UnaryOp(token.value, operand[0], self._tok_coord(token))
            if operand is not None:
                self._reset(operand[1])
            expression = self._parse_unary_expression()
            return c_ast.UnaryOp(token.value, expression, self._tok_coord(token))
        return super()._parse_unary_expression()

    def _parse_primary_expression(self) -> Node:
        token = self._peek()
        if token is not None and token.type == "LPAREN" and self._peek_type(2) == "LBRACE":
            self._advance()
            block = self._parse_compound_statement()
            self._expect("RPAREN")
            assert isinstance(block, c_ast.Compound)
            return BlockExpression(block, self._tok_coord(token))
        if token is None or token.type != "ID" or token.value not in OF_TYPES:
            expression = super()._parse_primary_expression()
            at = expression.coord
            if token is not None and token.type == "LPAREN" and at is not None:
                expression.coord = InBrackets(at.file, at.line, at.column)
            return expression
        self._advance()
        self._expect("LPAREN")
        types = [cast("Node", self._parse_type_name())]
        while self._accept("COMMA"):
            types.append(self._parse_type_name())
        self._expect("RPAREN")
        coord = self._tok_coord(token)
        return c_ast.FuncCall(c_ast.ID(token.value, coord), c_ast.ExprList(types, coord), coord)


def _is_gnu(group: AttributeSpecifier) -> bool:
    return all(attribute.namespace == "gnu" for attribute in group.attributes)


def _is_gnu_at_end(spec: Specifiers) -> bool:
    found = spec["type_attributes"]
    return bool(found) and _is_gnu(found[-1])
