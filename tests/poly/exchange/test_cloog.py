"""CLooG's input read by isl, whose reader CLooG uses: the domains and the order are ours."""

import islpy as isl

from polyopt.poly.exchange.cloog_text import cloog_text
from polyopt.poly.exchange.openscop import Matrix, OpenScop, OpenScopStatement, Relation
from polyopt.poly.exchange.openscop_matrices import matrices_of_map, matrices_of_set

PARAMETERS = isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 1).set_dim_name(isl.dim_type.param, 0, "n")


def statement(name: str, domain: str, order: str) -> OpenScopStatement:
    one = isl.Set(domain)
    relations = (
        Relation("DOMAIN", matrices_of_set(one, PARAMETERS)),
        Relation("SCATTERING", matrices_of_map(isl.Map(order), PARAMETERS)),
    )
    names = tuple(f"i{k}" for k in range(one.dim(isl.dim_type.set)))
    return OpenScopStatement(relations, names, f"{name}();")


def test_isl_reads_what_was_meant() -> None:
    domains = [
        "[n] -> { [i] : 0 <= i < n and i mod 3 = 1 }",
        "[n] -> { [i, j] : 0 <= i < n and 0 <= j < i or n <= i < 2n and j = 3 }",
    ]
    orders = ["[n] -> { [i] -> [0, i] }", "[n] -> { [i, j] -> [1, j, floor(i/2), i] }"]
    context = Relation("CONTEXT", (Matrix(((1, 1, -1),), 0, 0, 0, 1),))
    pairs = zip("ST", domains, orders, strict=True)
    statements = tuple(statement(*one) for one in pairs)
    lines = cloog_text(OpenScop(context, ("n",), statements, {})).splitlines()
    blocks = _matrices([line for line in lines if not line.startswith("#")])
    assert blocks[0].splitlines()[0] == "1 3 0 0 0 1"
    by_isl = [isl.Set.read_from_str(isl.DEFAULT_CONTEXT, text) for text in blocks[1:4]]
    read = [by_isl[0], by_isl[1].union(by_isl[2])]
    for mine, text in zip(read, domains, strict=True):
        assert _named(mine).is_equal(isl.Set(text))
    wanted = ["[n] -> { [i] -> [0, i, 0, 0] }", orders[1]]
    for text, order in zip(blocks[4:], wanted, strict=True):
        found = isl.Map.read_from_str(isl.DEFAULT_CONTEXT, text)
        assert found.set_dim_name(isl.dim_type.param, 0, "n").is_equal(isl.Map(order))


def _named(value: isl.Set) -> isl.Set:
    return value.set_dim_name(isl.dim_type.param, 0, "n")


def _matrices(lines: list[str]) -> list[str]:
    """The matrices of the file, each with its line of six numbers."""
    found = list[str]()
    for k, line in enumerate(lines):
        if len(line.split()) == 6 and not line.startswith(" "):
            found.append("\n".join(lines[k : k + 1 + int(line.split()[0])]))
    return found
