"""Cases 14, 19 to 21, 23 and 24: rigid contacts, impacts, rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import atan, cos, pi, radians, sin
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts import PainleveError, contact_forces, impact
from eomc.runtime.impacts.contacts import RigidContacts
from eomc.runtime.model.state import initial_state
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.contact.sticking import FINE, PLANE, G, sliding


def falling(restitution: float, mass: float = 2.0) -> Model:
    """A point that falls on the plane z = 0."""
    model = Model("ball")
    model.body("ball", mass=mass)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "point", "at": "ball"},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": restitution},
    )
    return model


IMPACTS = (
    0.4515236409857309,
    1.1739614665629,
    1.751911727024636,
    2.214271935394024,
    2.584160102089535,
    2.880070635445944,
    3.116799062131071,
    3.306181803479172,
    3.457687996557653,
    3.578892951020438,
)


def _bouncing() -> Iterator[CaseCheck]:
    run = simulate(build(falling(0.8)), [1.0], t_span=[0, *np.linspace(0.1, 10, 100)], **FINE)
    assert run.contacts is not None
    times = run.switches["floor.impact"]
    yield agrees("times of ten impacts", IMPACTS, times[:10], 1e-9)
    heights = [float(hit.after[0]) ** 2 / (2 * G) for hit in run.contacts.impacts[:10]]
    yield agrees("heights behind them", [0.64**n for n in range(1, 11)], heights, 1e-9)
    (rest,) = run.switches["floor.rest"]
    closes = f"{rest:.7f}, last impact {times[-1]:.7f}"
    yield holds(
        "rests",
        "4.05 to 4.0638 s, then no impact",
        closes,
        bool(4.05 < rest <= 4.0638 and times[-1] <= rest),
    )
    forces = contact_forces(run).pressing[run.t > rest, 0]
    yield agrees("N at rest", np.full(len(forces), 2 * G), forces, 1e-9)
    yield agrees("place at rest", [0.0, 0.0], [run.q[-1, 0], run.u[-1, 0]], 1e-15)


def _hit(mu: float) -> Any:
    r, m = 0.02, 0.3
    model = build(sliding(2 / 5, {"kind": "dry", "kinetic": mu}, r))
    return impact(model, {"z": r}, {"x": 2, "z": -3}), r, m


def _spinning() -> Iterator[CaseCheck]:
    stuck, _, _ = _hit(0.2)
    x, _, turn = stuck.after
    yield agrees("sticks", [1.4285714285714286, 71.42857142857143], [x, turn], 1e-12)
    slid, _, _ = _hit(0.05)
    yield agrees("slips", [1.73, 2.4], slid.after[:2], 1e-14)


def wedge(e: float) -> Model:
    """A point between two planes, of normals at 60 degrees to the vertical."""
    model = Model("wedge")
    model.body("ball", mass=1)
    model.joint("free", "translational", parent="world", child="ball")
    for name, sign in (("left", 1), ("right", -1)):
        n = (sign * sin(pi / 3), 0, cos(pi / 3))
        model.contact(
            name,
            shape={"kind": "point", "at": "ball"},
            surface={"kind": "plane", "at": "world", "normal": n},
            normal={"kind": "rigid", "restitution": e},
        )
    return model


def rod(e: float, friction: Mapping[str, Any] | None = None) -> Model:
    """A uniform rod of length 1 in the plane y = 0, whose ends meet z = 0; at angle 0 it lies."""
    model = Model("rod")
    model.body("rod", mass=1, inertia=(0, 1 / 12, 1 / 12))
    model.body("slide", mass=0)
    model.body("lift", mass=0)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="slide", child="lift", axis=(0, 0, 1))
    model.joint("turn", "revolute", parent="lift", child="rod", axis=(0, 1, 0))
    for name, sign in (("left", -1), ("right", 1)):
        model.contact(
            name,
            shape={"kind": "point", "at": {"body": "rod", "xyz": (sign / 2, 0, 0)}},
            surface=PLANE,
            normal={"kind": "rigid", "restitution": e},
            friction=friction,
        )
    return model


def _residual(model: Any, q: Any, hit: Any, law: str) -> float:
    """Largest violation of 0 <= P perp gamma+ + e gamma- >= 0; by Poisson's law of that of both
    phases, P_c perp gamma_c and P - (1 + e) P_c perp gamma+."""
    contacts = RigidContacts(model, Excitation(model))
    at = contacts.at(0.0, initial_state(model, q, hit.before, None))
    rows = at.rows[:, 0]
    behind, before = rows @ hit.after, rows @ hit.before

    def off(impulses: Any, rates: Any) -> float:
        return float(max(-rates.min(), -impulses.min(), np.abs(rates * impulses).max()))

    if law == "newton":
        return off(hit.impulses, behind + at.restitution * before)
    w = rows @ np.linalg.solve(at.mass, rows.T)
    squeezed = min(_compressions(w, before), key=lambda p: off(p, before + w @ p))
    last = hit.impulses - (1 + at.restitution) * squeezed
    return max(off(squeezed, before + w @ squeezed), off(last, behind))


def _compressions(w: Any, before: Any) -> Iterator[Any]:
    """Impulses that stop each choice of the contacts."""
    for chosen in product((False, True), repeat=len(w)):
        at, p = np.flatnonzero(chosen), np.zeros(len(w))
        p[at] = np.linalg.solve(w[np.ix_(at, at)], -before[at])
        yield p


def _several() -> Iterator[CaseCheck]:
    for law in ("newton", "poisson"):
        model = build(wedge(0.5))
        hit = impact(model, u=[0.3, 0, -1], impact_law=law)
        wanted = [1.240192378864668, 1.759807621135331]
        yield agrees(f"wedge, {law}: impulses", wanted, hit.impulses, 1e-12)
        yield agrees(f"wedge, {law}: speeds", [-0.15, 0, 0.5], hit.after, 1e-12)
        yield at_most(f"wedge, {law}: complementarity", _residual(model, None, hit, law), 1e-12)
        for e, (v, w) in {1.0: (0.5, -1), 0.5: (0.25, -0.5), 0.0: (0, 0)}.items():
            model = build(rod(e))
            hit = impact(model, u={"z": -0.5, "turn": 1.0 * _TURN}, impact_law=law)
            wanted = [2 / 3 * (1 + e) / 2, 1 / 3 * (1 + e) / 2]
            yield agrees(f"rod, e = {e}, {law}: impulses", wanted, hit.impulses, 1e-12)
            yield agrees(f"rod, e = {e}, {law}: speeds", [0, v, w * _TURN], hit.after, 1e-12)
            ratio = hit.energy_after / hit.energy_before
            yield agrees(f"rod, e = {e}, {law}: energy", e * e, ratio, 1e-12)
            yield at_most(
                f"rod, e = {e}, {law}: complementarity", _residual(model, None, hit, law), 1e-12
            )


_TURN = -1.0
"""The left end goes down with a turn about -y, from x to z."""


def _three_balls() -> Iterator[CaseCheck]:
    model = Model("row", gravity=(0, 0, 0))
    for k in range(3):
        model.body(f"ball{k}", mass=1)
        model.joint(
            f"x{k}",
            "prismatic",
            parent="world",
            child=f"ball{k}",
            axis=(1, 0, 0),
            placement=(k, 0, 0),
        )
        if k:
            model.contact(
                f"touch{k}",
                shape={"kind": "sphere", "at": f"ball{k}", "radius": 0.5},
                surface={"kind": "sphere", "at": f"ball{k - 1}", "radius": 0.5},
                normal={"kind": "rigid", "restitution": 1.0},
            )
    built = build(model)
    for law, wanted in {"newton": (-1 / 3, 2 / 3, 2 / 3), "sequential": (0, 0, 1)}.items():
        hit = impact(built, u=[1, 0, 0], impact_law=law)
        yield agrees(f"{law}: speeds", wanted, hit.after, 1e-12)
        yield agrees(f"{law}: momentum", 1, hit.after.sum(), 1e-15)
        yield agrees(f"{law}: energy", 0.5, hit.energy_after, 1e-15)


def leaning(mu: float, e: float = 0.0) -> Model:
    """A rod whose lower end rubs; `turn` is the angle from the ground."""
    model = Model("rod")
    model.body("rod", mass=1, inertia=(0, 1 / 12, 1 / 12))
    model.body("slide", mass=0)
    model.body("lift", mass=0)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="slide", child="lift", axis=(0, 0, 1))
    model.joint("turn", "revolute", parent="lift", child="rod", axis=(0, -1, 0))
    model.contact(
        "tip",
        shape={"kind": "point", "at": {"body": "rod", "xyz": (-0.5, 0, 0)}},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": e},
        friction={"kind": "dry", "kinetic": mu},
    )
    return model


def _painleve() -> Iterator[CaseCheck]:
    theta = atan(2)
    model = build(leaning(4 / 3))
    contacts = RigidContacts(model, Excitation(model))

    def parting(model_: Any, angle: float, mu: float) -> float:
        """gap'' per newton of a slip against the lean, times m."""
        state = initial_state(model_, {"turn": angle, "z": sin(angle) / 2}, None, None)
        at = RigidContacts(model_, Excitation(model_)).at(0.0, state)
        return float(at.rows[0, 0] @ at.responses(at.rows[0, 0] + mu * at.rows[0, 1]))

    assert contacts.names
    yield agrees("p at tan theta = 2, mu = 4/3", 0, parting(model, theta, 4 / 3), 1e-15)
    # p = 1 + 3 cos(theta) (cos(theta) - mu sin(theta)) of the product changes sign at both ends.
    for angle, inward in ((55.5858108078871, 1), (69.95186698408728, -1)):
        steep = build(leaning(1.4))
        here = [parting(steep, radians(angle + inward * d), 1.4) for d in (-1e-8, 1e-8)]
        yield holds(
            f"mu = 1.4: p changes sign at {angle:.4f} degrees",
            "from + to -",
            f"{here[0]:.1e}, {here[1]:.1e}",
            here[0] > 0 > here[1],
        )
    flat = build(leaning(1.3))
    least = min(parting(flat, radians(angle), 1.3) for angle in np.linspace(1, 89, 177))
    yield holds("mu = 1.3: p at all angles", "> 0", f"{least:.3g}", least > 0)
    for mu, bad in ((1.4, True), (1.3, False)):
        found, worst = 0, ""
        model = build(leaning(mu))
        for degrees in (56, 60, 63, 66, 69) if not bad else (63,):
            angle = radians(degrees)
            start = {"turn": angle, "z": sin(angle) / 2}
            # The tip slides towards -x with the rod leaning to +x: friction presses it down.
            for v in (-1.0, 1.0):
                try:
                    simulate(model, start, {"x": v}, t_span=[0, 0.01, 0.02])
                except PainleveError as error:
                    found, worst = found + 1, str(error)
        told = all(word in worst for word in ("'tip'", "t = 0 s", "turn = 1.09955743"))
        if bad:
            yield holds(
                "mu = 1.4 at 63 degrees",
                "told by name, time and state",
                worst[:60],
                found == 1 and told,
            )
        else:
            yield holds("mu = 1.3, 56 to 69 degrees", "never", str(found), found == 0)


def block(mu: float, b: float = 0.1, h: float = 0.4) -> Model:
    """A block of these half sizes in the plane y = 0, on its two lower corners."""
    model = Model("block")
    model.body("block", mass=1, inertia=((b * b + h * h) / 3,) * 3)
    model.body("slide", mass=0)
    model.body("lift", mass=0)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="slide", child="lift", axis=(0, 0, 1))
    model.joint("turn", "revolute", parent="lift", child="block", axis=(0, 1, 0))
    for name, sign in (("left", -1), ("right", 1)):
        model.contact(
            name,
            shape={"kind": "point", "at": {"body": "block", "xyz": (sign * b, 0, -h)}},
            surface=PLANE,
            normal={"kind": "rigid", "restitution": 0.0},
            friction={"kind": "dry", "kinetic": mu},
        )
    return model


ROCKS = (0.371397608251029, 0.944257623947719, 1.41982817484299, 1.82732732905703, 2.18274777265861)
PEAKS = (0.110530095751305, 0.0864536276725214, 0.0689093021757289)


def _rocking() -> Iterator[CaseCheck]:
    b, h = 0.1, 0.4
    lean = 0.6 * atan(b / h)
    model = build(block(0.5))
    start = [b - b * cos(lean) + h * sin(lean), b * sin(lean) + h * cos(lean), lean]

    def peak(t: float, q: Any, u: Any) -> float:
        return float(u[2])

    run = simulate(model, start, t_span=[0, 1.0, 2.3], events=peak, **FINE)
    times = np.sort(np.concatenate([run.switches[f"{side}.impact"] for side in ("left", "right")]))
    yield agrees("times of impacts", ROCKS, times[:5], 1e-8)
    at = np.abs(run.events[0].q[:, 2])
    yield agrees("peaks", PEAKS, at[:3], 1e-8)
    assert run.contacts is not None
    hit = run.contacts.impacts[0]
    yield agrees(
        "turning behind an impact", 0.9117647058823529, hit.after[2] / hit.before[2], 1e-12
    )
    bound = 12 / 65
    for mu in (bound + 1e-6, bound - 1e-6, 0.1):
        at_impact = impact(build(block(mu)), {"z": h}, {"x": -h, "z": -b, "turn": -1})
        # It turns about the right corner until the left one hits.
        slides = abs(abs(at_impact.friction[0, 0]) - mu * at_impact.impulses[0]) < 1e-12
        yield holds(f"mu = {mu:.6f}", "slides below 12/65", str(slides), slides == (mu < bound))
        told = float(at_impact.slip[0])
        yield holds(
            f"mu = {mu:.6f}: the impact tells the slip of its corner",
            "above zero below 12/65, else none",
            f"{told:.2e} m/s",
            told > 1e-9 if mu < bound else told < 1e-13,
        )


CASES = (
    Case(
        14, "A ball that bounces", "6.1", "a run to its rest", _bouncing, provenance="reconstructed"
    ),
    Case(
        19,
        "Impact of a sphere with spin",
        "3, 6.11",
        "impacts",
        _spinning,
        provenance="reconstructed",
    ),
    Case(
        20,
        "Two contacts at once",
        "3, 6.11",
        "impacts by Newton's and Poisson's laws",
        _several,
        provenance="reconstructed",
    ),
    Case(
        21,
        "Three balls that touch",
        "6.8",
        "impacts at once and one after the other",
        _three_balls,
        provenance="reconstructed",
    ),
    Case(
        23,
        "A block that rocks",
        "6.10",
        "a run, and impacts by friction",
        _rocking,
        provenance="reconstructed",
    ),
    Case(
        24,
        "Painleve's rod",
        "6.9",
        "rows of the model, and runs",
        _painleve,
        provenance="reconstructed",
        slow=True,
    ),
)
