"""What this machine takes for a few things that the models of cost have numbers for.

Each probe is a loop over vectors in MLIR, through the compiler's own back end: what is in the loop
is what runs. A cycle is a fourth of a step of `x = x * a ^ b` on integers, which takes 3 + 1 of
them (A. Fog, Instruction tables). The best of a few runs counts.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping, Sequence

from xdsl.parser import Parser

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.driver.units.unit import make_context
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target

_AT_ONCE = 8
"""Vectors in a step, so that no sum waits for itself."""

_SECONDS = 0.03
_RUNS = 3
_MOST_BYTES = 256 << 20
"""Of an array: some last levels are larger than memory that is ours."""

_ELEMENT = 8
"""Bytes: probes are of f64."""


@record
class Measured:
    """A number of a model, and what this machine takes."""

    name: str
    what: str
    model: float
    cycles: float


def measure(march: str = "native") -> list[Measured]:
    """In the order in which they are printed."""
    target = Target.named(march)
    lanes = max(2, target.lanes(_ELEMENT))
    whole = lanes * _AT_ONCE * 64
    texts = {
        "cycle": _chain("i64", "%p = arith.muli %x, %a : i64\n%y = arith.xori %p, %b : i64"),
        "add": _chain("f64", "%y = arith.addf %x, %a : f64"),
        "divide": _chain("f64", "%y = arith.divf %a, %x : f64"),
        "load": _sums(lanes, f"vector.load %A[%k] : memref<?xf64>, vector<{lanes}xf64>"),
        "masked": _sums(
            lanes,
            f"vector.maskedload %A[%k], %mask, %zero : memref<?xf64>, vector<{lanes}xi1>, "
            f"vector<{lanes}xf64> into vector<{lanes}xf64>",
        ),
        "gather": _sums(
            lanes,
            f"pvec.gather %A[%at] : memref<?xf64>, vector<{lanes}xi64> -> vector<{lanes}xf64>",
        ),
        "strided": _sums(
            lanes, f"pvec.strided_load %A[%k] by [7] : memref<?xf64>, vector<{lanes}xf64>"
        ),
        "lines": _lines(lanes),
    }
    run = _probes(texts, march)
    cycle = run["cycle"](1 << 12, 0) / 4

    def in_cycles(name: str, steps: int, size: int = 0) -> float:
        return run[name](steps, size) / cycle

    def each_lane(name: str) -> float:
        # What steps over elements needs so many more.
        return in_cycles(name, whole // (lanes * _AT_ONCE), 7 * whole) / (lanes * _AT_ONCE)

    def each_line(size: int) -> float:
        elements = size // _ELEMENT // (_AT_ONCE * _AT_ONCE) * _AT_ONCE * _AT_ONCE
        return in_cycles("lines", elements // (_AT_ONCE * _AT_ONCE), elements) / _AT_ONCE

    core, apart = CORE.nests, CORE.strided
    is_wide = target.vector_bits >= apart.wide_bits
    near = each_line(target.l1_bytes // 2)
    l2, l3 = target.l2_bytes // 2, min(target.l3_bytes // 4, 4 * target.l2_bytes)
    beyond = min(2 * target.l3_bytes, _MOST_BYTES)
    return [
        Measured("add_latency", "an addition that the next one waits for", core.add_latency,
                 in_cycles("add", 1 << 12)),
        Measured("divide_latency", "a division that the next one waits for", core.divide_latency,
                 in_cycles("divide", 1 << 12)),
        Measured("loads", "vectors loaded in a cycle", core.loads,
                 1 / (each_lane("load") * lanes)),
        Measured("masked_load", "a vector loaded under a mask", core.masked_load,
                 each_lane("masked") * lanes),
        Measured("gathered", "a lane, gathered as indices say",
                 apart.gathered if is_wide else apart.narrow_gathered, each_lane("gather")),
        Measured("strided", "a lane, 7 elements apart", CORE.lanes.strided, each_lane("strided")),
        Measured("l1_line", "a line that L2 holds and L1 lacks", core.l1_line,
                 max(0.0, each_line(l2) - near)),
        Measured("l2_line", "a line that L3 holds and L2 lacks", core.l2_line,
                 max(0.0, each_line(l3) - near)),
        Measured("l3_line", "a line that no cache holds", core.l3_line,
                 max(0.0, each_line(beyond) - near)),
    ]  # fmt: skip


_Probe = Callable[[int, int], float]


def _probes(texts: Mapping[str, str], march: str) -> dict[str, _Probe]:
    """Seconds for a step of each, of so many over an array of so many elements."""
    functions = "\n".join(text.replace("@f", f"@{name}") for name, text in texts.items())
    module = Parser(make_context(), f"builtin.module {{ {functions} }}").parse_module()
    module.verify()
    code = load_objects([emit_object(module, BackendOptions(opt_level=2, march=march))])
    types = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]

    def probe(name: str) -> _Probe:
        native = ctypes.CFUNCTYPE(None, *types)(code.address(name))

        def run(steps: int, size: int) -> float:
            assert code.address(name), "the code lives as long as who calls it"
            memory = (ctypes.c_double * (size + 64))()

            def seconds(count: int) -> float:
                start = time.process_time()
                native(count, steps, memory, len(memory))
                return time.process_time() - start

            count = 1
            while (taken := seconds(count)) < _SECONDS:
                count = max(2 * count, int(1.2 * count * _SECONDS / max(taken, 1e-6)))
            runs = [seconds(count) for _ in range(_RUNS)]
            return min(runs) / (count * steps)

        return run

    return {name: probe(name) for name in texts}


def _function(constants: str, inits: Sequence[tuple[str, str]], step: str, yields: str) -> str:
    """`step` for %i = 0 to %steps, all that %n times; the last values go to memory."""
    types = ", ".join(type_ for _, type_ in inits)
    outer = ", ".join(f"%o{k} = {value}" for k, (value, _) in enumerate(inits))
    inner = ", ".join(f"%x{k} = %o{k}" for k, _ in enumerate(inits))
    results, kept = f"%r:{len(inits)}", f"%q:{len(inits)}"
    inside = ", ".join(f"%q#{k}" for k, _ in enumerate(inits))
    return f"""
    func.func @f(%n : index, %steps : index, %A : memref<?xf64>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {constants}
      {results} = scf.for %j = %c0 to %n step %c1 iter_args({outer}) -> ({types}) {{
        {kept} = scf.for %i = %c0 to %steps step %c1 iter_args({inner}) -> ({types}) {{
          {step}
          scf.yield {yields} : {types}
        }}
        scf.yield {inside} : {types}
      }}
      """


def _chain(type_: str, step: str) -> str:
    """One value after the other; what it begins with comes from memory, so nobody knows it."""
    load = "%a0 = memref.load %A[%c0] : memref<?xf64>"
    if type_ == "i64":
        made = f"{load}\n%a = arith.bitcast %a0 : f64 to i64\n%b = arith.addi %a, %a : i64"
        kept = "%back = arith.bitcast %r : i64 to f64\nmemref.store %back, %A[%c1] : memref<?xf64>"
    else:
        made = f"%one = arith.constant 1.0 : f64\n{load}\n%a = arith.addf %a0, %one : f64"
        kept = "memref.store %r, %A[%c1] : memref<?xf64>"
    body = _function(
        made, [("%a", type_)], step.replace("%x,", "%x0,").replace("%x :", "%x0 :"), "%y"
    )
    return f"{_single(body)} {kept}\nreturn\n}}"


def _single(body: str) -> str:
    """Of one value: it has a name without a number."""
    return body.replace("%r:1", "%r").replace("%q:1", "%q").replace("%q#0", "%q")


def _sums(lanes: int, read: str) -> str:
    """Vectors of one read each, `_AT_ONCE` in a step."""
    vector, places = f"vector<{lanes}xf64>", ", ".join(map(str, range(lanes)))
    made = f"""
      %zero = arith.constant dense<0.0> : {vector}
      %some = arith.constant {lanes - 1} : index
      %mask = vector.create_mask %some : vector<{lanes}xi1>
      %lane = arith.constant dense<[{places}]> : vector<{lanes}xi64>
      %width = arith.constant {lanes * _AT_ONCE} : index"""
    steps = ["%base = arith.muli %i, %width : index"]
    for k in range(_AT_ONCE):
        steps.append(f"%d{k} = arith.constant {k * lanes} : index")
        steps.append(f"%k{k} = arith.addi %base, %d{k} : index")
        if "%at" in read:
            steps.append(f"%e{k} = arith.index_cast %k{k} : index to i64")
            steps.append(f"%f{k} = vector.broadcast %e{k} : i64 to vector<{lanes}xi64>")
            steps.append(f"%at{k} = arith.addi %f{k}, %lane : vector<{lanes}xi64>")
        here = read.replace("%at]", f"%at{k}]").replace("[%k]", f"[%k{k}]")
        steps.append(f"%v{k} = {here}")
        steps.append(f"%y{k} = arith.addf %x{k}, %v{k} : {vector}")
    return _added_up(made, steps, vector)


def _lines(lanes: int) -> str:
    """One vector of each line of an array."""
    vector, line = f"vector<{lanes}xf64>", _AT_ONCE
    made = f"""
      %zero = arith.constant dense<0.0> : {vector}
      %width = arith.constant {line * _AT_ONCE} : index"""
    steps = ["%base = arith.muli %i, %width : index"]
    for k in range(_AT_ONCE):
        steps.append(f"%d{k} = arith.constant {k * line} : index")
        steps.append(f"%k{k} = arith.addi %base, %d{k} : index")
        steps.append(f"%v{k} = vector.load %A[%k{k}] : memref<?xf64>, {vector}")
        steps.append(f"%y{k} = arith.addf %x{k}, %v{k} : {vector}")
    return _added_up(made, steps, vector)


def _added_up(made: str, steps: Sequence[str], vector: str) -> str:
    yields = ", ".join(f"%y{k}" for k in range(_AT_ONCE))
    body = _function(made, [("%zero", vector)] * _AT_ONCE, "\n".join(steps), yields)
    kept = "\n".join(
        f"%z{k} = arith.addf {f'%z{k - 1}' if k else '%zero'}, %r#{k} : {vector}"
        for k in range(_AT_ONCE)
    )
    kept += f"\nvector.store %z{_AT_ONCE - 1}, %A[%c0] : memref<?xf64>, {vector}"
    return f"{body} {kept}\nreturn\n}}"
