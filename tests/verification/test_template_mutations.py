"""Faults in templates of the emitted C, and names of functions swapped, are found."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path
from string import Template
from typing import Any

import pytest
from constraints.mechanisms import four_bar
from constraints.test_linkages import bennett
from lagrange.test_full_citizens import disc
from verification.faults import Derivation, mutated
from verification.mutants.models.deformable import bow
from verification.mutants.models.given import eight
from verification.mutants.models.held import flat

import eomc
from eomc.binding import files, loaded
from eomc.codegen.c import limits
from eomc.codegen.c.sine_cosine import sine_cosine_marks
from eomc.codegen.compiler import native_vector_bytes
from eomc.codegen.language import literal
from eomc.codegen.templates import template
from eomc.derive.functions import frames as frames
from eomc.runtime.model import load as load
from eomc.verifier.checks.derived import vectors

pytestmark = pytest.mark.in_thirds

# By import_module: the package's attribute of this name is the function.
BUILDING = import_module("eomc.codegen.build")
FAULTS = [
    ("adaptive_runge_kutta.c", "(times[row] - t)/h", "(times[row] + t)/h", "integrators"),
    ("runge_kutta.c", "sum += b[i]*u_rate[i][k];", "sum -= b[i]*u_rate[i][k];", "integrators"),
    ("constraints.c", "u[k] += du[k];", "u[k] += du[0];", "solvers"),
    ("constraints.c", "z[i] += basis[k][i]*force[k];", "z[i] -= basis[k][i]*force[k];", "solvers"),
    ("angle_reduction.c", "r1 = x - n", "r1 = x + n", "emitted C"),
    ("quarter_turns.c", "s_sign ^ (odd & minus)", "s_sign ^ (odd & 0)", "lanes"),
    ("rollouts_runge_kutta.c", "sum[k] += b[i]*rate[i][k];", "sum[k] -= b[i]*rate[i][k];", "lanes"),
    ("contact_rollouts.c", "x[k] += h*pushed[k];", "x[k] -= h*pushed[k];", "lanes"),
    ("feedback.c", "(u_ref[k] - u[k])", "(u_ref[k] + u[k])", "lanes"),
    ("adaptive_advance.c", "growth, 0.9${f}*pow", "growth, 0.8${f}*pow", "integrators"),
    ("closed_loop.c", "${held}h, 1)", "${held}h, 2)", "laws"),
    ("lanes_fail.c", "codes[k] != ${M}_OK", "codes[k] == ${M}_OK", "lanes"),
    ("closed.c", "<= ${rank_tolerance}", "> ${rank_tolerance}", "solvers"),
    ("constraints.c", "*rank < ${rows} ?", "*rank > ${rows} ?", "singular constraints"),
]
BINDING_FAULTS = [
    ("integrators.pxi", "x[i] + some*self.", "x[i] + 0*some*self.", "integrators"),
    ("integrators.pxi", "u_at += some*", "u_at += 0*some*", "integrators"),
    ("eomc_call.h", "x[i] + stride[i];", "x[i] + 0*stride[i];", "batches"),
    ("eomc_call.h", "if (count > 1) {", "if (count > 2) {", "calls"),  # of a pair: what stays NaN
    ("eomc_threads.h", "start + done < batch->failed", "start + done > batch->failed", "batches"),
    ("rollouts.pxi", "self.u + start * self.u_size", "self.u + start", "lanes"),
]
# Linkages, since the swing refuses no state: its mass is the same in all.
LINKAGES = {"eomc_threads.h": lambda: four_bar("c"), "lanes_fail.c": lambda: four_bar("c")}
LINKAGES |= {"constraints.c": lambda: four_bar("c"), "closed.c": lambda: bennett().cut_at(2)}
LINKAGES |= {"contact_rollouts.c": lambda: _dropped()}


def _dropped() -> eomc.Model:
    model = eomc.Model("dropped")
    model.body("ball", mass=2)
    model.joint("height", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    ball, floor = {"kind": "point", "at": "ball"}, {"kind": "plane", "at": "world"}
    model.contact("floor", ball, floor, normal={"kind": "rigid", "restitution": 0.5})
    return model


def _swing() -> eomc.Model:
    model = eomc.Model("swing")
    model.body("bob", mass=1.1, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return model


@pytest.mark.slow
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
    model = LINKAGES.get(file, _swing)()
    report = eomc.verify(model, quick=True, checks=[check], cache_dir=tmp_path)
    assert report.breaches == (check,)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "check"), BINDING_FAULTS, ids=lambda value: str(value)[:14]
)
def test_faults_of_the_binding(
    file: str, old: str, new: str, check: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain = files.text
    assert plain(file).count(old) == 1

    def faulty(name: str) -> str:
        return plain(name).replace(old, new) if name == file else plain(name)

    with pytest.MonkeyPatch.context() as patch:
        for module in (files, BUILDING):
            patch.setattr(module, "text", faulty)
        binding = loaded._imported(BUILDING.build_binding(tmp_path))
    monkeypatch.setattr(load, "binding", lambda: binding)
    model = LINKAGES.get(file, _swing)()
    report = eomc.verify(model, quick=True, checks=[check], cache_dir=tmp_path)
    assert report.breaches == (check,)


def test_names_of_frame_functions_swapped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def swapped(frame: str, question: str) -> str:
        return f"frame_{question}_{frames.identifier(frame)}"

    monkeypatch.setattr(frames, "function_name", swapped)
    report = eomc.verify(_swing(), quick=True, checks=["Newton-Euler"], cache_dir=tmp_path)
    assert report.breaches == ("Newton-Euler",)


def test_digits_of_single_precision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(literal, "_shortest_float", lambda value: f"{value:.4g}")
    sine_cosine_marks.cache_clear()
    try:
        report = eomc.verify(_swing(), quick=True, checks=["single precision"], cache_dir=tmp_path)
    finally:
        sine_cosine_marks.cache_clear()  # later tests in this process want all digits
    assert report.breaches == ("single precision",)


@pytest.mark.parametrize(
    ("where", "old", "new", "make", "check"),
    [
        ("motions.plane_free:_chord", "safe.sin() / safe", "safe.cos() / safe", flat, "manifold"),
        ("motions.plane_free:PlaneFree.neutral", "[0.0,", "[1.0,", flat, "manifold"),
        ("functions.sympy_systems:forcing", "[-force", "[force", disc, "functions on request"),
        (
            "functions.dynamics:positive",
            "singular_mass_matrix",
            "singular_constraints",
            bow,
            "singular constraints",
        ),
        (
            "rods.exponential:Exponential.__init__",
            "not x.is_constant",
            "x.is_constant",
            bow,
            "rod reach",
        ),
    ],
)
def test_functions_beside_the_dynamics(
    where: str, old: str, new: str, make: Any, check: str, tmp_path: Path
) -> None:
    """Steps, neutral configurations, and what systems given in SymPy have beside others."""
    with mutated(Derivation(where, f"eomc.derive.{where}", old, new)):
        report = eomc.verify(make(), quick=True, checks=[check], cache_dir=tmp_path)
    assert report.breaches == (check,)


@pytest.mark.slow
def test_loops_over_bodies(tmp_path: Path) -> None:
    fault = Derivation(
        "generalized forces reversed",
        "eomc.derive.rolled.steps:project_step",
        "factor * column.dot(wrench)",
        "-factor * column.dot(wrench)",
    )
    with mutated(fault):
        report = eomc.verify(_swing(), quick=True, checks=["small code"], cache_dir=tmp_path)
    assert report.breaches == ("small code",)


@pytest.mark.slow
@pytest.mark.skipif(native_vector_bytes() < 32, reason="this machine has no longer vectors")
def test_columns_side_by_side(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Rows of columns, which stand in no build for every processor."""
    plain, checks = template._template, ["emitted C", "vectors"]

    def faulty(name: str) -> Template:
        return Template(plain(name).template.replace("row[lane] = number", "row[0] = number"))

    def breaches() -> tuple[str, ...]:
        report = eomc.verify(eight(), quick=True, checks=checks, flags=["-O0"], cache_dir=tmp_path)
        return report.breaches

    assert breaches() == ()
    monkeypatch.setattr(template, "_template", faulty)
    assert breaches() == ("vectors",)


