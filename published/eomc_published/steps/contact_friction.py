"""Cases 16, 17, 18, 21 and 22: bodies that stick, slide and jam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, radians, sin, tan
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.steps.contact_balls import EXACT, G


def on_slides(model: Model, names: Sequence[str], body: str, **given: Any) -> None:
    """A body on slides along x, z and a turn about y, as far as they are named."""
    axes = {"x": (1, 0, 0), "z": (0, 0, 1), "turn": (0, 1, 0)}
    parent = "world"
    for name in names:
        child = body if name == names[-1] else f"{body}_{name}"
        model.body(child, **(given if child == body else {}))
        kind = "revolute" if name == "turn" else "prismatic"
        model.joint(f"{body}_{name}_way", kind, parent=parent, child=child, axis=axes[name])
        parent = child


def _box() -> Any:
    """A box of 2 kg, half sizes a (down a slope), 0.2 and b, on four corners; its weight by inputs
    along the slope and across it."""
    model = Model("box", gravity=(0, 0, 0))
    for name, value in (("mu", 0.5), ("a", 0.1), ("b", 0.15)):
        model.parameter(name, value)
    for name in ("along", "down"):
        model.input(name)
    turning = "2*(a**2 + b**2)/3"
    on_slides(model, ("x", "z", "turn"), "box", mass=2, inertia=(turning,) * 3)
    model.force("pull", "box", (1, 0, 0), magnitude="2*along")
    model.force("weight", "box", (0, 0, -1), magnitude="2*down")
    for k, (x, y) in enumerate(((-1, 1), (-1, -1), (1, 1), (1, -1))):
        model.contact(
            f"foot{k}",
            shape={"kind": "point", "at": {"body": "box", "xyz": (f"{x}*a", 0.2 * y, "-b")}},
            surface={"kind": "plane", "at": {"body": "world", "xyz": (0, 0, "-b")}},
            normal={"kind": "rigid", "restitution": 0.0},
            friction={"kind": "dry", "kinetic": "mu"},
        )
    return build(model, tunable=("mu", "a", "b"))


def _on_slope(made: Any, angle: float, mu: float, a: float, b: float) -> tuple[Any, ...]:
    """Forces of the upper and lower pair, along the slope, acceleration and angular acceleration,
    residual."""
    inputs = {"along": G * sin(angle), "down": G * cos(angle)}
    p = {"mu": mu, "a": a, "b": b}
    given: dict[str, Any] = {"inputs": inputs, "parameters": p, "contacts": EXACT}
    run = simulate(made, t_span=[0, 1e-6], method="moreau", step=1e-6, **given)
    forces = [run.contacts.forces[f"foot{k}"][-1] for k in range(4)]
    pairs = forces[0] + forces[1], forces[2] + forces[3]
    tangent = np.array([pairs[0][1:] + pairs[1][1:]]).ravel()
    u = run.u[-1] / 1e-6
    return pairs[0][0], pairs[1][0], np.abs(tangent).max(), u[0], u[2], run.statistics["residual"]


def _slope() -> Iterator[CaseCheck]:
    made, a, b = _box(), 0.1, 0.15
    rows = (
        (20, 0.5, (4.185558200872547, 14.251211018946977), 6.710435212049615, 0.0, 0.0),
        (30, 0.4, (3.398283684450138, 13.593134737800552), 0.4 * 2 * G * cos(pi / 6), None, 0.0),
        (40, 1.2, (0.0, 15.926895215320625), 11.2658380400605, None, 4.485516206631346),
    )
    for degrees, mu, pairs, tangent, acceleration, turning in rows:
        angle = radians(degrees)
        upper, lower, t, x, w, residual = _on_slope(made, angle, mu, a, b)
        yield agrees(f"{degrees} deg: pairs", pairs, (upper, lower), 1e-9 if turning else 1e-10)
        yield agrees(f"{degrees} deg: along the slope", tangent, t, 1e-9 if turning else 1e-10)
        yield agrees(f"{degrees} deg: angular acceleration", turning, w, 1e-9)
        if degrees == 30:
            acceleration = 1.5067163155498617
        if acceleration is not None:
            yield agrees(f"{degrees} deg: acceleration", acceleration, x, 1e-9)
        yield at_most(f"{degrees} deg: residual", residual, 1e-12)
    yield at_most("100 slopes, mu and boxes: largest deviation", _by_chance(made), 1e-8)


def _by_chance(made: Any) -> float:
    rng, worst, done = np.random.default_rng(0), 0.0, 0
    while done < 100:
        angle, mu = rng.uniform(0.05, 0.9), rng.uniform(0.1, 1.5)
        a, b = rng.uniform(0.05, 0.2, 2)
        x = min(tan(angle), mu)
        if min(abs(tan(angle) - mu), abs(x - a / b)) < 1e-3:
            continue
        done += 1
        if x < a / b:
            pairs = G * cos(angle) * (1 - x * b / a), G * cos(angle) * (1 + x * b / a)
            turning = 0.0
        elif tan(angle) < mu:
            pairs = None
            turning = 3 * G * (b * sin(angle) - a * cos(angle)) / (4 * (a**2 + b**2))
        else:
            done -= 1
            continue
        upper, lower, _, _, w, _ = _on_slope(made, angle, mu, a, b)
        worst = max(worst, abs(w - turning))
        if pairs is not None:
            worst = max(worst, abs(upper - pairs[0]), abs(lower - pairs[1]))
    return worst


def block(mu: float, spring: float = 0.0, *, belt: bool = False) -> Any:
    """A block of 1 kg on a floor or a belt."""
    model = Model("block", gravity=(0, 0, -G))
    on_slides(model, ("x", "z"), "block", mass=1)
    if belt:
        model.body("belt")
        model.joint("run", "prismatic", parent="world", child="belt", axis=(1, 0, 0))
        model.prescribed("run")
    if spring:
        model.joint_spring("spring", joint="block_x_way", stiffness=spring)
    model.contact(
        "rub",
        shape={"kind": "point", "at": "block"},
        surface={"kind": "plane", "at": "belt" if belt else "world"},
        normal={"kind": "rigid", "restitution": 0.0},
        friction={"kind": "dry", "kinetic": mu},
    )
    return build(model)


def _dry() -> Iterator[CaseCheck]:
    made = block(0.2, 100)
    for h, error in ((1e-2, -9.6e-5), (5e-3, -2.2e-5), (2.5e-3, -8.7e-6), (1.25e-3, -7.8e-7)):
        run = simulate(made, [0.1, 0], t_span=1.2, method="moreau", step=h)
        ratio = (run.q[-1, 0] - 0.01772) / error
        yield agrees(f"spring, h = {h:g}: error of the place", 1, ratio, 0.06)
        yield at_most(f"spring, h = {h:g}: speed", abs(run.u[-1, 0]), 1e-15)
    made = block(0.3)
    for h, place in ((1e-2, 0.1698977), (1e-3, 0.16989491)):
        run = simulate(made, [0, 0], [1, 0], t_span=1, method="moreau", step=h)
        yield agrees(f"stops, h = {h:g}", place, run.q[-1, 0], 1e-12)
        yield at_most(f"stopped, h = {h:g}: speed", abs(run.u[-1, 0]), 1e-15)
    made = block(0.4, belt=True)
    for h, steps, slip in ((1e-2, 26, 0.12746999999999997), (1e-3, 255, 0.12742125999999976)):
        run = simulate(
            made, t_span=0.4, method="moreau", step=h, prescribed=lambda t: ([t], [1.0], [0.0])
        )
        speeds = np.minimum(np.arange(len(run.t)) * h * 0.4 * G, 1.0)
        yield agrees(f"belt, h = {h:g}: speeds", 0, np.abs(run.u[:, 0] - speeds).max(), 1e-12)
        moved = int(np.argmax(run.u[:, 0] > 1 - 1e-9))
        yield agrees(f"belt, h = {h:g}: steps", steps, moved, 0)
        yield agrees(f"belt, h = {h:g}: slip", slip, run.t[-1] - run.q[-1, 0], 1e-12)
    yield from _pendulum()


TURNS = (
    *(-1.047412134238671, 0.9031793202090555, -0.7653139474644283, 0.632337508570386),
    *(-0.5030967568912786, 0.3766527339997179, -0.2522091646913582, 0.1290631339657474),
    -0.006568593522736578,
)


def _pendulum() -> Iterator[CaseCheck]:
    model = Model("pendulum", gravity=(0, 0, -G))
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("a", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    model.dry_friction("rub", speed="a", force=0.3)
    made = build(model)
    run = simulate(made, [1.2], t_span=8, method="moreau", step=2e-3)
    q, sides = run.q[:, 0], np.sign(run.u[:, 0])
    changes = np.flatnonzero((sides[1:-1] != 0) & (sides[2:] != sides[1:-1])) + 1
    yield agrees("pendulum: turns", TURNS, q[changes][: len(TURNS)], 2e-4)
    yield agrees("pendulum: stays", TURNS[-1], q[-1], 2e-5)
    last = simulate(made, run.q[-1], t_span=100, method="moreau", step=2e-3)
    yield at_most("pendulum: motion in 100 s more", np.ptp(last.q[:, 0]), 0)


def _arm(frictions: Sequence[float]) -> Any:
    """Three links that weigh on skew hinges."""
    model = Model("arm", gravity=(0, -3.0, -G))
    parent = "world"
    for k in range(3):
        model.body(f"l{k}", mass=1 + k, com=(0.3, 0, 0), inertia=(0.01, 0.05, 0.05))
        placement = (0.6 if k else 0, 0, 0)
        ends: Any = {"parent": parent, "child": f"l{k}", "placement": placement}
        model.joint(f"j{k}", "revolute", **ends, axis=(0, 1, 0.2))
        if frictions:
            model.dry_friction(f"rub{k}", speed=f"j{k}", force=frictions[k])
        parent = f"l{k}"
    return build(model)


def _holding() -> Iterator[CaseCheck]:
    start = [0.3, 0.2, -0.4]
    weights = np.abs(_arm(()).gravity(start))
    made = _arm((1.05 * weights).tolist())
    step = made.integrator("moreau")[0]
    zero = np.zeros(made.integrator_record("moreau")["nz"])
    q, u, _ = step(start, [0.0] * 3, zero, [0.0] * 3, [100, 1e-12, 1e-2, 1, 0], 1e-3, 100_000)
    yield at_most("speed in 100 000 steps", np.abs(u).max(), 0)
    yield at_most("displacement", np.ptp(q, axis=0).max(), 0)
    made = _arm((weights * [1.05, 1 / 1.01, 1.05]).tolist())
    run = simulate(made, start, t_span=0.2, method="moreau", step=1e-3)
    moved = float(np.abs(run.u).max())
    yield holds("a joint 1 % above its friction", "moves", f"{moved:.3g} rad/s", moved > 1e-3)


def _rod(mu: float, gravity: float, h: float, way: float = -1.0) -> Any:
    """One step of a rod of 1 kg and 1 m that slides on its lower end, tan(angle) = 2."""
    model = Model("rod", gravity=(0, 0, -gravity))
    c, s = 1 / np.sqrt(5), 2 / np.sqrt(5)
    on_slides(model, ("x", "z", "turn"), "rod", mass=1, inertia=(1 / 12,) * 3)
    model.contact(
        "tip",
        shape={"kind": "point", "at": {"body": "rod", "xyz": (-c / 2, 0, -s / 2)}},
        surface={"kind": "plane", "at": {"body": "world", "xyz": (0, 0, -s / 2)}},
        normal={"kind": "rigid", "restitution": 0.0},
        friction={"kind": "dry", "kinetic": mu},
    )
    return simulate(build(model), u=[way, 0, 0], t_span=[0, h], method="moreau", step=h)


def _painleve() -> Iterator[CaseCheck]:
    for mu in (1.4, 1.5):
        run = _rod(mu, G, 1e-3)
        p = np.abs(run.contacts.impulses["tip"][-1])
        jammed = run.statistics.get("jamming_steps", 0)
        yield agrees(f"mu = {mu}: impulses", (0.3083385, 0.402943), (p[0], p[1:].max()), 1e-12)
        yield holds(f"mu = {mu}", "told as Painleve's", f"{jammed} steps", jammed == 1)
        p = np.abs(_rod(mu, G, 1e-9).contacts.impulses["tip"][-1])
        yield agrees(f"mu = {mu}: in a short step", (0.3, 0.4), (p[0], p[1:].max()), 1e-7)
    run = _rod(1.3, G, 1e-3)
    p = np.abs(run.contacts.impulses["tip"][-1])
    yield agrees("mu = 1.3: impulses", (0.24525, 0.318825), (p[0], p[1:].max()), 1e-12)
    jammed = run.statistics.get("jamming_steps", 0)
    yield holds("mu = 1.3", "not told", f"{jammed} steps", jammed == 0)


def _gripper() -> Any:
    """A box of 0.5 kg between two pads of 0.1 kg."""
    model = Model("gripper", gravity=(0, 0, -G))
    on_slides(model, ("x", "z"), "box", mass=0.5)
    for name, side in (("left", -1), ("right", 1)):
        model.body(name, mass=0.1)
        ends: Any = {"parent": "world", "child": name, "placement": (side * 0.1, 0, 0)}
        model.joint(name, "prismatic", **ends, axis=(side, 0, 0))
        model.contact(
            f"{name}_pad",
            shape={"kind": "point", "at": name},
            surface={
                "kind": "plane",
                "at": {"body": "box", "xyz": (side * 0.1, 0, 0)},
                "normal": (side, 0, 0),
            },
            normal={"kind": "rigid", "restitution": 0.0},
            friction={"kind": "dry", "kinetic": 0.4},
        )
    return build(model)


def _gripping() -> Iterator[CaseCheck]:
    made, names = _gripper(), ("left", "right")

    def falls(force: float) -> tuple[float, Any]:
        run = simulate(
            made, t_span=[0, 1e-3], method="moreau", step=1e-3,
            tau=dict.fromkeys(names, -force), contacts=EXACT,
        )  # fmt: skip
        return float(-run.u[-1, 1] / 1e-3), run

    for force, wanted in ((6.0, 0.21), (6.13125 + 1e-9, 0.0), (6.2, 0.0)):
        acceleration, run = falls(force)
        yield agrees(f"acceleration at F = {force:g}", wanted, acceleration, 1e-12)
        pressed = [run.contacts.forces[f"{name}_pad"][-1, 0] for name in names]
        yield agrees(f"N at F = {force:g}", [force] * 2, pressed, 1e-11)
    least = 6.13125
    yield at_most("slip just above the limit", falls(least * (1 + 1e-9))[0], 1e-12)
    yield agrees("just below", 2 * 0.4 * least * 1e-9 / 0.5, falls(least * (1 - 1e-9))[0], 1e-12)


def _relaxed() -> Iterator[CaseCheck]:
    made, h, mu = block(0.5), 1e-3, 0.5
    given: dict[str, Any] = {"contacts": {"relaxed": True, "tolerance": 1e-16}}
    for method in ("moreau", "stewart_trinkle"):
        run = simulate(made, [0, 0], [1, 0], [0, h], method=method, step=h, **given)
        pressed = run.contacts.impulses["rub"][-1, 0]
        wanted = (h * G + mu) / (1 + mu**2)
        yield agrees(f"{method}: first impulse of a sliding block", wanted, pressed, 1e-12)
    # Beginning where it hovers; from the floor the first impulse throws it up.
    run = simulate(made, [0, h * mu], [1, 0], 0.1, method="stewart_trinkle", step=h, **given)
    hover = run.q[1:, 1] - h * mu * np.abs(run.u[1:, 0])
    yield at_most("hovers at h mu |slip|, off by", np.abs(hover).max(), 1e-9)
    options: dict[str, Any] = {"tau": {"block_x_way": 2.0}, "t_span": 0.01, "method": "moreau"}
    both = [
        simulate(made, step=h, contacts={"relaxed": relaxed}, **options).contacts.forces["rub"][-1]
        for relaxed in (False, True)
    ]
    yield agrees("forces of what sticks", both[0], both[1], 1e-10)


CASES = (
    Case(
        27,
        "The convex relaxation of friction",
        "the law of a sliding point in one step",
        "impulses, the gap at which it hovers, forces of what sticks",
        _relaxed,
    ),
    Case(
        16,
        "A box on a slope sticks, slides or tips",
        "equations of Newton and Euler",
        "three rows of known forces, 100 by chance",
        _slope,
        slow=True,
    ),
    Case(
        17,
        "Dry friction of a spring, a block, a belt and a pendulum",
        "work balance between turns; the steps' own sums",
        "places, turns and speeds that are zero",
        _dry,
        slow=True,
    ),
    Case(
        18,
        "An arm that dry friction holds",
        "statics",
        "100 000 steps at rest, one joint above its friction",
        _holding,
    ),
    Case(
        21,
        "Painleve's rod",
        "two linear equations of the impact without collision",
        "impulses, in steps of two lengths",
        _painleve,
        slow=True,
    ),
    Case(
        22,
        "A gripper",
        "Coulomb's law at two pads",
        "accelerations, pressing forces, the limit of stick",
        _gripping,
    ),
)
