"""Cases 43 to 46: surfaces of revolution, and a wheelset of cones that creeps on round rails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import atan, cos, pi, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.reactions.rolling import creep_forces

Fields = Mapping[str, Any]

WEIGHT, MASS, ACROSS_AXLE, ABOUT_AXLE = 1200 * 9.81, 1200.0, 650.0, 80.0
HALF, WHEEL, CONE, HEAD = 0.75, 0.45, 0.05, 0.3
STIFFNESS = 1e12
LAW = (8e6, 7e6, (4e5, 3e5))


def wheelset(along: float, across: float, springs: tuple[float, float], stiffness: float) -> Model:
    """Cones on an axle, on rails with round heads; springs on y [N/m] and on the yaw [N m/rad]."""
    model = Model("wheelset")
    model.body("set", mass=MASS, inertia=(ACROSS_AXLE, ABOUT_AXLE, ACROSS_AXLE))
    model.joint("set", "floating_euler", parent="world", child="set", sequence="zxy")
    for name, side in (("left", 1), ("right", -1)):
        model.contact(
            name,
            shape={
                "kind": "revolution",
                "at": {"body": "set", "xyz": (0, side * HALF, 0)},
                "axis": (0, side, 0),
                "profile": f"{WHEEL} - {CONE}*x",
                "lower": -0.08,
                "upper": 0.08,
            },
            surface={
                "kind": "cylinder",
                "at": {"body": "world", "xyz": (0, side * HALF, -HEAD)},
                "axis": (1, 0, 0),
                "radius": HEAD,
            },
            normal={"kind": "spring", "stiffness": stiffness},
            friction={"kind": "creep", "along": along, "across": across, "load": _PRESSING},
        )
    model.generalized_force("lateral", "set_y", f"-{springs[0]}*set_y")
    model.generalized_force("steering", "set_a1", f"-{springs[1]}*set_a1")
    return model


ANGLE = atan(CONE)
_PRESSING = WEIGHT / 2 / cos(ANGLE)
TRACK = HALF - HEAD * sin(ANGLE)
"""Half the distance of the points of contact."""
RADIUS = WHEEL + CONE * HEAD * sin(ANGLE)
"""At which the wheels roll."""
DROP = RADIUS + HEAD * cos(ANGLE)
"""From the axle to the middles of the heads."""


def by_hand(v: float, along: float, across: float, springs: tuple[float, float]) -> NDArray[Any]:
    """Eigenvalues of lateral motion y and yaw psi, the contacts rigid.

    The meridians, moved out by the radius of the heads, are a wedge on two points b0 = HALF beside
    the middle: with c = tan(angle) and w = b0/c - DROP the set rolls by y/w, rises by
    (b0/c + b0 c/2 - DROP/2) (y/w)^2 and by c (c r - b) psi^2/2; the rolling radii change by
    +-b0 y/w; across, the slip is (b/c y'/w - V psi)/cos(angle).
    """
    w = HALF / CONE - DROP
    turn = ABOUT_AXLE * v / RADIUS / w
    mass = np.diag([MASS + ACROSS_AXLE / w**2, ACROSS_AXLE])
    slip = TRACK / CONE / w / cos(ANGLE)
    loss = np.array([[2 * across / v * slip**2, -turn], [turn, 2 * along / v * TRACK**2]])
    rises = (2 * HALF / CONE + HALF * CONE - DROP) / w**2, CONE * (CONE * RADIUS - TRACK)
    stiff = np.diag(np.array(springs) + WEIGHT * np.array(rises))
    stiff[0, 1] -= 2 * across * slip / cos(ANGLE)
    stiff[1, 0] += 2 * along * TRACK * HALF / w / RADIUS
    inverse = np.linalg.inv(mass)
    none, one = np.zeros((2, 2)), np.eye(2)
    return np.asarray(
        np.linalg.eigvals(np.block([[none, one], [-inverse @ stiff, -inverse @ loss]]))
    )


def rolling(v: float, stiffness: float) -> dict[str, dict[str, float]]:
    """The state of steady rolling, sunk in under the weight."""
    depth = _PRESSING / stiffness
    sunk = DROP - HEAD - depth / cos(ANGLE)
    return {"q": {"set_z": sunk}, "u": {"set_x": v, "set_a3": v / RADIUS}}


def swinging(model: CompiledModel, v: float, stiffness: float = STIFFNESS) -> complex:
    """The eigenvalue of the wave; the contacts' own modes are far faster."""
    at = rolling(v, stiffness)
    values: Any = np.linalg.eigvals(np.asarray(linearize(model, q=at["q"], u=at["u"]).A))
    slow = values[(values.imag > 1e-3) & (values.imag < 100)]
    return complex(slow[np.argmax(slow.imag)]) if len(slow) else 0j


def _wave(values: NDArray[Any]) -> complex:
    return complex(values[np.argmax(values.imag)])


@cache
def _linear(along: float, across: float, springs: tuple[float, float]) -> CompiledModel:
    asked = ("forward_dynamics", "linearization")
    return build(wheelset(along, across, springs, STIFFNESS), functions=[*asked])


def _kinematics() -> Iterator[CaseCheck]:
    wave = 2 * pi * TRACK * sqrt(RADIUS / (CONE * HALF))
    slow = swinging(_linear(1e11, 1e11, (0.0, 0.0)), 0.5)
    yield agrees("length of the wave", wave, 2 * pi * 0.5 / slow.imag, 1e-6, relative=True)
    klingel = 2 * pi * sqrt(HALF * WHEEL / CONE)
    yield agrees("Klingel's, of narrow heads", klingel, wave, 0.02, relative=True)
    for v in (10.0, 60.0):
        wanted, found = _wave(by_hand(v, *LAW)), swinging(_linear(*LAW), v)
        yield at_most(f"swinging at {v:g} m/s", abs(found / wanted - 1), 1e-6)


@cache
def critical() -> float:
    """Speed [m/s] from which the wave grows, by hand."""
    return float(brentq(lambda v: by_hand(v, *LAW).real.max(), 30, 80))


def _critical() -> Iterator[CaseCheck]:
    near = [swinging(_linear(*LAW), critical() * share).real for share in (0.99999, 1.00001)]
    signs = ", ".join("-+"[x > 0] for x in near)
    yield holds("linearized below and beyond", "-, +", signs, near[0] < 0 < near[1])
    stiffness = 1e9
    model = build(wheelset(*LAW, stiffness))
    for share in (0.95, 1.05):
        v = critical() * share
        start = rolling(v, stiffness)
        q = start["q"] | {"set_y": 1e-5}
        times = np.linspace(0, 2, 2001)
        run = simulate(model, q, start["u"], t_span=times, method="LSODA", rtol=1e-9, atol=1e-13)
        grows = _growth(run.t, run["set_y"])
        expected = swinging(model, v, stiffness).real
        yield agrees(f"growth of a run at {share:g} of it [1/s]", expected, grows, 1e-3)


def _growth(t: NDArray[Any], y: NDArray[Any]) -> float:
    """Of the peaks after the first half second, which parabolas refine."""
    middle = y[1:-1]
    at = np.flatnonzero((middle > y[:-2]) & (middle > y[2:]) & (t[1:-1] > 0.5)) + 1
    before, peak, after = y[at - 1], y[at], y[at + 1]
    offset = (before - after) / (2 * (before - 2 * peak + after))
    heights = peak - (before - after) * offset / 4
    return float(np.polyfit(t[at] + offset * (t[1] - t[0]), np.log(heights), 1)[0])


_EGG = {"semi_axes": (0.15, 0.2, 0.15)}
_PROFILE = {
    "profile": "0.15*sqrt(1 - (x/0.2)**2)",
    "axis": (0, 1, 0),
    "lower": -0.1995,
    "upper": 0.1995,
}
_ROUND = {"profile": "sqrt(0.09 - x**2) - 0.3", "lower": -0.25, "upper": 0.25}
_BARREL = {"profile": "0.45 - 1.5*x**2", "axis": (0, 1, 0), "lower": -0.2, "upper": 0.2}
_OVER = {"body": "world", "xyz": (0, 0, 0.3)}
_SIDES: dict[str, tuple[Fields, Fields]] = {
    "plane": ({"kind": "plane", "at": "world"}, {}),
    "ball": ({"kind": "sphere", "at": "world", "radius": 0.3}, {}),
    "cylinder": ({"kind": "cylinder", "at": "world", "radius": 0.3, "axis": (1, 0, 0)}, {}),
    "rail": ({"kind": "extruded", "at": _OVER, **_ROUND}, {"kind": "cylinder"}),
}


def _touching(shape: Fields, surface: Fields, q: NDArray[Any]) -> NDArray[Any]:
    model = Model("pair", gravity=(0, 0, 0))
    model.body("stone", mass=1, inertia=(1, 2, 2.5))
    model.joint("stone", "floating", parent="world", child="stone")
    law = {"kind": "spring", "stiffness": 1e3}
    model.contact("touch", {"at": "stone", **shape}, surface, law)
    told = build(model, functions=["element_outputs"], flags=("-O0",)).outputs(q, q[:, :6] * 0 + 1)
    words = ("gap", "gap_rate", "point_x", "point_y", "point_z")
    return np.array([told[f"touch.{word}"] for word in words])


def _profiles() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(43)
    q = np.hstack([rng.normal(size=(6, 3)) * (0.1, 0.1, 0), 0.1 * rng.normal(size=(6, 4))])
    q[:, 2], q[:, 3] = 0.6, 1.0
    q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1)[:, None]
    for name in ("plane", "ball", "cylinder"):
        surface = _SIDES[name][0]
        wanted = _touching({"kind": "ellipsoid", **_EGG}, surface, q)
        found = _touching({"kind": "revolution", **_PROFILE}, surface, q)
        yield agrees(f"an ellipse that turns on a {name}", wanted, found, 1e-11)
    q[:, 2] = 0.8
    wheel = {"kind": "revolution", **_BARREL}
    wanted, found = (_touching(wheel, _SIDES[word][0], q) for word in ("cylinder", "rail"))
    yield agrees("a barrel on a rail with a round profile", wanted, found, 1e-11)
    for word in ("ellipsoid", "torus"):
        sizes = _EGG if word == "ellipsoid" else {"radius": 0.15, "tube": 0.03}
        oval = {"kind": word, **sizes}
        wanted, found = (_touching(oval, _SIDES[side][0], q) for side in ("cylinder", "rail"))
        yield agrees(f"{word} on that rail", wanted, found, 1e-11)


def _saturation() -> Iterator[CaseCheck]:
    x = np.array([1e-9, 0.01, 0.5, 1.5, 20.0])
    for form, share in (("tanh(x)", np.tanh(x)), ("min(x, 1)", np.minimum(x, 1.0))):
        found = creep_forces(x * 300 / 1e6, load=1000.0, saturation=form)
        yield agrees(f"force by {form}", 300 * share, found, 2e-6, relative=True)


CASES = (
    Case(
        43,
        "Surfaces of revolution",
        "exact",
        "against ellipsoids and round rails",
        _profiles,
        slow=True,
    ),
    Case(
        44, "Wave of a wheelset", "Klingel; Kalker", "length and eigenvalues by hand", _kinematics
    ),
    Case(
        45,
        "Critical speed of a wheelset",
        "Klingel; Kalker",
        "by hand, by linearization and by the growth of runs",
        _critical,
        slow=True,
    ),
    Case(46, "Saturation of creep", "Kalker", "mu N s(x), s of one's own", _saturation),
)