@pytest.mark.parametrize(
    ("file", "old", "new", "make"),
    [
        pytest.param(
            "turns.c",
            "&turns[count + i], &turns[2*count + i]",
            "&turns[2*count + i], &turns[count + i]",
            eight,
            marks=pytest.mark.slow,
        ),
        ("lanes_copies.c", "_gather(rows, 0, size", "_gather(rows, 1, size", _swing),
        ("lanes_copies.c", "_scatter(lanes, 0, size", "_scatter(lanes, 1, size", _swing),
    ],
)
def test_code_beside_vectors(
    file: str, old: str, new: str, make: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What stands behind ``#else``, for compilers that know no vectors."""
    plain = template._template
    monkeypatch.setattr(vectors, "LONGER", ())

    def faulty(name: str) -> Template:
        text = plain(name).template
        assert name != file or text.partition("#else")[2].count(old) == 1
        return Template(text.replace(old, new) if name == file else text)

    def breaches() -> tuple[str, ...]:
        report = eomc.verify(
            make(), quick=True, checks=["vectors"], flags=["-O0"], cache_dir=tmp_path
        )
        return report.breaches

    assert breaches() == ()
    monkeypatch.setattr(template, "_template", faulty)
    assert breaches() == ("vectors",)


def test_lanes_one_by_one(tmp_path: Path) -> None:
    fault = Derivation(
        "the first lane for all",
        "eomc.codegen.c.lanes:_lane_by_lane",
        "[entry*{macro}_LANES + lane]",
        "[entry*{macro}_LANES]",
    )
    with mutated(fault):
        report = eomc.verify(_swing(), quick=True, checks=["vectors"], cache_dir=tmp_path)
    assert report.breaches == ("vectors",)


def test_ends_that_are_infinite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Below and above change places where nothing limits."""
    monkeypatch.setattr(
        limits,
        "_limit",
        lambda face, value: (
            literal.literal(value, face.real)
            if math.isfinite(value)
            else "-INFINITY"
            if value > 0
            else "INFINITY"
        ),
    )
    model = _swing()
    model.body("tip", mass=1, com=(0, 0, -0.5))
    model.joint("wrist", "revolute", parent="bob", child="tip", axis=(0, 1, 0), lower=-1)
    report = eomc.verify(model, quick=True, checks=["limits"], cache_dir=tmp_path)
    assert report.breaches == ("limits",)
