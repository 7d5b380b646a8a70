"""What passes that read and write files of other tools share: which SCoPs, which files.

A file is named after its SCoP as Polly does it, `<function>___<scop>.<suffix>`, in a folder; the
folder "-" is standard output.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.support.diagnostics import CompileError
from polyopt.support.files import write_whole
from polyopt.support.remarks import remark

STANDARD_OUTPUT = "-"


def chosen_scops(module: ModuleOp, name: str | None) -> list[ScopOp]:
    """All SCoPs, or those named so, of which there must be one."""
    found = [op for op in module.walk() if isinstance(op, ScopOp)]
    chosen = [op for op in found if name in (None, op.scop_name.data)]
    if name is not None and not chosen:
        names = ", ".join(op.scop_name.data for op in found) or "none"
        raise CompileError(f"there is no SCoP named '{name}'", hint=f"SCoPs here: {names}")
    return chosen


def file_of(op: ScopOp, suffix: str) -> str:
    """The name of the SCoP's file."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    function = "module" if parent is None else parent.sym_name.data
    return f"{function}___{op.scop_name.data}.{suffix}"


def put(folder: str, name: str, text: str | bytes) -> None:
    """Write the file into the folder, which is made if need be."""
    if folder == STANDARD_OUTPUT:
        shown = text.decode() if isinstance(text, bytes) else text
        print(shown, end="" if shown.endswith("\n") else "\n")
        return
    os.makedirs(folder, exist_ok=True)
    write_whole(Path(folder) / name, text)


def read_text(path: str | Path) -> str:
    """The file's text; CompileError for what is not text."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CompileError(f"{path}: not UTF-8 text") from None


def files_to_import(
    scops: list[ScopOp], file: str | None, folder: str, suffix: str
) -> Iterator[tuple[ScopOp, str]]:
    """Each SCoP with its file: the one that is named, for the one SCoP there is, or those in the
    folder. A SCoP with no file there keeps its schedule; there must be a file for some SCoP."""
    if file is not None:
        if len(scops) != 1:
            names = ", ".join(op.scop_name.data for op in scops) or "none"
            raise CompileError(
                f"{file} is for one SCoP, but there are {len(scops)}",
                hint=f"choose one by its name: {names}",
            )
        yield scops[0], file
        return
    paths = [(op, os.path.join(folder, file_of(op, suffix))) for op in scops]
    if paths and not any(os.path.exists(path) for _, path in paths):
        names = ", ".join(os.path.basename(path) for _, path in paths)
        raise CompileError(f"no file to import in '{folder}'", hint=f"looked for {names}")
    for op, path in paths:
        if os.path.exists(path):
            yield op, path
        else:
            message = f"no schedule to import: there is no {path}"
            remark("missed", "no-file-to-import", message, function=op.scop_name.data)
