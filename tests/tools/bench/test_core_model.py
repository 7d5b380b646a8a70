"""polyopt-bench --core-model: what it measures has the order that any core has."""

import pytest

from polyopt.support.target import Target
from polyopt.tools.bench import core_model
from polyopt.tools.polyopt_bench import main


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(core_model, "_SECONDS", 0.002)
    monkeypatch.setattr(core_model, "_MOST_BYTES", 8 << 20)


def test_what_is_measured_is_in_order():
    found = {one.name: one.cycles for one in core_model.measure()}
    lanes = Target.host().lanes(8)
    assert found["gathered"] > 1 / (found["loads"] * lanes)
    assert found["divide_latency"] > found["add_latency"] > 0.5


def test_each_is_printed_beside_the_model(capsys: pytest.CaptureFixture[str]):
    assert main(["--core-model"]) == 0
    shown = capsys.readouterr().out
    assert all(
        name in shown for name in ("add_latency", "gathered", "l3_line", "model", "measured")
    )
