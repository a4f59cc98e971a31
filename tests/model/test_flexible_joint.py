"""A flexible joint is a rotor, two turns and a spring."""

import numpy as np

import eomc


def arm(**arguments: float) -> eomc.Model:
    model = eomc.Model("arm", gravity=(0, 0, 0))
    model.body("base", mass=3.0, inertia=(1.0, 1.2, 1.1))
    model.joint("yaw", "revolute", parent="world", child="base", axis=(0, 1, 0))
    model.body("link", mass=1.5, com=(0.4, 0, 0), inertia=(0.1, 0.3, 0.3))
    model.flexible_joint(
        "elbow",
        parent="base",
        child="link",
        axis=(0, 1, 0),
        placement=(0.5, 0, 0),
        stiffness=120.0,
        **arguments,
    )
    return model


def test_energy_is_that_of_rotor_and_spring() -> None:
    """T of three bodies turning about parallel axes, V of the twist: written out by hand."""
    mass, inertia = 0.7, 0.2
    compiled = eomc.build(arm(rotor_mass=mass, rotor_inertia=inertia, damping=2.0))
    q, u = np.array([0.3, -0.4, 0.1]), np.array([0.5, 0.7, -0.2])
    turn = q[0]
    joint = 0.5 * np.array([np.cos(turn), -np.sin(turn)])  # (x, z) of the elbow; y turns x to -z

    def rate(r: np.ndarray, w: float) -> np.ndarray:
        return w * np.array([r[1], -r[0]])

    rotor_rate, link_rate = u[0] + u[1], u.sum()
    arm_ = 0.4 * np.array([np.cos(q.sum()), -np.sin(q.sum())])
    v_joint = rate(joint, u[0])
    v_link = v_joint + rate(arm_, link_rate)
    energy = 1.2 * u[0] ** 2 + mass * v_joint @ v_joint + inertia * rotor_rate**2
    energy += 1.5 * v_link @ v_link + 0.3 * link_rate**2
    assert np.isclose(compiled.kinetic_energy(q, u), energy / 2, rtol=1e-14)
    assert np.isclose(compiled.potential_energy(q), 120.0 * 0.1**2 / 2, rtol=1e-14)
    assert np.isclose(compiled.power(q, u, np.zeros(3)), -2.0 * u[2] ** 2, rtol=1e-14)


def test_a_held_twist_takes_stiffness_times_angle() -> None:
    """No other coordinate feels it."""
    compiled = eomc.build(arm(rotor_inertia=0.2))
    torque = 3.0
    q = np.array([0.0, 0.0, torque / 120.0])
    forces = compiled.inverse_dynamics(q, np.zeros(3), np.zeros(3))
    assert np.allclose(forces, [0, 0, torque], atol=1e-14)
