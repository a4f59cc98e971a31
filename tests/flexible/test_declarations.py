"""Declaring deformable bodies: files, refusals that name the body and the mode, odd models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import sympy
from dynamics.evaluation import value
from flexible.point_masses import Swarm
from flexible.swarm_systems import chain, rigid, state, whole_equations

import eomc
from eomc.derive.bodies import Attachment, Form, Invariants
from eomc.derive.formats import parse_toml, toml_text
from eomc.derive.model import Model, ModelError


@pytest.mark.slow
def test_models_go_to_files_and_back() -> None:
    model = chain(fixed={"d1": 0.2})
    model.parameter("k", 3.5)
    model.deformables["hull"] = chain().deformables["hull"]
    model.deformable("spare", "test_swarm", seed=4, modes=1, stiffness="2*k")
    model.joint("spare", "attachment", parent="hull", child="spare", at=0.5)
    model.prescribed("arm_d0")
    text = toml_text(model)
    again = parse_toml(text)
    assert again == model
    assert toml_text(again) == text
    assert eomc.equations(again).coordinates == eomc.equations(model).coordinates


@pytest.mark.slow
def test_parameters_of_a_form_stay_tunable() -> None:
    """Strain and dissipation grow with their parameters, by what they are derived to be."""
    model = Model("tuned", gravity=(0, 0, 0))
    model.parameter("k", 3.0)
    model.parameter("c", 0.2)
    model.deformable("boom", Swarm(2, 2, stiffness="2*k", damping="c"))
    model.joint("base", "fixed", parent="world", child="boom")
    equations, plain = eomc.equations(model), Model("plain", gravity=(0, 0, 0))
    plain.deformable("boom", Swarm(2, 2, stiffness=6.0, damping=0.2))
    plain.joint("base", "fixed", parent="world", child="boom")
    at = {"q": [0.1, -0.2], "u": [0.3, 0.4], "a": [0.5, 0.6]}
    got = value(equations, "inverse_dynamics", tunable="all", **at)
    assert got == pytest.approx(value(eomc.equations(plain), "inverse_dynamics", **at), rel=1e-14)


@pytest.mark.slow
def test_an_attachment_carries_what_hangs_on_it() -> None:
    """`Model.attachment` makes the massless body to which the payload is welded."""
    direct, by_way = Model("direct"), Model("by_way")
    for model in (direct, by_way):
        model.deformable("boom", Swarm(2, 2))
        model.joint("hinge", "revolute", parent="world", child="boom", axis=(0, 1, 0))
        rigid(model, "load", [(0.5, (0.1, 0.2, 0.3)), (0.25, (0, -0.4, 0.1)), (0.3, (1, 0, 0))])
    direct.joint("weld", "attachment", parent="boom", child="load", at="tip")
    by_way.attachment("boom_tip", body="boom", at="tip")
    by_way.joint("weld", "fixed", parent="boom_tip", child="load")
    rng = np.random.default_rng(2)
    at = {name: rng.normal(size=3) for name in ("q", "u", "a")}
    expected = value(eomc.equations(direct), "inverse_dynamics", **at)
    got = value(eomc.equations(by_way), "inverse_dynamics", **at)
    assert got == pytest.approx(expected, rel=1e-13)


@dataclass(frozen=True)
class Bad(Form):
    """Two coordinates with whatever energy or invariants are asked for."""

    energy: Callable[..., Any] | None = None
    internal: tuple[tuple[float, ...], ...] = ((1.0, 0.0), (0.0, 1.0))
    mass: float = 1.0
    names: tuple[str, ...] = ("left", "right")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return self.names

    def invariants(self, xi: Any) -> Invariants:
        if self.energy is not None:
            return super().invariants(xi)
        zero = (0, 0, 0)
        return Invariants(
            self.mass, zero, (1, 1, 1, 0, 0, 0), (zero, zero), (zero, zero), self.internal
        )

    def kinetic_energy(self, v: Any, w: Any, xi: Any, xi_rate: Any) -> Any:
        if self.energy is None:
            return super().kinetic_energy(v, w, xi, xi_rate)
        return self.energy(v, w, xi, xi_rate)


def square(x: Any) -> Any:
    return sum(entry**2 for entry in x)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (
            Bad(lambda v, w, xi, rate: square(v) ** 2 + square(rate)),
            r"deformable 'boom': .*kinetic energy of a Bad is not quadratic",
        ),
        (
            Bad(lambda v, w, xi, rate: v[0] ** 2 + square(w) + square(rate)),
            r"deformable 'boom': .*belongs to no body",
        ),
        (
            Bad(lambda v, w, xi, rate: square(v) * (1 + xi[0] ** 2) + square(w) + square(rate)),
            r"deformable 'boom': .*mass of a Bad depends on its deformation",
        ),
        (Bad(mass=-1.0), r"deformable 'boom': its mass is negative"),
        (
            Bad(internal=((1.0, 0.0), (0.0, -2.0))),
            r"deformable 'boom': .*mode.* 'right'|deformable 'boom': .*'right'",
        ),
        (Bad(internal=((1.0, 2.0), (2.0, 1.0))), r"deformable 'boom': .*'right'"),
        (Bad(internal=((1.0, 0.5), (0.0, 1.0))), r"deformable 'boom': .*not symmetric"),
    ],
)
def test_bodies_that_cannot_be_are_refused(form: Bad, message: str) -> None:
    model = Model("bad")
    model.deformable("boom", form)
    model.joint("base", "revolute", parent="world", child="boom", axis=(0, 1, 0))
    with pytest.raises(ModelError, match=message):
        eomc.equations(model)


def test_declarations_that_name_nothing_are_refused() -> None:
    model = Model("bad")
    model.deformable("boom", Swarm(1, 2))
    for wrong, message in (
        (lambda: model.deformable("other", "no_form"), "unknown form 'no_form'"),
        (lambda: model.deformable("other", "test_swarm", sped=1), "takes no 'sped'.*'seed'"),
        (lambda: model.deformable("other", Swarm(1), seed=1), "seed: arguments of a form"),
        (lambda: model.deformable("boom", Swarm(1)), "deformable 'boom'"),
        (lambda: model.deformable("other", 3), "give a Form or its name, not int"),
        (lambda: model.deformable("other", Bad(names=("a", "a"))), "two coordinates of one name"),
        (lambda: model.deformable("other", Swarm(1), fixed=3), "fixed: give true"),
    ):
        with pytest.raises(ModelError, match=message):
            wrong()


def test_places_that_are_none_are_refused() -> None:
    def system(kind: str, parent: str, **joint: Any) -> Model:
        model = Model("bad")
        model.deformable("boom", Swarm(1, 2))
        model.body("hub", mass=1, inertia=(1, 1, 1))
        model.joint("base", "revolute", parent="world", child="hub", axis=(0, 1, 0))
        model.joint("root", "fixed", parent="hub", child="boom")
        model.body("load", mass=1)
        model.joint("weld", kind, parent=parent, child="load", **joint)
        return model

    with pytest.raises(ModelError, match=r"joint 'weld': at: station 'tpi'; there is 'tip'"):
        eomc.equations(system("attachment", "boom", at="tpi"))
    with pytest.raises(ModelError, match=r"joint 'weld': .*deformable parent.*'boom'"):
        eomc.equations(system("attachment", "hub", at="tip"))
    with pytest.raises(ModelError, match=r"joint 'weld'.*at"):
        eomc.equations(system("attachment", "boom"))


@dataclass(frozen=True)
class Weightless(Form):
    """A stretch without inertia of its own."""

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("stretch",)

    def invariants(self, xi: Any) -> Invariants:
        zero = (0, 0, 0)
        return Invariants(0, zero, (0, 0, 0, 0, 0, 0), (zero,), (zero,), ((0,),))

    def strain_energy(self, xi: Any) -> Any:
        return 4 * xi[0] ** 2

    def attachment(self, at: Any, xi: Any) -> Attachment:
        return Attachment((1 + xi[0], 0, 0))


def test_a_mode_without_inertia_needs_something_to_move() -> None:
    """With a mass at its end it is a spring; alone it has no equation."""
    model = Model("spring", gravity=(0, 0, 0))
    model.deformable("rod", Weightless())
    model.joint("base", "fixed", parent="world", child="rod")
    with pytest.raises(ModelError, match="rod_stretch"):
        value(eomc.equations(model), "forward_dynamics", q=[0.1], u=[0.0], tau=[0.0])
    model.body("bob", mass=2)
    model.joint("end", "attachment", parent="rod", child="bob", at="tip")
    got = value(eomc.equations(model), "forward_dynamics", q=[0.1], u=[0.0], tau=[0.0])
    assert got == pytest.approx([-8 * 0.1 / 2], rel=1e-14)


@pytest.mark.slow
def test_loads_on_deformable_bodies() -> None:
    """A force on a body along the chain does the same work as J^T f; a law may name a mode."""
    model, (q, u, a) = chain(), state()
    model.force("pull", at="rider", direction=(1, 2, 3), magnitude="1 + hull_d0**2")
    model.generalized_force("drive", "arm_d1", "2*speed(arm_d0)")
    whole = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    got = value(eomc.equations(model), "inverse_dynamics", q=q, u=u, a=a)
    jacobian = value(whole_equations(), "frame_rider_jacobian", q=q)[:3]
    expected = whole - jacobian.T @ np.array([1, 2, 3]) * (1 + q[7] ** 2)
    expected[10] -= 2 * u[9]
    assert got == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.slow
def test_a_form_declares_energy_or_invariants_alike() -> None:
    """Each follows from the other."""
    form = Swarm(5, 2)
    xi = sympy.symbols("x0 x1")
    v, w, rates = (sympy.symbols(f"{letter}:3") for letter in "vwr")
    again = Form.kinetic_energy(form, v, w, xi, rates[:2])
    difference = sympy.expand(again - form.kinetic_energy(v, w, xi, rates[:2]))
    largest = max((abs(c) for c in sympy.Poly(difference, *v, *w, *rates, *xi).coeffs()), default=0)
    assert largest < 1e-13
