"""C functions as Python callables: numbers and NumPy arrays in, checked against the C declaration.

Nothing is converted or copied behind the caller's back: an array goes in as it is, or is refused
with what was expected. The interpreter lock is released while the function runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

from polyopt.backend.called.argument_kinds import argument_of
from polyopt.backend.called.arguments import C_TYPES, ComplexNumber, integers_among
from polyopt.backend.called.callbacks import CALLS, late, raise_late, raising_later
from polyopt.backend.called.globals import Globals
from polyopt.backend.called.quick_calls import Caller, QuickCalls
from polyopt.backend.called.signature import Signature
from polyopt.backend.called.struct_arguments import record_of, structure_of
from polyopt.backend.loaded.jit import NativeCode, Resident
from polyopt.backend.loaded.thread_count import runs_threads, threads

if TYPE_CHECKING:
    import inspect

_WRITES_TO_STDIO = frozenset(
    "printf puts putchar fprintf fputs fputc putc fwrite vprintf vfprintf".split()
)


@cache
def _process() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _never(*args: Any) -> Any:
    """No quicker way knows these arguments."""
    return NotImplemented


class CFunction(Resident):
    """One C function; `str` gives its prototype. `examine` is called after each call of it.

    `recipe` makes the function again elsewhere: what is called, and with what."""

    def __init__(
        self,
        signature: Signature,
        code: NativeCode,
        examine: Callable[[], None] | None = None,
        quick: QuickCalls | None = None,
    ):
        self.__name__ = signature.name
        self.recipe: tuple[Any, ...] | None = None
        self._examine = examine
        self.signature = signature
        self._code = code
        self._flushes = bool(code.undefined & _WRITES_TO_STDIO)
        if signature.problem is None:
            self._arguments = [argument_of(signature.name, p) for p in signature.parameters]
            kinds = [argument.parameter.element for argument in self._arguments]
            self._takes_functions = "function" in kinds
            types = [type for argument in self._arguments for type in argument.types]
            layout = signature.result_layout
            result = C_TYPES[signature.result] if layout is None else structure_of(layout)
            prototype = ctypes.CFUNCTYPE(result, *types)
            self._call = prototype(code.address(signature.name))
        self._quick_calls = quick
        self._calls = 0
        is_bare = signature.problem is None and examine is None
        self._quickly: Caller = self._not_yet if quick is not None and is_bare else _never

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            result = self._quickly(*args)
            if result is not NotImplemented:
                if late:
                    raise_late()
                return result
        result = self._carefully(args, kwargs)
        if late:
            raise_late()
        return result

    CALLS.add(__call__.__code__)

    def _not_yet(self, *args: Any) -> Any:
        """A call before there is a quicker way, of which the last finds it."""
        quick = self._quick_calls
        assert quick is not None
        self._calls += 1
        if not quick.is_ready(self._calls):
            return NotImplemented
        address = self._code.address(self.signature.name)
        self._quickly = quick.caller(self.signature, address, self._flushes) or _never
        return self._quickly(*args)

    def _carefully(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The call where something is to be arranged, converted, refused, or done behind it."""
        if "threads" in kwargs and self._counts_threads():
            rest = {name: value for name, value in kwargs.items() if name != "threads"}
            with threads(kwargs["threads"]):
                return self._carefully(args, rest)
        if self.signature.problem is not None:
            raise TypeError(
                f"{self.__name__} cannot be called from Python: {self.signature.problem}"
            )
        values = self._arranged(args, kwargs) if kwargs else args
        if len(values) != len(self._arguments):
            raise TypeError(
                f"{self.__name__}() takes {len(self._arguments)} arguments, got {len(values)}: "
                f"{self.signature}"
            )
        if kwargs:
            result = self._quickly(*values)
            if result is not NotImplemented:
                return result
        known = integers_among(self.signature, values)
        passed: list[Any] = []
        for argument, value in zip(self._arguments, values, strict=True):
            passed += argument.convert(value, known)
        if self._takes_functions:
            with raising_later():
                result = self._call(*passed)
        else:
            result = self._call(*passed)
        if isinstance(result, ComplexNumber):
            result = result.value
        elif self.signature.result_layout is not None:
            result = record_of(result, self.signature.result_layout)
        if self._flushes:
            _process().fflush(None)
        if self._examine is not None:
            self._examine()
        return result

    def _counts_threads(self) -> bool:
        """Whether `threads` says how many there are to be, and is no argument of the function's."""
        is_taken = any(one.name == "threads" for one in self.signature.parameters)
        return not is_taken and runs_threads(self._code.undefined)

    def _arranged(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        """The values in the order of the parameters."""
        names = [parameter.name for parameter in self.signature.parameters]
        rest = names[len(args) :]
        for name in kwargs:
            if name not in rest:
                known = "is given twice" if name in names else "is not a parameter"
                raise TypeError(f"{self.__name__}(): '{name}' {known}: {self.signature}")
        missing = [name for name in rest if name not in kwargs]
        if missing:
            raise TypeError(f"{self.__name__}(): no value for '{missing[0]}': {self.signature}")
        return [*args, *(kwargs[name] for name in rest)]

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        if self.recipe is None:
            super().__reduce_ex__(protocol)
        assert self.recipe is not None
        return self.recipe

    @cached_property
    def __signature__(self) -> inspect.Signature:
        from polyopt.backend.called.annotations import python_signature

        return python_signature(self.signature)

    @cached_property
    def __annotations__(self) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleVariableOverride]
        from polyopt.backend.called.annotations import annotations_of

        return annotations_of(self.signature)

    def stub(self) -> str:
        """The function's lines in a stub."""
        from polyopt.backend.called.annotations import stub_of

        return stub_of(self.signature)

    @property
    def __doc__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        from polyopt.backend.called.annotations import description

        return description(self.signature)

    def __str__(self) -> str:
        return str(self.signature)

    def __repr__(self) -> str:
        return f"<C function {self.signature}>"


