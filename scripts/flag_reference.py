"""Write docs/flags.md, the man page and the shell completion of polyopt-cc from the tables of its
flags; `--check` only says if they are current."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from generated import keep

from polyopt.driver.options.flag_reading import Flag, Table
from polyopt.driver.options.flags import FLAGS
from polyopt.driver.options.foreign_flags import FOREIGN_FLAGS
from polyopt.driver.options.warning_flags import ELSEWHERE
from polyopt.frontend.messages.warning_names import ALWAYS, WALL
from polyopt.tools.cc_flags import own_flags

DOCS = Path(__file__).resolve().parent.parent / "docs"

TABLES: Table = {**own_flags(iter(())), **FLAGS}

HEAD = """# The flags of polyopt-cc

Written by `python scripts/flag_reference.py` from the tables that read the command line; a test
keeps it current.

polyopt-cc takes the command line of gcc and clang. Each flag is **honoured**, **ignored** (advice,
or what is always so: the program means the same without) or **refused** (the program would mean
something else, or lack what was asked for), and no flag is read and forgotten. An unknown `-W` or
`-g` is ignored with a warning (with -Werror an error), any other unknown flag is an error. `X…`
stands for all flags that begin so; of several that say something about the same thing the last
holds.
"""


def spelled(flag: Flag) -> str:
    space = " " if flag.shape in ("separate", "either") else ""
    return f"{flag.spelling}{space}{flag.metavar}"


def counts() -> dict[str, int]:
    flags = [flag for group in TABLES.values() for flag in group]
    return {
        kind: sum(flag.treatment == kind for flag in flags)
        for kind in ("honoured", "ignored", "refused")
    }


def reference() -> str:
    numbers = counts()
    parts = [
        HEAD,
        ", ".join(f"{count} flags are {kind}" for kind, count in numbers.items()) + ".\n",
    ]
    for heading, group in TABLES.items():
        parts.append(f"## {heading}\n")
        if heading in FOREIGN_FLAGS or heading == "Instruction sets":
            parts += list(_by_reason(group))
            continue
        parts.append("| flag | |\n|---|---|")
        parts += [f"| `{_cell(spelled(flag))}` | {_cell(flag.help)} |" for flag in group]
        parts.append("")
    parts.append(_warnings())
    return "\n".join(parts)


def _by_reason(group: Sequence[Flag]) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for flag in group:
        reasons.setdefault(flag.help, []).append(f"`{spelled(flag)}`")
    for reason, names in reasons.items():
        yield f"**{reason}**: {' '.join(names)}\n"


def _warnings() -> str:
    lines = ["## Warnings that there are\n", "| `-W…` | of what | |", "|---|---|---|"]
    lines += [f"| `{id}` | {text} | always |" for id, text in ALWAYS.items()]
    lines += [f"| `{id}` | {text} | with `-Wall` |" for id, text in WALL.items()]
    known = " ".join(f"`{id}`" for id in sorted(ELSEWHERE - ALWAYS.keys() - WALL.keys()))
    lines += ["", f"Names of gcc and clang that are accepted and warn of nothing: {known}", ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def man_page() -> str:
    lines = [
        '.\\" Written by scripts/flag_reference.py.',
        '.TH POLYOPT-CC 1 "" "polyopt" "User Commands"',
        ".SH NAME",
        "polyopt\\-cc \\- a C compiler whose loops are optimised by the polyhedral model",
        ".SH SYNOPSIS",
        ".B polyopt\\-cc",
        "[\\fIoption\\fR]... \\fIfile\\fR...",
        ".br",
        ".B polyopt\\-cc",
        "[\\fIoption\\fR]... \\-\\-run \\fIfile\\fR [\\fIargument\\fR]...",
        ".SH DESCRIPTION",
        "Compiles C files and links them by the system's linker. It takes the command line of gcc "
        "and clang: what of theirs is advice is ignored, a demand that it cannot meet is an error.",
    ]
    for heading, group in TABLES.items():
        if heading in FOREIGN_FLAGS:
            continue
        lines.append(f".SH {heading.upper()}")
        for flag in group:
            lines += [".TP", f"\\fB{_roff(flag.spelling)}\\fR{_metavar(flag)}", _roff(flag.help)]
    lines += [
        ".SH ENVIRONMENT",
        ".TP",
        "\\fBCC\\fR",
        "The command that links, unless it is polyopt\\-cc itself.",
        ".TP",
        "\\fBCPATH\\fR, \\fBC_INCLUDE_PATH\\fR",
        "Folders to look for included files in, behind those of \\-I and \\-isystem.",
        ".TP",
        "\\fBNO_COLOR\\fR",
        "If set, messages have no colours on a terminal.",
        ".SH EXIT STATUS",
        "0 if all is well, 1 if the program or the command line is wrong, 4 for a defect of "
        "polyopt; with \\-\\-run that of the program, with \\-\\-check 3 where results differ.",
        ".SH SEE ALSO",
        "The flags of gcc and clang that are ignored or refused are listed in docs/flags.md.",
    ]
    return "\n".join(lines) + "\n"


def _metavar(flag: Flag) -> str:
    space = " " if flag.shape in ("separate", "either") else ""
    return f"{space}\\fI{_roff(flag.metavar)}\\fR" if flag.metavar else ""


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def bash_completion() -> str:
    words = sorted(
        {
            flag.spelling
            for heading, group in TABLES.items()
            if heading not in FOREIGN_FLAGS
            for flag in group
        }
        | {f"-W{sign}{id}" for id in (*ALWAYS, *WALL) for sign in ("", "no-", "error=")}
        | {f"-O{level}" for level in "0123sgz"}
    )
    return f"""\
# Bash completion of polyopt-cc, written by scripts/flag_reference.py.
_polyopt_cc() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W '{" ".join(words)}' -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
  case $before in -I|-L|-isystem|-iquote|-idirafter)
    mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
  esac
  [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace
}}
complete -o filenames -F _polyopt_cc polyopt-cc
"""


def zsh_completion() -> str:
    lines = ["#compdef polyopt-cc", "# Written by scripts/flag_reference.py.", "_arguments -s \\"]
    for heading, group in TABLES.items():
        if heading in FOREIGN_FLAGS:
            continue
        for flag in group:
            if flag.spelling in ("-l", "-L", "-###", "-W", "-h"):
                continue
            help = flag.help.replace("'", "").replace("[", "(").replace("]", ")").replace(":", ",")
            value = {
                "alone": "",
                "joined": f"-:{flag.metavar}:",
                "optional": f"-:{flag.metavar}:",
                "separate": f":{flag.metavar}:_files",
                "either": f"+:{flag.metavar}:_files",
            }[flag.shape]
            mark, rest = (value[0], value[1:]) if value[:1] in ("-", "+") else ("", value)
            lines.append(f"  '*{flag.spelling}{mark}[{help}]{rest}' \\")
    return "\n".join([*lines, "  '*:file:_files'", ""])


TARGETS = {
    DOCS / "flags.md": reference,
    DOCS / "polyopt-cc.1": man_page,
    DOCS / "completion" / "polyopt-cc.bash": bash_completion,
    DOCS / "completion" / "_polyopt-cc": zsh_completion,
}


if __name__ == "__main__":
    status = keep(__doc__, TARGETS)
    print(counts())
    sys.exit(status)
