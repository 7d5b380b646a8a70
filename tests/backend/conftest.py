"""Small modules of IR, compiled and called."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.universe import Universe

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import NativeCode, load_objects
from polyopt.backend.processors.options import BackendOptions

Native = Callable[..., Any]

C_TYPES: dict[str, Any] = {
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "ptr": ctypes.c_void_p,
    "void": None,
}


@pytest.fixture(scope="session")
def parse_ir() -> Callable[[str], ModuleOp]:
    """The module of a text, verified."""
    universe = Universe.get_multiverse()

    def parse(text: str) -> ModuleOp:
        context = Context()
        for name, dialect in universe.all_dialects.items():
            context.register_dialect(name, dialect)
        module = Parser(context, text).parse_module()
        module.verify()
        return module

    return parse


@pytest.fixture(scope="session")
def call_ir(parse_ir: Callable[[str], ModuleOp]) -> Callable[..., Native]:
    """The function `@f` of a module, by its C types: `call_ir(text, "f64", "i32", ...)`."""
    loaded: list[NativeCode] = []

    def compile(
        text: str, result: str, *parameters: str, options: BackendOptions | None = None
    ) -> Native:
        code = load_objects([emit_object(parse_ir(text), options)])
        loaded.append(code)
        prototype = ctypes.CFUNCTYPE(C_TYPES[result], *(C_TYPES[name] for name in parameters))
        return prototype(code.address("f"))

    return compile


@pytest.fixture(scope="session")
def call_body(call_ir: Callable[..., Native]) -> Callable[..., Native]:
    """A function of scalars named %0, %1, ...: `call_body(ops, "%r", "f64", "f64", "i32")`."""

    def compile(
        body: str,
        returned: str,
        result: str,
        *parameters: str,
        attributes: str = "",
        options: BackendOptions | None = None,
    ) -> Native:
        arguments = ", ".join(f"%{i} : {type}" for i, type in enumerate(parameters))
        text = f"""
        builtin.module attributes {{{attributes}}} {{
          func.func @f({arguments}) -> {result} {{
            {body}
            func.return {returned} : {result}
          }}
        }}"""
        return call_ir(text, result, *parameters, options=options)

    return compile