class Library(Resident):
    """The functions that compiled C exports, as attributes and as items."""

    def __init__(self, functions: Mapping[str, CFunction], variables: Globals | None = None):
        own = {name: one for name, one in functions.items() if not hasattr(type(self), name)}
        self.__dict__.update(own)  # found without asking `__getattr__`, in a tenth of the time
        self._functions = dict(functions)
        self.globals = variables or Globals()

    def __getattr__(self, name: str) -> CFunction:
        functions: dict[str, CFunction] = self.__dict__.get("_functions", {})
        if name not in functions:
            _refuse_variable(self, name)
            known = ", ".join(functions) or "none"
            message = f"there is no C function '{name}'; there are: {known}"
            raise AttributeError(message, name=name, obj=self)
        return functions[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _OWN:
            _refuse_variable(self, name)
        super().__setattr__(name, value)

    def __getitem__(self, name: str) -> CFunction:
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *self._functions}

    def __repr__(self) -> str:
        lines = "".join(f"\n  {function}" for function in self._functions.values())
        count = len(self._functions)
        return f"<{count} C function{'s' * (count != 1)}{':' if lines else ''}{lines}>"


def bind(
    signatures: Iterable[Signature],
    code: NativeCode,
    examine: Callable[[], None] | None = None,
    quick: QuickCalls | None = None,
) -> Library:
    """The functions that are loaded as `code`. `examine` is called after each call of one, and may
    raise. With `quick` calls of what is called often become quick."""
    return Library({one.name: CFunction(one, code, examine, quick) for one in signatures})


_OWN = ("globals", "remarks", "_functions", "_settings", "_source")
"""What a library has whatever C's variables are called."""


def _refuse_variable(library: Library, name: str) -> None:
    """A variable of C is no attribute: one that is set as if it were would never reach C."""
    if name in library.__dict__.get("globals", ()):
        message = f"'{name}' is a variable of C: globals[{name!r}] reads and writes it"
        raise AttributeError(message, name=name, obj=library)
