"""Cases 1, 2, 3, 5: gaps of shapes over a plane, points of contact, and their rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

Array = NDArray[Any]

SHAPES: dict[str, dict[str, Any]] = {
    "point": {"kind": "point", "at": {"body": "b", "xyz": (0.1, -0.2, 0.05)}},
    "sphere": {"kind": "sphere", "at": {"body": "b", "xyz": (0.1, 0, 0)}, "radius": 0.07},
    "capsule": {"kind": "capsule", "at": "b", "radius": 0.05, "half_length": 0.2},
    "ellipsoid": {"kind": "ellipsoid", "at": "b", "semi_axes": (0.2, 0.15, 0.1)},
    "torus": {"kind": "torus", "at": "b", "radius": 0.2, "tube": 0.05},
    "cylinder": {"kind": "cylinder", "at": "b", "radius": 0.2, "half_length": 0.1},
    "disc": {"kind": "disc", "at": "b", "radius": 0.2},
}
Z = np.array([0.0, 0.0, 1.0])
_EIGHTH = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])


@cache
def told() -> tuple[CompiledModel, dict[str, int]]:
    """A free body with every shape over the plane z = 0, and the places of what is told."""
    model = Model("shapes", gravity=(0, 0, 0))
    model.body("b", mass=1, inertia=(0.01, 0.02, 0.03))
    model.joint("free", "floating", parent="world", child="b")
    for name, shape in SHAPES.items():
        model.contact(
            name,
            shape=shape,
            surface={"kind": "plane", "at": "world"},
            normal={"kind": "spring", "stiffness": 1},
        )
    built = build(model)
    rows = built.output_names("element_outputs")
    return built, {name: k for k, name in enumerate(rows)}


def rotation(q: Array) -> Array:
    """R of a unit quaternion (w, x, y, z), real or complex."""
    w, x, y, z = q / np.sqrt(q @ q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def spun(q: Array, w: Array) -> Array:
    """q' of a unit quaternion by the angular velocity in body axes."""
    a, v = q[0], q[1:]
    return 0.5 * np.concatenate([[-v @ w], a * w + np.cross(v, w)])


def tells(x: Array, q: Array, v: Array, w: Array) -> Array:
    """All that is told: place and velocity in the world, quaternion, spin in body axes."""
    q = q / np.linalg.norm(q)
    built, _ = told()
    return np.asarray(
        built.function("element_outputs")([*x, *q], [*(rotation(q).T @ v), *w]), dtype=float
    )


def rows(what: str, site: str) -> list[int]:
    """Places of a number or of a vector of a site, such as "torus" or "capsule_2"."""
    name, _, k = site.partition("_")
    end, places = f"_{k}" if k else "", told()[1]
    if f"{name}.{what}{end}" in places:
        return [places[f"{name}.{what}{end}"]]
    return [places[f"{name}.{what}_{axis}{end}"] for axis in "xyz"]


def sites() -> list[str]:
    """Every site of every shape."""
    count = {"capsule": 2, "cylinder": 2}
    return [
        f"{name}_{k}" if name in count else name
        for name in SHAPES
        for k in range(1, count.get(name, 1) + 1)
    ]


# Witness: support functions h(u), points p = c - grad h and -pdot/udot = H, by hand.

_SIGN = {"1": 1.0, "2": -1.0}


def support(site: str, u: Array) -> tuple[Array, Any, Array, Array]:
    """Centre, h, -grad h and the Hessian of h at the normal u in body axes."""
    name, _, k = site.partition("_")
    centre, e = np.zeros(3), Z
    across = u - e * (u @ e)
    size = np.sqrt(across @ across + 1e-14)  # with delta = 1e-7
    ring = np.eye(3) - np.outer(e, e)
    curved = (ring - np.outer(across, across) / size**2) / size
    ball = np.eye(3) - np.outer(u, u)
    if name == "point":
        return np.array([0.1, -0.2, 0.05]), 0.0, 0 * u, 0 * ball
    if name == "sphere":
        return np.array([0.1, 0, 0]), 0.07, -0.07 * u, 0.07 * ball
    if name == "capsule":
        return _SIGN[k] * 0.2 * e, 0.05, -0.05 * u, 0.05 * ball
    if name == "ellipsoid":
        d = np.array([0.2, 0.15, 0.1]) ** 2
        s = np.sqrt(u @ (d * u))
        return centre, s, -d * u / s, np.diag(d) / s - np.outer(d * u, d * u) / s**3
    if name == "cylinder":
        centre = _SIGN[k] * 0.1 * e
    tube = 0.05 if name == "torus" else 0.0
    return centre, tube + 0.2 * size, -tube * u - 0.2 * across / size, tube * ball + 0.2 * curved


