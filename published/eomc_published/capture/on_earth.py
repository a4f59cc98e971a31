"""Cases 3 to 6: a crane that sets its load down, stages that part, docking twice, both sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.constraints import joint_reactions
from eomc.runtime.equilibria.equilibrium import equilibrium
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

G = 9.81
_HOOK, _LOAD, _SPEED, _HEIGHT, _PARTED = 50.0, 400.0, 0.1, 0.2, 3.0
_TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14, "method": "DOP853"}


def crane() -> Model:
    """A trolley with a hoist and a hook; the load hangs on it and meets the deck."""
    model = Model("crane", gravity=(0, 0, -G))
    for name, mass in (("trolley", 200.0), ("hook", _HOOK)):
        model.body(name, mass=mass)
    model.body("load", mass=_LOAD, inertia=(60, 60, 60))
    model.joint("trolley", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    model.joint("hoist", "prismatic", parent="trolley", child="hook", axis=(0, 0, 1))
    model.joint("load", "planar", parent="world", child="load", axis=(0, 1, 0))
    model.latch(
        "hook",
        joint="revolute",
        axis=(0, 1, 0),
        parent="hook",
        child="load",
        child_placement=(0, 0, 0.6),
        closed=True,
        opens=f"t - {_PARTED}",
    )
    model.latch(
        "deck",
        joint="fixed",
        parent="world",
        child="load",
        placement=(0, 0, -_HEIGHT),
        gap=1e-6,
        speed=0.2,
        angle=0.01,
        angular_speed=0.01,
    )
    return model


def load_set_down() -> Iterator[CaseCheck]:
    """Lowered at a constant speed, stopped by the deck, let go; the hook flies up."""
    model = build(crane())
    force = (_HOOK + _LOAD) * G
    run = simulate(
        model,
        {"hoist": 0.6},
        {"hoist": -_SPEED},
        t_span=4.0,
        tau={"hoist": force},
        assemble=True,
        fixed=["hoist", "speed(hoist)"],
        **_TIGHT,
    )
    told = ", ".join(f"{event.names[0]} {event.what}" for event in run.latches.events)
    yield holds("events", "deck close, hook open", told, told == "deck close, hook open")
    down, off = run.latches.events
    yield agrees("time of set-down", _HEIGHT / _SPEED, down.t, 1e-4)
    yield agrees("time of release", _PARTED, off.t, 1e-12)
    moving = (_HOOK + _LOAD) * _SPEED
    yield agrees("impulse of the deck", moving, abs(down.impulses["deck.force_z"]), 1e-9)
    yield agrees("energy loss", moving * _SPEED / 2, down.energy_loss, 1e-10)
    lowered, standing, free = run.stretches
    hanging = joint_reactions(lowered).force("hook")
    yield agrees("tension of the hook", np.full(lowered.count, _LOAD * G), hanging[:, 2], 1e-8)
    carried = joint_reactions(standing).force("deck")
    yield at_most("force of the deck while the hook carries", np.abs(carried).max(), 1e-8)
    rests = joint_reactions(free).force("deck")
    yield agrees("force of the deck behind", np.full(free.count, _LOAD * G), rests[:, 2], 1e-8)
    a = _LOAD / _HOOK * G
    rise = 0.5 * a * (free.t - _PARTED) ** 2
    yield agrees("way of the hook", rise, free["hoist"] - standing["hoist"][-1], 1e-9)


_FIRST, _SECOND, _STIFFNESS, _PRESSED = 1000.0, 250.0, 4e4, 0.05


def stages() -> Model:
    """Two stages that fly upwards, held together against a compressed spring."""
    model = Model("stages", gravity=(0, 0, -G))
    for name, mass in (("first", _FIRST), ("second", _SECOND)):
        model.body(name, mass=mass, inertia=(mass, mass, mass / 10))
    model.joint("first", "floating", parent="world", child="first")
    model.joint("second", "floating", parent="world", child="second")
    ends: dict[str, Any] = {
        "a": {"body": "first", "xyz": (0, 0, 2)},
        "b": {"body": "second", "xyz": (0, 0, -1)},
    }
    model.spring("pusher", **ends, stiffness=_STIFFNESS, free_length=1 + _PRESSED)
    model.latch(
        "clamp",
        joint="fixed",
        parent="first",
        child="second",
        placement=(0, 0, 4),
        closed=True,
        opens="t - 1",
    )
    return model


def stages_part() -> Iterator[CaseCheck]:
    """The centre of mass flies on; the stages part by the spring as two masses do."""
    model = build(stages())
    reduced = _FIRST * _SECOND / (_FIRST + _SECOND)
    omega = np.sqrt(_STIFFNESS / reduced)
    end = 1 + np.pi / 2 / omega
    places, speeds = {"second_z": 4.0}, {"first_vz": 30.0, "second_vz": 30.0}
    run = simulate(
        model, places, speeds, t_span=[0, 0.5, 1, *np.linspace(1, end, 11)[1:]], **_TIGHT
    )
    yield holds("events", "clamp.open", ", ".join(run.switches), [*run.switches] == ["clamp.open"])
    (event,) = run.latches.events
    yield agrees("time of separation", 1.0, event.t, 1e-12)
    together, apart = run.stretches
    clamp = joint_reactions(together).force("clamp")[:, 2]
    pressed = np.full(together.count, -_STIFFNESS * _PRESSED)
    yield agrees("force of the clamp", pressed, clamp, 1e-6)
    mass = _FIRST + _SECOND
    z = (_FIRST * run["first_z"] + _SECOND * run["second_z"]) / mass
    flown = _SECOND / mass * 4 + 30 * run.t - G / 2 * run.t**2
    yield agrees("height of the centre of mass", flown, z, 1e-9)
    phase = omega * (apart.t - 1)
    gap = apart["second_z"] - apart["first_z"] - 4
    yield agrees("way of the spring", _PRESSED * (1 - np.cos(phase)), gap, 1e-10)
    apart_by = apart["speed(second_vz)"] - apart["speed(first_vz)"]
    yield agrees("speed of parting", _PRESSED * omega * np.sin(phase), apart_by, 1e-9)
    yield at_most("change of energy", np.ptp(run.energy) / abs(run.energy[0]), 1e-11)


def carts() -> Model:
    """Three carts on a rail: the first on a spring, the other two couple to it and to each other
    by commands."""
    model = Model("carts", gravity=(G, 0, 0))
    for name in ("a", "b"):
        model.body(name, mass=1 if name == "a" else 3)
        model.joint(name, "prismatic", parent="world", child=name, axis=(1, 0, 0))
    model.joint_spring("wall", joint="a", stiffness=100)
    model.input("command")
    model.latch(
        "coupling",
        joint="fixed",
        parent="a",
        child="b",
        placement=(0.2, 0, 0),
        speed=5.0,
        closes="command - 0.5",
        opens="0.5 - command",
    )
    return model


def commanded() -> Iterator[CaseCheck]:
    """Coupled and uncoupled twice by an input; momentum stays at each event."""
    model = build(carts())

    def command(t: float, q: Any, u: Any) -> float:
        return float(0.3 < t % 0.8 < 0.6)

    run = simulate(model, {"b": 0.4}, t_span=1.5, inputs={"command": command}, **_TIGHT)
    found = [f"{event.what} {event.t:.6g}" for event in run.latches.events]
    wanted = ["close 0.3", "open 0.6", "close 1.1", "open 1.4"]
    yield holds("events", ", ".join(wanted), ", ".join(found), found == wanted)
    for event in run.latches.events:
        (a, b), (c, d) = event.before, event.after
        yield agrees(f"momentum at {event.t:.6g} s", a + 3 * b, c + 3 * d, 1e-13)
        if event.what == "close":
            lost = 0.5 * 3 / 4 * (a - b) ** 2
            yield agrees(f"energy loss at {event.t:.6g} s", lost, event.energy_loss, 1e-12)


def both_sides() -> Iterator[CaseCheck]:
    """Equilibria and frequencies of the first cart alone, and of both coupled."""
    model = build(carts())
    joined = model.latched("coupling")
    rest = equilibrium(joined, {"a": 0.0, "b": 0.2})
    yield agrees("deflection with both carts", 4 * G / 100, rest.q[0], 1e-10)
    modes = linearize(joined, rest).modes()
    found = max(abs(value.imag) for value in modes.eigenvalues)
    yield agrees("frequency with both carts", np.sqrt(100 / 4), found, 1e-9)
    alone = linearize(model, {"a": G / 100, "b": 1.0}).modes()
    found = max(abs(value.imag) for value in alone.eigenvalues)
    yield agrees("frequency of the first alone", np.sqrt(100 / 1), found, 1e-9)


CASES = (
    Case(
        3,
        "a crane sets its load down and releases it",
        "statics and momentum of a load on a hoist of constant force",
        "times, impulse, energy loss, forces of hook and deck, and the way of the hook",
        load_set_down,
    ),
    Case(
        4,
        "two stages part",
        "free flight of two masses that a spring pushes apart",
        "force of the clamp, centre of mass and relative motion against closed forms",
        stages_part,
    ),
    Case(
        5,
        "carts couple and uncouple twice by a command",
        "plastic impact of two masses",
        "times, momentum and energy loss at every event",
        commanded,
    ),
    Case(
        6,
        "statics and small motions on either side of a coupling",
        "a mass on a spring",
        "equilibrium and frequencies with the latch open and closed",
        both_sides,
    ),
)
