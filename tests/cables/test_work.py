"""What a cable does is what its energy says: forces against differences of the potential, rates
against differences of the strain, damping against the power it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.cables import Pulley, Winch
from eomc.derive.placement.placement import Point

Z = (0, 0, 1)

ROUTES: dict[str, list[Any]] = {
    "straight": [Point("world", (1, 2, 3)), Point("c", (0.3, 0.1, 0.2))],
    "over a pulley out of its plane": [
        Point("world", (1, 2, 3)),
        Pulley(Point("a", (0.4, 0.1, 0.3)), axis=(1, 2, 2), radius=0.1, sense=1),
        Point("c", (0.3, -0.2, 0.2)),
    ],
    "drum in a plane": [
        Winch(Point("a", (0.4, 0, 0)), radius=0.1, sense=1, turn="drum", axis=Z, zero=(0, 1, 0)),
        Point("e", (0.5, 0.1, 0)),
    ],
    "drum in a block": [
        Point("world", (1, 2, 3)),
        Winch(
            Point("b", (0.2, 0.1, 0.3)),
            radius=0.07,
            sense=-1,
            turn="drum",
            swivel=(1, 2, 2),
            offset=0.1,
            height=0.05,
        ),
    ],
    "pulley to pulley": [
        Point("world", (2, 1, 0)),
        Pulley(Point("e", (0.5, 0.1, 0)), axis=Z, radius=0.1, sense=1),
        Pulley(Point("a", (0.9, 0, 0)), axis=Z, radius=0.2, sense=-1),
        Point("world", (-2, 1, 0)),
    ],
    "drum to drum over a pulley": [
        Winch(Point("a", (0.1, 0.9, 0)), radius=0.1, sense=-1, turn="drum", axis=Z, zero=(1, 0, 0)),
        Pulley(Point("e", (0.5, 0.1, 0)), axis=Z, radius=0.15, sense=-1),
        Winch(
            Point("world", (-1, -1, 0)),
            radius=0.2,
            sense=-1,
            turn="2*drum + tip**2",
            axis=Z,
            zero=(1, 0, 0),
        ),
    ],
}


def arm(*routes: str, **given: Any) -> Any:
    """A spatial arm a, b, c, a body e that turns with a in one plane, and a drum."""
    model = eomc.Model("arm", gravity=(0, 0, 0))
    for name in "abced":
        model.body(name, mass=1, inertia=(0.1, 0.2, 0.15), com=(0.1, 0, 0))
    model.joint("yaw", "revolute", parent="world", child="a", axis=Z)
    model.joint("swing", "revolute", parent="a", child="b", axis=(0, 1, 0), placement=(0.5, 0, 0.1))
    model.joint("roll", "revolute", parent="b", child="c", axis=(1, 0, 0), placement=(0.4, 0.1, 0))
    model.joint("tip", "revolute", parent="a", child="e", axis=Z, placement=(0.3, 0.7, 0))
    model.joint("drum", "revolute", parent="a", child="d", axis=Z)
    for number, route in enumerate(routes):
        model.cable(f"rope{number}", ROUTES[route], **{"length": 0.9, "modulus": 30.0} | given)
    return eomc.build(model)


def states(count: int) -> Any:
    rng = np.random.default_rng(3)
    return [(rng.normal(0, 0.4, 5), rng.normal(0, 1, 5)) for _ in range(count)]


def differences(function: Any, q: Any) -> Any:
    """Fourth-order central differences."""
    h, steps = 2e-3, np.eye(len(q))
    return np.array(
        [
            (
                8 * (function(q + h * e) - function(q - h * e))
                - (function(q + 2 * h * e) - function(q - 2 * h * e))
            )
            / (12 * h)
            for e in steps
        ]
    )


@pytest.mark.parametrize("width", [0.0, 0.3])
def test_forces_are_slopes_of_the_potential(width: float) -> None:
    model = arm(*ROUTES, width=width)
    zero = np.zeros(5)
    for q, _ in states(8):
        force = -np.asarray(model.inverse_dynamics(q, zero, zero))
        slopes = differences(model.potential_energy, q)
        assert np.abs(force + slopes).max() < 1e-7 * np.abs(slopes).max()
        told = model.outputs(q, zero)
        assert sum(told[f"rope{k}.tension"] > 0 for k in range(6)) > 3


@pytest.mark.parametrize("of", ["strain", "elongation"])
def test_damping_takes_what_the_strain_rate_says(of: str) -> None:
    model = arm(*ROUTES, modulus=1e-9, viscosity=4.0, dissipation=of, damping="pushes")
    rows = model.output_names("element_outputs")
    for q, u in states(6):
        told = np.asarray(model.element_outputs(q, u))
        rates = differences(lambda q, u=u: np.asarray(model.element_outputs(q, u)), q).T @ u
        taken = 0.0
        for number in range(len(ROUTES)):
            tension, strain, length, rest = (
                rows.index(f"rope{number}.{name}")
                for name in ("tension", "strain", "length", "rest_length")
            )
            force = 4.0 * rates[strain] * (told[strain] > 0)
            assert told[tension] == pytest.approx(force, rel=1e-6, abs=1e-6)
            share = 1 + told[strain] if of == "strain" else 1
            taken += force * (rates[length] - share * rates[rest])
        assert float(model.power(q, u, np.zeros(5))) == pytest.approx(-taken, rel=1e-6)


def test_the_work_form_turns_a_drum_by_its_tension_alone() -> None:
    """A drum's torque is r F, where the energy's is r F (1 + strain/2)."""
    q, zero = np.array([0.1, 0.2, -0.1, 0.3, 0.4]), np.zeros(5)
    for form, more in (("work", 0.0), ("energy", 0.5)):
        model = arm("drum in a block", elasticity=form)
        told = model.outputs(q, zero)
        torque = np.asarray(model.inverse_dynamics(q, zero, zero))[4]
        expected = 0.07 * told["rope0.tension"] * (1 + more * told["rope0.strain"])
        assert abs(torque) == pytest.approx(expected, rel=1e-12)
        assert told["rope0.tension"] > 0


def test_a_cable_never_pushes() -> None:
    model = arm("straight", "drum in a block", length=9.0, viscosity=50.0)
    for q, u in states(5):
        assert not np.asarray(model.inverse_dynamics(q, 0 * u, 0 * u)).any()
        assert not np.asarray(model.element_outputs(q, u))[[0, 4]].any()
    model = arm("straight", viscosity=50.0)
    pulls = [np.asarray(model.element_outputs(q, 5 * u))[0] for q, u in states(20)]
    assert min(pulls) == 0 < max(pulls)
