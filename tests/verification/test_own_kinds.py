"""Kinds that verification has no formulas for are judged as any: nothing declared is left out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from docs.run_page import blocks
from dynamics.loaded_trees import loaded_tree

import eomc
from eomc.derive.elements.element import ForceElement
from eomc.derive.elements.kinds import ELEMENTS
from eomc.derive.fields.field import AtPoint, Number, coordinate_with_rate, number, point
from eomc.derive.forces import AllLoads, Scene
from eomc.derive.joints.joint_kind import JOINT_KINDS, joint_kind
from eomc.derive.language.registry import kind
from eomc.derive.model import Model
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler
from eomc.verifier.witness.own_kinds import Apart

pytestmark = pytest.mark.variants

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str, file: str) -> dict[str, Any]:
    """Names of a file that a page of the docs writes."""
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    source = next(block.text for block in blocks(text) if block.file == file)
    module = sys.modules[f"page_{file}"] = ModuleType(f"page_{file}")
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


@kind("buoy")
class Buoy(ForceElement):
    """A lift with the potential -k z^2 / 2, and a brake on a coordinate."""

    at: AtPoint = point()
    k: Number = number("N/m")
    on: str = coordinate_with_rate("that is braked")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        at, k = scene.point(self.at.body, self.at.xyz), scene.scalar(self.k)
        z = at.position.z
        loads.conservative.add_force(at, scene.scalars.vector((0, 0, 1)) * (k * z))
        loads.conservative.potential = loads.conservative.potential - k * z * z / 2
        rate = scene.variables[f"speed({self.on})"]
        loads.other.add_generalized(scene.tree.speed_of[self.on], -(k * rate))


def arm(name: str = "arm") -> Model:
    model = Model(name)
    for body in ("a", "b"):
        model.body(body, mass=1.2, com=(0.1, 0.2, -0.3), inertia=(0.3, 0.4, 0.5))
    model.joint("turn", "revolute", parent="world", child="a", axis=(1, 2, 3))
    model.joint(
        "slide", "cylindrical", parent="a", child="b", axis=(3, 1, -2), placement=(0.3, -0.2, 1)
    )
    return model


def test_formulas_here_are_what_their_kinds_say() -> None:
    """Springs, forces, potentials, losses: as if none of the kinds were known."""
    model = loaded_tree(3)
    numbers, rng = mechanism(model), np.random.default_rng(0)
    at = {n: rng.normal(size=numbers.nu) for n in ("u", "a")} | {"t": np.array(0.3)}
    at |= {n: rng.normal(size=numbers.ns) for n in ("s", "s_rate", "s_acceleration")}
    at |= {"q": np.array(model_configuration(model, rng)), "r": rng.normal(size=len(model.inputs))}
    moving = NewtonEuler(numbers, at)
    known = ("central_gravity", "potential")
    acting = {word: table for word, table in model.acting().items() if word not in known}
    apart = Apart(model, numbers, acting, ())
    empty = {"springs": (), "joint_springs": (), "forces": (), "generalized_forces": ()}
    bare = NewtonEuler(replace(numbers, own=apart, **empty), at)
    for mine, its in zip(bare.loads(), moving.loads(), strict=True):
        assert mine == pytest.approx(its, rel=1e-11, abs=1e-11)


def model_configuration(model: Model, rng: np.random.Generator) -> list[float]:
    return list(eomc.build(model).random_configuration(rng))


@pytest.fixture(autouse=True)
def kinds() -> Iterator[None]:
    known = dict(ELEMENTS.known)
    yield
    for word in ELEMENTS.known.keys() - known.keys() - ELEMENTS.module.keys():
        del ELEMENTS.known[word]
    ELEMENTS.known.update(known)


def test_drag_of_the_docs() -> None:
    drag = page("add-a-force", "drag.py")["Drag"]
    model = arm()
    model.add(drag("air", at={"body": "b", "xyz": (0.3, 0.1, -0.2)}, coefficient=0.4))
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)


def test_a_force_with_a_potential_and_a_brake() -> None:
    model = arm()
    model.add(Buoy("lift", at={"body": "b", "xyz": (0.3, 0.1, -0.2)}, k=3.0, on="slide_angle"))
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)


def test_a_force_that_is_not_the_slope_of_its_potential(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: Buoy, scene: Scene, loads: AllLoads) -> None:
        right(self, scene, loads)
        at = scene.point(self.at.body, self.at.xyz)
        loads.conservative.potential = loads.conservative.potential + at.position.z

    right = Buoy.loads
    monkeypatch.setattr(Buoy, "loads", wrong)
    model = arm()
    model.add(Buoy("lift", at={"body": "b", "xyz": (0.3, 0.1, -0.2)}, k=3.0, on="slide_angle"))
    report = eomc.verify(model, quick=True)
    assert "passivity" in report.breaches


@pytest.mark.slow
def test_cylinder_of_the_docs() -> None:
    cylinder = page("add-a-constraint", "cylinder.py")["PointOnCylinder"]
    model = arm()
    model.add(
        cylinder(
            "pipe", a="b", b={"body": "world", "xyz": (0.4, 0, 0)}, axis_b=(0, 0, 1), radius=0.9
        )
    )
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)
    verdicts = {outcome.check.name: outcome.verdict for outcome in report.outcomes}
    assert verdicts["rows"] == verdicts["constraints"] == "pass"


@pytest.mark.slow
def test_a_bearing_that_an_unknown_constraint_loads() -> None:
    """What it presses with is not known, and friction is compared with nothing."""
    cylinder = page("add-a-constraint", "cylinder.py")["PointOnCylinder"]
    model = arm()
    model.bearing(
        "rub", speed="turn", friction=0.3, radius=0.05, slip_speed=1e-2, minimum_load=1e-3
    )
    model.add(
        cylinder(
            "pipe", a="b", b={"body": "world", "xyz": (0.4, 0, 0)}, axis_b=(0, 0, 1), radius=0.9
        )
    )
    report = eomc.verify(model, quick=True, states=4)
    assert report.ok, str(report)
    verdicts = {outcome.check.name: outcome.verdict for outcome in report.outcomes}
    assert verdicts["Newton-Euler"] == verdicts["Lagrange"] == "skipped"


@pytest.mark.slow
def test_crank_slide_of_the_docs() -> None:
    """As a joint of the tree, and where it closes a loop."""
    page("add-a-joint", "crank_slide.py")
    model = arm()
    model.body("end", mass=1, com=(0.2, 0, 0.1), inertia=(0.1, 0.1, 0.1))
    model.joint("crank", "crank_slide", parent="b", child="end", axis=(0, 1, 1), arm=0.3, damping=1)
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)
    loop = Model("loop")
    for name in ("a", "b"):
        loop.body(name, mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    loop.joint("a", "revolute", parent="world", child="a", axis=(0, 0, 1))
    loop.joint("b", "planar", parent="world", child="b", placement=(2, 0, 0))
    loop.joint("c", "crank_slide", parent="a", child="b", placement=(1, 0, 0), cut=True)
    report = eomc.verify(loop, quick=True)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["spherical", "floating", "planar_body"])
def test_joints_whose_speeds_are_no_rates(kind: str) -> None:
    """The kinds of the package under another name, so that no formula is known of them."""
    known = joint_kind(kind)
    mine = type(f"My{kind}", (type(known),), {"name": f"my_{kind}"})
    model = Model("mine")
    for body in ("a", "b"):
        model.body(body, mass=1.2, com=(0.1, 0.2, -0.3), inertia=(0.3, 0.4, 0.5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(JOINT_KINDS.known, f"my_{kind}", mine)
        axis = {"axis": (1, 2, 3)} if kind == "planar_body" else {}
        model.joint("base", f"my_{kind}", parent="world", child="a", placement=(0.1, 1, 0), **axis)
        model.joint(
            "turn", "revolute", parent="a", child="b", axis=(1, 0, 2), placement=(0.3, 1, 0)
        )
        model.potential("V", f"3*{model.coordinates[1]}**2")
        report = eomc.verify(model, quick=True)
    assert report.ok, str(report)
    verdicts = {outcome.check.name: outcome.verdict for outcome in report.outcomes}
    assert verdicts["Newton-Euler"] == verdicts["Lagrange"] == "pass"
    assert verdicts["momentum"] == ("pass" if kind == "floating" else "skipped")
