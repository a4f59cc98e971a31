"""Cases 15 to 18: rigid contacts that slip and stick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan, cos, pi, radians, sin, sqrt, tan
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contacts import RigidContacts
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import initial_state
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.contact.geometry import rotation

G = 9.81
FINE: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}
PLANE = {"kind": "plane", "at": "world"}


def incline(degrees: float, friction: Mapping[str, Any]) -> Model:
    """A block on a plane, seen along it: x uphill, gravity turned."""
    angle = radians(degrees)
    model = Model("incline", gravity=(-G * sin(angle), 0, -G * cos(angle)))
    model.body("block", mass=1, inertia=(1, 1, 1))
    model.joint("way", "planar", parent="world", child="block", axis=(0, 1, 0))
    model.contact(
        "rub",
        shape={"kind": "point", "at": "block"},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": 0.0},
        friction=friction,
    )
    return model


def _incline() -> Iterator[CaseCheck]:
    up, total, back = 0.4403250267158911, 1.385514397142547, 1.3975771644061
    model = build(incline(25, {"kind": "dry", "kinetic": 0.3}))
    x, rate = model.coordinates.index("way_y"), model.speeds.index("way_y")
    uphill = _along(model, 3.0)
    sign = float(np.sign(uphill[rate]))

    def returned(t: float, q: Any, u: Any) -> float:
        return sign * float(q[x])

    returned.direction = -1  # type: ignore[attr-defined]
    run = simulate(model, u=uphill, t_span=[0, up, 1.6], events=returned, **FINE)
    yield agrees("way up", 0.6604875400738366, sign * run.q[1, x], 1e-9)
    assert run.contacts is not None
    yield agrees("time up", up, run.contacts.starts[1], 1e-9)
    yield agrees("time until it is back", total, run.events[0].t[0], 1e-9)
    yield agrees("speed then", back, abs(float(run.events[0].u[0, rate])), 1e-9)
    ratio = sqrt((tan(radians(25)) - 0.3) / (tan(radians(25)) + 0.3))
    yield agrees("ratio of speeds", ratio, abs(float(run.events[0].u[0, rate])) / 3, 1e-9)
    for form, slope in (("tanh", -0.565), ("root", -0.976)):
        eps = 1e-3
        smooth = build(
            incline(
                25,
                {"kind": "coulomb", "coefficient": 0.3, "slip_speed": eps, "regularization": form},
            )
        )
        run = simulate(smooth, u=uphill, t_span=[0, total / 2, total], **FINE)
        off = sign * float(run.q[-1, x]) / eps
        yield agrees(f"{form}: place then by eps", 1, off / slope, 0.02)
    still = simulate(build(incline(10, {"kind": "dry", "kinetic": 0.3})), t_span=[0, 5, 10], **FINE)
    yield at_most("a block at 10 degrees moves, event form", abs(float(still.q[-1, x])), 1e-9)
    for form, creep in (("tanh", 0.6742317055536615), ("root", 0.7264884234434336)):
        smooth = build(
            incline(
                10,
                {"kind": "coulomb", "coefficient": 0.3, "slip_speed": 1e-3, "regularization": form},
            )
        )
        run = simulate(smooth, t_span=[0, 0.05, 0.1], **FINE)
        yield agrees(f"{form}: creeps", 1, abs(float(run.u[-1, rate])) / (1e-3 * creep), 1e-6)


def _along(model: Any, speed: float) -> np.ndarray[Any, Any]:
    """Speeds u of a block that moves uphill, along +x of the world."""
    contacts = RigidContacts(model, Excitation(model))
    rows = contacts.at(0.0, initial_state(model, None, None, None)).rows[0]
    found = np.linalg.lstsq(np.vstack([rows, np.eye(3)[2:]]), [0, speed, 0, 0, 0], rcond=None)
    return np.asarray(found[0])


def belt(friction: Mapping[str, Any]) -> Model:
    """A block on a spring (k = 100) that a belt drags (0.1 m/s)."""
    model = Model("belt")
    model.body("belt", mass=1)
    model.joint("run", "prismatic", parent="world", child="belt", axis=(1, 0, 0))
    model.prescribed("run")
    model.body("block", mass=1)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.body("slide", mass=0)
    model.joint("z", "prismatic", parent="slide", child="block", axis=(0, 0, 1))
    model.joint_spring("spring", "x", stiffness=100)
    model.contact(
        "rub",
        shape={"kind": "point", "at": "block"},
        surface={"kind": "plane", "at": "belt"},
        normal={"kind": "rigid", "restitution": 0.0},
        friction=friction,
    )
    return model


def dragged(model: CompiledModel, t: float, **given: Any) -> Trajectory:
    """A run that begins with the block on the belt, the spring at its length."""
    v = 0.1
    return simulate(
        model,
        u={"x": v},
        t_span=[0, t / 2, t],
        prescribed=lambda t: (v * t, v, 0.0),
        **FINE | given,
    )


def cycle(run: Trajectory) -> tuple[float, float, float]:
    """Times at which the second slip begins and ends, and the third begins [s]."""
    slips, sticks = run.switches["rub.slip"], run.switches["rub.stick"]
    ended = float(sticks[sticks > slips[1]][0])
    return float(slips[1]), ended, float(slips[2])


def _stick_slip() -> Iterator[CaseCheck]:
    v, w, n, k = 0.1, 10.0, G, 100.0
    delta = 0.2 * n / k
    stick, slip = 2 * delta / v, 2 / w * (pi - atan(w * delta / v))
    yield agrees("closed form", [0.3924, 0.4084322171201989], [stick, slip], 1e-12)
    x_k, size = 0.4 * n / k, sqrt(delta**2 + (v / w) ** 2)
    way = 0.0172185468236086, 0.06126145317639143
    yield agrees("way, closed form", way, [x_k - size, x_k + size], 1e-12)
    model = build(belt({"kind": "dry", "kinetic": 0.4, "static": 0.6}))

    def turns(t: float, q: Any, u: Any) -> float:
        return float(u[0])

    def fastest(t: float, q: Any, u: Any) -> float:
        return float(q[0]) - x_k

    fastest.direction = -1  # type: ignore[attr-defined]
    run = dragged(model, 2.5, events=[turns, fastest])
    begun, ended, again = cycle(run)
    yield agrees("time of slip", slip, ended - begun, 1e-9)
    yield agrees("time of stick", stick, again - ended, 1e-9)
    yield agrees("way", way, sorted(run.events[0].q[-2:, 0]), 1e-9)
    yield agrees("least velocity", -0.2202145317639143, run.events[1].u[-1, 0], 1e-9)
    places = [dragged(model, end).q[-1, 0] for end in (begun, ended)]
    slid = v * (ended - begun) + places[0] - places[1]
    yield agrees("heat in a cycle, mu N by the way", 0.3142465619979661, 0.4 * n * slid, 1e-9)
    fading = build(
        belt({"kind": "dry", "kinetic": 0.4, "static": 0.6, "speed": 0.05, "power": "1"})
    )
    run = dragged(fading, 2.5)
    begun, ended, again = cycle(run)
    yield agrees("Stribeck: time of slip", 0.435193756642, ended - begun, 1e-8)
    yield agrees("Stribeck: time of stick", 0.439704488037, again - ended, 1e-8)
    place = dragged(fading, ended).q[-1, 0]
    yield agrees("Stribeck: place where it sticks", 0.014889551196, place, 1e-8)


SLIDERS = {
    "solid": (2 / 5, 0.72811999417504, 3.120514260750172, 25 / 7),
    "shell": (2 / 3, 1.019367991845056, 4.077471967380224, 3.0),
    "hoop": (1.0, 1.27420998980632, 4.7782874617737, 2.5),
}


def sliding(kappa: float, friction: Mapping[str, Any], r: float = 0.1) -> Model:
    """A round body on the plane z = 0, free in the plane y = 0."""
    model = Model("sphere")
    model.body("ball", mass=1, inertia=(kappa * r * r,) * 3)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.body("slide", mass=0)
    model.body("lift", mass=0)
    model.joint("z", "prismatic", parent="slide", child="lift", axis=(0, 0, 1))
    model.joint("turn", "revolute", parent="lift", child="ball", axis=(0, 1, 0))
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "ball", "radius": r},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": 0.8},
        friction=friction,
    )
    return model


def _into_rolling() -> Iterator[CaseCheck]:
    for name, (kappa, t, way, v) in SLIDERS.items():
        run = simulate(
            build(sliding(kappa, {"kind": "dry", "kinetic": 0.2})),
            {"z": 0.1},
            {"x": 5},
            t_span=[0, t, 2.0],
            **FINE,
        )
        yield agrees(f"{name}: time", t, run.switches["floor.stick"][0], 1e-9)
        yield agrees(f"{name}: way and speed", [way, v], [run.q[1, 0], run.u[-1, 0]], 1e-9)
        smooth = build(sliding(kappa, {"kind": "coulomb", "coefficient": 0.2, "slip_speed": 1e-3}))
        run = simulate(smooth, {"z": 0.1}, {"x": 5}, t_span=[0, t, t + 0.02], rtol=1e-7)
        yield agrees(f"{name}: speed, smooth", v, run.u[-1, 0], 2e-3)


def _billiard() -> Iterator[CaseCheck]:
    r = 0.028575
    model = Model("billiard")
    i = 2 / 5 * 0.17 * r * r
    model.body("ball", mass=0.17, inertia=(i, i, i))
    model.joint("free", "floating", parent="world", child="ball")
    model.contact(
        "cloth",
        shape={"kind": "sphere", "at": "ball", "radius": r},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": 0.5},
        friction={"kind": "dry", "kinetic": 0.2},
    )
    built, end = build(model), 0.4744153323037079
    run = simulate(
        built, [0, 0, r, 1, 0, 0, 0], [2, 0, 0, 30, -40, 50], t_span=[0, end, 0.6], **FINE
    )
    yield agrees("end of slip", end, run.switches["cloth.stick"][0], 1e-8)
    yield agrees("place", [0.7358181804030509, -0.05809893480247908], run.q[1, :2], 1e-8)
    r_ball = rotation(run.q[-1, 3:])
    v, w = r_ball @ run.u[-1, :3], r_ball @ run.u[-1, 3:]
    yield agrees("velocity", [1.102, -0.2449285714285714], v[:2], 1e-8)
    yield agrees("turning", [8.571428571428571, 38.56517935258093], w[:2], 1e-8)
    yield agrees("turning about the vertical", 50, w[2], 1e-12, relative=True)


CASES = (
    Case(
        15,
        "A block on a slope",
        "2.5, 6.3",
        "runs with friction that sticks, and smooth",
        _incline,
        provenance="reconstructed",
        slow=True,
    ),
    Case(
        16,
        "Stick and slip on a belt",
        "6.4",
        "runs over cycles",
        _stick_slip,
        provenance="reconstructed",
    ),
    Case(
        17,
        "Round bodies that slide into rolling",
        "6.5",
        "runs",
        _into_rolling,
        provenance="reconstructed",
        slow=True,
    ),
    Case(18, "A billiard ball", "6.6", "a run", _billiard, provenance="reconstructed"),
)
