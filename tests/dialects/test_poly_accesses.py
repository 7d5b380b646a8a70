"""In a statement, memory is accessed by poly.read and poly.write only: each has a relation."""

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.universe import Universe
from xdsl.utils.exceptions import VerifyException

ACCESSES = {
    "load": "%x = memref.load %A[%i] : memref<?xf64>",
    "store": "memref.store %v, %A[%i] : memref<?xf64>",
    "affine load": '%x = "affine.load"(%A, %i) <{map = affine_map<(d0) -> (d0)>}> '
    ": (memref<?xf64>, index) -> f64",
    "affine store": '"affine.store"(%v, %A, %i) <{map = affine_map<(d0) -> (d0)>}> '
    ": (f64, memref<?xf64>, index) -> ()",
    "vector load": '%x = "vector.load"(%A, %i) : (memref<?xf64>, index) -> vector<4xf64>',
    "llvm load": '%x = "llvm.load"(%p) <{ordering = 0 : i64}> : (!llvm.ptr) -> f64',
    "llvm store": '"llvm.store"(%v, %p) <{ordering = 0 : i64}> : (f64, !llvm.ptr) -> ()',
    "allocation": "%x = memref.alloca() : memref<f64>",
    "copy": '"memref.copy"(%A, %A) : (memref<?xf64>, memref<?xf64>) -> ()',
    "call": "func.call @g(%v) : (f64) -> ()",
    "call with a pointer": "func.call @h(%p) {poly.pure} : (!llvm.ptr) -> ()",
    "load that is called pure": "%x = memref.load %A[%i] {poly.pure} : memref<?xf64>",
}
PLACES = {
    "in the body": "{}",
    "under a condition": "scf.if %c {{ {} }}",
    "two deep": "scf.if %c {{ scf.if %c {{ {} }} }}",
    "in a loop": "scf.for %k = %i to %i step %i {{ {} }}",
}


def module_with(body: str) -> ModuleOp:
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    text = f"""
    func.func private @g(f64)
    func.func private @h(!llvm.ptr)
    func.func @f(%A : memref<?xf64>, %p : !llvm.ptr, %v : f64, %c : i1) {{
      poly.scop "f" params() [] arrays(%A : memref<?xf64>) ["A"] context <"{{ : }}">
        schedule <"{{ domain: \\"{{ S[i] : 0 <= i < 9 }}\\" }}"> {{
        poly.stmt "S" domain <"{{ S[i] : 0 <= i < 9 }}"> {{
        ^bb0(%i : index):
          {body}
        }}
      }}
      func.return
    }}
    """
    return Parser(context, text).parse_module()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("access", ACCESSES)
def test_refused(access: str, place: str) -> None:
    module = module_with(PLACES[place].format(ACCESSES[access]))
    with pytest.raises(VerifyException, match=r"memory is read by poly\.read"):
        module.verify()


READ = '%y = poly.read %A <"{ S[i] -> A[i] }"> may : memref<?xf64>'


@pytest.mark.parametrize("place", ["under a condition", "two deep"])
def test_conditional_access(place: str) -> None:
    module_with(PLACES[place].format(READ)).verify()


def test_no_loop_around_an_access() -> None:
    module = module_with(PLACES["in a loop"].format(READ))
    with pytest.raises(VerifyException, match=r"scf\.for may have side effects"):
        module.verify()
