"""Kernel outputs: reading them, and when two of them are the same result."""

import pytest

from polyopt.support.diagnostics import CompileError
from polyopt.tools.bench.outputs import Output, difference, ill_conditioned, read_output


def dump(*values: float, name: str = "A", kind: str = "double") -> Output:
    lines = [f"{value:d}" if isinstance(value, int) else value.hex() for value in values]
    return read_output("\n".join([f"{name} {kind} {len(values)}", *lines]))


def summary(total: float, weighted: float, digest: str = "00", kind: str = "double") -> Output:
    return read_output(f"A {kind} 2 {total!r} {weighted!r} {digest}\n")


def test_reads_times_sums_and_elements():
    output = read_output("seconds 0.25 0.125\nA double 2\n0x1p+1\n-0x1p+0\nB int 2 3 4.5 ff\n")
    assert (output.clock, output.processor) == (0.25, 0.125)
    assert output.results[0].values().tolist() == [2.0, -1.0]
    assert (output.sums[0].name, output.sums[0].weighted, output.sums[0].hash) == ("B", 4.5, "ff")


@pytest.mark.parametrize("text", ["A double 3\n0x1p+0\n", "out of memory: 4096 bytes here\n"])
def test_refuses_output_that_broke_off(text: str):
    with pytest.raises(CompileError):
        read_output(text)


def test_exact_is_bit_for_bit():
    assert difference(dump(1.0, 0.1), dump(1.0, 0.1), exact=True) is None
    assert difference(dump(0.3), dump(0.1 + 0.2), exact=True)
    assert difference(dump(0.0), dump(-0.0), exact=True)
    assert difference(summary(1.0, 2.0, "aa"), summary(1.0, 2.0, "ab"), exact=True)


def test_tolerance_is_relative_to_element_or_root_mean_square():
    big = dump(1e6, 1.0)
    assert difference(big, dump(1e6, 1.0 + 1e-5), exact=False) is None
    assert difference(dump(1.0, 1.0), dump(1.0, 1.0 + 1e-5), exact=False)
    assert difference(dump(1.0, kind="float"), dump(1.00001, kind="float"), exact=False) is None
    assert difference(dump(1.0, kind="float"), dump(1.001, kind="float"), exact=False)
    assert difference(dump(5, kind="int"), dump(6, kind="int"), exact=False)


def test_nan_differs_from_numbers_only():
    nan = float("nan")
    assert difference(dump(nan, 1.0), dump(nan, 1.0), exact=False) is None
    assert difference(dump(2.0, 1.0), dump(nan, 1.0), exact=False)
    assert difference(dump(nan, 1.0), dump(2.0, 1.0), exact=False)
    assert difference(dump(1.0), dump(float("inf")), exact=False)


def test_other_arrays_are_a_difference():
    assert difference(dump(1.0), dump(1.0, name="B"), exact=False)
    assert difference(dump(1.0), dump(1.0, 1.0), exact=False)


def test_second_rounding_excuses_only_where_it_differs():
    expected, second = dump(1.0, 1.0), dump(1.0, 2.0)
    assert ill_conditioned(expected, second) == 1
    assert difference(expected, dump(1.0, 3.0), exact=False, second=second) is None
    assert difference(expected, dump(3.0, 1.0), exact=False, second=second)
    assert difference(expected, dump(1.0, 3.0), exact=True, second=second)


def test_sums_compare_within_tolerance():
    assert difference(summary(1.0, 2.0), summary(1.0 + 1e-12, 2.0), exact=False) is None
    assert difference(summary(1.0, 2.0), summary(1.0, 2.1), exact=False)
    noisy = summary(1.0, 3.0)
    assert difference(summary(1.0, 2.0), summary(1.0, 2.1), exact=False, second=noisy) is None
