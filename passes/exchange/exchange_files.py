"""What passes that read and write files of other tools share: which SCoPs, which files.

A file is named after its SCoP as Polly does it, `<function>___<scop>.<suffix>`, in a folder; the
folder "-" is standard output.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.support.diagnostics import CompileError
from polyopt.support.files import write_whole
from polyopt.support.noted import note_unrepeatable, read_noted
from polyopt.support.remarks import remark

STANDARD_OUTPUT = "-"


class Unsayable(CompileError):
    """The SCoP is none that the format has words for."""


def chosen_scops(module: ModuleOp, name: str | None) -> list[ScopOp]:
    """All SCoPs, or those named so, of which there must be one."""
    found = [op for op in module.walk() if isinstance(op, ScopOp)]
    if not found:
        remark("missed", "no-scops", "there is no SCoP to export or to import a schedule for")
    chosen = [op for op in found if name in (None, op.scop_name.data)]
    if name is not None and not chosen:
        names = ", ".join(op.scop_name.data for op in found) or "none"
        raise CompileError(f"there is no SCoP named '{name}'", hint=f"SCoPs here: {names}")
    return chosen


def file_of(op: ScopOp, suffix: str) -> str:
    """The name of the SCoP's file."""
    return f"{function_of(op)}___{op.scop_name.data}.{suffix}"


def function_of(op: ScopOp) -> str:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    return "module" if parent is None else parent.sym_name.data


def put(folder: str, name: str, text: str | bytes) -> None:
    """Write the file into the folder, which is made if need be."""
    note_unrepeatable("files are exported")
    if folder == STANDARD_OUTPUT:
        shown = text.decode() if isinstance(text, bytes) else text
        print(shown, end="" if shown.endswith("\n") else "\n")
        return
    os.makedirs(folder, exist_ok=True)
    write_whole(Path(folder) / name, text)


def read_text(path: str | Path) -> str:
    """The file's text; CompileError for what is not text."""
    try:
        return read_noted(str(path)).decode()
    except UnicodeDecodeError:
        raise CompileError(f"{path}: not UTF-8 text") from None


def files_to_import(
    scops: list[ScopOp], file: str | None, folder: str, suffix: str
) -> Iterator[tuple[ScopOp, str]]:
    """Each SCoP with its file: the one that is named, for the one SCoP there is, or those in the
    folder. A SCoP with no file there keeps its schedule; there must be a file for some SCoP."""
    note_unrepeatable("a folder is looked through")
    if file is not None:
        if len(scops) != 1:
            names = ", ".join(op.scop_name.data for op in scops) or "none"
            raise CompileError(
                f"{file} is for one SCoP, but there are {len(scops)}",
                hint=f"choose one by its name: {names}",
            )
        yield scops[0], file
        return
    paths = [(op, _file_in(folder, op, scops, suffix)) for op in scops]
    if paths and not any(path for _, path in paths):
        names = ", ".join(file_of(op, suffix) for op in scops)
        raise CompileError(f"no file to import in '{folder}'", hint=f"looked for {names}")
    for op, path in paths:
        if path is not None:
            yield op, path
        else:
            message = f"no schedule to import: there is no {file_of(op, suffix)} in {folder}"
            remark("missed", "no-file-to-import", message, function=function_of(op))


def _file_in(folder: str, op: ScopOp, scops: list[ScopOp], suffix: str) -> str | None:
    """The SCoP's own file; of the only SCoP of a function also the function's only file, under
    whatever name another tool has for the SCoP."""
    own = os.path.join(folder, file_of(op, suffix))
    if os.path.exists(own):
        return own
    function = function_of(op)
    if [function_of(one) for one in scops].count(function) != 1:
        return None
    others = list(Path(folder).glob(f"{glob.escape(function)}___*.{suffix}"))
    return str(others[0]) if len(others) == 1 else None