def gap(site: str, x: Array, q: Array) -> Any:
    """n.(x + R c) - h(R^T n), also of complex arguments."""
    r = rotation(q)
    centre, h, _, _ = support(site, r.T @ Z)
    return Z @ (x + r @ centre) - h


def _sample() -> tuple[Array, Array, Array, Array]:
    q = np.array([0.8, 0.4, -0.3, 0.2])
    x, v, w = (np.array(a) for a in ([0.3, -0.2, 0.5], [0.1, 0.2, -0.3], [1.0, -2, 0.5]))
    return x, q / np.linalg.norm(q), v, w


def random_states(count: int) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Places, attitudes, velocities, spins."""
    rng = np.random.default_rng(7)
    for _ in range(count):
        q = rng.normal(size=4)
        yield rng.normal(size=3), q / np.linalg.norm(q), rng.normal(size=3), rng.normal(size=3)


def derivative(f: Callable[[float], Array], h: float = 0.004) -> Array:
    """f'(0) by central differences of order 8."""
    total = sum(c * (f(k * h) - f(-k * h)) for k, c in enumerate(_EIGHTH, 1))
    return np.asarray(total) / h


_TABLE = {
    "ellipsoid": (
        0.3323235584158605,
        (0.2363964511587736, -0.2343461921919068),
        -0.4532098061256732,
        (0.3383719516117494, 0.506536834750295),
        (-0.1372888184365489, 0.0526844039576081, 0.1406254738172909),
    ),
    "torus": (
        0.2726621236293479,
        (0.2641151591344092, -0.2852264970557781),
        -0.5018522298689482,
        (0.4154974300094279, 0.6055907892949433),
        (-0.1551748843659016, 0.1109596591699434, 0.0967741935483871),
    ),
    "cylinder_2": (
        0.276425564489563,
        (0.2985237612849468, -0.2035060669482512),
        -0.3083038427721739,
        (0.4262501181814709, 0.5921499290798894),
        (-0.0949598306024607, 0.116873637664567, 0),
    ),
    "capsule_2": (
        0.3575268817204301,
        (0.3688172043010753, -0.0365591397849462),
        0.0870967741935484,
        (0.3408602150537635, 0.4360215053763441),
        (-0.0602150537634409, -0.0059139784946237, 0.0967741935483871),
    ),
}


def _turning(what: str, site: str, axis: Array) -> Array:
    """Rate of something told as the sample body turns at the rate `axis` in its axes."""
    x, q, v, w = _sample()

    def at(t: float) -> Array:
        size = np.linalg.norm(axis)
        turn = np.array([np.cos(size * t / 2), *(np.sin(size * t / 2) / size * axis)])
        a, b = q[0], q[1:]
        now = np.array(
            [a * turn[0] - b @ turn[1:], *(a * turn[1:] + turn[0] * b + np.cross(b, turn[1:]))]
        )
        found = tells(x, now, v, w)[rows(what, site)]
        return rotation(now).T @ (found - x) if what == "point" else found

    return derivative(at)


def _samples() -> Iterator[CaseCheck]:
    x, q, v, w = _sample()
    found = tells(x, q, v, w)
    for site, (height, place, rate, slip, pdot) in _TABLE.items():
        expected = [height, *place, rate, *slip, *pdot]
        row = [
            *found[rows("gap", site)],
            *found[rows("point", site)][:2],
            *found[rows("gap_rate", site)],
            *found[rows("slip", site)][:2],
            *_turning("point", site, w),
        ]
        yield agrees(f"{site}: gap, point, rate, slip, p'", expected, row, 1e-12)
    worst, h = 0.0, 1e-30
    for x, q, v, w in random_states(100):
        found = tells(x, q, v, w)
        for site in sites():
            stepped = gap(site, x + 1j * h * v, q + 1j * h * spun(q, w))
            got = found[[*rows("gap", site), *rows("gap_rate", site)]]
            wanted = np.array([stepped.real, stepped.imag / h])
            scale = np.maximum(1, np.abs(wanted))
            worst = max(worst, float((np.abs(got - wanted) / scale).max()))
    yield at_most("gap and its rate against the complex step of h", worst, 1e-14)


