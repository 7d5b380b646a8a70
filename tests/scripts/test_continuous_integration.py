"""The jobs of continuous integration: each Python that the package says it is for, and a wheel."""

from __future__ import annotations

import re
import tomllib

from rooms import ROOT

WORKFLOW = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
COMMANDS = re.findall(r"run: (.*)", WORKFLOW)


def test_every_python_of_the_package_has_a_job():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    listed = re.search(r"version: \[(.*)\]", WORKFLOW)
    assert listed
    assert re.findall(r"[\d.]+", listed[1]) == said
    assert project["requires-python"] == f">={said[0]}"
    assert ".ci/run --python ${{ matrix.version }}" in COMMANDS


def test_all_checks_and_the_wheel_are_jobs():
    assert {".ci/run", ".ci/run --wheel"} < set(COMMANDS)


def test_jobs_run_what_people_run():
    """The flags of the commands are those of scripts/test."""
    known = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    assert all(one.split()[0] == ".ci/run" for one in COMMANDS)
    for flag in re.findall(r"--\w+", " ".join(COMMANDS)):
        assert f'"${{1:-}}" = {flag} ]' in known, flag
