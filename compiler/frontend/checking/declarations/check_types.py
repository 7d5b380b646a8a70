"""From declarations to types: specifiers, declarators, structs, unions, enumerations.

A declarator is read inside out: pycparser's chain `PtrDecl -> ArrayDecl -> TypeDecl` says
"pointer to array of", and the type is built from its end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.declarations.check_attributes import (
    UNUSED,
    Attributes,
    alignment_of,
    apply_mode,
    attributes_of,
    read_attributes,
)
from polyopt.frontend.checking.declarations.check_qualifiers import pointer_to, qualify
from polyopt.frontend.checking.operands.union_values import make_transparent
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    Record,
    RecordType,
    VariableLength,
    VoidType,
)
from polyopt.frontend.language.record_layout import Declared, Rules, complete_record
from polyopt.frontend.parsing.gnu_syntax import IMPLICIT
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.scope import Scope
from polyopt.frontend.tree.spelling import spell_expression
from polyopt.frontend.tree.typed_tree import ComputedLength, Expr, IntConst, Symbol
from polyopt.support.diagnostics import Span

_BASIC: dict[frozenset[tuple[str, int]], CType] = {
    frozenset(Counter(text.split()).items()): type
    for texts, type in [
        ("void", ct.VOID),
        ("_Bool|bool", ct.BOOL),
        ("char", ct.CHAR),
        ("signed char", ct.SCHAR),
        ("unsigned char", ct.UCHAR),
        ("short|short int|signed short|signed short int", ct.SHORT),
        ("unsigned short|unsigned short int", ct.USHORT),
        ("int|signed|signed int", ct.INT),
        ("unsigned|unsigned int", ct.UINT),
        ("long|long int|signed long|signed long int", ct.LONG),
        ("unsigned long|unsigned long int", ct.ULONG),
        ("long long|long long int|signed long long|signed long long int", ct.LLONG),
        ("unsigned long long|unsigned long long int", ct.ULLONG),
        ("__int128|signed __int128", ct.INT128),
        ("unsigned __int128", ct.UINT128),
        ("float", ct.FLOAT),
        ("double", ct.DOUBLE),
        ("long double", ct.LDOUBLE),
        ("float _Complex", ct.COMPLEX_OF[ct.FLOAT]),
        ("_Complex|double _Complex", ct.COMPLEX_OF[ct.DOUBLE]),
        ("long double _Complex", ct.COMPLEX_OF[ct.LDOUBLE]),
    ]
    for text in texts.split("|")
}


class TypeReader:
    """Reads types; tags and enumerators that it meets are declared on the way."""

    def __init__(self, checker: Checker):
        self.checker = checker
        # Declarators of one declaration share the node of their specifier.
        self.tagged: dict[c_ast.Node, CType] = {}
        self.has_tight_records = False
        self.announced: set[tuple[str, int]] = set()
        self.enumerators: dict[str, list[Symbol] | None] = {}

    def read(self, node: c_ast.Decl | c_ast.Typedef | c_ast.Typename) -> CType:
        """The type of a `Decl`, `Typedef` or `Typename`, as it is written."""
        type = self._read_declarator(node.type)
        found = attributes_of(self.checker, node) if _has_attributes(node) else {}
        if "may_alias" in found:
            self.checker.puns = True
        type = apply_mode(self.checker, type, found)
        if isinstance(node, c_ast.Typename) and "aligned" in found:
            type = replace(type, aligned=alignment_of(self.checker, found))
        return type

    def read_parameters(self, node: c_ast.FuncDecl) -> tuple[FunctionType, list[Symbol], Scope]:
        """A function's type, its parameters, each of its adjusted type, and the scope of their
        own in which they are declared, for the sizes of later ones (C 6.2.1). That of a
        definition, with the tags and enumerators declared among them, is its body's too."""
        result = self.read_result(node)
        if node.args is None:
            prototyped = self.checker.options.std[-2:] == "23"
            if not prototyped:
                message = "a function without its parameters is no prototype"
                self.checker.warn("strict-prototypes", message, node, "write (void) for none")
            return FunctionType(result, (), prototyped=prototyped), [], Scope()
        symbols: list[Symbol] = []
        variadic = False
        self.checker.scopes.push()
        for item in node.args.params:
            if isinstance(item, c_ast.EllipsisParam):
                variadic = True
            elif isinstance(item, c_ast.ID):
                self.checker.error(
                    f"parameter '{item.name}' has no type",
                    item,
                    "names alone belong to a definition: int f(a) int a; { ... }",
                )
            else:
                assert isinstance(item, c_ast.Decl | c_ast.Typename)
                symbols.append(self.read_parameter(item))
        scope = self.checker.scopes.pop()
        match symbols:
            case [Symbol(name="", type=VoidType())] if not variadic:
                symbols = []
            case _:
                pass
        for symbol in symbols:
            if isinstance(symbol.type, VoidType):
                self.checker.error("a parameter cannot have type void", symbol.span)
        types = tuple(ct.unqualified(symbol.type) for symbol in symbols)
        return FunctionType(result, types, variadic), symbols, scope

    def read_result(self, node: c_ast.FuncDecl) -> CType:
        """What the function gives."""
        result = self._read_declarator(node.type)
        if isinstance(result, ArrayType | FunctionType):
            what = "an array" if isinstance(result, ArrayType) else "a function"
            self.checker.error(f"a function cannot return {what}", node)
        return result

    def read_parameter(self, node: c_ast.Decl | c_ast.Typename) -> Symbol:
        declared = self.read(node)
        name = node.name or ""
        symbol = Symbol(name, adjust_parameter(declared), span_of(node), "parameter")
        if isinstance(node.type, c_ast.ArrayDecl) and isinstance(symbol.type, PointerType):
            quals = node.type.dim_quals or []
            symbol.type = replace(
                symbol.type,
                const="const" in quals,
                volatile="volatile" in quals,
                restrict="restrict" in quals,
            )
        symbol.declared = declared
        symbol.is_register = "register" in (getattr(node, "storage", None) or ())
        symbol.is_nullable = _name_span(node) in self.checker.nullable
        symbol.is_defined = True
        symbol.is_used = bool(attributes_of(self.checker, node).keys() & UNUSED)
        names = self.checker.scopes.current.names
        if name in names:
            self.checker.error(f"redefinition of parameter '{name}'", node)
        if name:
            names[name] = symbol
        return symbol

    def _read_declarator(self, node: c_ast.Node) -> CType:
        match node:
            case c_ast.TypeDecl():
                base = self._read_specifier(node.type)
                return qualify(self.checker, base, node)
            case c_ast.PtrDecl():
                target = self._read_declarator(node.type)
                return pointer_to(self.checker, target, node)
            case c_ast.ArrayDecl():
                return self._read_array(node)
            case c_ast.FuncDecl():
                return self.read_parameters(node)[0]
            case _:
                return self._read_specifier(node)

    def _read_array(self, node: c_ast.ArrayDecl) -> ArrayType:
        element = self._read_declarator(node.type)
        if isinstance(element, FunctionType):
            self.checker.error("array of functions", node)
        if isinstance(element, VoidType) or not ct.is_complete(element):
            self.checker.error(f"array has incomplete element type '{element}'", node)
        return ArrayType(element, self._read_length(node))

    def _read_length(self, node: c_ast.ArrayDecl) -> int | VariableLength | None:
        dim = node.dim
        if dim is None:
            return None
        if isinstance(dim, c_ast.ID) and dim.name == "*":
            return _computed(IntConst(ct.INT, span_of(dim), 0))
        with self.checker.constants_only():
            value = self.checker.expressions.value(dim)
        if not ct.is_integer(value.type):
            self.checker.error(f"size of array has non-integer type '{value.type}'", dim)
        length = fold_integer(value)
        if length is None:
            if self.checker.scopes.is_file_scope:
                self.checker.error("size of array at file scope must be constant", dim)
            return _computed(value)
        if length < 0:
            self.checker.error("size of array is negative", dim)
        return length

    def _read_specifier(self, node: c_ast.Node) -> CType:
        match node:
            case c_ast.IdentifierType():
                return self._read_names(node)
            case c_ast.Struct() | c_ast.Union():
                return self._read_record(node)
            case c_ast.Enum():
                return self._read_enum(node)
            case c_ast.TypeOf():
                if isinstance(node.expr, c_ast.Typename):
                    return self.read(node.expr)
                return self.checker.expressions.operand(node.expr).type
            case c_ast.AttributedType():
                return self._read_specifier(node.type)
            case c_ast.Typename():
                return self.read(node)
            case c_ast.InferredType():
                self.checker.error("type inference is not supported", node, "name the type")
            case c_ast.BitIntType():
                self.checker.error("bit-precise integers are not supported", node)
            case _:
                self.checker.error("unsupported type", node)

    def _read_names(self, node: c_ast.IdentifierType) -> CType:
        names: list[str] = node.names
        if names == [IMPLICIT]:
            self.checker.warn("implicit-int", "the type is int where none is said", node)
            return ct.INT
        if len(names) == 1:
            symbol = self.checker.scopes.find_type(names[0])
            if symbol is None:
                self.checker.check_lost(names[0])
            if symbol is not None and symbol.kind == "typedef":
                symbol.is_used = True
                return symbol.type
        basic = _BASIC.get(frozenset(Counter(names).items()))
        if basic is not None:
            return self.checker.char if basic == ct.CHAR else basic
        text = " ".join(names)
        if "_Complex" in names:
            hint = "use float _Complex, double _Complex or long double _Complex"
            self.checker.error("complex numbers of integers are not supported", node, hint)
        if len(names) == 1:
            self.checker.error(f"unknown type name '{text}'", node)
        self.checker.error(f"'{text}' is not a type", node)

    # Structs, unions, enumerations

    def _read_record(self, node: c_ast.Struct | c_ast.Union) -> CType:
        if node in self.tagged:
            return self.tagged[node]
        kind = "struct" if isinstance(node, c_ast.Struct) else "union"
        type = self._find_record(node, kind)
        self.tagged[node] = type
        if node.decls is not None:
            found = read_attributes(self.checker, node.attributes)
            if "may_alias" in found:
                self.checker.puns = True
            self._read_members(node, type.record, self._rules(found))
            if "transparent_union" in found:
                make_transparent(self.checker, type, span_of(node))
        return type

    def _rules(self, found: Attributes) -> Rules:
        """What the attributes of a struct say of all its members."""
        limit = self.checker.expressions.constant(found["pack"][0]) if "pack" in found else 0
        return Rules("packed" in found, limit, alignment_of(self.checker, found))

    def _find_record(self, node: c_ast.Struct | c_ast.Union, kind: str) -> RecordType:
        scopes = self.checker.scopes
        tag: str | None = node.name
        if tag is None:
            return RecordType(Record(kind, None))
        known = scopes.find_tag(tag) if node.decls is None else scopes.current.tags.get(tag)
        if known is None:
            known = RecordType(Record(kind, tag))
            scopes.current.tags[tag] = known
        if not (isinstance(known, RecordType) and known.record.kind == kind):
            self.checker.error(f"'{tag}' is another kind of tag", node)
        if node.decls is not None and known.record.members is not None:
            self.checker.error(f"redefinition of '{kind} {tag}'", node)
        return known

    def _read_members(self, node: c_ast.Struct | c_ast.Union, record: Record, rules: Rules) -> None:
        members: list[Declared] = []
        declared: set[str] = set()
        decls = [decl for decl in node.decls or () if isinstance(decl, c_ast.Decl)]
        for position, decl in enumerate(decls):
            type = self.read(decl)
            name = decl.name
            found = attributes_of(self.checker, decl)
            bits = None if decl.bitsize is None else self._read_width(decl, type)
            if name is None and bits is None and not isinstance(type, RecordType):
                self.checker.error("declaration declares no member", decl)
            for inner in _member_names(name, type):
                if inner in declared:
                    self.checker.error(f"duplicate member '{inner}'", decl)
                declared.add(inner)
            last = position == len(decls) - 1 and (record.kind == "union" or position > 0)
            flexible = isinstance(type, ArrayType) and type.length is None and last
            if isinstance(type, FunctionType):
                self.checker.error(f"member '{name}' is declared as a function", decl)
            if ct.is_variably_modified(type):
                self.checker.error(f"member '{name}' has a variable size", decl)
            if not (flexible or ct.is_complete(type)):
                self.checker.error(f"member '{name}' has incomplete type '{type}'", decl)
            alignment = max(self.read_alignment(decl), alignment_of(self.checker, found))
            members.append(Declared(name, type, alignment, bits, "packed" in found))
        complete_record(record, members, rules)
        self.has_tight_records = self.has_tight_records or record.is_tight

    def _read_width(self, decl: c_ast.Decl, type: CType) -> int:
        """The width of a bit-field (C 6.7.2.1)."""
        assert decl.bitsize is not None
        width = self.checker.expressions.constant(decl.bitsize)
        if not isinstance(type, IntType):
            self.checker.error(f"bit-field of type '{type}', no integer", decl)
        if type.size > ct.POINTER_SIZE:
            self.checker.error(f"a bit-field of type '{type}' is not supported", decl)
        name = f"bit-field '{decl.name}'" if decl.name else "bit-field"
        if width < 0:
            self.checker.error(f"width of {name} is negative", decl.bitsize)
        if width > (1 if type.is_bool else type.bits):
            self.checker.error(f"{name} is wider than its type '{type}'", decl.bitsize)
        if width == 0 and decl.name:
            self.checker.error(f"{name} has width 0", decl.bitsize)
        return width

    def read_alignment(self, decl: c_ast.Decl) -> int:
        """The strictest `_Alignas` of a declaration, 0 for none."""
        wanted = 0
        for align in decl.align or []:
            if isinstance(align.alignment, c_ast.Typename):
                value = ct.align_of(self.read(align.alignment))
            else:
                constant = self.checker.expressions.constant(align.alignment)
                if constant < 0 or constant & (constant - 1):
                    self.checker.error("alignment is not a power of two", align)
                value = constant
            wanted = max(wanted, value)
        return wanted

    def _read_enum(self, node: c_ast.Enum) -> CType:
        if node in self.tagged:
            return self.tagged[node]
        scopes = self.checker.scopes
        tag: str | None = node.name
        if node.values is None:
            known = scopes.find_tag(tag) if tag else None
            if known is None and tag:
                # GNU C: its values follow, and its objects are as large as an int.
                known = scopes.current.tags[tag] = replace(ct.UINT, name=f"enum {tag}")
                self.announced.add((tag, len(scopes.stack)))
            if not isinstance(known, IntType):
                self.checker.error(f"'enum {tag}' is not defined", node)
            return known
        is_announced = (tag, len(scopes.stack)) in self.announced
        if tag is not None and tag in scopes.current.tags and not is_announced:
            self.checker.error(f"redefinition of 'enum {tag}'", node)
        self.announced.discard((tag or "", len(scopes.stack)))
        symbols = self._read_enumerators(node.values.enumerators)
        if node.underlying_type is not None:
            base = self.read(node.underlying_type)
            if not isinstance(base, IntType):
                self.checker.error(f"an enumeration of type '{base}', no integer", node)
        else:
            is_packed = "packed" in read_attributes(self.checker, node.attributes)
            base = _enum_base([symbol.value for symbol in symbols], is_packed)
        for symbol in symbols:
            if not ct.INT.minimum <= symbol.value <= ct.INT.maximum:
                symbol.type = base
        if is_announced and base.size != ct.UINT.size:
            self.checker.error(
                f"'enum {tag}' is used before its values, which need the type '{base}'",
                node,
                "define it first",
            )
        # Two that have no names are two types.
        at = span_of(node)
        type = replace(base, name=f"enum {tag or f'<anonymous at {at.line}:{at.column}>'}")
        self.enumerators[type.name] = None if type.name in self.enumerators else symbols
        if tag is not None:
            scopes.current.tags[tag] = type
        self.tagged[node] = type
        return type

    def enumerators_of(self, type: CType) -> list[Symbol] | None:
        """The constants of an enumerated type; None where it is none, or one of two of its name."""
        return self.enumerators.get(type.name) if isinstance(type, IntType) else None

    def is_announced(self, type: CType) -> bool:
        """Is this an enumerated type whose values nobody has told?"""
        while isinstance(type, ArrayType):
            type = type.element
        return isinstance(type, IntType) and any(
            f"enum {tag}" == type.name for tag, _ in self.announced
        )

    def _read_enumerators(self, nodes: list[c_ast.Node]) -> list[Symbol]:
        symbols: list[Symbol] = []
        following = 0
        for node in nodes:
            if not isinstance(node, c_ast.Enumerator):
                continue
            if node.value is not None:
                following = self.checker.expressions.constant(node.value)
            elif following - 1 in (ct.LONG.maximum, ct.ULONG.maximum):
                self.checker.error(f"'{node.name}' is larger than any integer", node)
            fits = ct.INT.minimum <= following <= ct.INT.maximum
            names = self.checker.scopes.current.names
            if node.name in names:
                self.checker.error(f"redefinition of '{node.name}'", node)
            symbol = Symbol(node.name, ct.INT if fits else ct.LONG, span_of(node), "enumerator")
            symbol.value = following
            names[node.name] = symbol
            symbols.append(symbol)
            following += 1
        return symbols


