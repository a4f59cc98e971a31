"""No check without need: each finds something that no other does, in mutants or in a model here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)
from verification.own_faults import FAULTS

import eomc
from eomc.derive.bodies import Attachment, Form
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.fields.field import AtPoint, Number, number, point
from eomc.derive.forces import AllLoads, Scene
from eomc.derive.graph import Expression, Program
from eomc.derive.language.registry import kind
from eomc.derive.model import Model
from eomc.derive.system.model_on_graph import ModelOnGraph
from eomc.verifier.procedure import all_checks

pytestmark = pytest.mark.in_thirds

DOCS = Path(__file__).parents[2] / "docs"


@dataclass(frozen=True)
class Band(Form):
    """A rod that stretches uniformly, as in the docs; with `coupled` its kinetic energy is that of
    v + w x r + r', without it r' is left out of the product with the rest."""

    length: float
    mass: float
    EA: float
    coupled: bool = True

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("stretch",)

    @property
    def units(self) -> tuple[str, ...]:
        return ("1",)

    @property
    def scalars(self) -> tuple[Any, ...]:
        return (self.length, self.mass, self.EA)

    def kinetic_energy(
        self, v: Sequence[Any], w: Sequence[Any], xi: Sequence[Any], xi_rate: Sequence[Any]
    ) -> Any:
        x = sp.Symbol("x")
        r, rate = sp.Matrix([(1 + xi[0]) * x, 0, 0]), sp.Matrix([xi_rate[0] * x, 0, 0])
        carried = sp.Matrix(v) + sp.Matrix(w).cross(r)
        square = carried.dot(carried) + rate.dot(rate)
        if self.coupled:
            square += 2 * carried.dot(rate)
        density = self.mass / sp.sympify(self.length)
        return sp.integrate(sp.expand(density * square / 2), (x, 0, self.length))

    def strain_energy(self, xi: Sequence[Any]) -> Any:
        return self.EA * self.length * xi[0] ** 2 / 2

    def attachment(self, at: Any, xi: Sequence[Any]) -> Attachment:
        return Attachment(((1 + xi[0]) * self.length, 0, 0))


@kind("bumper")
class Bumper(ForceElement):
    """Elastic beyond x = `begins`: F = -k d, V = `share` k d^2."""

    at: AtPoint = point("that meets it")
    k: Number = number("N/m")
    begins: Number = number("m")
    share: Number = number("", "of k d^2", default="1/2")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        at, k = scene.point(self.at.body, self.at.xyz), scene.scalar(self.k)
        depth = (at.position.x - scene.scalar(self.begins)).binary("max", 0)
        loads.conservative.add_force(at, scene.scalars.vector((-1, 0, 0)) * (k * depth))
        stored = scene.scalar(self.share) * k * depth * depth
        loads.conservative.potential = loads.conservative.potential + stored


@kind("line_brake")
class LineBrake(ForceElement):
    """A damper along the line between two points; what it does to a it does to `reaction`."""

    internal = True

    a: AtPoint = point()
    b: AtPoint = point()
    reaction: AtPoint = point("where the other end pulls")
    c: Number = number("N s/m")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        a, b, end = (scene.point(at.body, at.xyz) for at in (self.a, self.b, self.reaction))
        away = a.position - b.position
        rate = (a.velocity - b.velocity).dot(away)
        pull = away * (scene.scalar(self.c) * rate / away.dot(away))
        loads.other.add_force(a, -pull)
        loads.other.add_force(end, pull)


@kind("rail_brake")
class RailBrake(ForceElement):
    """A force -c v on the speed v of a point."""

    at: AtPoint = point()
    c: Number = number("N s/m")

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        at = scene.point(self.at.body, self.at.xyz)
        loads.other.add_force(at, -(at.velocity * scene.scalar(self.c)))

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        return True


def band(is_faulty: bool) -> Model:
    model = Model("band")
    model.deformable("band", Band(0.5, 0.2, 40.0, coupled=not is_faulty))
    model.joint("pin", "revolute", parent="world", child="band", axis=(0, 1, 0))
    model.constraint("turnbuckle", "expression", expression="band_stretch - 0.1")
    return model


def cart(is_faulty: bool) -> Any:
    x, theta, v, w = dynamicsymbols("x theta v w")
    m, big, length, g, about = sp.symbols("m M l g J")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    turned = frame.orientnew("A", "axis", (theta, frame.y))
    turned.set_ang_vel(frame, w * frame.y)
    place = (x - length * sp.sin(theta)) * frame.x - length * sp.cos(theta) * frame.z
    carriage, center = origin.locatenew("C", x * frame.x), origin.locatenew("B", place)
    carriage.set_vel(frame, v * frame.x)
    center.set_vel(frame, place.dt(frame).subs({x.diff(): v, theta.diff(): w}))
    bob = RigidBody("bob", center, turned, m, (inertia(turned, 0, about, 0), center))
    kinematics = [v - x.diff(), w - theta.diff()]
    method = KanesMethod(frame, [x, theta], [v, w], kd_eqs=kinematics)
    method.kanes_equations([Particle("cart", carriage, big), bob], [(center, -m * g * frame.z)])
    if is_faulty:
        bob.central_inertia = inertia(turned, 0, 2 * about, 0)
    values = {"M": 2.0, "m": 0.5, "l": 0.8, "g": 9.81, "J": 0.1}
    return eomc.from_sympy(method, values, name="cart")


def _on_a_rail() -> Model:
    model = Model("trolley")
    model.body("trolley", mass=3)
    model.body("load", mass=1, com=(0, 0, -0.5), inertia=(0.02, 0.02, 0.01))
    model.joint(
        "rail", "prismatic", parent="world", child="trolley", axis=(1, 0, 0), lower=-20, upper=20
    )
    model.joint("swing", "revolute", parent="trolley", child="load", axis=(0, 1, 0))
    return model


def trolley(is_faulty: bool) -> Model:
    model, stored = _on_a_rail(), {"share": 1} if is_faulty else {}
    model.add(Bumper("end", at="trolley", k=1000, begins=19.9, **stored))
    return model


def braked(is_faulty: bool) -> Model:
    model = _on_a_rail()
    model.add(RailBrake("brake", at="trolley", c=-2 if is_faulty else 2))
    return model


def flyer(is_faulty: bool) -> Model:
    model = Model("flyer", gravity=(0, 0, 0))
    model.body("hub", mass=2, com=(0.1, 0, 0), inertia=(0.3, 0.4, 0.5))
    model.body("boom", mass=1, com=(0.3, 0, 0), inertia=(0.01, 0.1, 0.1))
    model.joint("free", "floating", parent="world", child="hub")
    model.joint(
        "hinge", "revolute", parent="hub", child="boom", axis=(0, 0, 1), placement=(0.5, 0, 0)
    )
    eye = {"body": "hub", "xyz": (0, 0.5, 0)}
    pulled = "hub" if is_faulty else eye
    model.add(
        LineBrake("brake", a={"body": "boom", "xyz": (0.6, 0, 0)}, b=eye, reaction=pulled, c=2)
    )
    return model


def slide(is_faulty: bool) -> Program:
    x, theta = dynamicsymbols("x theta")
    v, w = x.diff(), theta.diff()
    kinetic = v**2 + w**2 / 10 + 3 * v * w * sp.cos(theta) / 10
    system = eomc.LagrangianSystem("slide", [x, theta], kinetic, x**2 - 10 * sp.cos(theta))
    derivatives = "inverse_dynamics_derivatives"
    names = ["neutral", "integrate", "mass_matrix", "bias", "inverse_dynamics", derivatives]
    program = system.program(functions=names)
    return _without(program, derivatives, "dtau_dq", 1) if is_faulty else program


def dropped(is_faulty: bool) -> Program:
    model = Model("dropped")
    model.body("ball", mass=2)
    model.joint("height", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    ball, floor = {"kind": "point", "at": "ball"}, {"kind": "plane", "at": "world"}
    model.contact("floor", ball, floor, normal={"kind": "rigid", "restitution": 0.5})
    names = ["neutral", "contact_equations", "rigid_contacts"]
    names += ["integrate", "difference", "mass_matrix", "bias"]
    program = eomc.equations(model).program(functions=names)
    return _without(program, "contact_equations", "x", 0) if is_faulty else program


def _without(program: Program, function: str, output: str, place: int) -> Program:
    """With zero in place of an entry of an output."""

    def edited(port: Any) -> Any:
        if port.name != output:
            return port
        entries = [*port.entries]
        entries[place] = program.graph.constant(0)
        return replace(port, entries=tuple(entries))

    functions = [
        replace(f, outputs=tuple(map(edited, f.outputs))) if f.name == function else f
        for f in program.functions
    ]
    return replace(program, functions=tuple(functions))


def follower(is_faulty: bool) -> Model:
    """Sound; what is wrong is the derivation."""
    model = Model("follower")
    model.body("cam", mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.3))
    model.body("rod", mass=1)
    model.body("bob", mass=0.5, com=(0, 0, -0.3), inertia=(0.01, 0.02, 0.01))
    model.joint("turn", "revolute", parent="world", child="cam", axis=(0, 0, 1))
    model.joint("lift", "prismatic", parent="world", child="rod", axis=(1, 0, 0))
    model.joint("swing", "revolute", parent="rod", child="bob", axis=(0, 1, 0))
    model.prescribed("turn")
    model.constraint("cam", "expression", expression="lift - 0.1*cos(turn)")
    return model


_passing = ModelOnGraph.passing


def _without_acceleration(self: ModelOnGraph, seen: Sequence[Expression] = ()) -> dict[int, int]:
    """The direction of motion in which rates of prescribed coordinates stay as they are."""
    rates = {rate.node for rate in self.s_rate}
    return {node: along for node, along in _passing(self, seen).items() if node not in rates}


MODELS: Mapping[str, Callable[[bool], Any]] = {
    "Lagrange": band,
    "consistency": cart,
    "passivity": trolley,
    "losses": braked,
    "momentum": flyer,
    "linearization": slide,
    "constraints": follower,
    "contact steps": dropped,
}
"""With the fault, and without; what is wrong stands in `own_faults`."""


def breaches(check: str, is_faulty: bool, patch: pytest.MonkeyPatch, **how: Any) -> Any:
    if is_faulty and check == "constraints":
        patch.setattr(ModelOnGraph, "passing", _without_acceleration)
    return eomc.verify(MODELS[check](is_faulty), flags=["-O0"], **how).breaches


@pytest.mark.slow
@pytest.mark.parametrize("check", MODELS)
def test_a_fault_that_this_check_alone_finds(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert breaches(check, False, monkeypatch, quick=True) == ()
    assert breaches(check, True, monkeypatch, quick=True) == (check,)


@pytest.mark.slow
@pytest.mark.parametrize("check", MODELS)
def test_nor_do_those_that_quick_verifications_leave_out(
    check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert breaches(check, False, monkeypatch) == ()
    assert breaches(check, True, monkeypatch) == (check,)


def test_every_check_finds_something_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that is added brings a mutant or a model that needs it; a model is left out again
    when a mutant needs its check."""
    monkeypatch.syspath_prepend(str(DOCS))
    from mutant_tables import found_by

    run = json.loads((DOCS / "mutants.json").read_text(encoding="utf-8"))
    _, alone = found_by(run)
    assert MODELS.keys() == FAULTS.keys()
    assert {check.name for check in all_checks()} - alone.keys() == FAULTS.keys()
