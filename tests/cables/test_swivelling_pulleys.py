"""Pulleys in blocks that swivel: the shortest cable by a search, forces as slopes of its length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.cables import CableStation, Pulley, Winch
from eomc.derive.model import Model, ModelError, Point
from eomc.verifier.witness.cable_route import CableRoute
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler
from eomc.verifier.witness.told import told as witnessed

Z = (0, 0, 1)
LOW, HIGH = Point("world", (0.3, -1.1, -1.2)), Point("hand", (0.3, 0.1, 0.2))


def block(**more: Any) -> Pulley:
    return Pulley(
        Point("world", (0.2, -1, 1.5)),
        radius=0.08,
        sense=-1,
        swivel=(0.2, 0.1, 1),
        offset=0.06,
        height=0.02,
        **more,
    )


DRUM = Winch(
    Point("boom", (0.1, 0.4, 0)), radius=0.1, sense=-1, turn="drum", axis=(0, 1, 0), zero=(1, 0, 0)
)
IN_BLOCK = Winch(
    Point("hand", (0.3, 0.2, 0.1)),
    radius=0.08,
    sense=1,
    turn="drum",
    swivel=(0.3, 0.2, 1),
    offset=0.05,
    height=-0.04,
)
FIXED = Pulley(Point("world", (0.4, -1.5, 0.6)), radius=0.12, sense=-1, axis=(1, 0.2, 0.1))
ROUTES: dict[str, list[CableStation | Point]] = {
    "from point to point": [LOW, block(), HIGH],
    "from a drum in a fixed plane": [DRUM, block(), HIGH],
    "from a block to a pulley in a fixed plane": [
        IN_BLOCK,
        FIXED,
        Point("world", (0.5, -0.7, -1.5)),
    ],
}


def boom(route: Any) -> Model:
    """A boom with a drum, and a hand that turns out of its plane."""
    model = Model("blocks", gravity=(0, 0, 0))
    axes = {"boom": Z, "drum": Z, "hand": (0, 1, 0)}
    places = {"boom": (0, 0, 0), "drum": (0.1, 0.4, 0), "hand": (0.9, 0.1, 0)}
    for body, axis in axes.items():
        model.body(body, mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.15))
        model.joint(
            body,
            "revolute",
            parent="world" if body == "boom" else "boom",
            child=body,
            axis=axis,
            placement=places[body],
        )
    model.cable("rope", route, length=0.9, modulus=30, viscosity=0.2)
    return model


def by_search(model: Model, q: Any, u: Any) -> NewtonEuler:
    """Touching points and swivels as roots that SciPy finds, slopes of lengths by complex steps."""
    values = {"q": q, "u": u, "a": np.zeros(3), "r": np.zeros(0), "t": np.array(0.0)}
    none = dict.fromkeys(("s", "s_rate", "s_acceleration"), np.zeros(0))
    return NewtonEuler(mechanism(model), values | none)


@pytest.mark.parametrize("route", ROUTES)
def test_the_shortest_cable_and_its_work(route: str) -> None:
    model = boom(ROUTES[route])
    built = eomc.build(
        model, functions=["element_outputs", "bias", "potential_energy"], flags="-O0"
    )
    zero, h = np.zeros(3), 1e-4
    rng = np.random.default_rng(3)
    for q in rng.uniform(-0.4, 0.4, (2, 3)):
        energy = [
            (
                8 * (built.potential_energy(q + e) - built.potential_energy(q - e))
                - built.potential_energy(q + 2 * e)
                + built.potential_energy(q - 2 * e)
            )
            / (12 * h)
            for e in h * np.eye(3)
        ]
        assert built.bias(q, zero) == pytest.approx(energy, abs=1e-8)
        u = rng.uniform(-1, 1, 3)
        reference = by_search(model, q, u)
        told, expected = built.outputs(q, u), witnessed(reference)
        assert told == pytest.approx(expected, rel=1e-9, abs=1e-9)
        conservative, _, stored = reference.cables[0].forces()
        assert built.potential_energy(q) == pytest.approx(stored, rel=1e-9)
        assert built.bias(q, u * 0) == pytest.approx(-conservative, abs=1e-8)


def test_a_block_is_refused_where_its_cable_would_be_longest() -> None:
    """As the block looks to the neighbour; there it would turn round, beyond a quarter turn."""
    route = "from a block to a pulley in a fixed plane"
    model, still = boom(ROUTES[route]), np.zeros(3)
    built = eomc.build(
        model, functions=["element_outputs", "bias", "potential_energy"], flags="-O0"
    )
    refused, least = 0, 0.05
    for q in np.random.default_rng(1).uniform(-1.5, 1.5, (24, 3)):
        try:
            built.outputs(q, still)
        except FloatingPointError as error:
            assert "no_tangent_of_rope" in str(error)
            refused += 1
        else:
            continue
        state = by_search(model, q, still).cables[0]
        poses = {body: state.around.motions[body].x for body in state.bodies}

        def length(turned: float, at: Any = poses, of: Any = state) -> float:
            """All that no drum pays out, where the block is turned from that of the search."""
            way = CableRoute(of.cable.stations, at, None, {0: of.way.swivels[0] + turned})
            paid = sum(lever * gamma for _, lever, gamma in way.windings)
            return float(np.real(sum(way.parts) - paid))

        assert length(0) > max(length(-least), length(least))
        assert min(length(-2.5), length(2.5)) < length(0)
    assert refused


def test_a_block_turns_to_where_the_cable_is_shortest() -> None:
    """Not longest: one that would have to stay so has a code."""
    model = boom(ROUTES["from point to point"])
    built = eomc.build(model, functions=["element_outputs"], flags="-O0")
    q = np.array([0.2, 0.0, -0.1])
    found = by_search(model, q, np.zeros(3)).cables[0].way
    lengths = [
        float(
            CableRoute(found.stations, _poses(model, q), None, {1: found.swivels[1] + turn}).length
        )
        for turn in np.linspace(-0.3, 0.3, 7)
    ]
    assert np.argmin(lengths) == 3 and lengths[3] < min(lengths[2], lengths[4])
    assert built.outputs(q, np.zeros(3))["rope.length"] == pytest.approx(lengths[3], abs=1e-12)


def _poses(model: Model, q: Any) -> dict[int, Any]:
    motions = by_search(model, q, np.zeros(3)).motions
    return {body: motion.x for body, motion in motions.items()}


REFUSED = {
    "plane and block": ({"axis": Z, "swivel": Z}, "give the axis of a pulley in a fixed"),
    "neither": ({}, "give the axis of a pulley in a fixed plane, or swivel"),
    "sizes of no block": ({"axis": Z, "offset": 0.1}, "offset and height are those of a block"),
    "friction in a block": ({"swivel": Z, "friction": 0.1}, "in a block leave out friction"),
    "neighbour": ({"swivel": Z, "follows": "leaving"}, "follows is 'leaving'"),
}


@pytest.mark.parametrize(("given", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    pulley = {"kind": "pulley", "at": "world", "radius": 0.1, "sense": 1, **given}
    with pytest.raises(ModelError, match=said):
        boom([LOW, pulley, HIGH]).validate()
