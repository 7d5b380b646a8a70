from pycparser.c_ast import Node

class CGenerator:
    def visit(self, node: Node) -> str: ...
