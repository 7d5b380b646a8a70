"""Passes from text: what is wrong is told in words, and every pass can say what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_spec

from polyopt.pass_help import help_of_pass, list_of_passes
from polyopt.pass_specs import check_options, described, pass_from_text
from polyopt.support.diagnostics import CompileError
from polyopt.tools import polyopt_opt
from polyopt.tools.idle_passes import idle_reason
from polyopt.universe import PASSES


@dataclass(frozen=True)
class ManyPass(ModulePass):
    """Has options of all kinds."""

    name: ClassVar[str] = "many"
    needed: int
    sizes: tuple[int, ...] = ()
    kind: Literal["small", "large"] = "small"
    share: float = 0.5
    loud: bool = False
    word: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    "text",
    [
        "many{needed=1}",
        "many{needed=1 sizes=1,2}",
        "many{needed=1 kind=large share=0.25 loud=true word=hello}",
    ],
)
def test_good_options(text: str) -> None:
    check_options("pass", ManyPass, parse_spec(text))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("many", "pass 'many' needs its option 'needed': a whole number", "many{needed=…}"),
        ("many{needed=x}", "'needed' of pass 'many' is x: expected a whole number", "many{"),
        ("many{needed=1 kind=huge}", "is huge: expected small or large", "many{kind=…}"),
        ("many{needed=1 sizes=a,b}", "is a,b: expected whole numbers, as in 32,64", "many{"),
        ("many{needed=1 share=half}", "is half: expected a number with a point", "many{"),
        ("many{needed=1 loud=loud}", "is loud: expected true or false", "many{"),
        ("many{needed=1 size=1}", "pass 'many' has no option 'size'", "did you mean 'sizes'?"),
        ("many{needed=1 zzz=1}", "no option 'zzz'", "its options are needed, sizes, kind"),
    ],
)
def test_bad_options(text: str, message: str, hint: str) -> None:
    with pytest.raises(CompileError) as raised:
        check_options("pass", ManyPass, parse_spec(text))
    assert message in raised.value.diagnostic.message
    assert hint in (raised.value.diagnostic.hint or "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("poly-tiel", "unknown pass 'poly-tiel'"),
        ("poly-tile{sizes=8", "is no pass with options"),
        ("cse,dce", "is not one pass"),
    ],
)
def test_bad_texts(text: str, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        pass_from_text(text)


def test_passes_of_all_packages_have_names() -> None:
    assert str(pass_from_text("poly-tile{sizes=8,4}")) == "poly-tile{sizes=8,4}"
    assert pass_from_text("canonicalize").name == "canonicalize"


def test_words_for_types() -> None:
    assert described(int | None) == "a whole number"
    assert described(tuple[str, ...]) == "words, as in a,b"


def test_every_pass_is_listed_and_explained() -> None:
    listed = {line.split()[0]: line for line in list_of_passes().splitlines()}
    assert listed.keys() == PASSES.keys()
    for name, line in listed.items():
        assert len(line.split()) > 2, name
        assert help_of_pass(name).startswith(f"{name}\n")
    assert "  engine                  isl or scan (default isl)" in help_of_pass("poly-to-affine")


def test_options_of_polyopt_opt(capfd: pytest.CaptureFixture[str]) -> None:
    assert polyopt_opt.main(["--help-pass", "poly-check"]) == 0
    assert capfd.readouterr().out.startswith("poly-check\n")
    assert polyopt_opt.main(["--list-passes"]) == 0
    assert "\npoly-tile " in capfd.readouterr().out
    assert polyopt_opt.main(["--help-pass", "poly-chek"]) == 1
    assert "did you mean 'poly-check'?" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("poly-tile", "the module has no poly.scop operations; detect-scops makes them of C"),
        ("affine-vectorize", "the module has no affine.* operations"),
        ("contract-block", "the module has no contract.* operations"),
        ("canonicalize", None),
        ("detect-scops", None),
    ],
)
def test_a_pass_that_has_nothing_to_do_says_so(name: str, said: str | None) -> None:
    reason = idle_reason(name, ModuleOp([]))
    assert reason is None if said is None else said in (reason or "")