def _enum_base(values: list[int], is_packed: bool) -> IntType:
    """The integer type that an enumerated type is compatible with: as gcc chooses it."""
    smallest = [ct.UCHAR, ct.SCHAR, ct.USHORT, ct.SHORT] if is_packed else []
    for base in (*smallest, ct.UINT, ct.INT, ct.ULONG, ct.LONG):
        if all(base.minimum <= value <= base.maximum for value in values):
            return base
    return ct.LONG


def _name_span(node: c_ast.Node) -> Span:
    """Where the declared name stands, inside all that is said around it."""
    while isinstance(node, c_ast.Decl | c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        node = node.type
    return span_of(node)


def adjust_parameter(type: CType) -> CType:
    """Arrays and functions as parameters are pointers (C 6.7.6.3)."""
    if isinstance(type, ArrayType):
        return PointerType(type.element)
    if isinstance(type, FunctionType):
        return PointerType(type)
    return type


def _has_attributes(node: c_ast.Node) -> bool:
    """Most declarations have none."""
    inner: object = node
    while isinstance(inner, c_ast.Node):
        if getattr(inner, "attributes", None):
            return True
        inner = getattr(inner, "type", None)
    return False


def _member_names(name: str | None, type: CType) -> list[str]:
    if name is not None:
        return [name]
    if not isinstance(type, RecordType):
        return []
    return [n for m in type.record.members or () for n in _member_names(m.name, m.type)]


def _computed(value: Expr) -> ComputedLength:
    return ComputedLength(spell_expression(value) or "", value)
