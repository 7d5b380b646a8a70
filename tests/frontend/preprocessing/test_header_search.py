"""Where headers are found, which library they come from, and what of them is read."""

from pathlib import Path

import pytest

from polyopt.frontend.options import GNU_C_VERSION
from polyopt.frontend.parse_c import CFrontendOptions, parse_c
from polyopt.frontend.preprocess_c import preprocess_c
from polyopt.frontend.preprocessing.header_search import Header
from polyopt.frontend.tokens.library_headers import HEADERS
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap

needs_system = pytest.mark.skipif(
    not Path("/usr/include/fcntl.h").exists(), reason="no headers of the system"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("here", "quote", "own", "system", "after"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.h").write_text(f"int found_{name};\n")
        (tmp_path / name / f"{name}.h").write_text(f"int only_{name};\n")
    return tmp_path


OPTIONS = CFrontendOptions(
    quote_dirs=("quote",), include_dirs=("own",), system_dirs=("system",), after_dirs=("after",)
)


def text_of(text: str, options: CFrontendOptions = OPTIONS, file: str = "here/t.c") -> list[str]:
    """The words after preprocessing."""
    result = preprocess_c(text, file, options, SourceMap(), with_markers=False)
    return [word for word in result.replace(";", " ").split() if word != "int"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('#include "all.h"', ["found_here"]),
        ("#include <all.h>", ["found_own"]),
        ('#include "quote.h"', ["only_quote"]),
        ('#include "after.h"\n#include <system.h>', ["only_after", "only_system"]),
        ("#if __has_include(<quote.h>)\nyes\n#else\nno\n#endif", ["no"]),
        ('#if __has_include("quote.h") && defined __has_include\nyes\n#endif', ["yes"]),
        ("#ifdef __has_include\nyes\n#endif", ["yes"]),
        ('#define H "all.h"\n#if __has_include(H)\nyes\n#endif', ["yes"]),
        ("#define H <own.h>\n#if __has_include ( H ) && 1\nyes\n#endif", ["yes"]),
        ('#if __has_include_next("all.h")\n#include_next "all.h"\n#endif', ["found_here"]),
        ("#define H <none.h>\n#if __has_include(H)\nyes\n#else\nno\n#endif", ["no"]),
    ],
)
def test_order_of_folders(text: str, found: list[str]):
    assert text_of(f"{text}\n") == found


def test_next_header(folder: Path):
    (folder / "own" / "all.h").write_text("first\n#include_next <all.h>\n")
    (folder / "system" / "all.h").write_text("second\n#include_next <all.h>\n")
    assert text_of("#include <all.h>\n") == ["first", "second", "found_after"]


def test_later_folder_keeps_its_place():
    """As of gcc: -I of a folder that is one of the system's changes nothing."""
    options = CFrontendOptions(include_dirs=("system", "own"), system_dirs=("system",))
    assert text_of("#include <all.h>\n", options) == ["found_own"]


def test_forced_includes_come_first(folder: Path):
    (folder / "forced.h").write_text("#define VALUE 3\n")
    options = CFrontendOptions(forced_includes=("forced.h",))
    assert text_of("VALUE __FILE__\n", options) == ["3", '"here/t.c"']


def test_only_macros_are_kept_of_macro_files(folder: Path):
    (folder / "macros.h").write_text("#define VALUE 3\nint gone;\n")
    (folder / "forced.h").write_text("int seen[VALUE];\n#undef VALUE\n")
    options = CFrontendOptions(forced_includes=("forced.h",), macro_files=("macros.h",))
    assert text_of("VALUE\n", options) == ["seen[3]", "VALUE"]


def test_system_folders_lie_in_the_root(folder: Path):
    (folder / "system/usr/include").mkdir(parents=True)
    (folder / "system/usr/include/only_there.h").write_text("found\n")
    asked = "#include <only_there.h>\n"
    for root in ("system", f"{folder}/system/"):
        assert text_of(asked, CFrontendOptions(sysroot=root)) == ["found"]
    with pytest.raises(CompileError, match=r"'only_there\.h' file not found"):
        text_of(asked)


def test_a_guard_that_is_gone_guards_no_more(folder: Path):
    (folder / "own" / "g.h").write_text("#ifndef G\n#define G\nonce\n#endif\n")
    once = '#include "g.h"\n'
    assert text_of(once + once) == ["once"]
    assert text_of(f"{once}#undef G\n{once}") == ["once", "once"]


def test_neither_library():
    options = CFrontendOptions(standard_includes=False)
    with pytest.raises(CompileError, match=r"'stdio\.h' file not found"):
        text_of("#include <stdio.h>\n", options)


def included_by(text: str) -> list[Header]:
    found: list[Header] = []
    parse_c(text, "t.c", CFrontendOptions(), SourceMap(), [], found)
    return found


@needs_system
def test_one_library_at_a_time():
    """Ours as long as it has what is asked for, else the system's alone: both define timespec."""
    ours = included_by("#include <stdio.h>\n#include <time.h>\nstruct timespec t;\n")
    assert not any(header.path.startswith("/usr/include") for header in ours)
    theirs = included_by("#include <time.h>\n#include <fcntl.h>\nstruct timespec t;\n")
    assert "/usr/include/time.h" in [header.path for header in theirs]
    assert all(header.is_system for header in theirs)
    read = {Path(header.path).name for header in theirs if HEADERS in header.path}
    assert read <= {"stddef.h", "stdarg.h"}


@needs_system
def test_what_ours_lacks_is_asked_of_the_systems():
    """A declaration, not a header: our <sys/stat.h> has no `struct stat`."""
    found = included_by("#include <sys/stat.h>\nlong f(struct stat *s) { return s->st_size; }\n")
    assert any(header.path.startswith("/usr/include") for header in found)


@needs_system
@pytest.mark.parametrize("name", "setjmp wctype dirent sys/socket regex pthread termios".split())
def test_systems_headers_are_read(name: str):
    """What a program does not use may be beyond us: long double, bit-fields."""
    included_by(f"#include <stdio.h>\n#include <{name}.h>\n#include <stdlib.h>\nint x;\n")


def test_a_macro_among_its_own_arguments_ends():
    text = (
        "#define JOIN2(a, b) a ## b\n#define JOIN(a, b) JOIN2(a, b)\n"
        "#define name JOIN(prefix_, name)\n#define f(x) g(x)\n#define g(x) f(x) + 1\n"
        "name f(f(1)) f(name)\n"
    )
    expected = "prefix_namef(f(1)+1)+1f(prefix_name)+1"  # as gcc has it
    assert "".join(text_of(text)) == expected


needs_glibc = pytest.mark.skipif(
    not Path("/usr/include/stdio.h").exists(), reason="needs the system's headers"
)


@needs_glibc
def test_a_function_that_only_the_systems_headers_declare_is_declared_by_them() -> None:
    text = (
        "#define _GNU_SOURCE\n#include <stdlib.h>\n"
        "char *f(const char *p) { return canonicalize_file_name(p); }\n"
    )
    found: list[Diagnostic] = []
    parse_c(text, "t.c", CFrontendOptions(), SourceMap(), found)
    assert found == []


@needs_glibc
def test_a_function_that_no_header_declares_is_implicit_once() -> None:
    text = "#include <stdlib.h>\nint f(void) { return of_nobody(1); }\n"
    found: list[Diagnostic] = []
    parse_c(text, "t.c", CFrontendOptions(), SourceMap(), found)
    assert [one.id for one in found] == ["implicit-function-declaration"]


@needs_glibc
@pytest.mark.parametrize("header", ["limits.h", "stdlib.h", "locale.h", "math.h", "sys/stat.h"])
def test_headers_are_read_by_who_claims_to_be_gnu_c(header: str) -> None:
    text = f"#define _GNU_SOURCE\n#include <unistd.h>\n#include <{header}>\n#include <limits.h>\n"
    text += '_Static_assert(INT_MAX == 2147483647 && PATH_MAX >= 256, "");\n'
    text += '_Static_assert(__GNUC__ == 12 && __GNUC_MINOR__ == 2, "");\n'
    parse_c(text, "t.c", CFrontendOptions(gnuc=(12, 2)), SourceMap())


@needs_glibc
@pytest.mark.parametrize("gnuc", [GNU_C_VERSION, ()])
def test_all_that_headers_declare_is_read_whoever_we_claim_to_be(gnuc: tuple[int, ...]) -> None:
    """Also what is left out as long as the program does not name it."""
    names = "ctype math pthread stdio stdlib string sys/select sys/socket unistd"
    text = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in names.split())
    options = CFrontendOptions(gnuc=gnuc)
    read = preprocess_c(text, "t.c", options, SourceMap(), with_markers=False)
    version = "__GNUC__ * 100 + __GNUC_MINOR__ * 10 + __GNUC_PATCHLEVEL__"
    claim = f"#ifdef __GNUC__\n_Static_assert({version} == 421, __VERSION__);\n#endif\n"
    parse_c(claim + read, "t.c", options, SourceMap())
