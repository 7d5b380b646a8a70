"""The nodes of pycparser's syntax tree: what `_c_ast.cfg` says, with types."""

from pycparser.c_parser import Coord

class Node:
    coord: Coord | None
    attr_names: tuple[str, ...]
    def children(self) -> tuple[tuple[str, Node], ...]: ...

class ArrayDecl(Node):
    type: Node
    dim: Node | None
    dim_quals: list[str]
    attributes: list[AttributeSpecifier]

class ArrayDesignator(Node):
    expr: Node

class ArrayRef(Node):
    name: Node
    subscript: Node

class Assignment(Node):
    op: str
    lvalue: Node
    rvalue: Node

class Alignas(Node):
    alignment: Node

class Attribute(Node):
    name: str
    namespace: str | None
    arguments: str | list[Node] | None
    def __init__(
        self,
        name: str,
        namespace: str | None,
        arguments: str | list[Node] | None,
        coord: Coord | None = ...,
    ) -> None: ...

class AttributeSpecifier(Node):
    attributes: list[Attribute]
    def __init__(self, attributes: list[Attribute], coord: Coord | None = ...) -> None: ...

class AttributeDeclaration(Node):
    attributes: list[AttributeSpecifier]

class AttributedStatement(Node):
    attributes: list[AttributeSpecifier]
    stmt: Node

class AttributedType(Node):
    type: Node
    attributes: list[AttributeSpecifier]

class BinaryOp(Node):
    op: str
    left: Node
    right: Node
    def __init__(self, op: str, left: Node, right: Node, coord: Coord | None = ...) -> None: ...

class BitIntType(Node):
    width: Node
    signedness: str | None

class Break(Node): ...

class Case(Node):
    expr: Node
    stmts: list[Node]
    attributes: list[AttributeSpecifier]

class Cast(Node):
    to_type: Typename
    expr: Node

class Compound(Node):
    block_items: list[Node] | None
    def __init__(self, block_items: list[Node] | None = ..., coord: Coord | None = ...) -> None: ...

class CompoundLiteral(Node):
    type: Typename
    init: InitList
    storage: list[str]

class Constant(Node):
    type: str
    value: str
    def __init__(self, type: str = ..., value: str = ..., coord: Coord | None = ...) -> None: ...

class Continue(Node): ...

class Decl(Node):
    name: str | None
    quals: list[str]
    align: list[Alignas] | None
    storage: list[str]
    funcspec: list[str]
    type: Node
    init: Node | None
    bitsize: Node | None
    attributes: list[AttributeSpecifier]

class DeclList(Node):
    decls: list[Node]

class Default(Node):
    stmts: list[Node]
    attributes: list[AttributeSpecifier]

class DoWhile(Node):
    cond: Node
    stmt: Node

class EllipsisParam(Node): ...

class EmptyStatement(Node):
    def __init__(self, coord: Coord | None = ...) -> None: ...

class Enum(Node):
    name: str | None
    values: EnumeratorList | None
    underlying_type: Typename | None
    attributes: list[AttributeSpecifier]

class Enumerator(Node):
    name: str
    value: Node | None
    attributes: list[AttributeSpecifier]

class EnumeratorList(Node):
    enumerators: list[Node]

class ExprList(Node):
    exprs: list[Node]
    def __init__(self, exprs: list[Node], coord: Coord | None = ...) -> None: ...

class FileAST(Node):
    ext: list[Node]
    def __init__(self, ext: list[Node]) -> None: ...

class For(Node):
    init: Node | None
    cond: Node | None
    next: Node | None
    stmt: Node

class FuncCall(Node):
    name: Node
    args: ExprList | None
    def __init__(self, name: Node, args: ExprList | None, coord: Coord | None = ...) -> None: ...

class FuncDecl(Node):
    args: ParamList | None
    type: Node
    attributes: list[AttributeSpecifier]

class FuncDef(Node):
    decl: Decl
    param_decls: list[Node] | None
    body: Compound

class GenericAssociation(Node):
    type: Typename | None
    expr: Node

class GenericSelection(Node):
    expr: Node
    associations: list[GenericAssociation]

class Goto(Node):
    name: str

class ID(Node):
    name: str
    def __init__(self, name: str, coord: Coord | None = ...) -> None: ...

class IdentifierType(Node):
    names: list[str]
    def __init__(self, names: list[str], coord: Coord | None = ...) -> None: ...

class If(Node):
    cond: Node
    iftrue: Node
    iffalse: Node | None

class InferredType(Node): ...

class InitList(Node):
    exprs: list[Node]

class Label(Node):
    name: str
    stmt: Node
    attributes: list[AttributeSpecifier]
    def __init__(self, name: str, stmt: Node, coord: Coord | None = ...) -> None: ...

class NamedInitializer(Node):
    name: list[Node]
    expr: Node
    def __init__(self, name: list[Node], expr: Node, coord: Coord | None = ...) -> None: ...

class ParamList(Node):
    params: list[Node]

class PtrDecl(Node):
    quals: list[str] | None
    type: Node
    attributes: list[AttributeSpecifier]
    def __init__(
        self,
        quals: list[str] | None,
        type: Node | None,
        coord: Coord | None = ...,
        *,
        attributes: list[AttributeSpecifier] | None = ...,
    ) -> None: ...

class Return(Node):
    expr: Node | None

class StaticAssert(Node):
    cond: Node
    message: Constant | None

class Struct(Node):
    name: str | None
    decls: list[Node] | None
    attributes: list[AttributeSpecifier]

class StructRef(Node):
    name: Node
    type: str
    field: ID

class Switch(Node):
    cond: Node
    stmt: Node

class TernaryOp(Node):
    cond: Node
    iftrue: Node | None
    iffalse: Node
    def __init__(
        self, cond: Node, iftrue: Node | None, iffalse: Node, coord: Coord | None = ...
    ) -> None: ...

class TypeDecl(Node):
    declname: str | None
    quals: list[str] | None
    align: list[Alignas] | None
    type: Node
    attributes: list[AttributeSpecifier]

class Typedef(Node):
    name: str
    quals: list[str]
    storage: list[str]
    type: Node
    attributes: list[AttributeSpecifier]

class Typename(Node):
    name: str | None
    quals: list[str]
    align: list[Alignas] | None
    type: Node
    attributes: list[AttributeSpecifier]

class TypeOf(Node):
    op: str
    expr: Node

class UnaryOp(Node):
    op: str
    expr: Node
    def __init__(self, op: str, expr: Node, coord: Coord | None = ...) -> None: ...

class Union(Node):
    name: str | None
    decls: list[Node] | None
    attributes: list[AttributeSpecifier]

class While(Node):
    cond: Node
    stmt: Node

class Pragma(Node):
    string: str | Constant
