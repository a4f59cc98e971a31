"""Every elementary motion: its pose, subspace, rates and manifold belong together."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from eomc.binding.arrays import Array
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, Graph, constant, evaluate, forward_derivative, symbols
from eomc.derive.motions.about_axis import ScrewMotion, Slide, Turn, TurnAbout
from eomc.derive.motions.ball import BallMotion
from eomc.derive.motions.following import ScalarFunction
from eomc.derive.motions.free import Free
from eomc.derive.motions.plane_free import PlaneFree
from eomc.derive.motions.unwinding import UnwindingMotion
from eomc.derive.tree.scalars import Scalars

GRAPH = Graph()
AXIS = np.array([1.0, 2.0, 2.0]) / 3


def unwinding() -> UnwindingMotion:
    """A string whose elongation w = phi^2 x/5 depends on both coordinates."""
    phi, x = q = sympy.symbols("phi x")
    w = phi**2 * x / 5
    read = Scalars(GRAPH, {})
    return UnwindingMotion(
        constant(GRAPH, 0.3), ScalarFunction(phi * 0.3 + w, q, read), ScalarFunction(w, q, read)
    )


MOTIONS = {
    "turn": Turn(),
    "turn about": TurnAbout(Vector(*(constant(GRAPH, float(x)) for x in AXIS))),
    "slide": Slide(Vector(*(constant(GRAPH, float(x)) for x in AXIS))),
    "screw": ScrewMotion(constant(GRAPH, 0.3)),
    "ball": BallMotion(),
    "free": Free(),
    "plane free": PlaneFree(),
    "unwinding": unwinding(),
}
CASES = pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS)


def values(expressions: list[Expression], **arrays: Array) -> Array:
    given = {f"{name}[{i}]": x for name, array in arrays.items() for i, x in enumerate(array)}
    return np.array([float(x) for x in evaluate(GRAPH, [e.node for e in expressions], given)])


def configuration(motion: object, seed: int) -> Array:
    q = np.random.default_rng(seed).uniform(-1, 1, size=motion.coordinates)
    if motion.coordinates != motion.speeds:
        q[-4:] /= np.linalg.norm(q[-4:])
    return q


@CASES
def test_subspace_is_the_rate_of_the_pose(motion: object) -> None:
    """R' = R [w]x and p' = R v along q' = G u, with (v, w) = S u."""
    q, u = symbols(GRAPH, "q", motion.coordinates), symbols(GRAPH, "u", motion.speeds)
    rotation, origin = motion.pose(q)
    zero = constant(GRAPH, 0)
    rows = rotation.matrix(zero).rows
    pose = [*(entry for row in rows for entry in row), *origin]
    rates = motion.rates(q, u)
    direction = {a.node: b.node for a, b in zip(q, rates, strict=True)}
    slopes = forward_derivative(GRAPH, [entry.node for entry in pose], direction)
    at = {"q": configuration(motion, 1), "u": np.random.default_rng(2).normal(size=motion.speeds)}
    slope = values([Expression(GRAPH, node) for node in slopes], **at)
    matrix = values(pose, **at)[:9].reshape(3, 3)
    columns = zip(motion.subspace(q), at["u"], strict=True)
    twist = [
        (values(list(s.linear), **at) * speed, values(list(s.angular), **at) * speed)
        for s, speed in columns
    ]
    v, w = np.sum(twist, axis=0)
    spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    assert np.allclose(slope[:9].reshape(3, 3), matrix @ spin, atol=1e-14)
    assert np.allclose(slope[9:], matrix @ v, atol=1e-14)
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-14)


@CASES
@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.02, 0.4, 1.0, 2.5])
def test_difference_inverts_integrate(motion: object, size: float) -> None:
    """Small steps, where series stand in for quotients, as exactly as large ones."""
    q, du = symbols(GRAPH, "q", motion.coordinates), symbols(GRAPH, "du", motion.speeds)
    step = np.random.default_rng(5).normal(size=motion.speeds)
    step *= size / np.linalg.norm(step)
    start = configuration(motion, 3)
    end = values(motion.integrate(q, du), q=start, du=step)
    q1 = symbols(GRAPH, "q1", motion.coordinates)
    back = values(motion.difference(q, q1), q=start, q1=end)
    assert np.allclose(back, step, rtol=1e-13, atol=1e-15)
    assert np.allclose(values(motion.normalize(q), q=end), end, atol=1e-15)


@CASES
def test_integrate_starts_along_the_rates(motion: object) -> None:
    """d/dh integrate(q, h u) = G(q) u at h = 0."""
    q, u = symbols(GRAPH, "q", motion.coordinates), symbols(GRAPH, "u", motion.speeds)
    du = symbols(GRAPH, "du", motion.speeds)
    at = {"q": configuration(motion, 4), "u": np.random.default_rng(6).normal(size=motion.speeds)}
    h = 1e-5
    ahead, behind = (
        values(motion.integrate(q, du), q=at["q"], du=sign * h * at["u"]) for sign in (1, -1)
    )
    assert np.allclose((ahead - behind) / (2 * h), values(motion.rates(q, u), **at), atol=1e-9)


@CASES
def test_the_drift_is_the_rate_of_the_twist_without_accelerations(motion: object) -> None:
    """S' u in the axes of the moving link, none where S is constant."""
    q, u = symbols(GRAPH, "q", motion.coordinates), symbols(GRAPH, "u", motion.speeds)
    columns = [column.entries for column in motion.subspace(q)]
    twist = [sum((c[k] * x for c, x in zip(columns, u, strict=True)), q[0] * 0) for k in range(6)]
    rates = zip(q, motion.rates(q, u), strict=True)
    direction = {a.node: b.node for a, b in rates}
    slopes = forward_derivative(GRAPH, [entry.node for entry in twist], direction)
    drift = motion.drift(q, u)
    expected = [q[0] * 0] * 6 if drift is None else list(drift.entries)
    at = {"q": configuration(motion, 1), "u": np.random.default_rng(2).normal(size=motion.speeds)}
    slope = values([Expression(GRAPH, node) for node in slopes], **at)
    assert np.allclose(slope, values(expected, **at), atol=1e-14)


@pytest.mark.parametrize(
    "motion", [m for m in MOTIONS.values() if not isinstance(m, UnwindingMotion)]
)
def test_neutral_is_the_identity_pose(motion: object) -> None:
    q = [constant(GRAPH, value) for value in motion.neutral()]
    rotation, origin = motion.pose(q)
    rows = rotation.matrix(constant(GRAPH, 0)).rows
    assert np.array_equal(np.array([values(list(row)) for row in rows]), np.eye(3))
    assert np.array_equal(values(list(origin)), np.zeros(3))
