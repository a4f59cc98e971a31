"""Faults in templates of the emitted C, and names of functions swapped, are found."""

from __future__ import annotations

from pathlib import Path
from string import Template

import pytest
from constraints.mechanisms import four_bar

import eomc
from eomc.codegen.templates import template
from eomc.derive.functions import frames

FAULTS = [
    ("adaptive_runge_kutta.c", "(times[row] - t)/h", "(times[row] + t)/h", "integrators"),
    ("runge_kutta.c", "sum += b[i]*u_rate[i][k];", "sum -= b[i]*u_rate[i][k];", "integrators"),
    ("constraints.c", "u[k] += du[k];", "u[k] += du[0];", "solvers"),
]


@pytest.mark.parametrize(("file", "old", "new", "check"), FAULTS, ids=lambda value: str(value)[:14])
def test_faults_of_templates(
    file: str, old: str, new: str, check: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain = template._template

    def faulty(name: str) -> Template:
        text = plain(name).template
        assert name != file or old in text
        return Template(text.replace(old, new) if name == file else text)

    monkeypatch.setattr(template, "_template", faulty)
    model = four_bar("c") if check == "solvers" else eomc.Model("swing")
    if check == "integrators":
        model.body("bob", mass=1, com=(0, 0, -0.5))
        model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    report = eomc.verify(model, quick=True, checks=[check], cache_dir=tmp_path)
    assert report.breaches == (check,)


def test_names_of_frame_functions_swapped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def swapped(frame: str, question: str) -> str:
        return f"frame_{question}_{frames.identifier(frame)}"

    monkeypatch.setattr(frames, "function_name", swapped)
    model = eomc.Model("swing")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    report = eomc.verify(model, quick=True, checks=["Newton-Euler"], cache_dir=tmp_path)
    assert report.breaches == ("Newton-Euler",)
