"""What the value of a flag means: from its text to fields of `Settings`.

A setter changes what is collected; a reader gives the value of one field, or raises ValueError with
what was expected instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import get_args

from polyopt.driver.options.flag_reading import (
    Collected,
    Flag,
    Setter,
    constant,
    note,
    one_of,
)
from polyopt.driver.options.settings import ControlFlow, StackProtector
from polyopt.frontend.options import Contraction, Standard
from polyopt.pipeline_options import (
    EXPORT_FORMATS,
    EXTERNAL_CONFIGURATIONS,
    LEVELS,
    MOST_PROCESSES,
    POLY_CONFIGURATIONS,
    Distribution,
    Stages,
    is_configuration,
    plugin_configurations,
)
from polyopt.poly.changes.factors import read_factors
from polyopt.support.diagnostics import CompileError

STANDARDS: tuple[str, ...] = get_args(Standard)
CONTRACTIONS: tuple[str, ...] = get_args(Contraction)
OPENMP_RUNTIMES = ("libgomp", "libomp")

_LEVELS = {"s": (2, 1), "z": (2, 2), "g": (1, 0), "fast": (3, 0)}


def set_level(collected: Collected, value: str) -> None:
    """-Os and -Oz are -O2 for size; -Og is -O1; every number above 3 is 3."""
    if value.isdecimal():
        level, size = min(int(value), 3), 0
    elif value in ("", *_LEVELS):
        level, size = _LEVELS.get(value, (1, 0))
    else:
        raise ValueError("expected a number, s, z, g or fast")
    collected.update(opt_level=level, size_level=size)
    if value == "fast":
        FAST(collected, "")


def version(value: str) -> tuple[int, ...]:
    """`12.2.0` or less of it; 0 is none."""
    parts = value.split(".")
    if len(parts) > 3 or not all(part.isdecimal() for part in parts):
        raise ValueError("expected a version like 12.2.0, or 0")
    numbers = tuple(int(part) for part in parts)
    return numbers if any(numbers) else ()


def define(collected: Collected, value: str) -> None:
    """-D and -U of one name: the last one holds."""
    name = value.partition("=")[0]
    undefines = collected.get("undefines", ())
    collected["undefines"] = tuple(other for other in undefines if other != name)
    collected["defines"] = (*collected.get("defines", ()), value)


def undefine(collected: Collected, name: str) -> None:
    defines = collected.get("defines", ())
    collected["defines"] = tuple(other for other in defines if other.partition("=")[0] != name)
    collected["undefines"] = (*collected.get("undefines", ()), name)


def form_and_folder(value: str, forms: Sequence[str]) -> tuple[str, str]:
    """ "FORMAT:DIR" in two; the folder is the current one where none is given."""
    form, _, folder = value.partition(":")
    return one_of(*forms)(form), folder or "."


def add_export(collected: Collected, value: str) -> None:
    form, folder = form_and_folder(value, EXPORT_FORMATS)
    others = tuple(one for one in collected.get("exports", ()) if one[0] != form)
    collected["exports"] = (*others, (form, folder))


def set_openmp(collected: Collected, value: str) -> None:
    collected["openmp_runtime"] = one_of(*OPENMP_RUNTIMES)(value)
    collected["openmp"] = True


def number_of(of: str) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not value.isdecimal() or int(value) >= 1 << 31:
            raise ValueError(f"expected a number of {of}")
        return int(value)

    return read


_MAPS = ("block", "cyclic", "block-cyclic", "lattice")


def distribution(value: str) -> Distribution:
    """ "GRID", "GRID,cyclic", "GRID,block-cyclic:SIZE"; and "owned", behind any of them;
    "GRID,lattice:A:B:…/SIZE"."""
    grid, *ways = value.split(",")
    owned = ways[-1:] == ["owned"]
    way = ",".join(ways[:-1] if owned else ways)
    words = grid.split("x")
    if not all(word == "*" or (word.isdecimal() and int(word) > 0) for word in words):
        raise ValueError("expected a grid of processes such as 4, 2x2 or *")
    if prod(int(word) for word in words if word != "*") > MOST_PROCESSES:
        raise ValueError(f"expected no more than {MOST_PROCESSES} processes")
    if words.count("*") > 1:
        raise ValueError("how many processes are left can be said of one dimension only")
    name, colon, size = way.partition(":")
    if way and name not in _MAPS:
        raise ValueError(f"expected {', '.join(_MAPS)} or owned behind the comma")
    if name == "lattice":
        return _lattice(grid, size, owned)
    if name not in ("", "block") and "*" in words:
        raise ValueError(f"{name} is for a number of processes that is known, not *")
    if colon and not (name == "block-cyclic" and size.isdecimal() and int(size) > 0):
        raise ValueError("a size is a positive number, of block-cyclic only")
    return Distribution(grid, name or "block", int(size) if size else 1, owned=owned)


def _lattice(grid: str, text: str, owned: bool) -> Distribution:
    """Of "A:B:C:D/SIZE", for as many processes as the lattice has classes."""
    from polyopt.poly.placement.grid import lattice_of

    vectors, slash, size = text.partition("/")
    words = vectors.split(":")
    if not all(word.removeprefix("-").isdecimal() for word in words):
        raise ValueError("expected the vectors of a lattice, as in lattice:1:2:0:5")
    if slash and not (size.isdecimal() and int(size) > 0):
        raise ValueError("a size is a positive number, as in lattice:1:2:0:5/16")
    if owned:
        raise ValueError("parts along a lattice are no rows, so nobody can own them")
    numbers = tuple(int(word) for word in words)
    _, count = lattice_of(numbers, grid, MOST_PROCESSES)
    return Distribution(str(count), "lattice", int(size or 1), numbers)


_STAGES = ("fuse", "permute", "tile", "pipeline", "reduction")


def stages(value: str) -> Stages:
    """ "no-fuse,registers=4x2": what is left out, and the factors of register tiles."""
    left_out = dict[str, bool]()
    registers: tuple[int, int] | None = None
    for word in value.split(","):
        name, _, factors = word.partition("=")
        if name == "registers" and factors:
            numbers = [int(one) if one.isdecimal() else 0 for one in factors.split("x")]
            registers = read_factors(numbers)
        elif word.startswith("no-") and word[3:] in _STAGES:
            left_out[word[3:]] = False
        else:
            known = ", ".join(f"no-{stage}" for stage in _STAGES)
            raise ValueError(f"expected {known} or registers=NxN, with commas between")
    return Stages(**left_out, registers=registers)


_KIBI = {"": 1, "K": 1 << 10, "M": 1 << 20}


def size_in_bytes(value: str) -> int:
    """ "32K"."""
    number, unit = (value[:-1], value[-1]) if value[-1:] in ("K", "M") else (value, "")
    if not number.isdecimal() or not 1 << 10 <= int(number) * _KIBI[unit] <= 1 << 30:
        raise ValueError("expected bytes, 1K or more, such as 32K")
    return int(number) * _KIBI[unit]


def configuration(value: str) -> str:
    """A configuration; packages are looked through where it is none of ours."""
    if not is_configuration(value):
        known = (*POLY_CONFIGURATIONS, *EXTERNAL_CONFIGURATIONS, *plugin_configurations())
        raise ValueError(f"expected one of {', '.join(known)}")
    return value


def add_pass(collected: Collected, value: str) -> None:
    level, _, text = value.partition(":")
    if level not in LEVELS[1:] or not text:
        raise ValueError(f"expected LEVEL:PASS, with one of {', '.join(LEVELS[1:])}")
    collected["added_passes"] = (*collected.get("added_passes", ()), (level, text))


def vector_width(value: str) -> int:
    return int(one_of("128", "256", "512")(value))


def tile_sizes(value: str) -> tuple[int, ...]:
    parts = value.split(",")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ValueError("expected positive integers with commas between")
    return tuple(int(part) for part in parts)


def size_of_tile(value: str) -> int:
    sizes = tile_sizes(value)
    if len(sizes) != 1:
        raise ValueError("expected one positive integer")
    return sizes[0]


UNSAFE = {
    "signed_zeros": False,
    "reciprocal_math": True,
    "approximate_functions": True,
    "associative_math": True,
    "unsafe_math": True,
}
FAST = constant(finite_math=True, limited_range=True, **UNSAFE)
STRICT = constant(
    finite_math=False, limited_range=False, **{name: not value for name, value in UNSAFE.items()}
)

_OLD_STANDARDS = {
    **dict.fromkeys(["c89", "c90", "iso9899:1990", "iso9899:199409"], "c99"),
    **dict.fromkeys(["gnu89", "gnu90"], "gnu99"),
    **{"c9x": "c99", "gnu9x": "gnu99", "iso9899:1999": "c99", "c1x": "c11", "gnu1x": "gnu11"},
    **{"iso9899:2011": "c11", "c18": "c17", "gnu18": "gnu17", "iso9899:2017": "c17"},
    **{"iso9899:2018": "c17", "c2x": "c23", "gnu2x": "gnu23"},
}


def standard(value: str) -> str:
    return one_of(*STANDARDS)(_OLD_STANDARDS.get(value, value))


_FORMATS = ("gdb", "dwarf", "line-tables-only", "line-directives-only", "mlt", "column-info")
_ADVICE = ("z", "strict-dwarf", "no-", "record-gcc-switches", "pubnames", "gnu-pubnames")


def set_debug(collected: Collected, value: str) -> None:
    """-g, -g3, -ggdb2, -gdwarf-5: one kind of debug information, or with 0 none."""
    if value.startswith(_ADVICE):
        return
    if value.startswith("split-dwarf"):
        raise CompileError("-gsplit-dwarf: debug information in a file of its own is not supported")
    if value not in ("", "0", "1", "2", "3") and not value.startswith(_FORMATS):
        note(collected, f"-g{value}: unknown kind of debug information; the same as -g")
    is_level = not value.startswith("dwarf") and value.endswith("0")
    collected["debug"] = not is_level


def protect(kind: StackProtector) -> Setter:
    return constant(stack_protector=kind)


def check_control_flow(collected: Collected, value: str) -> None:
    kind = value.removeprefix("=") or "full"
    collected["control_flow"] = one_of(*get_args(ControlFlow))(kind)


def switch(name: str, help: str, field: str, *, on: bool = True) -> tuple[Flag, Flag]:
    """-fNAME and -fno-NAME."""
    return (
        Flag(f"-f{name}", help, constant(**{field: on})),
        Flag(f"-fno-{name}", "and take that back", constant(**{field: not on})),
    )


def freestanding(collected: Collected, _: str) -> None:
    collected.update(hosted=False, builtins=False)


def hosted(collected: Collected, _: str) -> None:
    collected.update(hosted=True, builtins=True)