def _curvature() -> Iterator[CaseCheck]:
    x, q, v, w = _sample()
    u, found = rotation(q).T @ Z, tells(x, q, v, w)
    for site in ("ellipsoid", "torus", "disc", "sphere"):
        p = rotation(q).T @ (found[rows("point", site)] - x)
        slopes = [_turning("gap", site, e)[0] for e in np.eye(3)]
        # d gap = -grad h . du and du = -e x u of a turn about e.
        yield agrees(f"{site}: -grad h", np.cross(p, u), slopes, 1e-12)
        moved = np.array([_turning("point", site, e) for e in np.eye(3)]).T
        yield agrees(f"{site}: H u and u H", np.zeros((2, 3)), [moved @ u, u @ moved], 1e-12)
        turned = np.array([np.cross(e, u) for e in np.eye(3)]).T
        hessian = moved @ np.linalg.pinv(turned)
        radii = np.sort(np.linalg.eigvalsh((hessian + hessian.T) / 2))[-2:]
        yield agrees(f"{site}: H against by hand", support(site, u)[3], hessian, 1e-11)
        if site == "ellipsoid":
            yield agrees("radii", [0.0693375933925339, 0.164204687350279], radii, 1e-12)
            s = support(site, u)[1]
            yield agrees("their product", (0.2 * 0.15 * 0.1) ** 2 / s**4, radii.prod(), 1e-12)


def _second_rates() -> Iterator[CaseCheck]:
    rng, worst = np.random.default_rng(3), {"with p'": 0.0}
    without = dict.fromkeys(("ellipsoid", "torus", "disc"), 0.0)
    for _ in range(4):
        place, turn = rng.normal(size=(4, 3)), rng.normal(size=(4, 4))
        turn[0] += 2 * turn[0] / np.linalg.norm(turn[0])

        def motion(t: float, place: Array = place, turn: Array = turn) -> tuple[Array, ...]:
            powers = np.array([[1, t, t**2, t**3], [0, 1, 2 * t, 3 * t**2], [0, 0, 2, 6 * t]])
            (x, v, a), (q, q1, q2) = powers @ place, powers @ turn
            n = q @ q
            half = q[0] * q1[1:] - q1[0] * q[1:] - np.cross(q[1:], q1[1:])
            bent = q[0] * q2[1:] - q2[0] * q[1:] - np.cross(q[1:], q2[1:])
            w = 2 * half / n
            return x, q / np.sqrt(n), v, w, a, 2 * bent / n - 2 * w * (q @ q1) / n

        _, q, _, w, a, wdot = motion(0.0)
        r, u = rotation(q), rotation(q).T @ Z
        for site in sites():
            both = [*rows("gap_rate", site), *rows("slip", site)]
            got = derivative(lambda t, both=both: tells(*motion(t)[:4])[both], 0.005)  # type: ignore[misc]
            centre, _, arm, hessian = support(site, u)
            for flexed in (1.0, 0.0):
                pdot = flexed * hessian @ np.cross(w, u)
                p = centre + arm
                second = a + r @ (np.cross(wdot, p) + np.cross(w, np.cross(w, p) + pdot))
                wanted = np.array([second[2], second[0], second[1], 0.0])
                off = float(np.abs(got - wanted).max() / max(1, np.abs(wanted).max()))
                if flexed:
                    worst["with p'"] = max(worst["with p'"], off)
                elif site in without:
                    without[site] = max(without[site], off)
    yield at_most("gap'' and slip' against n.(v' + w' x r + w x r')", worst["with p'"], 1e-9)
    for site, off in without.items():
        yield holds(f"{site}: without p' wrong", "> 1e-3", f"{off:.3g}", off > 1e-3)


def _flat() -> Iterator[CaseCheck]:
    built, _ = told()
    q, u = [0, 0, 0.2, 1, 0, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    found = np.asarray(built.function("element_outputs")(q, u))
    derivatives = built.function("inverse_dynamics_derivatives")(q, u, np.ones(6))
    values = [found, *(np.asarray(part) for part in derivatives)]
    finite = all(np.isfinite(part).all() for part in values)
    yield holds("all that is told, and derivatives of forces", "finite", str(finite), finite)
    heights = {"torus": 0.15, "disc": 0.2, "cylinder_1": 0.3, "cylinder_2": 0.1}
    for site, height in heights.items():
        off = abs(float(found[rows("gap", site)[0]]) - height)
        yield at_most(f"{site}: gap off by at most r delta", off, 0.2 * 1e-7 * (1 + 1e-9))


CASES = (
    Case(
        1,
        "Gaps and their rates",
        "1.1, 1.2, 1.4",
        "told by the compiled model",
        _samples,
        provenance="reconstructed",
    ),
    Case(
        2,
        "Support functions",
        "1.1",
        "told points as the body turns, differences of order 8",
        _curvature,
        provenance="reconstructed",
    ),
    Case(
        3,
        "Second rates",
        "1.2",
        "told rates along a motion, differences of order 8",
        _second_rates,
        provenance="reconstructed",
    ),
    Case(
        5,
        "A coin that lies flat",
        "1.5",
        "told by the compiled model, and derivatives",
        _flat,
        provenance="reconstructed",
    ),
)
