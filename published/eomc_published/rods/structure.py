"""Cases 4, 25 to 27, 29 and 30: the formulation of rods by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import eomc
from eomc.building import build
from eomc.derive.bodies import Rod
from eomc.derive.graph import Graph, constant
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model
from eomc.derive.rods.magnus import ORDERS
from eomc.runtime.linearization import linearize
from eomc.systems.rods.cantilever import cantilever
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

QUICK = ("-O0",)
_RICH: dict[str, Any] = {
    "length": 1.3,
    "EI": (1, 2),
    "GJ": 1.5,
    "EA": 30,
    "GA": 20,
    "mass_per_length": 0.7,
    "section_inertia": (0.03, 0.01, 0.02),
    "curvature": (0, 0.2, 0.4),
}


def chained(rod: Rod, q: Any, segments: int) -> Any:
    """Place (3,) of the tip by equal segments."""
    graph = Graph()
    bent = rod.on_graph(lambda value: constant(graph, value), {}).rod.bent(
        [constant(graph, float(entry)) for entry in q]
    )
    at = bent.at_root
    for k in range(segments):
        at = at.then(bent.segment(k / segments, (k + 1) / segments).pose)
    return np.array([float(graph.number(entry.node) or 0) for entry in at.origin])


def _integrated(rod: Rod, q: Any) -> Any:
    """The same by the differential equations R' = R [kappa], p' = R gamma."""
    places = np.cumsum([0, *(basis.size for _, basis in rod.bases)])

    def right(s: float, g: Any) -> Any:
        xi = np.array([0, 0, 0, 1.0, 0, 0])
        for k, (component, basis) in enumerate(rod.bases):
            xi[component] += np.dot(basis(s), q[places[k] : places[k + 1]])
        rotation = g[:9].reshape(3, 3)
        turning = np.array([[0, -xi[2], xi[1]], [xi[2], 0, -xi[0]], [-xi[1], xi[0], 0]])
        return np.concatenate([(rotation @ turning).ravel(), rotation @ xi[3:]])

    start = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
    return solve_ivp(right, (0, 1), start, "DOP853", rtol=1e-13, atol=1e-14).y[9:, -1]


def order_errors(counts: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """Order and errors of the tip by numbers of segments, against the differential equations."""
    strains = {"twist": 3, "bend_y": 3, "bend_z": 3, "stretch": 1, "shear_y": 1, "shear_z": 1}
    given = {**_RICH, "length": 1, "curvature": (0, 0, 0)}
    q = np.random.default_rng(5).normal(0, 1.5, 12) * np.array([1.0] * 9 + [0.2] * 3)
    exact = _integrated(Rod(**given, strains=strains), q)
    for order in ORDERS:
        rod = Rod(**given, strains=strains, order=order, reach=3.0)
        yield order, np.array([np.linalg.norm(chained(rod, q, n) - exact) for n in counts])


def _orders() -> Iterator[CaseCheck]:
    counts = (16, 32, 64)
    for order, errors in order_errors(counts):
        slopes = np.log2(errors[:-1] / errors[1:])
        yield agrees(f"order {order}: slopes over {counts}", [order] * 2, slopes, 0.15)


_FUNCTIONS = ("mass_matrix", "bias", "forward_dynamics", "kinetic_energy", "momentum")


def _swinging(name: str, **rod: Any) -> Model:
    """A rod on a hinge."""
    model = Model(name, gravity=(0, 0, 0))
    model.deformable("rod", "rod", **{**_RICH, "points": 4, **rod})
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 0.6, 0.8))
    return model


def _told(equations: Any, name: str, known: dict[str, Any]) -> Any:
    """A derived function at numbers, on its graph."""
    quantity = getattr(equations, name)
    return quantity.evaluate(**{i.name: known[i.name] for i in quantity.inputs})


def _two_forms() -> Iterator[CaseCheck]:
    """The same sections as bodies that hang on a rod without mass."""
    names = {"twist": 1, "bend_y": 1, "bend_z": 2, "stretch": 1, "shear_y": 1}
    for order in ORDERS:
        for strains in ({"bend_z": 3}, names):
            one = _swinging("one", order=order, strains=strains)
            two = _swinging(
                "two",
                order=order,
                strains=strains,
                mass_per_length=1e-200,
                section_inertia=(1e-200,) * 3,
            )
            rod = one.deformables["rod"].given
            assert isinstance(rod, Rod)
            for k, (s, weight) in enumerate(rod.gauss):
                share = weight * 1.3
                two.body(
                    f"section{k}",
                    mass=0.7 * share,
                    inertia=[share * i for i in _RICH["section_inertia"]],
                )
                two.joint(f"at{k}", "attachment", parent="rod", child=f"section{k}", at=s * 1.3)
            first, second = (eomc.equations(model) for model in (one, two))
            rng, n = np.random.default_rng(order), len(one.coordinates)
            q, u, tau = (size * rng.normal(0, 1, n) for size in (0.5, 1, 1))
            known = {"q": q, "u": u, "tau": tau}
            word = f"order {order}, {n - 1} functions"
            for name in _FUNCTIONS:
                got = [_told(equations, name, known) for equations in (first, second)]
                yield agrees(f"{word}: {name}", got[1], got[0], 1e-12, relative=True)
            yield _powerless(word, first, known)


def _powerless(word: str, equations: Any, known: dict[str, Any]) -> CaseCheck:
    """u.(c - c at rest) = u.M'u/2, M' by differences of the fourth order."""
    q, u, h = known["q"], known["u"], 1e-3
    masses = [_told(equations, "mass_matrix", {"q": q + x * h * u}) for x in (-2, -1, 1, 2)]
    rate = np.tensordot([1 / 12, -8 / 12, 8 / 12, -1 / 12], np.array(masses), 1) / h
    moving, resting = (_told(equations, "bias", {**known, "u": f * u}) for f in (1, 0))
    power = u @ (moving - resting)
    return agrees(f"{word}: u.c = u.M'u/2", u @ rate @ u / 2, power, 1e-8, relative=True)


def _derivatives() -> Iterator[CaseCheck]:
    for strains in ({"bend_z": 3}, {"twist": 1, "bend_y": 1, "bend_z": 2}):
        given = {**_RICH, "strains": strains, "points": 5}
        model = build(
            cantilever("moving", **given),
            functions=("inverse_dynamics", "linearization", "forward_dynamics"),
            flags=QUICK,
        )
        rng = np.random.default_rng(3)
        q, u = rng.normal(0, 0.5, model.nq), rng.normal(0, 1, model.nu)
        exact = linearize(model, q=q, u=u, inputs={"Fy": 1.0, "Mz": 0.5})
        other = linearize(model, q=q, u=u, inputs={"Fy": 1.0, "Mz": 0.5}, method="central")
        for name in ("stiffness", "damping", "mass"):
            got, expected = getattr(exact, name), getattr(other, name)
            word = f"{len(q)} functions: {name}"
            yield agrees(word, expected, got, 1e-6, relative=True)


def _double_pendulum(name: str, *, rods: bool = True, **given: Any) -> Model:
    """Two links of 1.5 m and 3 kg that swing: rods, or rigid bodies."""
    model, length, mass = Model(name, gravity=(0, -9.81, 0)), 1.5, 3.0
    for k in (1, 2):
        if rods:
            model.deformable(
                f"link{k}",
                "rod",
                length=length,
                mass_per_length=mass / length,
                **{"EI": 1, "strains": {"bend_z": 2}, **given},
            )
        else:
            about = mass * length**2 / 12
            model.body(f"link{k}", mass=mass, com=(length / 2, 0, 0), inertia=(0, about, about))
    model.joint("hinge1", "revolute", parent="world", child="link1", axis=(0, 0, 1))
    place, parent = (length, 0, 0), "link1"
    if rods:
        model.attachment("end", body="link1", at="tip")
        place, parent = (0, 0, 0), "end"
    model.joint("hinge2", "revolute", parent=parent, child="link2", axis=(0, 0, 1), placement=place)
    return model


def _rigid_limit() -> Iterator[CaseCheck]:
    """Held functions are a rigid body; stiff rods tend to it, by their stiffness."""
    plain = eomc.equations(_double_pendulum("plain", rods=False))
    held = eomc.equations(_double_pendulum("held", fixed=True))
    known: dict[str, Any] = {
        "q": np.array([0.3, -0.7]),
        "u": np.array([1.1, 2.0]),
        "tau": np.zeros(2),
    }
    for name in ("mass_matrix", "bias", "forward_dynamics"):
        expected, got = (_told(equations, name, known) for equations in (plain, held))
        yield agrees(f"held: {name}", expected, got, 1e-12, relative=True)
    rigid = _told(plain, "forward_dynamics", known)
    missed = []
    for stiffness in (1e4, 1e6):
        swing = _without_vibration(stiffness, known)
        missed.append(float(np.abs(swing - rigid).max() / np.abs(rigid).max()))
    yield agrees("EI x 1e6: accelerations of the hinges", 0, missed[1], 1e-5)
    yield agrees("their error by 1/EI", 100, missed[0] / missed[1], 1)


def _without_vibration(stiffness: float, known: dict[str, Any]) -> Any:
    """Accelerations of the hinges where the strains are those at which they do not accelerate."""
    model = _double_pendulum("stiff", EI=stiffness)
    equations, n = eomc.equations(model), len(model.coordinates)
    hinges = [model.coordinates.index(name) for name in ("hinge1", "hinge2")]
    strains = [k for k in range(n) if k not in hinges]
    q, u, swing = np.zeros(n), np.zeros(n), np.zeros(2)
    q[hinges], u[hinges] = known["q"], known["u"]
    # K of Legendre functions: EI/L (1, 1/3)
    springs = stiffness / 1.5 * np.array([1, 1 / 3, 1, 1 / 3])
    for _ in range(5):
        bias = _told(equations, "bias", {"q": q, "u": u})
        mass = _told(equations, "mass_matrix", {"q": q})
        swing = np.linalg.solve(mass[np.ix_(hinges, hinges)], -bias[hinges])
        q[strains] -= (bias[strains] + mass[np.ix_(strains, hinges)] @ swing) / springs
    return swing


REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"length": 0}, "length is 0"),
    ({"EI": -1}, "EI is -1"),
    ({"strains": {}}, "a rod without any function is a rigid body"),
    ({"strains": {"bend": 3}}, "no component 'bend'"),
    ({"strains": {"bend_z": -1}}, "give a whole number from 1 to 50"),
    ({"strains": {"bend_z": {"kind": "b-spline", "degree": 2, "knots": [0.6, 0.4]}}}, "increasing"),
    ({"strains": {"bend_z": {"kind": "polynomial", "degree": 5}}}, "take kind 'legendre'"),
    ({"strains": {"bend_z": {"kind": "fourier"}}}, "unknown basis 'fourier'"),
    ({"strains": {"twist": 1}, "GJ": 1}, "needs section_inertia about x > 0"),
    ({"strains": {"shear_y": 1}, "GA": 1}, "needs section_inertia about z > 0"),
    ({"strains": {"stretch": 1}}, "component 'stretch' needs EA"),
    ({"points": 3}, "has 3 functions in a piece and needs 4"),
    ({"order": 3}, "order is 3; valid: 2, 4, 6"),
    ({"reach": 10.0}, "give an angle between 0 and 7"),
    ({"coupling": [("bend_z", "twist", 0.1)]}, "component 'twist' is held"),
)


def _refusals() -> Iterator[CaseCheck]:
    for changed, expected in REFUSED:
        try:
            cantilever("bad", **{"strains": {"bend_z": 3}, **changed})
        except ModelError as error:
            text = str(error)
            label = "deformable 'rod'" in text and expected in text
            yield holds(f"{changed}", expected, text, label)
        else:
            yield holds(f"{changed}", expected, "accepted", passed=False)
    model = cantilever("beyond", strains={"bend_z": 1}, points=2)
    compiled = build(model, functions=("mass_matrix",), flags=QUICK)
    for turn, verdict in ((2.0, "value"), (4.0, "rod_beyond_reach_in_rod_segment_2")):
        try:
            compiled.mass_matrix([turn])
            answer = "value"
        except ArithmeticError as error:
            answer = str(error)
        yield holds(f"angle {turn}", verdict, answer, verdict in answer)


_SPATIAL = ("twist", "bend_y", "bend_z")
_BUDGET: tuple[tuple[str, dict[str, int], tuple[tuple[int, int, int], ...]], ...] = (
    ("planar, 3", {"bend_z": 3}, ((2, 151, 160), (4, 210, 231))),
    ("planar, 3 + 2", {"bend_z": 3, "stretch": 2}, ((2, 180, 221), (4, 304, 360))),
    ("Kirchhoff, 3 x 2", dict.fromkeys(_SPATIAL, 2), ((2, 592, 878), (4, 1248, 1700))),
    ("Kirchhoff, 3 x 3", dict.fromkeys(_SPATIAL, 3), ((2, 693, 1160), (4, 1591, 2134))),
    (
        "Cosserat, 3 x 3 + 3 x 2",
        {**dict.fromkeys(_SPATIAL, 3), **dict.fromkeys(("stretch", "shear_y", "shear_z"), 2)},
        ((2, 868, 1649), (4, 1912, 3012)),
    ),
)
"""Operations a section of bias and mass matrix, by the order of the expansion."""


def _cost() -> Iterator[CaseCheck]:
    for name, strains, budgets in _BUDGET:
        for order, bias, mass in budgets:
            model = Model("cost", gravity=(0, 0, 0))
            model.deformable(
                "rod",
                "rod",
                length=1,
                mass_per_length=1,
                EI=1,
                GJ=1,
                EA=1,
                GA=1,
                section_inertia=(0.02, 0.01, 0.01),
                strains=strains,
                points=6,
                order=order,
                reach=0.7,
            )
            model.joint("clamp", "fixed", parent="world", child="rod")
            equations = eomc.equations(model)
            for what, budget in (("bias", bias), ("mass_matrix", mass)):
                got = getattr(equations, what).flops / 6
                yield at_most(f"{name}, order {order}: {what}", got, 1.1 * budget)


_SOURCE = "geometrically exact rods, list of cases: "

CASES = (
    Case(
        4,
        "magnus orders",
        _SOURCE + "orders 2, 4 and 6",
        "the tip of a rod with strains that do not commute, against its differential equations",
        _orders,
    ),
    Case(
        25,
        "two forms",
        _SOURCE + "one body, or one for each section",
        "a rod against the same sections as bodies that hang on one without mass",
        _two_forms,
    ),
    Case(
        26,
        "derivatives",
        _SOURCE + "bent, moving and loaded",
        "exact linearization against differences",
        _derivatives,
        slow=True,
    ),
    Case(27, "rigid limit", _SOURCE + "all functions held", "against a rigid body", _rigid_limit),
    Case(29, "refusals", _SOURCE + "what is no rod", "each by its message", _refusals),
    Case(
        30,
        "cost",
        _SOURCE + "operations of five rods",
        "bias and mass matrix of a section by the counts of a prototype, and a tenth",
        _cost,
    ),
)
