"""Mimic, locked and prescribed joints, rotors, losses: against the same mechanism with all joints
free."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from dynamics.evaluation import close, value

import eomc
from eomc.derive.model import Mimic, Model, ModelError, Placement, Point


def arm(**second: object) -> Model:
    """Four links: two turns, a slide, a turn; `second` adds options to the second joint."""
    model = Model("arm", gravity=(1, -2, -9.81))
    parent = "world"
    axes = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1)]
    for k, axis in enumerate(axes):
        model.body(
            f"b{k}",
            mass=1 + k,
            com=(0.1, 0.2 * k, -0.3),
            inertia=(0.3, 0.4, 0.5, 0.01, 0.02, -0.03),
        )
        model.joint(
            f"j{k}",
            "prismatic" if k == 2 else "revolute",
            parent=parent,
            child=f"b{k}",
            axis=axis,
            placement=Placement(xyz=(0.3, 0.1, 0.2), rpy=(0.3, 0, 0.2)),
            **(second if k == 1 else {}),
        )
        parent = f"b{k}"
    return model


Q, U, A = np.random.default_rng(0).normal(size=(3, 4))


def test_mimic_is_the_free_mechanism_on_a_line() -> None:
    """q1 = 2 q3 + 0.1: tau = G^T tau_free, M = G^T M_free G with G = dq_free/dq."""
    free, tied = eomc.equations(arm()), eomc.equations(arm(mimic=Mimic("j3", 2, 0.1)))
    assert tied.coordinates == ("j0", "j2", "j3")
    g = np.array([[1, 0, 0], [0, 0, 2], [0, 1, 0], [0, 0, 1]], dtype=float)
    q, u, a = Q[[0, 2, 3]], U[[0, 2, 3]], A[[0, 2, 3]]
    full = {"q": g @ q + [0, 0.1, 0, 0], "u": g @ u, "a": g @ a}
    expected = g.T @ value(free, "inverse_dynamics", **full)
    assert close(value(tied, "inverse_dynamics", q=q, u=u, a=a), expected)
    mass = g.T @ value(free, "mass_matrix", q=full["q"]) @ g
    assert close(value(tied, "mass_matrix", q=q), mass)
    tau = value(tied, "inverse_dynamics", q=q, u=u, a=a)
    assert close(value(tied, "forward_dynamics", q=q, u=u, tau=tau), a)
    jacobian = value(free, "frame_b3_jacobian", q=full["q"]) @ g
    assert close(value(tied, "frame_b3_jacobian", q=q), jacobian)
    com = value(free, "center_of_mass_jacobian", q=full["q"]) @ g
    assert close(value(tied, "center_of_mass_jacobian", q=q), com)


def loaded(model: Model) -> Model:
    """With forces on the second joint: they have energy where it is locked, and act on nothing."""
    model.joint_spring("elastic", joint="j1", stiffness=3, damping=2, free_angle=0.1)
    model.joint_spring("own law", joint="j1", law="x**3 + v")
    model.generalized_force("motor", "j1", "5*j0")
    model.potential("field", "j1**2*j0")
    return model


@pytest.mark.parametrize("model", [arm, lambda **second: loaded(arm(**second))])
def test_locked_joint_is_the_free_one_at_rest(model: Callable[..., Model]) -> None:
    free, locked = eomc.equations(model()), eomc.equations(model(locked=0.7))
    assert locked.coordinates == ("j0", "j2", "j3")
    keep = [0, 2, 3]
    full = {name: x.copy() for name, x in (("q", Q), ("u", U), ("a", A))}
    full["q"][1], full["u"][1], full["a"][1] = 0.7, 0.0, 0.0
    got = value(locked, "inverse_dynamics", q=Q[keep], u=U[keep], a=A[keep])
    assert close(got, value(free, "inverse_dynamics", **full)[keep])
    pose = value(free, "frame_b1_pose", q=full["q"])
    assert close(value(locked, "frame_b1_pose", q=Q[keep]), pose)
    energy = value(free, "potential_energy", q=full["q"])
    assert close(value(locked, "potential_energy", q=Q[keep]), energy)


def test_functions_of_what_cannot_move_are_empty() -> None:
    model = Model("rod")
    model.body("rod", mass=1, com=(1, 0, 0), inertia=(1, 1, 1))
    model.joint("turn", "revolute", parent="world", child="rod", axis=(0, 1, 0), locked=0.5)
    equations = eomc.equations(model)
    program = equations.program(functions=equations.function_names)
    sizes = {
        function.name: [len(out.entries) for out in function.outputs]
        for function in program.functions
    }
    assert sizes["state_space"] == [0, 0, 0, 0] and sizes["linearization"] == [0] * 5
    assert sizes["forward_dynamics"] == [0] and sizes["potential_energy"] == [1]


def test_prescribed_motion_in_needed_force_out() -> None:
    """Hybrid dynamics: free accelerations under tau, and the force on the prescribed joint."""
    model = arm()
    model.prescribed("j1")
    free, driven = eomc.equations(arm()), eomc.equations(model)
    assert driven.coordinates == ("j0", "j2", "j3")
    keep = [0, 2, 3]
    tau = value(free, "inverse_dynamics", q=Q, u=U, a=A)
    motion = {"s": Q[1:2], "s_rate": U[1:2], "s_acceleration": A[1:2]}
    at = {"q": Q[keep], "u": U[keep], "tau": tau[keep], **motion}
    assert close(value(driven, "forward_dynamics", **at), A[keep])
    assert close(value(driven, "prescribed_forces", **at), tau[1:2])
    tau_again = value(driven, "inverse_dynamics", q=Q[keep], u=U[keep], a=A[keep], **motion)
    assert close(tau_again, tau[keep])
    velocity = value(free, "frame_b3_velocity", q=Q, u=U)
    assert close(value(driven, "frame_b3_velocity", **at), velocity)
    acceleration = value(free, "frame_b3_acceleration", q=Q, u=U, a=A)
    assert close(value(driven, "frame_b3_acceleration", **at, a=A[keep]), acceleration)
    with_rate = value(driven, "frame_b3_jacobian_rate", **at)
    assert close(with_rate, value(free, "frame_b3_jacobian_rate", q=Q, u=U)[:, keep])


def test_prescribed_joint_carries_its_own_losses_springs_and_rotor() -> None:
    """The needed force is that of inverse dynamics with the joint free, losses and all."""
    options = {"rotor_inertia": 2e-3, "gear_ratio": 30, "damping": 0.4, "friction": 0.2}
    models = [arm(**options), arm(**options)]
    for model in models:
        model.parameter("k", 3.0)
        model.joint_spring("spring", joint="j1", stiffness="k", damping=0.3, free_angle=0.2)
        model.potential("bump", "k*cos(j1)*j3")
        model.generalized_force("pull", "j1", "0.7*speed(j0) - k")
    models[1].prescribed("j1")
    free, driven = (eomc.equations(model) for model in models)
    keep = [0, 2, 3]
    tau = value(free, "inverse_dynamics", q=Q, u=U, a=A)
    motion = {"s": Q[1:2], "s_rate": U[1:2], "s_acceleration": A[1:2]}
    at = {"q": Q[keep], "u": U[keep], "tau": tau[keep], **motion}
    assert close(value(driven, "forward_dynamics", **at), A[keep])
    assert close(value(driven, "prescribed_forces", **at), tau[1:2])
    energy = value(free, "kinetic_energy", q=Q, u=U)
    assert close(value(driven, "kinetic_energy", **at), energy)


def test_rotor_inertia_and_losses_add_to_the_joint() -> None:
    plain = eomc.equations(arm())
    geared = eomc.equations(
        arm(rotor_inertia=2e-3, gear_ratio=30, damping=0.4, friction=0.2, friction_speed=0.05)
    )
    rotor = 30**2 * 2e-3
    at = {"q": Q, "u": U, "a": A}
    extra = np.zeros(4)
    extra[1] = rotor * A[1] + 0.4 * U[1] + 0.2 * np.tanh(U[1] / 0.05)
    expected = value(plain, "inverse_dynamics", **at) + extra
    assert close(value(geared, "inverse_dynamics", **at), expected)
    energy = value(plain, "kinetic_energy", **at) + 0.5 * rotor * U[1] ** 2
    assert close(value(geared, "kinetic_energy", **at), energy)


@pytest.mark.parametrize("axes", ["world", "body"])
def test_point_force_acts_through_the_jacobian(axes: str) -> None:
    """Q = J^T (F, 0) at the point; a torque acts through the angular rows."""
    plain = arm()
    plain.frame("tool", body="b3", placement=(0.2, -0.1, 0.4))
    loaded = plain.copy()
    f, n = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.7])
    loaded.force("f", at=Point("b3", (0.2, -0.1, 0.4)), direction=tuple(f), frame=axes)
    loaded.torque("n", body="b3", direction=tuple(n), frame=axes)
    free, pushed = eomc.equations(plain), eomc.equations(loaded)
    jacobian = value(free, "frame_tool_jacobian", q=Q)
    if axes == "body":
        rotation = value(free, "frame_tool_pose", q=Q)[:3, :3]
        f, n = rotation @ f, rotation @ n
    expected = value(free, "bias", q=Q, u=U) - jacobian.T @ np.r_[f, n]
    assert close(value(pushed, "bias", q=Q, u=U), expected)


def test_frame_kinematics_are_derivatives_of_each_other() -> None:
    """J u = velocity, J a + J' u = acceleration, and the pose's rate by central differences."""
    equations = eomc.equations(arm())
    jacobian = value(equations, "frame_b3_jacobian", q=Q)
    rate = value(equations, "frame_b3_jacobian_rate", q=Q, u=U)
    velocity = value(equations, "frame_b3_velocity", q=Q, u=U)
    assert close(velocity, jacobian @ U)
    acceleration = value(equations, "frame_b3_acceleration", q=Q, u=U, a=A)
    assert close(acceleration, jacobian @ A + rate @ U)
    h = 1e-6
    ahead, behind = (value(equations, "frame_b3_pose", q=Q + s * h * U) for s in (1, -1))
    slope = (ahead - behind) / (2 * h)
    assert close(slope[:3, 3], velocity[:3], 1e-8)
    spin = slope[:3, :3] @ value(equations, "frame_b3_pose", q=Q)[:3, :3].T
    assert close([spin[2, 1], spin[0, 2], spin[1, 0]], velocity[3:], 1e-8)


def test_coordinate_without_inertia_is_refused_by_name() -> None:
    model = Model("ghost")
    model.body("hand")
    model.joint("wrist", "revolute", parent="world", child="hand", axis=(0, 0, 1))
    with pytest.raises(ModelError, match="wrist"):
        eomc.equations(model).program(functions=["forward_dynamics"])
