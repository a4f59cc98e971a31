"""Cases of the crane in space, which slews and hoists: 42 to 44."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.truss_crane import articulated_crane
from eomc.systems.truss_crane.boom import (
    BAYS,
    DEPTH,
    LENGTH,
    OFFSET,
    space_boom,
    triangle_structure,
)
from eomc.systems.truss_crane.space_crane import space_crane
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_LOAD, _GRAVITY, _RADIUS = 500.0, 9.81, 0.3
_SPAN, _SLEWING, _HOISTING = 0.2, 1e6, 2500.0
_PUSH = np.array([3e4, 0.0, 0.0, -2e4, 1e4, 0.0])
_STIFFNESS = 2e8
_JACKS = [f"jack{k}" for k in range(1, 7)]
_LIGHT = 1e-6
"""Share of lacing that leaves two plane trusses side by side."""


@cache
def crane() -> CompiledModel:
    """As it is declared."""
    return build(space_crane())


@cache
def at_rest() -> Equilibrium:
    """Under its weight and the load, the drum held."""
    return equilibrium(crane(), fixed=["slew", "drum"])


def _hangs() -> Iterator[CaseCheck]:
    found, q = at_rest(), at_rest().q
    told = found.outputs
    weight = _LOAD * _GRAVITY
    yield agrees("tension of the rope [N]", weight, -found.multipliers[0], 1e-6)
    yield agrees("torque of the drum [N m]", weight * _RADIUS, found["tau(drum)"], 1e-6)
    turned = float(q[crane().coordinates.index("turn1")])
    c, s = np.cos(turned), np.sin(turned)
    foot = np.array([-DEPTH, DEPTH])
    along = np.array([[c, -s], [s, c]]) @ [-OFFSET, DEPTH] - foot
    arm = (foot[1] * along[0] - foot[0] * along[1]) / np.hypot(*along)
    booms = sum(float(space_boom(bay).mass) for bay in BAYS)
    mass = 5000 + booms + 3 * float(from_structure(triangle_structure(), 0).mass) + 50 + _LOAD
    moment = mass * _GRAVITY * float(crane().center_of_mass(q)[0])
    yield agrees(
        "moment of the first jack, by that of all weights",
        moment,
        arm * told["jack1.tension"],
        1e-6,
        relative=True,
    )


@cache
def driven() -> Trajectory:
    """From rest, all drives at work and all constant."""
    push = dict(zip([f"{jack}_force" for jack in _JACKS], _PUSH, strict=True))
    t = np.linspace(0.0, _SPAN, 51)
    given = {"slewing": _SLEWING, "hoisting": _HOISTING, **push}
    return simulate(
        crane(), at_rest().q, t_span=t, inputs=given, rtol=1e-9, atol=1e-10, progress=False
    )


def _moves() -> Iterator[CaseCheck]:
    run = driven()
    about = run.evaluate("momentum")[:, 4]
    yield agrees("angular momentum about the mast", _SLEWING * run.t, about, 1e-7, relative=True)
    lengths = _lengths(run)
    work = _SLEWING * run["slew"] + _HOISTING * run["drum"] + (lengths - lengths[0]) @ _PUSH
    off = np.abs(run.energy - run.energy[0] - work).max() / np.abs(work).max()
    yield at_most("energy - work of the drives, relative", float(off), 1e-6)
    yield holds("it slews", "> 1 mrad", f"{run['slew'][-1]:.3g}", run["slew"][-1] > 1e-3)
    yield holds(
        "it hoists", "> 0.05 m", f"{_RADIUS * run['drum'][-1]:.3g}", _RADIUS * run["drum"][-1] > 0.1
    )
    twisted = [float(np.abs(run[f"boom{k}_e1"]).max()) for k in (1, 2, 3)]
    yield holds("each boom bends sideways", "> 0", str(twisted), min(twisted) > 1e-3)


def _lengths(run: Trajectory) -> Array:
    """(times, 6) of the jacks."""
    assert run.model is not None
    names = list(run.model.output_names("element_outputs"))
    columns = [names.index(f"{jack}.length") for jack in _JACKS]
    return np.asarray(run.evaluate("element_outputs")[:, columns])


def _in_plane() -> Iterator[CaseCheck]:
    """Without gravity, load and lacing it moves as the crane of the plane, whose jacks close loops;
    nothing else holds the mast."""
    space = build(space_crane(load=1e-6, gravity=0.0, lacing=_LIGHT))
    declared = articulated_crane(0, interfaces=True, massless=True)
    for jack in _JACKS:
        declared.joint_spring(f"{jack}_oil", joint=jack, stiffness=_STIFFNESS)
    declared.body("drum", mass=50, inertia=(1, 1, 2))
    declared.joint("drum", "revolute", parent="boom3", child="drum", axis=(0, 0, 1))
    plane = build(declared)
    push = dict(zip([f"{jack}_force" for jack in _JACKS], 0.05 * _PUSH, strict=True))
    t = np.linspace(0.0, 0.05, 21)
    options: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-11, "progress": False}
    one = simulate(space, t_span=t, inputs=push, **options)
    other = simulate(plane, t_span=t, inputs=push, **options)
    expected = np.column_stack([other[jack] for jack in _JACKS])
    found = _lengths(one) - LENGTH
    yield agrees("extensions of the jacks [m]", expected, found, 1e-4, relative=True)
    energies = other.kinetic_energy, one.kinetic_energy
    yield agrees("kinetic energy [J]", *energies, 1e-4, relative=True)
    yield at_most("slewing [rad]", float(np.abs(one["slew"]).max()), 1e-9)


CASES = (
    Case(
        42,
        "In space: rest under weight",
        "section 9.2",
        "rope, drum and first jack against free bodies",
        _hangs,
        provenance="reconstructed",
        note="The source names motion in space as future work.",
        slow=True,
    ),
    Case(
        43,
        "In space: momentum and energy",
        "section 9.2",
        "a run with all drives: angular momentum about the mast, work",
        _moves,
        provenance="reconstructed",
        slow=True,
    ),
    Case(
        44,
        "In space: the crane of the plane",
        "section 9.2",
        "two plane trusses side by side without lacing against the plane crane, whose jacks are "
        "bodies in loops",
        _in_plane,
        provenance="reconstructed",
        slow=True,
    ),
)
