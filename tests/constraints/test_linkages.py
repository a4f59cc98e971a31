"""Linkages of textbooks: over-constrained ones, parallel robots, loops with a link that bends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from constraints.attitude import quaternion
from constraints.mechanisms import four_bar
from constraints.rings import Link, Ring
from constraints.test_cut_placement import check_every_cut
from constraints.values import Values, near
from verification.witnesses import Plank

from eomc.binding.arrays import Array
from eomc.derive.graph import evaluate
from eomc.derive.model import Model, ModelError, Placement, Point
from eomc.derive.system.redundancy import Redundancy, redundancy

pytestmark = pytest.mark.variants


def report(values: Values) -> Redundancy:
    return redundancy(values.equations.system(()).constraints)


def gaps(values: Values, q: Array) -> Array:
    """Residuals of all rows, the redundant ones too."""
    system = values.equations.system(())
    rows = [row.residual.node for row in system.constraints.all_rows]
    at = {entry.node: float(x) for entry, x in zip(system.q, q, strict=True)}
    return np.array([float(x) for x in evaluate(system.graph, rows, at)])


def moved(values: Values, q: Array, steps: int = 40, length: float = 0.03) -> Array:
    """Configurations along a free motion of the linkage."""
    places, u = [q], values.consistent(q, np.ones(len(values.equations.speeds)))
    for _ in range(steps):
        q = values.closed(values("integrate", q=q, du=length * u / np.linalg.norm(u)))
        u = values.consistent(q, u)
        places.append(q)
    return np.array(places)


def _twisted(length: float, twist: float) -> Placement:
    """To the next axis: along x by the length, about x by the twist (Denavit and Hartenberg)."""
    return Placement(xyz=(length, 0, 0), rpy=(twist, 0, 0))


def bennett() -> Ring:
    """Four skew axes that move, against the count: sin(alpha)/a = sin(beta)/b.

    The angles close it by tan(t1/2) tan(t2/2) = sin((b+a)/2) / sin((b-a)/2), the opposite ones
    being -t1, -t2 (Hunt, Kinematic Geometry of Mechanisms, sec. 10.4).
    """
    alpha, beta, a = 0.6, 1.3, 1.0
    b = a * np.sin(beta) / np.sin(alpha)
    first = 0.9
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    second = 2 * np.arctan(ratio / np.tan(first / 2))
    places = (Placement(), _twisted(a, alpha), _twisted(b, beta), _twisted(a, alpha))
    links = [
        Link(
            "revolute",
            {"axis": (0, 0, 1), "damping": 0.1 * (k + 1)},
            place,
            Placement(),
            (0.02, 0.09, 0.1),
            (0.4, 0.05, 0.02 * k),
            1.0 + k,
        )
        for k, place in enumerate(places)
    ]
    return Ring(links, np.array([first, second, -first, -second]))


@pytest.mark.slow
def test_bennett_linkage() -> None:
    """Rank 2 of 5 rows, one freedom; the rows left out hold along the motion."""
    ring = bennett()
    for k in range(4):
        values = Values(ring.cut_at(k))
        found = report(values)
        assert (len(found.rows), found.rank, found.freedoms) == (5, 2, 1)
    names = values.equations.coordinates
    places = moved(values, np.array([ring.q_of[name] for name in names]))
    assert np.ptp(places, axis=0).min() > 0.1
    assert max(np.abs(gaps(values, q)).max() for q in places) < 1e-12
    check_every_cut(ring, 0)


def test_an_arbitrary_loop_of_four_hinges_is_a_structure() -> None:
    """The same axes turned a little: no freedom is left, and the report says so."""
    ring = bennett()
    links = [
        *ring.links[:3],
        Link(
            "revolute",
            {"axis": (0.1, 0.2, 1)},
            _twisted(1.0, 0.75),
            Placement(),
            (0.02, 0.09, 0.1),
            (0.4, 0, 0),
            1.0,
        ),
    ]
    values = Values(Ring(links, ring.q).cut_at(3))
    found = report(values)
    assert (found.rank, found.freedoms) == (3, 0)


@pytest.mark.parametrize("cut", "abcd")
def test_planar_four_bar_in_space(cut: str) -> None:
    """Three of five rows say nothing new, and are named."""
    values = Values(four_bar(cut=cut))
    found = report(values)
    assert found.redundant == tuple(f"{cut}.{row}" for row in ("force_z", "torque_1", "torque_2"))
    assert found.freedoms == 1
    q = values.closed(0.3 * np.arange(1, 4))
    assert max(np.abs(gaps(values, q)).max() for q in moved(values, q)) < 1e-12


def test_parallelogram() -> None:
    """Equal bars can also fold; the rank is that of the motion, not of the folded place."""
    model = Model("parallelogram", gravity=(0, -9.81, 0))
    for name in ("left", "top", "right"):
        model.body(name, mass=1, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
    for name, parent, child, place in (
        ("a", "world", "left", (0, 0, 0)),
        ("b", "left", "top", (1, 0, 0)),
        ("d", "world", "right", (1, 0, 0)),
    ):
        model.joint(name, "revolute", parent=parent, child=child, axis=(0, 0, 1), placement=place)
    model.joint(
        "c",
        "revolute",
        parent="top",
        child="right",
        axis=(0, 0, 1),
        placement=(1, 0, 0),
        child_placement=(1, 0, 0),
    )
    values = Values(model)
    assert (report(values).rank, report(values).freedoms) == (2, 1)
    angle, rate = 0.7, 1.3
    q, u = np.array([angle, -angle, angle]), np.array([rate, -rate, rate])
    names = values.equations.coordinates
    order = [names.index(name) for name in ("a", "b", "d")]
    q[order], u[order] = (angle, -angle, angle), (rate, -rate, rate)
    assert near(values("constraint_velocity", q=q, u=u), np.zeros(2), 1e-14)
    a = values("forward_dynamics", q=q, u=u, tau=np.zeros(3))[order]
    # The top only translates: (2 (I + m/4) + m) t'' = -(2 m/2 + m) g cos(t).
    expected = -2 * 9.81 * np.cos(angle) / (2 * (0.1 + 0.25) + 1)
    assert near(a, [expected, -expected, expected], 1e-12)


def rssr() -> Model:
    """Two cranks on skew axes and a rod between balls, which may turn about itself."""
    model = Model("rssr", gravity=(0.2, -0.4, -9.81))
    model.body("left", mass=1, com=(0.2, 0.1, 0), inertia=(0.02, 0.05, 0.06))
    model.body("rod", mass=0.8, com=(0.6, 0, 0), inertia=(0.01, 0.1, 0.11))
    model.body("right", mass=1.2, com=(0.3, 0, 0.1), inertia=(0.02, 0.04, 0.05))
    model.joint("a", "revolute", parent="world", child="left", axis=(0, 0, 1), damping=0.1)
    model.joint("b", "spherical", parent="left", child="rod", placement=(0.5, 0, 0))
    model.joint(
        "d",
        "revolute",
        parent="world",
        child="right",
        axis=(0.6, 0.8, 0),
        placement=(1.2, 0.3, 0.2),
    )
    model.joint(
        "c",
        "spherical",
        parent="rod",
        child="right",
        placement=(1.2, 0, 0),
        child_placement=(0.1, 0.1, 0.7),
        damping=0.05,
    )
    return model


def test_rssr() -> None:
    """8 freedoms less 6: the rod's own turn and the motion; rows three."""
    values = Values(rssr())
    found = report(values)
    assert (found.rank, found.freedoms) == (3, 2)


