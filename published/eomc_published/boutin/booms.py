"""Cases of the crane whose booms all bend: 37 and 38."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Point
from eomc.runtime.constraints import independent_coordinates
from eomc.runtime.constraints.loop_motion import loop_motion
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.truss_crane import articulated_crane
from eomc.systems.truss_crane.boom import BAYS, LENGTH, OFFSET, flexible_bay
from eomc_published.boutin.compiled import fixed
from eomc_published.boutin.kinematics import opened
from eomc_published.boutin.oracle_booms import OracleOfBooms
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

MODES = 2
_JACKS = [f"jack{k}" for k in range(1, 7)]
_AMPLITUDES = [[f"boom{k}_e{i}" for i in range(1, MODES + 1)] for k in (1, 2, 3)]
_FREE = [*_JACKS, *np.ravel(_AMPLITUDES).tolist()]
_FROZEN = LENGTH / (412.5e9 * 2.02683e-3) + OFFSET / (412.5e9 * 2.3592e-4)
"""Compliance of an actuator of table E.1 and of half the bar between two of them [m/N]."""


@cache
def crane() -> CompiledModel:
    """Two modes of each boom."""
    return build(articulated_crane(MODES))


@cache
def witness() -> OracleOfBooms:
    """The same without constraints."""
    return OracleOfBooms(MODES)


def _signs(boom: int) -> Array:
    """Of the product's modes by those of the witness."""
    bay, made = BAYS[boom], witness().booms[boom]
    moved = np.array(dict(flexible_bay(bay, MODES).stations)[bay.head][1], dtype=float)[:, :2]
    signs: Array = np.sign(np.einsum("kx,xk->k", moved, made.modes[made.nodes[bay.head]]))
    return signs


def _absolute(values: Mapping[str, float], sloping: bool = True) -> Array:
    """y, or its rate, from the product's coordinates: delta = B* b of the boom before (3.33)."""
    rows: list[float] = []
    angle = 0.0
    for k, bay in enumerate(BAYS):
        theta = angle + values[f"turn{2 * k + 1}"]
        angle = theta + values[f"turn{2 * k + 2}"]
        b = _signs(k) * [values[name] for name in _AMPLITUDES[k]]
        rows += [theta, angle, *b]
        if sloping:
            angle += float(witness().slopes(k, bay.end[0]) @ b)
    return np.array(rows)


def _all_bend() -> Iterator[CaseCheck]:
    random, worst, apart = np.random.default_rng(37), np.zeros(4), np.inf
    signs = np.r_[np.ones(6), *map(_signs, range(3))]
    for _ in range(3):
        psi = np.r_[random.uniform(0.2, 3.0, 6), random.normal(size=6) * ([2.0, 0.2] * 3)]
        rates = np.r_[random.normal(size=6) * 0.3, random.normal(size=6)]
        entries = zip(_FREE, psi.tolist(), rates.tolist(), strict=True)
        guess = {f"turn{k + 1}": -float(opened(psi[k])) for k in range(6)}
        given = {name: fixed(*motion) for name, *motion in entries}
        state = loop_motion(crane(), [0.0], given, guess=guess)
        q, u = (
            dict(zip(crane().coordinates, values[0].tolist(), strict=True))
            for values in (state.q, state.u)
        )
        mass, phi, there, moving = witness().in_extensions(_absolute(q), _absolute(u))
        straight = witness().in_extensions(_absolute(q, False), _absolute(u))[2]
        apart = min(apart, np.abs(straight - psi * signs)[:6].max())
        complement = independent_coordinates(crane(), state.q[0], chosen=_FREE).K
        own = complement.T @ crane().mass_matrix(state.q[0]) @ complement
        errors = (
            np.abs(there - signs * psi),
            np.abs(moving - signs * rates),
            np.abs(np.outer(signs, signs) * own - mass) / np.abs(mass).max(),
            np.abs(-signs * state.forces[0] - phi) / np.abs(phi).max(),
        )
        worst = np.maximum(worst, [error.max() for error in errors])
    yield at_most(
        "extensions of the witness at the product's angles, by slopes [m]", worst[0], 1e-9
    )
    yield at_most("their rates [m/s]", worst[1], 1e-9)
    yield holds("without slopes", "> 1 mm off", f"{1e3 * apart:.3g} mm", apart > 1e-3)
    yield at_most("M - witness, relative", worst[2], 1e-9)
    yield at_most("phi - witness, relative", worst[3], 1e-8)


def on_supports() -> Model:
    """All booms bend, actuators 3 to 6 are elastic; held as the boom of table 8.1: the first
    triangle is at rest, node 2 on a roller at 45 degrees."""
    model = articulated_crane(1, interfaces=True)
    for jack in _JACKS[2:]:
        model.joint_spring(f"{jack}_bars", joint=jack, stiffness=1 / _FROZEN)
    model.prescribed("turn1")
    origin = Point("world", (0, 0, 0))
    model.constraint("roller", "point_on_plane", a="node2", b=origin, axis_b=(1, -1, 0))
    return model


def _joined() -> Iterator[CaseCheck]:
    """Three booms on their hinges vibrate as the one boom whose nodes they are."""
    model = build(on_supports())
    free = [name for name in model.displacements if name.startswith("boom")] + _JACKS[2:]
    linear = linearize(model, prescribed={"turn1": 0.0}, independent=free)
    waves = np.linalg.eigvals(linear.A).imag
    lowest = np.sort(waves[waves > 1e-3])[:2] / (2 * np.pi)
    for name, printed, found in zip(("first", "second"), (0.531, 3.893), lowest, strict=True):
        yield agrees(f"{name} frequency [Hz]", printed, found, 1e-3, relative=True)


CASES = (
    Case(
        37,
        "All booms bend",
        "(3.33)-(3.37), D.14, D.37, 5.29-5.32",
        "loops, mass matrix and system forces of the crane with six actuators and two modes of "
        "each boom against points and bars without constraints or slopes",
        _all_bend,
        provenance="reconstructed",
        slow=True,
    ),
    Case(
        38,
        "Three flexible booms and elastic actuators are the boom of table 8.1",
        "table 8.1",
        "frequencies of the crane linearized on the printed boom's supports",
        _joined,
        note="The bars of the triangles between actuators are in the stiffness of these: under "
        "load the thrust of one actuator runs through them into the other.",
        slow=True,
    ),
)
