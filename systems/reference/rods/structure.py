"""Cases 4, 25 to 27, 29 and 30: the formulation of rods by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from eomc.building import build
from eomc.derive.bodies import Rod
from eomc.derive.graph import Graph, constant
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model
from eomc.runtime.linearization import linearize
from eomc.systems.reference.case import Case, Check, agrees, holds
from eomc.systems.rods.cantilever import cantilever
from eomc.systems.rods.rotating import hub

QUICK = ("-O0",)
_RICH: dict[str, Any] = {
    "length": 1.3, "EI": (1, 2), "GJ": 1.5, "EA": 30, "GA": 20, "mass_per_length": 0.7,
    "section_inertia": (0.03, 0.01, 0.02), "curvature": (0, 0.2, 0.4),
}  # fmt: skip


def chained(rod: Rod, q: Any, segments: int) -> Any:
    """Place (3,) of the tip by equal segments."""
    graph = Graph()
    bent = rod.on_graph(lambda value: constant(graph, value), {}).rod.bent(
        [constant(graph, float(entry)) for entry in q]
    )
    at = bent.at_root
    for k in range(segments):
        at = at.then(bent.segment(k / segments, (k + 1) / segments))
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


def _orders() -> Iterator[Check]:
    strains = {"twist": 3, "bend_y": 3, "bend_z": 3, "stretch": 1, "shear_y": 1, "shear_z": 1}
    given = {**_RICH, "length": 1, "curvature": (0, 0, 0)}
    q = np.random.default_rng(5).normal(0, 1.5, 12) * np.array([1.0] * 9 + [0.2] * 3)
    exact = _integrated(Rod(**given, strains=strains), q)
    for order, counts in ((2, (16, 32, 64)), (4, (16, 32, 64)), (6, (8, 16, 32))):
        rod = Rod(**given, strains=strains, order=order, reach=3.0)
        errors = [float(np.linalg.norm(chained(rod, q, n) - exact)) for n in counts]
        slopes = np.log2(np.array(errors[:-1]) / errors[1:])
        yield agrees(f"order {order}: slopes over {counts}", [order] * 2, slopes, 0.25)


def _two_forms() -> Iterator[Check]:
    """The same sections as bodies that hang on a rod without mass."""
    names = {"twist": 1, "bend_y": 2, "bend_z": 2, "stretch": 1, "shear_y": 1}
    functions = ("mass_matrix", "bias", "kinetic_energy", "momentum")
    for order, strains in ((2, names), (4, {"bend_z": 3}), (4, names), (6, {"bend_z": 2})):
        one = hub("one", (0, 0.6, 0.8), order=order, points=4, **{**_RICH, "strains": strains})
        given = {**_RICH, "mass_per_length": 1e-200, "section_inertia": (1e-200,) * 3}
        two = hub("two", (0, 0.6, 0.8), order=order, points=4, **{**given, "strains": strains})
        rod = one.deformables["rod"].given
        assert isinstance(rod, Rod)
        for k, (s, weight) in enumerate(rod.gauss):
            share = weight * 1.3
            two.body(f"section{k}", mass=0.7 * share,
                     inertia=[share * i for i in _RICH["section_inertia"]])  # fmt: skip
            two.joint(f"at{k}", "attachment", parent="rod", child=f"section{k}", at=s * 1.3)
        first, second = (build(model, functions=functions, flags=QUICK) for model in (one, two))
        rng = np.random.default_rng(order)
        word = f"order {order}, {len(rod.coordinates)} functions"
        q, u, spin = rng.normal(0, 0.5, first.nq), rng.normal(0, 1, first.nu), rng.normal(0, 1, 3)
        motion = {"s": spin[:1], "s_rate": spin[1:2], "s_acceleration": spin[2:]}
        for name in functions:
            got = [_called(model, name, q, u, motion) for model in (first, second)]
            yield agrees(f"{word}: {name}", got[1], got[0], 1e-11, relative=True)


def _called(model: Any, name: str, q: Any, u: Any, motion: Any) -> Any:
    function = model.function(name)
    takes = [argument["name"] for argument in model.manifest["functions"][name]["inputs"]]
    known = {"q": q, "u": u, "r": np.zeros(len(model.inputs)), **motion}
    return np.asarray(function(*(known[word] for word in takes if word in known)))


def _derivatives() -> Iterator[Check]:
    for strains in ({"bend_z": 3}, {"twist": 1, "bend_y": 1, "bend_z": 2}):
        given = {**_RICH, "strains": strains, "points": 5}
        model = build(
            cantilever("moving", **given),
            functions=("inverse_dynamics", "linearization", "forward_dynamics"), flags=QUICK,
        )  # fmt: skip
        rng = np.random.default_rng(3)
        q, u = rng.normal(0, 0.5, model.nq), rng.normal(0, 1, model.nu)
        exact = linearize(model, q=q, u=u, inputs={"Fy": 1.0, "Mz": 0.5})
        other = linearize(model, q=q, u=u, inputs={"Fy": 1.0, "Mz": 0.5}, method="central")
        for name in ("stiffness", "damping", "mass"):
            got, expected = getattr(exact, name), getattr(other, name)
            word = f"{len(q)} functions: {name}"
            yield agrees(word, expected, got, 1e-6, relative=True)


def _rigid_limit() -> Iterator[Check]:
    rod = Model("rod", gravity=(0, -9.81, 0))
    rod.deformable("link", "rod", length=1.5, mass_per_length=2, EI=1, strains={"bend_z": 3},
                   held=True)  # fmt: skip
    plain = Model("plain", gravity=(0, -9.81, 0))
    plain.body("link", mass=3, com=(0.75, 0, 0), inertia=(0, 3 * 1.5**2 / 12, 3 * 1.5**2 / 12))
    for model in (rod, plain):
        model.joint("hinge", "revolute", parent="world", child="link", axis=(0, 0, 1))
        if model is rod:
            model.attachment("end", body="link", at="tip")
            model.body("bob", mass=1, com=(0.3, 0, 0))
            model.joint("elbow", "revolute", parent="end", child="bob", axis=(0, 0, 1))
        else:
            model.body("bob", mass=1, com=(0.3, 0, 0))
            model.joint("elbow", "revolute", parent="link", child="bob", axis=(0, 0, 1),
                        placement=(1.5, 0, 0))  # fmt: skip
    built = [build(model, functions=("mass_matrix", "bias"), flags=QUICK) for model in (rod, plain)]
    q, u = np.array([0.3, -0.7]), np.array([1.1, 2.0])
    got, expected = built
    mass = np.asarray(expected.mass_matrix(q))
    yield agrees("mass matrix", mass, np.asarray(got.mass_matrix(q)), 1e-13)
    yield agrees("bias", np.asarray(expected.bias(q, u)), np.asarray(got.bias(q, u)), 1e-12)


REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"length": 0}, "length is 0"),
    ({"EI": -1}, "EI is -1"),
    ({"strains": {}}, "a rod without any function is a rigid body"),
    ({"strains": {"bend": 3}}, "no component 'bend'"),
    ({"strains": {"bend_z": -1}}, "give a whole number, at least 1"),
    (
        {"strains": {"bend_z": {"basis": "b-spline", "degree": 2, "knots": [0.6, 0.4]}}},
        "increasing",
    ),
    ({"strains": {"bend_z": {"basis": "polynomial", "degree": 5}}}, "take basis 'legendre'"),
    ({"strains": {"bend_z": {"basis": "fourier"}}}, "there is no 'fourier'"),
    ({"strains": {"twist": 1}, "GJ": 1}, "needs section_inertia about x > 0"),
    ({"strains": {"shear_y": 1}, "GA": 1}, "needs section_inertia about z > 0"),
    ({"strains": {"stretch": 1}}, "component 'stretch' needs EA"),
    ({"points": 3}, "has 3 functions in a piece and needs 4"),
    ({"order": 3}, "order is 3; valid: 2, 4, 6"),
    ({"reach": 10.0}, "give an angle between 0 and 7"),
    ({"coupling": [("bend_z", "twist", 0.1)]}, "component 'twist' is held"),
)


def _refusals() -> Iterator[Check]:
    for changed, expected in REFUSED:
        try:
            cantilever("bad", **{"strains": {"bend_z": 3}, **changed})
        except ModelError as error:
            text = str(error)
            told = "deformable 'rod'" in text and expected in text
            yield holds(f"{changed}", expected, text, told)
        else:
            yield holds(f"{changed}", expected, "accepted", passed=False)
    model = cantilever("beyond", strains={"bend_z": 1}, points=2)
    compiled = build(model, functions=("mass_matrix",), flags=QUICK)
    for turn, verdict in ((2.0, "value"), (4.0, "rod_beyond_reach")):
        try:
            compiled.mass_matrix([turn])
            answer = "value"
        except ArithmeticError as error:
            answer = str(error)
        yield holds(f"angle {turn}", verdict, answer, verdict in answer)


_SOURCE = "geometrically exact rods, list of cases: "

CASES = (
    Case(4, "magnus orders", _SOURCE + "orders 2, 4 and 6",
         "the tip of a rod with strains that do not commute, against its differential equations",
         _orders),
    Case(25, "two forms", _SOURCE + "one body, or one for each section",
         "a rod against the same sections as bodies that hang on one without mass", _two_forms,
         slow=True),
    Case(26, "derivatives", _SOURCE + "bent, moving and loaded",
         "exact linearization against differences", _derivatives, slow=True),
    Case(27, "rigid limit", _SOURCE + "all functions held", "against a rigid body", _rigid_limit),
    Case(29, "refusals", _SOURCE + "what is no rod", "each by its message", _refusals),
)  # fmt: skip