def five_bar(cut: str = "") -> Model:
    """A planar robot with two drives."""
    model = Model("five_bar", gravity=(0, -9.81, 0))
    ends = (
        ("world", "l1", (0, 0, 0)),
        ("l1", "l2", (1, 0, 0)),
        ("world", "r1", (0.8, 0, 0)),
        ("r1", "r2", (1, 0, 0)),
    )
    for k, (parent, child, place) in enumerate(ends):
        model.body(child, mass=1 + k / 4, com=(0.5, 0.1, 0), inertia=(0.01, 0.1, 0.1))
        model.joint(
            f"j{k}",
            "revolute",
            parent=parent,
            child=child,
            axis=(0, 0, 1),
            placement=place,
            cut=cut == f"j{k}",
        )
    model.joint(
        "tip",
        "revolute",
        parent="l2",
        child="r2",
        axis=(0, 0, 1),
        placement=(1.1, 0, 0),
        child_placement=(1.2, 0, 0),
        cut=cut == "tip",
    )
    return model


def test_five_bar() -> None:
    """Two freedoms; drives at the base move it alike wherever it is cut."""
    values = Values(five_bar())
    names = values.equations.coordinates
    assert report(values).freedoms == 2
    q = values.closed(np.array([2.0, -0.9, 0.8, 0.9]))
    u = values.consistent(q, np.array([0.4, 0.3, -0.7, 0.2]))
    tau = dict(zip(names, [3.0, 0.0, -1.0, 0.0], strict=True))
    a = values("forward_dynamics", q=q, u=u, tau=[tau[name] for name in names])
    known = {name: (x, v, y) for name, x, v, y in zip(names, q, u, a, strict=True)}
    for cut in ("j1", "j3"):
        other = Values(five_bar(cut))
        shared = other.equations.coordinates
        at = np.array([known.get(name, (0.0,) * 3) for name in shared])
        tip = list(shared).index("tip")
        # The angle of r2 in l2 by its own definition: the sum of angles round the loop.
        at[tip] = _tip(known)
        expected = dict(zip(shared, at[:, 2], strict=True))
        assert near(other("constraint_residual", q=at[:, 0]), np.zeros(2), 1e-13)
        got = other(
            "forward_dynamics", q=at[:, 0], u=at[:, 1], tau=[tau.get(name, 0.0) for name in shared]
        )
        assert near(got, [expected[name] for name in shared], 1e-10)


