"""Cut joints against the same joints in the tree: places, speeds, accelerations, physics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from constraints.attitude import quaternion
from constraints.values import Values, near

from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement
from eomc.derive.system.redundancy import redundancy

pytestmark = pytest.mark.variants

FREEDOMS = {
    "fixed": 0,
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "translational": 3,
    "planar": 3,
    "spherical": 3,
}
OBLIQUE = (0.48, -0.6, 0.64)
EXTRA: dict[str, dict[str, Any]] = {
    "revolute": {"axis": OBLIQUE},
    "prismatic": {"axis": OBLIQUE},
    "screw": {"axis": OBLIQUE, "pitch": 0.3},
    "cylindrical": {"axis": OBLIQUE},
    "universal": {"axis": (0.6, 0, 0.8), "axis_2": (0, 0.8, 0.6)},
    "planar": {"axis": OBLIQUE},
}


def _pair(kind: str, *, cut: bool, **losses: float) -> Model:
    """Two bodies that float and the joint between them, or the second one in the tree by it."""
    model = Model("pair", gravity=(0.3, -0.4, -9.81))
    model.body("a", mass=1.3, com=(0.1, -0.2, 0.3), inertia=(0.31, 0.42, 0.23, 0.02, -0.03, 0.01))
    model.body("b", mass=0.7, com=(-0.2, 0.1, 0.2), inertia=(0.11, 0.16, 0.19, 0.01, 0.02, -0.02))
    model.joint("base", "floating", parent="world", child="a")
    if cut:
        model.joint("free", "floating", parent="world", child="b")
    model.joint(
        "joint",
        kind,
        parent="a",
        child="b",
        cut=cut,
        placement=Placement(xyz=(0.4, 0.1, -0.2), rpy=(0.3, -0.5, 0.7)),
        child_placement=Placement(xyz=(-0.1, 0.3, 0.2), rpy=(-0.6, 0.2, 0.4)),
        **EXTRA.get(kind, {}),
        **losses,
    )
    return model


@pytest.fixture(scope="module", params=FREEDOMS)
def pair(request: pytest.FixtureRequest) -> tuple[str, Values, Values]:
    kind = request.param
    return kind, Values(_pair(kind, cut=False)), Values(_pair(kind, cut=True))


def _state(tree: Values, rng: np.random.Generator) -> dict[str, Array]:
    neutral = tree("neutral")
    nu = len(tree.equations.speeds)
    q = tree("integrate", q=neutral, du=rng.uniform(-1.2, 1.2, size=nu))
    return {"q": q, "u": rng.normal(size=nu), "a": rng.normal(size=nu)}


def _free(tree: Values, state: dict[str, Array]) -> dict[str, Array]:
    """The same motion with b as a body that floats: its place, its rates in body axes."""
    pose = tree("frame_b_pose", q=state["q"])
    velocity = tree("frame_b_velocity", q=state["q"], u=state["u"])
    acceleration = tree("frame_b_acceleration", **state)
    r = pose[:3, :3]
    v, w = r.T @ velocity[:3], r.T @ velocity[3:]
    # The rate of the components of v in body axes is not the acceleration: a = v' + w x v.
    rate = r.T @ acceleration[:3] - np.cross(w, v)
    return {
        "q": np.concatenate([state["q"][:7], pose[:3, 3], quaternion(r)]),
        "u": np.concatenate([state["u"][:6], v, w]),
        "a": np.concatenate([state["a"][:6], rate, r.T @ acceleration[3:]]),
    }


def test_holds_what_the_joint_allows(pair: tuple[str, Values, Values]) -> None:
    """Residuals, their rates and second rates vanish along every motion of the joint."""
    _, tree, cut = pair
    rng = np.random.default_rng(1)
    for _ in range(3):
        at = _free(tree, _state(tree, rng))
        q, u = at["q"], at["u"]
        assert near(cut("constraint_residual", q=q), 0 * cut("constraint_residual", q=q), 1e-14)
        jacobian, rate = cut("constraint_jacobian", q=q), cut("constraint_velocity", q=q, u=u)
        assert near(rate, 0 * rate, 1e-13)
        assert near(jacobian @ u, 0 * rate, 1e-13)
        assert near(jacobian @ at["a"] + cut("constraint_bias", q=q, u=u), 0 * rate, 1e-12)


def test_rows_and_rank(pair: tuple[str, Values, Values]) -> None:
    """6 - f rows, all independent: five of a prismatic joint too, unlike the printed table."""
    kind, tree, cut = pair
    rows = 6 - FREEDOMS[kind]
    report = redundancy(cut.equations.system(()).constraints)
    assert len(report.rows) == report.rank == rows and report.redundant == ()
    assert report.freedoms == len(tree.equations.speeds) == 12 - rows
    at = _free(tree, _state(tree, np.random.default_rng(2)))
    singular = np.linalg.svd(cut("constraint_jacobian", q=at["q"]), compute_uv=False)
    assert len(singular) == rows and singular[-1] > 0.1


def test_jacobian_and_bias_are_derivatives(pair: tuple[str, Values, Values]) -> None:
    """Anywhere, also where the joint is not closed: G of the residual, g of its rate."""
    _, _, cut = pair
    rng = np.random.default_rng(3)
    q = cut("integrate", q=cut("neutral"), du=rng.uniform(-0.7, 0.7, size=12))
    u = rng.normal(size=12)
    assert near(cut("constraint_jacobian", q=q), cut.columns("constraint_residual", q=q), 1e-10)
    assert near(
        cut("constraint_bias", q=q, u=u), cut.along("constraint_velocity", u, q=q, u=u), 1e-9
    )


def test_moves_as_in_the_tree(pair: tuple[str, Values, Values]) -> None:
    """Equal accelerations, energies and power; multipliers do no work."""
    _, tree, cut = pair
    rng = np.random.default_rng(4)
    state = _state(tree, rng)
    tau = np.concatenate([rng.normal(size=6), np.zeros(len(tree.equations.speeds) - 6)])
    state["a"] = tree("forward_dynamics", q=state["q"], u=state["u"], tau=tau)
    at = _free(tree, state)
    force = np.concatenate([tau[:6], np.zeros(6)])
    a = cut("forward_dynamics", q=at["q"], u=at["u"], tau=force)
    assert near(a, at["a"], 1e-11)
    same, multipliers = cut(
        "constrained_dynamics", q=at["q"], u=at["u"], tau=force, stabilization=[0.0]
    )
    assert near(same, a, 1e-12)
    held_back = multipliers @ cut("constraint_jacobian", q=at["q"])
    taken = cut("mass_matrix", q=at["q"]) @ a + cut("bias", q=at["q"], u=at["u"])
    assert near(taken, force + held_back, 1e-11)
    assert abs(held_back @ at["u"]) < 1e-12 * np.abs(held_back).max()
    for name in ("kinetic_energy", "potential_energy"):
        got = cut(name, q=at["q"], u=at["u"])
        assert near(got, tree(name, q=state["q"], u=state["u"]), 1e-12)


@pytest.mark.parametrize("kind", [kind for kind in FREEDOMS if kind != "fixed"])
def test_losses_are_those_of_the_tree(kind: str) -> None:
    """Damping and friction act in a joint that closes a loop as in any other."""
    losses = {"damping": 0.6, "friction": 0.4, "friction_speed": 0.7}
    tree, cut = (Values(_pair(kind, cut=is_cut, **losses)) for is_cut in (False, True))
    rng = np.random.default_rng(6)
    state = _state(tree, rng)
    tau = np.concatenate([rng.normal(size=6), np.zeros(len(tree.equations.speeds) - 6)])
    state["a"] = tree("forward_dynamics", q=state["q"], u=state["u"], tau=tau)
    at = _free(tree, state)
    force = np.concatenate([tau[:6], np.zeros(6)])
    assert near(cut("forward_dynamics", q=at["q"], u=at["u"], tau=force), at["a"], 1e-11)
    power = tree("power", q=state["q"], u=state["u"], tau=tau)
    assert near(cut("power", q=at["q"], u=at["u"], tau=force), power, 1e-12)
    without = Values(_pair(kind, cut=True))
    idle = without("forward_dynamics", q=at["q"], u=at["u"], tau=force)
    assert np.abs(idle - at["a"]).max() > 1e-3


def test_reaction_is_that_of_the_tree(pair: tuple[str, Values, Values]) -> None:
    """The wrench that a exerts on b, from the multipliers and from Newton and Euler."""
    _, tree, cut = pair
    rng = np.random.default_rng(5)
    state = _state(tree, rng)
    rest = np.zeros(len(tree.equations.speeds))
    state["a"] = tree("forward_dynamics", q=state["q"], u=state["u"], tau=rest)
    at = _free(tree, state)
    a, multipliers = cut(
        "constrained_dynamics", q=at["q"], u=at["u"], tau=np.zeros(12), stabilization=[0.0]
    )
    got = cut("joint_reactions", q=at["q"], u=at["u"], a=a, multipliers=multipliers)[-1]
    expected = tree("joint_reactions", **state)
    if len(expected) > 1:  # a welded joint of the tree has no reaction of its own
        assert near(got, expected[-1], 1e-10)


@pytest.mark.parametrize(
    "kind", ["fixed", "revolute", "prismatic", "screw", "cylindrical", "planar"]
)
def test_half_a_turn_does_not_close(kind: str) -> None:
    """Turned over across its axis a joint is open as far as can be, though sines vanish there."""
    cut = Values(_pair(kind, cut=True))
    joint = cut.model.joints["joint"]
    inner, outer = (
        np.vstack([np.column_stack([np.array(p.matrix, dtype=float), p.xyz]), [0, 0, 0, 1]])
        for p in (joint.placement, joint.child_placement)
    )
    across = np.cross(OBLIQUE, [1, 0, 0])
    x, y, z = across / np.linalg.norm(across)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    sizes = []
    for angle in (1e-3, 0.5, 2.5, 3.1, 3.14):
        turn = np.eye(4)
        turn[:3, :3] += np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew
        pose = inner @ turn @ np.linalg.inv(outer)
        q = np.concatenate([[0, 0, 0, 1, 0, 0, 0], pose[:3, 3], quaternion(pose[:3, :3])])
        gap = float(np.linalg.norm(cut("constraint_residual", q=q)))
        if kind != "screw":  # whose last row has the angle about the axis too
            # Eight roundings of 1 + tr R = 4 cos(angle/2)^2, which vanishes at half a turn.
            rounding = 8 * np.finfo(float).eps / np.cos(angle / 2) ** 2
            assert gap == pytest.approx(2 * np.tan(angle / 2), rel=rounding)
        sizes.append(gap)
    assert sizes == sorted(sizes) and sizes[-1] > 1000
