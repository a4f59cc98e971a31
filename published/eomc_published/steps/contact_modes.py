"""Case 30: contacts, a stop, dry friction and a loop in one solve, by all choices of modes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.steps.contact_balls import PLANE, G
from eomc_published.steps.contact_friction import on_slides

H, MU, DRY, UPPER = 1e-3, 0.6, 0.4, 0.9
_SETTINGS = [5000, 1e-15, np.inf, 1, 0]
_STATES = 40


def walker(feet: Sequence[str] = ("heel", "tip"), **options: Any) -> Any:
    """A frame in the plane with a four-bar on it, whose rocker slips dry and whose crank has a
    stop; a foot below the frame and one on the coupler, which a spring ties to the world."""
    model = Model("walker", gravity=(0, 0, -G))
    model.parameter("mu", MU)
    on_slides(model, ("x", "z", "turn"), "frame", mass=3, inertia=(0.1, 0.1, 0.1))
    for name, length, mass in (("crank", 0.2, 0.3), ("coupler", 0.5, 0.6), ("rocker", 0.35, 0.5)):
        turning = mass * length**2 / 12
        model.body(name, mass=mass, com=(length / 2, 0, 0), inertia=(0, turning, turning))
    pins: dict[str, Any] = {"parent": "frame", "axis": (0, 1, 0)}
    model.joint("A", "revolute", child="crank", placement=(-0.2, 0, 0), **pins)
    model.joint(
        *("B", "revolute"), parent="crank", child="coupler", placement=(0.2, 0, 0), axis=(0, 1, 0)
    )
    model.joint("D", "revolute", child="rocker", placement=(0.3, 0, 0), **pins)
    ends: dict[str, Any] = {"placement": (0.5, 0, 0), "child_placement": (0.35, 0, 0)}
    model.joint("C", "revolute", parent="coupler", child="rocker", cut=True, axis=(0, 1, 0), **ends)
    places = {"heel": ("frame", (-0.3, 0, -0.4)), "tip": ("coupler", (0.25, 0, -0.1))}
    for foot in feet:
        body, xyz = places[foot]
        model.contact(
            foot,
            shape={"kind": "point", "at": {"body": body, "xyz": xyz}},
            surface=PLANE,
            normal={"kind": "rigid", "restitution": 0.0},
            friction={"kind": "dry", "kinetic": "mu"},
        )
    tied = {"body": "coupler", "xyz": (0.25, 0, 0)}
    model.spring("tie", a={"body": "world", "xyz": (0, 0, 1)}, b=tied, stiffness=200, damping=5)
    rigid = {"kind": "rigid", "restitution": 0.0}
    model.stop("end", coordinate="A", normal=rigid, upper=UPPER)
    model.dry_friction("rub", speed="D", force=DRY)
    return build(model, tunable=("mu",), **options)


def states(made: Any, count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Closed loops at random with both feet a little below the floor, the crank at its stop or
    not, at random speeds of which every third one is zero."""
    rng = np.random.default_rng(30)
    place = {name: k for k, name in enumerate(made.coordinates)}
    for k in range(count):
        q = rng.uniform(-0.3, 0.3, made.nq)
        q[place["A"]] = UPPER + 1e-9 if k % 2 else 0.5
        q[[place["B"], place["D"]]] = (-0.6, 1.2)
        for _ in range(50):
            q, residual = _nearer(made, q, place)
        u = rng.normal(size=made.nu) * (k % 3 > 0)
        u = u + np.asarray(made.velocity_correction(q, u))
        if residual < 1e-12:
            yield q, u


def _nearer(made: Any, q: np.ndarray, place: dict[str, int]) -> tuple[np.ndarray, float]:
    """A step of Newton's method towards a closed loop and feet at the floor, the crank held."""
    gaps, rows = (np.asarray(part) for part in made.rigid_contacts(q, np.zeros(made.nu))[:2])
    closed = np.asarray(made.constraint_residual(q))
    crank = np.eye(made.nu)[place["A"]]
    matrix = np.vstack([made.constraint_jacobian(q), rows.reshape(-1, 4, made.nu)[:2, 0], crank])
    off = np.concatenate([closed, gaps[:2] + 1e-6, [0.0]])
    return q - np.linalg.pinv(matrix) @ off, float(np.abs(off).max())


