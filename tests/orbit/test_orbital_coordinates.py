"""Orbital coordinates: frames, speeds, locking, and the references of `eomc verify`."""

from __future__ import annotations

import numpy as np
import pytest
from dynamics.evaluation import close, value
from orbit.satellites import MU, RADIUS, dumbbell, robot

import eomc
from eomc.derive.graph import evaluate_mp
from eomc.derive.joints.pose import pose_and_subspace
from eomc.derive.model import Model, joint_kind
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.lagrange import Lagrange
from eomc.verifier.witness.newton_euler import NewtonEuler

KINDS = ("orbit_polar", "orbit_planar", "orbit_spherical")
NORTH = np.array([0, 0, 1.0])


def satellite(kind: str, **options: object) -> Model:
    model = Model("satellite", gravity=(0, 0, 0))
    model.body("sat", mass=3, com=(0.1, -0.3, 0.2), inertia=(1, 2, 2.5))
    model.joint("orbit", kind, parent="world", child="sat", **options)
    model.central_gravity("earth", mu=5.0)
    return model


def axes(kind: str, q: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """(R_world_child, origin) from the definition of the coordinates."""
    if kind == "orbit_spherical":
        longitude, latitude, r = q
        equator = np.array([np.cos(longitude), np.sin(longitude), 0])
        radial = np.cos(latitude) * equator + np.sin(latitude) * NORTH
        east = np.cross(NORTH, equator)
        return np.column_stack([radial, east, np.cross(radial, east)]), r * radial
    theta, r, *pitch = q
    radial = np.array([np.cos(theta), np.sin(theta), 0])
    angle = theta + sum(pitch)
    x = np.array([np.cos(angle), np.sin(angle), 0])
    return np.column_stack([x, np.cross(NORTH, x), NORTH]), r * radial


@pytest.mark.parametrize("kind", KINDS)
def test_axes_are_radial_horizontal_normal(kind: str) -> None:
    q = [0.7, 1.3, 0.4] if kind == "orbit_planar" else [0.7, 0.4, 1.3]
    q = q[: len(joint_kind(kind).coordinates)]
    if kind == "orbit_polar":
        q = [0.7, 1.3]
    pose = value(eomc.equations(satellite(kind)), "frame_sat_pose", q=q)
    rotation, origin = axes(kind, q)
    assert close(pose[:3, :3], rotation, 1e-15)
    assert close(pose[:3, 3], origin, 1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_locked_coordinates_give_the_same_pose(kind: str) -> None:
    """The declared pose that locking uses is that of the motions."""
    q = [0.3, -0.5, 0.7][: len(joint_kind(kind).coordinates)]
    locked = satellite(kind, locked=q)
    locked.body("end", mass=1)
    locked.joint("slide", "prismatic", parent="sat", child="end", axis=(1, 0, 0))
    pose = value(eomc.equations(locked), "frame_sat_pose", q=[0.0])
    free = value(eomc.equations(satellite(kind)), "frame_sat_pose", q=q)
    assert close(pose, free, 1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_declared_subspace_is_that_of_the_motions(kind: str) -> None:
    q = [0.3, 0.5, 0.7][: len(joint_kind(kind).coordinates)]
    model = satellite(kind)
    jacobian = value(eomc.equations(model), "frame_sat_jacobian", q=q)
    back = np.kron(np.eye(2), value(eomc.equations(model), "frame_sat_pose", q=q)[:3, :3].T)
    declared = np.array(pose_and_subspace(model.joints["orbit"], q)[1], dtype=float).T
    assert close(declared, back @ jacobian, 1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_against_lagrange(kind: str) -> None:
    """d/dt dT/du - dT/dq by differences of positions, and the pull on seven point masses."""
    model = satellite(kind)
    rng, numbers = np.random.default_rng(4), mechanism(model)
    state = {name: rng.uniform(0.5, 1, size=len(model.speeds)) for name in ("q", "u", "a")}
    others = {name: np.zeros(0) for name in ("s", "s_rate", "s_acceleration", "r")}
    at = {**state, **others, "t": np.array(0.0)}
    pull = NewtonEuler(numbers, at).loads()[0]
    expected = Lagrange(model, numbers).near(at).inverse_dynamics() - pull
    assert close(value(eomc.equations(model), "inverse_dynamics", **state), expected, 1e-12)


@pytest.mark.parametrize("about", ["body", "arm", "frame"])
def test_against_newton_and_euler_in_orbit(about: str) -> None:
    """Bodies as seven point masses each, Cartesian positions, at the size of an orbit."""
    model = robot(about=about)
    rng = np.random.default_rng(1)
    state = {"q": np.array([0.3, 0.4, RADIUS, 0.2, 0.5, -0.3, 0.7])}
    state |= {"u": 1e-3 * rng.normal(size=7), "a": 1e-3 * rng.normal(size=7)}
    others = {name: np.zeros(0) for name in ("s", "s_rate", "s_acceleration", "r")}
    reference = NewtonEuler(mechanism(model), {**state, **others, "t": np.array(0.0)})
    expected, size = reference.inverse_dynamics()
    got = value(eomc.equations(model), "inverse_dynamics", **state)
    assert np.abs((got - expected) / size).max() < 1e-14
    energy = value(eomc.equations(model), "potential_energy", q=state["q"])
    assert energy == pytest.approx(reference.potential_energy()[0], rel=1e-14)


def test_weight_is_exact_where_the_radius_is() -> None:
    """The radius goes into the pull as it is: -2 mu m/r^2 to rounding, and no force on theta."""
    model = dumbbell(half=0.0, joint="orbit_polar")
    model.central_gravity("earth", mu=MU, expansion="exact")
    equations = eomc.equations(model)
    tau = value(equations, "bias", q=[1.234, RADIUS], u=[0, 0])
    assert tau[0] == 0
    assert tau[1] == pytest.approx(100 * MU / RADIUS**2, rel=4e-16)


def test_pitch_is_measured_from_the_local_vertical() -> None:
    """The gravity-gradient moment 3 n^2 (I_yy - I_xx) sin(2 psi)/2 acts on pitch alone."""
    model = dumbbell()
    model.central_gravity("earth", mu=MU)
    system = eomc.equations(model).system(())
    moment = system.generalized(system.loads.conservative)[2].node
    for theta in (0.0, 2.0):
        values = {x.node: v for x, v in zip(system.q, (theta, RADIUS, 0.3), strict=True)}
        (got,) = evaluate_mp(system.graph, [moment], values, 40)
        expected = -3 * MU / RADIUS**3 * (2 * 50 * 10**2) * np.sin(0.6) / 2
        assert float(got) == pytest.approx(expected, rel=1e-14)


def test_a_rod_against_panels_of_point_masses() -> None:
    """Close to the attracting mass, where the ends of the rod are pulled quite differently."""
    half = np.array([3.0, 0.4, 0.0])
    inertia = 12 * (half @ half * np.eye(3) - np.outer(half, half)) / 3
    model = Model("rod", gravity=(0, 0, 0))
    model.body("rod", mass=12, com=(1, 0, 0.5), inertia=inertia.tolist())
    model.joint("orbit", "orbit_planar", parent="world", child="rod")
    model.central_gravity("planet", mu=300, expansion="exact", rods={"rod": half.tolist()})
    state = {"q": np.array([0.4, 3.3, 0.2]), "u": np.zeros(3), "a": np.zeros(3)}
    others = {name: np.zeros(0) for name in ("s", "s_rate", "s_acceleration", "r")}
    reference = NewtonEuler(mechanism(model), {**state, **others, "t": np.array(0.0)})
    assert close(
        value(eomc.equations(model), "bias", q=state["q"], u=state["u"]),
        reference.inverse_dynamics()[0],
        1e-13,
    )
    energy = value(eomc.equations(model), "potential_energy", q=state["q"])
    assert energy == pytest.approx(reference.potential_energy()[0], rel=1e-14)
