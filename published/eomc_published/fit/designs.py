"""Designs: eigenvalues, absorbers, a buckled pendulum, trusses, a suspension, a traced curve."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.designs import Design, FreeValue, optimize
from eomc.runtime.designs.problem import DesignProblem, DesignTrial
from eomc.runtime.linearization.placement import controllability_gramian, placement
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_SOURCE = "closed forms, and optima of other programs"
_G = 9.81
_INF = float("inf")


def _trial(problem: DesignProblem, values: list[float]) -> DesignTrial:
    found = problem.trial(np.array(values))
    assert found is not None
    return found


@cache
def chain(masses: tuple[float, ...] = (1.0, 1.0, 1.0)) -> CompiledModel:
    """Masses on a wall, one behind the other on springs k1, k2, k3."""
    model = Model("design_chain", gravity=(0, 0, 0))
    before = "0"
    forces = {f"x{k}": "" for k in range(1, len(masses) + 1)}
    for k, mass in enumerate(masses, 1):
        model.parameter(f"k{k}", 1.0)
        model.body(f"m{k}", mass=mass)
        model.joint(f"x{k}", "prismatic", parent="world", child=f"m{k}", axis=(1, 0, 0))
        stretch = f"k{k}*(x{k} - {before})"
        forces[f"x{k}"] += f" - {stretch}"
        if k > 1:
            forces[before] += f" + {stretch}"
        before = f"x{k}"
    for name, text in forces.items():
        model.generalized_force(f"springs_{name}", speed=name, expression=text)
    return build(model, tunable="all")


def case_31() -> Iterator[CaseCheck]:
    model, names = chain(), ("k1", "k2", "k3")

    def squares(design: Design) -> Any:
        return design.equilibrium().frequencies ** 2

    def placed(goal: Any, **options: Any) -> Any:
        free = dict.fromkeys(names, (0.05, 10.0))
        return optimize(model, lambda d: squares(d) - goal, free, **options)

    uniform = 4 * np.sin((2 * np.arange(1, 4) - 1) * np.pi / 14) ** 2
    found = placed(uniform, starts=24)
    both: list[list[float]] = [[1, 1, 1], [2.430960753676336, 0.608530417835168, 0.675989205326664]]
    exact = [list(v.values()) for c, v in found.optima if c < 1e-18]
    got = sorted(exact, key=lambda k: k[0])
    yield holds("answers", "two", str(len(got)), len(got) == 2)
    yield agrees("stiffnesses of the uniform eigenvalues", both, got, 1e-8)
    laguerre = [0.415774556783479, 2.294280360279042, 6.289945082937479]
    found = placed(np.array(laguerre), parameters={"k1": 2.5, "k2": 2.5, "k3": 1.5})
    values = [found[name] for name in names]
    yield agrees("stiffnesses where the map is singular", [3, 2, 1], values, 1e-6)
    at = placed(np.array(laguerre), parameters={"k1": 3.0, "k2": 2.0, "k3": 1.0}).problem
    trial = _trial(at, [3.0, 2.0, 1.0])
    row = [0.046197172975942, 0.077128734309839, 0.122925569235976]
    yield agrees("derivatives of the first eigenvalue", row, trial.objective.slopes[0], 1e-12)


@cache
def absorber() -> CompiledModel:
    """A host of 1 kg and 1 rad/s with a tuned mass damper."""
    model = Model("design_absorber", gravity=(0, 0, 0))
    for name, value in {"mu": 0.05, "f": 0.95, "zeta": 0.13}.items():
        model.parameter(name, value)
    model.body("host", mass=1)
    model.body("damper", mass="mu")
    for name, child in (("x1", "host"), ("x2", "damper")):
        model.joint(name, "prismatic", parent="world", child=child, axis=(1, 0, 0))
    rate = "2*zeta*mu*f*({0})"
    pull = "mu*f**2*(x2 - x1) + " + rate.format("speed(x2) - speed(x1)")
    model.generalized_force("host_spring", speed="x1", expression=f"-x1 + {pull}")
    model.generalized_force("damper_spring", speed="x2", expression=f"-({pull})")
    return build(model, tunable="all")


def case_32() -> Iterator[CaseCheck]:
    table = {
        0.01: (0.9900986265032, 0.06096178402708, 14.17964336948),
        0.05: (0.9523720443351, 0.1339377265157, 6.407920768005),
        0.1: (0.9090582929085, 0.1854698362312, 4.589165566057),
        0.2: (0.8332229913709, 0.2521734443821, 3.325438841123),
    }
    hartog = {0.05: [6.4084431697, 6.4074922615], 0.2: [3.3275394036, 3.3240138911]}
    for mu, (f, zeta, peak) in table.items():
        start = {"mu": mu, "f": 1 / (1 + mu), "zeta": float(np.sqrt(3 * mu / (8 * (1 + mu))))}
        found = optimize(
            absorber(),
            lambda d: d.equilibrium().peaks("x1", "x1", 2),
            {"f": FreeValue(low=0.5, high=1.5), "zeta": FreeValue(low=0.01, high=0.9)},
            parameters=start,
            of_array="largest",
        )
        yield agrees(f"mu {mu}: peak", peak, found.cost, 1e-9)
        yield agrees(f"mu {mu}: f and zeta", [f, zeta], [found["f"], found["zeta"]], 1e-6)
        if mu in hartog:
            peaks = _trial(found.problem, [start["f"], start["zeta"]]).objective.value
            yield agrees(f"mu {mu}: peaks of Den Hartog's design", hartog[mu], peaks, 1e-9)


@cache
def buckled() -> CompiledModel:
    """An inverted pendulum on a torsion spring too weak to hold it upright."""
    model = Model("design_buckled", gravity=(0, 0, -_G))
    for name, value in {"k": 5.0, "l": 1.0, "m": 1.0}.items():
        model.parameter(name, value)
    model.body("bob", mass="m", com=(0, 0, "l"))
    model.joint("th", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    model.generalized_force("spring", speed="th", expression="-k*th")
    return build(model, tunable="all")


def case_33() -> Iterator[CaseCheck]:
    def square(design: Design) -> Any:
        return design.equilibrium({"th": 1.5}).frequencies[0] ** 2

    free = {"k": (1.0, 9.0), "l": (0.5, 2.0), "m": (0.5, 2.0)}
    found = optimize(buckled(), lambda d: (square(d) - 9.0) ** 2, free)
    yield agrees("frequency squared of the design for 9", 9.0, float(square(found.design)), 1e-6)
    trial = _trial(found.problem, [5.0, 1.0, 1.0])
    at = square(trial.design)
    yield agrees("frequency squared", 7.920218545293482, at.value, 1e-10)
    rates = [-1.214798067658, -1.8462282070036, 6.0739903382898]
    yield agrees("its derivatives, the equilibrium moving", rates, at.slopes, 1e-10)


@cache
def truss() -> CompiledModel:
    """Two bars from a half span of 1 m to an apex of 1 kg, so stiff that they hardly strain."""
    model = Model("design_truss", gravity=(0, 0, -_G))
    for name, value in {"h": 0.6, "A": 10.0, "E": 1e6}.items():
        model.parameter(name, value)
    model.body("apex", mass=1)
    model.joint(
        "z",
        "prismatic",
        parent="world",
        child="apex",
        axis=(0, 0, 1),
        placement={"xyz": (0, 0, "h")},
    )
    for name, x in (("left", -1), ("right", 1)):
        length = "sqrt(1 + h**2)"
        ends: dict[str, Any] = {
            "a": {"body": "world", "xyz": (x, 0, 0)},
            "b": {"body": "apex", "xyz": (0, 0, 0)},
        }
        model.spring(name, stiffness=f"E*A/{length}", free_length=length, **ends)
    return build(model, tunable="all")


@cache
def cantilever() -> CompiledModel:
    """A uniform cantilever of 1 m, 1 m wide, of height h."""
    model = Model("design_cantilever", gravity=(0, 0, 0))
    model.parameter("h", 0.02)
    section: dict[str, Any] = {"mass_per_length": "2700*h", "EI": "7e10*h**3/12"}
    model.deformable("beam", "beam", length=1, modes=(0, 2), shapes="clamped-free", **section)
    model.joint("wall", "fixed", parent="world", child="beam")
    return build(model, tunable="all")


def case_34() -> Iterator[CaseCheck]:
    def volume(design: Design) -> Any:
        return 2 * design["A"] * np.sqrt(1 + design["h"] ** 2)

    free = {"h": (0.1, 5.0), "A": FreeValue(10.0, 0.1, 1e3, log=True)}

    def stress(design: Design) -> Any:
        return -design.equilibrium()["left.tension"] / design["A"]

    found = optimize(truss(), volume, free, subject_to={"stress": (stress, -_INF, 1.0)})
    # The closed forms are of unstrained bars; these strain by 1e-6.
    got = [found["h"], found.cost / (2 * _G)]
    yield agrees("height and volume of the lightest, over those known", [1.0, 1.0], got, 1e-5)
    yield holds("what bounds it", "stress", ", ".join(found.active), found.active == ("stress",))

    def softness(design: Design) -> Any:
        return -(design.equilibrium().frequencies[0] ** 2)

    for method in ("SLSQP", "trust-constr"):
        stiffest = optimize(
            truss(),
            softness,
            free,
            subject_to={"volume": (volume, 2.0, 2.0)},
            parameters={"E": 1e9},
            method=method,
        )
        yield agrees(f"height of the stiffest by {method}", 1.0, stiffest["h"], 1e-5)
        yield agrees("frequency squared", 5e8, -stiffest.cost, 1e-6, relative=True)
    lightest = optimize(
        cantilever(),
        lambda d: 2700 * d["h"],
        {"h": (1e-3, 0.1)},
        subject_to={"f1": (lambda d: d.equilibrium().frequencies[0] / (2 * np.pi), 10.0, _INF)},
    )
    got = [lightest["h"], lightest.cost]
    known = [0.012157732989677516, 32.8258790721293]
    yield agrees("height and mass of the cantilever", known, got, 1e-9)


@cache
def suspension() -> CompiledModel:
    """A lower arm, an upright and an upper arm from a free pivot D, which is assembled straight."""
    model = Model("design_suspension", gravity=(0, 0, 0))
    for name, value in {"Dy": 0.38, "Dz": 0.40}.items():
        model.parameter(name, value)
    x, thin = (1, 0, 0), (0.01, 0.01, 0.01)
    bodies = {"lower": (0.2, 0), "upright": (0, 0.1), "upper": (0.1, 0)}
    for name, (y, z) in bodies.items():
        model.body(name, mass=1, com=(0, y, z), inertia=thin)
    joints: tuple[tuple[str, str, str, Any], ...] = (
        ("lower", "world", "lower", (0, 0.30, 0.20)),
        ("camber", "lower", "upright", (0, 0.40, -0.02)),
        ("upper", "world", "upper", (0, "Dy", "Dz")),
    )
    for name, parent, child, xyz in joints:
        model.joint(name, "revolute", parent=parent, child=child, axis=x, placement={"xyz": xyz})
    model.joint(
        "ball",
        "revolute",
        parent="upright",
        child="upper",
        axis=x,
        placement={"xyz": (0, -0.05, 0.24)},
        child_placement={"xyz": (0, "0.65 - Dy", "0.42 - Dz")},
        cut=True,
    )
    model.frame("wheel", body="lower", placement={"xyz": (0, 0.40, -0.02)})
    return build(model, tunable="all")


def case_35() -> Iterator[CaseCheck]:
    height = np.linspace(-0.08, 0.08, 9)
    radius = np.hypot(0.40, 0.02)
    # The wheel joint at a height is the lower arm at an angle.
    angle = np.arcsin((height - 0.02) / radius) - np.arcsin(-0.02 / radius)

    def camber(design: Design) -> Any:
        states = design.closed({"lower": angle})
        return -(states["lower"] + states["camber"])  # positive where the top leans out

    def error(design: Design) -> Any:
        return camber(design) + np.radians(15) * height

    def rms(found: Any) -> float:
        return float(np.sqrt(found.cost / 9))

    def found(y: float, z: float) -> Any:
        return optimize(suspension(), error, {"Dy": FreeValue(y), "Dz": FreeValue(z)})

    first = found(0.38, 0.40)
    start = float(np.sqrt((error(_trial(first.problem, [0.38, 0.40]).design) ** 2).mean()))
    yield agrees("deviation at the start", 1.510e-2, start, 5e-6)
    yield agrees("deviation", 7.616662353e-5, rms(first), 1e-13)
    yield agrees("pivot", [0.2608054087, 0.4152750425], list(first.values.values()), 1e-9)
    ends = np.degrees(camber(first.design).value[[0, -1]])
    yield agrees("camber at the ends [deg]", [1.205782507, -1.205829542], ends, 1e-7)
    for y, z in ((0.35, 0.42), (0.30, 0.38), (0.40, 0.44), (0.32, 0.45)):
        other = found(y, z)
        yield agrees(f"deviation from ({y}, {z})", rms(first), rms(other), 1e-12)
    try:
        text = found(0.45, 0.5).reason
    except ValueError as label:
        text = str(label)
    yield holds("a start that does not close", "named", text[:90], "do not close" in text)


@cache
def supported_beam() -> CompiledModel:
    """A beam of 1 m on two supports, in three modes, with an actuator and nineteen places."""
    model = Model("design_beam", gravity=(0, 0, 0))
    model.parameter("length", 1.0)
    model.parameter("share", 0.2)
    model.deformable(
        "beam",
        "beam",
        length="length",
        mass_per_length=2,
        EI=100,
        modes=(0, 3),
        shapes="pinned-pinned",
        damping=0.01,
    )
    model.joint("supports", "fixed", parent="world", child="beam")
    stations = {"actuator": "share*length"} | {f"p{k}": str(k / 20) for k in range(1, 20)}
    for name, at in stations.items():
        model.attachment(name, body="beam", at=at)
    return build(model, tunable="all")


def case_36() -> Iterator[CaseCheck]:
    model = supported_beam()

    def least(design: Design) -> Any:
        return -(design.equilibrium().amplitudes("actuator.z") ** 2)

    free = {"share": (0.02, 0.98)}
    found = optimize(model, least, free, of_array="largest", starts=16)
    # Modal amplitudes of a beam of 2 kg are sin(n pi x).
    both = sorted((values["share"], -cost) for cost, values in found.optima[:2])
    known = [[0.25, 0.5], [0.75, 0.5]]
    yield agrees("places and least amplitude squared", known, both, 1e-8)
    product = optimize(model, lambda d: np.log(-least(d)).sum() * -1, {"share": (0.05, 0.45)})
    got = [product["share"], float(np.exp(-product.cost))]
    yield agrees("place and largest product", [0.2189734811, 0.3011123461], got, 1e-8)
    study = placement(model, [f"p{k}.z" for k in range(1, 20)], damping=0.01)
    best = _by_formula(study.frequencies)
    yield holds("best of nineteen places", best, study.best[0], study.best[0] == best)
    w, zeta, b = 7.0, 0.02, 1.3
    gramian = controllability_gramian([[0.0, 1], [-(w**2), -2 * zeta * w]], [[0.0], [b]])
    known = [[0.06158892128279884, 0.0], [0.0, 3.017857142857144]]
    yield agrees("gramian of one mode", known, gramian, 1e-14)


def _by_formula(w: Any) -> str:
    """The place of nineteen with the largest least gramian."""
    x, n = np.arange(1, 20)[:, None] / 20, np.arange(1, 4)
    least = (np.sin(n * np.pi * x) ** 2 * (1 / w**3 + 1 / w)).min(axis=1)
    return f"p{1 + int(np.argmax(np.round(least, 12)))}.z"


@cache
def tracer() -> CompiledModel:
    """A four-bar on the x axis whose coupler point is free."""
    model = Model("design_tracer", gravity=(0, 0, 0))
    for name in ("r1", "r2", "r3", "r4"):
        model.parameter(name, {"r1": 3.0, "r2": 1.0, "r3": 3.0, "r4": 2.5}[name])
    for name in ("cx", "cy"):
        model.parameter(name, 1.0)
    z, thin = (0, 0, 1), (0.01, 0.01, 0.01)
    for name, length in (("crank", "r2"), ("coupler", "r3"), ("rocker", "r4")):
        model.body(name, mass=1, com=(f"{length}/2", 0, 0), inertia=thin)
    joints: tuple[tuple[str, str, str, Any], ...] = (
        ("drive", "world", "crank", (0, 0, 0)),
        ("pin", "crank", "coupler", ("r2", 0, 0)),
        ("foot", "world", "rocker", ("r1", 0, 0)),
    )
    for name, parent, child, xyz in joints:
        model.joint(name, "revolute", parent=parent, child=child, axis=z, placement={"xyz": xyz})
    model.joint(
        "closing",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=z,
        placement={"xyz": ("r3", 0, 0)},
        child_placement={"xyz": ("r4", 0, 0)},
        cut=True,
    )
    model.frame("point", body="coupler", placement={"xyz": ("cx", "cy", 0)})
    return build(model, tunable="all")


_FIVE = ((3, 3), (2.759, 3.363), (2.372, 3.663), (1.89, 3.862), (1.355, 3.943))
_EIGHTEEN = (
    *((0.5, 1.1), (0.4, 1.1), (0.3, 1.1), (0.2, 1), (0.1, 0.9), (0.05, 0.75)),
    *((0.02, 0.6), (0, 0.5), (0, 0.4), (0.03, 0.3), (0.1, 0.25), (0.15, 0.2)),
    *((0.2, 0.3), (0.3, 0.4), (0.4, 0.5), (0.5, 0.7), (0.6, 0.9), (0.6, 1)),
)


def case_37() -> Iterator[CaseCheck]:
    angles = np.radians([30, 45, 60, 75, 90])
    guess = {"pin": 0.5, "foot": 1.5}

    def misses(design: Design) -> Any:
        point = design.closed({"drive": angles}, guess=guess).position("point")
        return (point[:, :2] - np.array(_FIVE)).ravel()

    lengths = dict.fromkeys(("r1", "r2", "r3", "r4"), (0.01, 50.0))
    free = lengths | {"cx": (-50.0, 50.0), "cy": (-50.0, 50.0)}
    timed = optimize(tracer(), misses, free, starts=6)
    yield at_most("five timed points, sum of squares", timed.cost, 7.4158e-7)
    turns = np.radians(20 * np.arange(18))
    target = np.array(_EIGHTEEN)

    def traced(design: Design) -> Any:
        point = design.closed({"drive": design["th1"] + turns}, guess=guess).position("point")
        c, s = np.cos(design["t0"]), np.sin(design["t0"])
        x = design["x0"] + c * point[:, 0] - s * point[:, 1]
        y = design["y0"] + s * point[:, 0] + c * point[:, 1]
        return np.concatenate([x - target[:, 0], y - target[:, 1]])

    free = dict.fromkeys(lengths, (0.01, 5.0)) | {"cx": (-5.0, 5.0), "cy": (-5.0, 5.0)}
    own = {"x0": (-5.0, 5.0), "y0": (-5.0, 5.0), "t0": (-np.pi, np.pi), "th1": (-np.pi, np.pi)}
    closed = optimize(tracer(), traced, free, variables=own, starts=8)
    yield agrees("18 points, sum of squares", 0.009028884631, closed.cost, 1e-9)
    sizes = sorted(closed[name] for name in lengths)
    crank = closed["r2"]
    grashof = crank == sizes[0] and sizes[0] + sizes[3] <= sizes[1] + sizes[2]
    yield holds("the crank turns", "shortest, Grashof", f"{crank:.5f}", grashof)


CASES = (
    Case(
        31,
        "a chain of given eigenvalues",
        _SOURCE,
        "both answers of a uniform chain; an answer where the map is singular",
        case_31,
        slow=True,
    ),
    Case(32, "a tuned mass damper", _SOURCE, "least largest peak", case_32, slow=True),
    Case(33, "a buckled pendulum", _SOURCE, "its frequency as the equilibrium moves", case_33),
    Case(
        34,
        "a truss and a cantilever",
        _SOURCE,
        "closed forms of the lightest and the stiffest",
        case_34,
        slow=True,
    ),
    Case(35, "a suspension", _SOURCE, "camber over the travel of a wheel", case_35),
    Case(
        36,
        "places on a beam",
        _SOURCE,
        "least and product of modal amplitudes, and the gramian of a mode",
        case_36,
        slow=True,
    ),
    Case(
        37,
        "a four-bar that traces points",
        _SOURCE,
        "sums of squares of the best of many starts",
        case_37,
        slow=True,
        note="optima of random starts: the best known, not proved to be the least",
    ),
)
