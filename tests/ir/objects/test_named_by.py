"""What an address names, asked again after the module has changed."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser

from polyopt.dialects import cmem
from polyopt.driver.units.module_texts import make_context
from polyopt.ir.objects.named_symbols import named_by

TEXT = """
builtin.module {
  cmem.global "internal" @a size 4 align 4 bytes [1, 0, 0, 0]
  cmem.global "internal" @b size 8 align 8 bytes [2, 0, 0, 0, 0, 0, 0, 0]
  func.func @f() {
    %0 = cmem.address_of @a
    %1 = cmem.address_of @b
    %2 = cmem.address_of @nobody
    func.return
  }
}
"""


def _module() -> tuple[ModuleOp, list[cmem.GlobalOp], list[cmem.AddressOfOp]]:
    module = Parser(make_context(), TEXT).parse_module()
    objects = [op for op in module.walk() if isinstance(op, cmem.GlobalOp)]
    return module, objects, [op for op in module.walk() if isinstance(op, cmem.AddressOfOp)]


def test_names_stand_for_what_bears_them() -> None:
    _, objects, addresses = _module()
    for _ in range(2):
        assert [named_by(address) for address in addresses] == [*objects, None]


def test_names_change_hands() -> None:
    _, (first, second), (a, b, other) = _module()
    assert (named_by(a), named_by(b)) == (first, second)
    first.properties["sym_name"], second.properties["sym_name"] = (
        StringAttr("b"),
        StringAttr("a"),
    )
    assert (named_by(a), named_by(b)) == (second, first)
    second.properties["sym_name"] = StringAttr("nobody")
    assert (named_by(a), named_by(other)) == (None, second)


def test_what_was_taken_out_is_not_found() -> None:
    module, (first, _), (a, _, _) = _module()
    assert named_by(a) is first
    first.detach()
    assert named_by(a) is None
    module.body.block.add_op(first)
    assert named_by(a) is first


def test_modules_have_names_of_their_own() -> None:
    _, (first, _), (a, _, _) = _module()
    _, (other_first, _), (other_a, _, _) = _module()
    assert named_by(a) is first
    assert named_by(other_a) is other_first
