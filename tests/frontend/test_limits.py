"""Programs that are large in one direction."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from polyopt.frontend.parse_c import CFrontendOptions, parse_c
from polyopt.support.diagnostics import CompileError, SourceMap


def test_long_chains_are_no_deep_nesting(run_c: Callable[..., str]) -> None:
    chain = " else ".join(f"if (x == {i}) y = {i % 7};" for i in range(300))
    total = " + ".join(["x"] * 600)
    nested = "(" * 150 + "x" + ")" * 150
    program = f"""
    #include <stdio.h>
    int main(void) {{
        int x = 299, y = 0;
        {chain}
        printf("%d %d %d\\n", y, {total}, {nested});
        return 0;
    }}
    """
    assert run_c(program) == "5 179400 299\n--- stderr\n--- status 0\n"


@pytest.mark.parametrize("operator", ["&&", "||", "+", "^"])
def test_operands_on_the_left_may_be_any_number(operator: str) -> None:
    """Constant or not: no function calls another one for each."""
    known, unknown = (f" {operator} ".join([x] * 4000) for x in ("1", "x"))
    text = f"int a[({known}) + 2]; int f(int x) {{ return {unknown}; }}"
    module = parse_c(text, "test.c", CFrontendOptions(), SourceMap())
    assert len(list(module.walk())) > 4000


def test_absurd_nesting_is_an_error_with_its_place() -> None:
    text = "int f(int x)\n{\n  return " + "1 - (" * 3000 + "x" + ")" * 3000 + ";\n}"
    with pytest.raises(CompileError, match="nested too deeply") as refused:
        parse_c(text, "test.c", CFrontendOptions(), SourceMap())
    span = refused.value.diagnostic.span
    assert span is not None
    assert span.line == 3
    assert span.column > 63 * len("1 - (")


@pytest.mark.parametrize("count", [100, 101])
@pytest.mark.parametrize("wrong", ["x = y{};", "x = {} + ;"])
def test_as_many_errors_as_anybody_reads_are_told(count: int, wrong: str) -> None:
    """However deep inside the last of them is, none is lost."""
    text = "".join(f"{{ {wrong.format(i)} " for i in range(count))
    with pytest.raises(CompileError) as refused:
        parse_c(
            f"int f(int x) {{ {text} {'}' * count} return x; }}",
            "test.c",
            CFrontendOptions(),
            SourceMap(),
        )
    assert len(refused.value.diagnostics) == min(count, 100)


def test_each_operand_decides_in_its_turn(run_c: Callable[..., str]) -> None:
    """Of a chain the first that decides is the last that is looked at, wherever it stands."""
    program = """
    #include <stdio.h>
    static int seen;
    static int look(int value) { seen++; return value; }
    int main(void) {
        for (int k = 0; k < 5; k++) {
            seen = 0;
            int all = look(k != 0) && look(k != 1) && look(k != 2) && look(k != 3);
            int one = look(k == 0) || look(k == 1) || (look(k == 2) || look(k == 3)) || 0;
            printf("%d%d%d ", all, one, seen);
            if (look(1) && 1 && look(k > 2) && (look(k > 3) || !look(0))) printf("%d ", seen);
            if (0 && look(1) && look(1)) printf("never ");
        }
        return 0;
    }
    """
    assert run_c(program) == "012 014 016 018 12 108 11 --- stderr\n--- status 0\n"