def _tip(known: dict[str, Any]) -> Array:
    """r2 against l2: (j2 + j3) - (j0 + j1)."""
    j0, j1, j2, j3 = (np.array(known[f"j{k}"]) for k in range(4))
    return j2 + j3 - j0 - j1


def stewart(tree: bool) -> Model:
    """Six legs of universal, prismatic and spherical joints under a plate.

    With `tree` the plate hangs in the tree by one leg; else it floats, and all six legs are cut.
    """
    model = Model("stewart", gravity=(0.3, 0, -9.81))
    if not tree:
        model.body("plate", mass=4, com=(0.05, 0, 0.02), inertia=(0.3, 0.35, 0.6))
        model.joint("free", "floating", parent="world", child="plate")
    for k in range(6):
        low, high = 2 * np.pi * k / 6, 2 * np.pi * (k + 0.5 * (-1) ** k * 0.6) / 6
        foot = (1.2 * np.cos(low), 1.2 * np.sin(low), 0)
        head = (0.6 * np.cos(high), 0.6 * np.sin(high), 0)
        model.body(f"cylinder{k}", mass=1, com=(0, 0, 0.3), inertia=(0.03, 0.03, 0.004))
        model.body(f"piston{k}", mass=0.5, com=(0, 0, -0.3), inertia=(0.02, 0.02, 0.002))
        model.joint(
            f"u{k}",
            "universal",
            parent="world",
            child=f"cylinder{k}",
            axis=(1, 0, 0),
            axis_2=(0, 1, 0),
            placement=foot,
        )
        model.joint(
            f"p{k}",
            "prismatic",
            parent=f"cylinder{k}",
            child=f"piston{k}",
            axis=(0, 0, 1),
            damping=0.3,
        )
        if tree and k == 0:
            model.body("plate", mass=4, com=(0.05, 0, 0.02), inertia=(0.3, 0.35, 0.6))
        model.joint(
            f"s{k}",
            "spherical",
            parent=f"piston{k}",
            child="plate",
            cut=not tree or k > 0,
            child_placement=head,
        )
    return model


@pytest.mark.slow
def test_stewart_platform() -> None:
    """Six freedoms; hung in the tree by a leg or free with six cuts, it moves alike."""
    free, hung = Values(stewart(tree=False)), Values(stewart(tree=True))
    for values, rows in ((free, 18), (hung, 15)):
        found = report(values)
        assert (found.rank, found.redundant, found.freedoms) == (rows, (), 6)
    names = free.equations.coordinates
    q = free("neutral")
    for name, x in (("free_x", 0.1), ("free_y", -0.05), ("free_z", 1.1)):
        q[names.index(name)] = x
    for k in range(6):
        q[names.index(f"p{k}")] = 1.2
    q = free.closed(q)
    u = free.consistent(q, np.random.default_rng(0).normal(size=24))
    forces = {f"p{k}": 10.0 + k for k in range(6)}
    speeds = free.equations.speeds
    a = free("forward_dynamics", q=q, u=u, tau=[forces.get(name, 0.0) for name in speeds])
    poses = {body: free(f"frame_{body}_pose", q=q) for body in ("plate", "piston0")}
    known = dict(zip(names, q, strict=True))
    rates = dict(zip(speeds, u, strict=True))
    relative = poses["piston0"][:3, :3].T @ poses["plate"][:3, :3]
    known |= dict(
        zip((f"s0_{c}" for c in ("qw", "qx", "qy", "qz")), quaternion(relative), strict=True)
    )
    spins = [free(f"frame_{body}_velocity", q=q, u=u)[3:] for body in ("plate", "piston0")]
    spin = poses["plate"][:3, :3].T @ (spins[0] - spins[1])
    rates |= dict(zip((f"s0_{c}" for c in ("wx", "wy", "wz")), spin, strict=True))
    q2 = np.array([known[name] for name in hung.equations.coordinates])
    u2 = np.array([rates[name] for name in hung.equations.speeds])
    zero = hung("constraint_residual", q=q2)
    assert near(zero, 0 * zero, 1e-12)
    tau = [forces.get(name, 0.0) for name in hung.equations.speeds]
    a2 = hung("forward_dynamics", q=q2, u=u2, tau=tau)
    expected = free("frame_plate_acceleration", q=q, u=u, a=a)
    assert near(hung("frame_plate_acceleration", q=q2, u=u2, a=a2), expected, 1e-9)


