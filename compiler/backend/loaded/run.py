"""Run a C program that is loaded in this process, as the shell would: in a child process.

The program may crash, call `exit` or change its process as it likes: the child is forked for it
alone. `exit` and `atexit` are our own, so that leaving runs the program's handlers and empties
its buffers, but nothing of what Python's libraries registered for the parent's end.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import NoReturn

from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.elf import read_symbols
from polyopt.backend.loaded.jit import NativeCode, load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

_LEAVING = """\
target triple = "x86_64-unknown-linux-gnu"

@count = internal global i64 0
@handlers = internal global [1024 x ptr] zeroinitializer

declare i32 @fflush(ptr)
declare void @_exit(i32)

define i32 @atexit(ptr %handler) {
  %n = load i64, ptr @count
  %full = icmp uge i64 %n, 1024
  br i1 %full, label %refuse, label %accept
accept:
  %slot = getelementptr [1024 x ptr], ptr @handlers, i64 0, i64 %n
  store ptr %handler, ptr %slot
  %more = add i64 %n, 1
  store i64 %more, ptr @count
  ret i32 0
refuse:
  ret i32 1
}

define void @exit(i32 %status) {
  br label %next
next:
  %n = load i64, ptr @count
  %none = icmp eq i64 %n, 0
  br i1 %none, label %leave, label %call
call:
  %last = sub i64 %n, 1
  store i64 %last, ptr @count
  %slot = getelementptr [1024 x ptr], ptr @handlers, i64 0, i64 %last
  %handler = load ptr, ptr %slot
  call void %handler()
  br label %next
leave:
  call i32 @fflush(ptr null)
  call void @_exit(i32 %status)
  unreachable
}
"""

_CAUSES: dict[int, tuple[str, str]] = {
    signal.SIGSEGV: ("invalid memory access", ""),
    signal.SIGBUS: ("invalid memory access", ""),
    signal.SIGFPE: ("division by zero or overflow of a division", ""),
    signal.SIGILL: (
        "an instruction that this CPU does not have",
        "compile for this machine: -march=native",
    ),
    signal.SIGABRT: ("the program aborted", ""),
}

_FLUSH_TO_ZERO = 1 << 15
_DENORMALS_ARE_ZEROS = 1 << 6


@record
class Ending:
    """How a program ended: by itself with `status`, or by `signal`."""

    status: int
    signal: int | None = None

    @property
    def shell_status(self) -> int:
        """What a shell would put in `$?`."""
        return self.status if self.signal is None else 128 + self.signal

    def message(self) -> str | None:
        """What to tell the user, where the program did not end by itself."""
        if self.signal is None:
            return None
        try:
            name = signal.Signals(self.signal).name
        except ValueError:
            name = f"signal {self.signal}"
        cause, hint = _CAUSES.get(self.signal, ("", ""))
        text = f"the program was killed by {name}" + (f": {cause}" if cause else "")
        return text + (f"\n  hint: {hint}" if hint else "")


def run_main(
    objects: Sequence[bytes],
    arguments: Sequence[str] = ("main",),
    libraries: Iterable[str] = (),
    *,
    flush_denormals: bool = False,
) -> Ending:
    """Link object files and run their `main` to the end; `arguments` are argv, argv[0] first."""
    symbols = [read_symbols(code) for code in objects]
    if not any("main" in each.defined for each in symbols):
        raise CompileError("there is no function 'main' to run")
    code = load_objects([*objects, _leaving()], libraries)
    libc = ctypes.CDLL(None)
    sys.stdout.flush()
    sys.stderr.flush()
    libc.fflush(None)
    with warnings.catch_warnings():
        # The child touches nothing of Python's other threads: it only runs native code.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _become(code, arguments, flush_denormals)
    status = _wait(child)
    if os.WIFSIGNALED(status):
        return Ending(0, os.WTERMSIG(status))
    return Ending(os.WEXITSTATUS(status))


def _leaving() -> bytes:
    """The object code of `exit` and `atexit`."""
    options = BackendOptions(opt_level=1)
    return target_machine(options).emit_object(parse_ir(_LEAVING))


def _become(code: NativeCode, arguments: Sequence[str], flush_denormals: bool) -> NoReturn:
    """In the child: be the C program. `main` may take fewer arguments than it is given."""
    try:
        faulthandler.disable()
        for number in (signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        argv = _c_strings(arguments)
        envp = _c_strings([f"{name}={value}" for name, value in os.environ.items()])
        main = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        leave = ctypes.CFUNCTYPE(None, ctypes.c_int)
        if flush_denormals:
            _flush_denormals()
        status = main(code.address("main"))(len(arguments), argv, envp)
        leave(code.address("exit"))(status)
    finally:
        os._exit(127)


def _flush_denormals() -> None:
    """Set what gcc's `crtfastmath.o` sets in MXCSR, which is the last word of glibc's `fenv_t`."""
    libm = ctypes.CDLL("libm.so.6")
    environment = (ctypes.c_uint32 * 8)()
    libm.fegetenv(environment)
    environment[7] |= _FLUSH_TO_ZERO | _DENORMALS_ARE_ZEROS
    libm.fesetenv(environment)


def _c_strings(texts: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * (len(texts) + 1))(*(os.fsencode(text) for text in texts), None)


def _wait(child: int) -> int:
    """The child's wait status; an interrupt from the keyboard is the child's to obey."""
    ends_us = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    if ends_us:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            try:
                return os.waitpid(child, 0)[1]
            except KeyboardInterrupt:
                continue
    finally:
        if ends_us:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