def enumerated(made: Any, q: np.ndarray, u: np.ndarray) -> list[np.ndarray]:
    """Speeds behind Moreau's step by every consistent choice of modes."""
    q, nu = q + H / 2 * u, made.nu
    speeds = {name: k for k, name in enumerate(made.coordinates)}
    gaps, jacobian = (np.asarray(part) for part in made.rigid_contacts(q, u)[:2])
    rows = jacobian.reshape(-1, 4, nu)
    loops = np.asarray(made.constraint_jacobian(q))
    mass, bias = np.asarray(made.mass_matrix(q)), np.asarray(made.bias(q, u))
    dry = np.eye(nu)[speeds["D"]]
    feet: list[Sequence[Any]]
    feet = [("open", "stick", 1, -1) if gap <= 0 else ("open",) for gap in gaps[:2]]
    stop: Sequence[Any] = ("open", "stick") if gaps[2] <= 0 else ("open",)
    rubs: Sequence[Any] = ("stick", 1, -1)
    found = []
    for *modes, end, rub in product(*feet, stop, rubs):
        force, pulls, looks = mass @ u - H * bias, [*loops], [*loops]
        for mode, row in zip(modes, rows, strict=False):
            if mode == "stick":
                pulls, looks = [*pulls, row[0], row[1]], [*looks, row[0], row[1]]
            elif mode != "open":
                pulls, looks = [*pulls, row[0] - MU * int(mode) * row[1]], [*looks, row[0]]
        if end == "stick":
            pulls, looks = [*pulls, rows[2, 0]], [*looks, rows[2, 0]]
        if rub == "stick":
            pulls, looks = [*pulls, dry], [*looks, dry]
        else:
            force = force - H * DRY * int(rub) * dry
        inverse = np.linalg.inv(mass)
        response = np.array(looks) @ inverse @ np.array(pulls).T
        p, *_ = np.linalg.lstsq(response, -np.array(looks) @ inverse @ force, rcond=1e-12)
        after = inverse @ (force + np.array(pulls).T @ p)
        if _is_consistent(modes, end, rub, rows, dry, gaps, after, p[len(loops) :]):
            found.append(after)
    return found


def _is_consistent(
    modes: Sequence[Any],
    end: str,
    rub: Any,
    rows: np.ndarray,
    dry: np.ndarray,
    gaps: np.ndarray,
    after: np.ndarray,
    p: np.ndarray,
) -> bool:
    """True if signs of impulses and rates are those of the modes."""
    some, left = 1e-10, list(p)
    for k, mode in enumerate(modes):
        if mode == "open":
            good = gaps[k] > 0 or rows[k, 0] @ after >= -some
        elif mode == "stick":
            good = left.pop(0) * MU >= abs(left.pop(0)) - some
        else:
            good = left.pop(0) >= -some and int(mode) * (rows[k, 1] @ after) >= -some
        if not good:
            return False
    if end == "stick":
        if left.pop(0) < -some:
            return False
    elif gaps[2] <= 0 and rows[2, 0] @ after < -some:
        return False
    if rub == "stick":
        return bool(abs(left.pop(0)) <= H * DRY + some)
    return bool(int(rub) * float(dry @ after) >= -some)


def _modes() -> Iterator[CaseCheck]:
    made, other = walker(), walker(("tip", "heel"))
    step, nz = made.integrator("moreau"), made.integrator_record("moreau")["nz"]
    turned = other.integrator("moreau")[0]
    worst, apart, most, seen = 0.0, 0.0, 0.0, set()
    for q, u in states(made, _STATES):
        given = {"q": q, "u": u, "z": np.zeros(nz), "tau": np.zeros(made.nu), "settings": _SETTINGS}
        arguments = [given[name] for name in step[1]]
        after, z = (rows[-1] for rows in step[0](*arguments, H, 1)[1:])
        behind = turned(*arguments, H, 1)[1][-1]
        found = enumerated(made, q, u)
        slips = [np.hypot(*z[k + 1 : k + 3]) > 0.999999 * MU * z[k] for k in (0, 3)]
        seen.add((z[0] > 0, z[3] > 0, *slips, z[6] > 0, abs(after[-1]) > 1e-9))
        size = 1 + np.abs(u).max()
        errors = [np.abs(speeds - after).max() / size for speeds in found]
        worst, most = max(worst, min(errors, default=np.inf)), max(most, max(errors, default=0))
        apart = max(apart, np.abs(behind - after).max() / size)
    yield at_most("speeds beside those of consistent modes", worst, 1e-9)
    yield at_most("all consistent modes give the same speeds", most, 1e-9)
    yield at_most("contacts in another order", apart, 1e-9)
    yield holds("modes", "many of them occur", str(len(seen)), len(seen) >= 8)


CASES = (
    Case(
        30,
        "Contacts, a stop, dry friction and a loop in one solve",
        "all choices of open, stuck and slipping",
        "speeds behind a step from forty random states; contacts in another order",
        _modes,
    ),
)