def bending_loop(cut: str) -> Model:
    """A crank, a plank that bends and stretches, a rocker that hangs on the plank's tip."""
    model = Model("bending", gravity=(0.2, -9.81, 0.1))
    model.body("crank", mass=1, com=(0.2, 0, 0), inertia=(0.01, 0.03, 0.03))
    model.deformable("plank", Plank())
    model.attachment("tip", body="plank", at="tip")
    model.body("rocker", mass=1.5, com=(0.4, 0.1, 0), inertia=(0.02, 0.06, 0.06))
    model.joint("a", "revolute", parent="world", child="crank", axis=(0, 0, 1), cut=cut == "a")
    model.joint(
        "b",
        "spherical",
        parent="crank",
        child="plank",
        placement=(0.4, 0, 0),
        damping=0.1,
        cut=cut == "b",
    )
    model.joint(
        "c",
        "spherical",
        parent="tip",
        child="rocker",
        placement=(0.05, 0, 0),
        child_placement=(0.8, 0, 0),
        damping=0.2,
        cut=cut == "c",
    )
    model.joint(
        "d",
        "revolute",
        parent="world",
        child="rocker",
        axis=(0, 0, 1),
        placement=(1.1, 0, 0.1),
        cut=cut == "d",
    )
    return model


def test_a_loop_that_bends_wherever_it_is_cut() -> None:
    """Deformation, energies and motion of the bodies; a joint at a tip is turned round as well."""
    first = Values(bending_loop("c"))
    names = list(first.equations.coordinates)
    q = first("neutral")
    for name, x in (("a", 1.2), ("plank_e0", 0.1), ("plank_e1", 0.05), ("d", 1.8)):
        q[names.index(name)] = x
    q = first.closed(q)
    u = first.consistent(q, np.random.default_rng(2).normal(size=len(first.equations.speeds)))
    assert report(first).freedoms == 7 - 3
    rest = np.zeros(len(u))
    a = first("forward_dynamics", q=q, u=u, tau=rest)
    poses = {b: first(f"frame_{b}_pose", q=q) for b in ("rocker", "tip", "plank", "crank")}
    spins = {b: first(f"frame_{b}_velocity", q=q, u=u)[3:] for b in poses}
    known = dict(zip(names, q, strict=True))
    rates = dict(zip(first.equations.speeds, u, strict=True))
    second = Values(bending_loop("d"))
    turn = poses["tip"][:3, :3].T @ poses["rocker"][:3, :3]
    spin = poses["rocker"][:3, :3].T @ (spins["rocker"] - spins["tip"])
    known |= dict(zip((f"c_{c}" for c in ("qw", "qx", "qy", "qz")), quaternion(turn), strict=True))
    rates |= dict(zip((f"c_{c}" for c in ("wx", "wy", "wz")), spin, strict=True))
    q2 = np.array([known[name] for name in second.equations.coordinates])
    u2 = np.array([rates[name] for name in second.equations.speeds])
    zero = second("constraint_residual", q=q2)
    assert near(zero, 0 * zero, 1e-12)
    a2 = second("forward_dynamics", q=q2, u=u2, tau=np.zeros(len(u2)))
    for name in ("kinetic_energy", "potential_energy"):
        assert near(second(name, q=q2, u=u2), first(name, q=q, u=u), 1e-12)
    for body in poses:
        expected = first(f"frame_{body}_acceleration", q=q, u=u, a=a)
        got = second(f"frame_{body}_acceleration", q=q2, u=u2, a=a2)
        assert near(got, expected, 1e-9)
    for name in ("plank_e0", "plank_e1"):
        places = [list(v.equations.speeds).index(name) for v in (first, second)]
        assert a2[places[1]] == pytest.approx(a[places[0]], rel=1e-9)


@pytest.mark.slow
def test_what_cannot_close_is_told() -> None:
    far = four_bar(d={"placement": (20, 0, 0)})
    with pytest.raises(ModelError, match=r"cannot be assembled: .* the nearest leaves .* in c\."):
        report(Values(far))
    apart = four_bar(d={"placement": (2, 0, 0.3)})
    with pytest.raises(ModelError, match=r"c.force_z can never close: it is "):
        report(Values(apart))


def test_points_of_the_same_body_are_no_constraint() -> None:
    model = four_bar()
    model.constraint(
        "own", "distance", a=Point("crank", (1, 0, 0)), b=Point("crank", (0, 0, 0)), length=1.0
    )
    assert "own.distance" in report(Values(model)).redundant
