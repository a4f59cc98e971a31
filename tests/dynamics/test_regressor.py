"""The regressor against inverse dynamics, whose inertial numbers are moved one by one."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.dynamics.regressor import INERTIAL

FLAGS = ("-O0",)


def branched(pi: np.ndarray) -> eomc.Model:
    """A floating trunk with two arms, slides, a welded tool, a mimic joint, rotors and losses."""
    model = eomc.Model("branched", gravity=(0.3, -0.2, -9.7))
    for name, ten in zip(("trunk", "arm", "hand", "tool", "slider"), pi, strict=True):
        m, h = ten[0], ten[1:4]
        model.body(name, mass=m, com=tuple(h / m), inertia=tuple(ten[4:]), inertia_about="origin")
    model.joint("base", "floating", parent="world", child="trunk", placement=(0.1, 0.2, 0.3))
    model.joint(
        "shoulder",
        "revolute",
        parent="trunk",
        child="arm",
        axis=(1, 2, 2),
        placement={"xyz": (0.2, 0.1, -0.3), "rpy": (0.4, 0.5, -0.2)},
        damping=0.3,
        rotor_inertia=0.02,
        gear_ratio=3,
    )
    model.joint("elbow", "spherical", parent="arm", child="hand", placement=(0.4, 0, 0.1))
    turned = {"xyz": (0, 0.1, 0.2), "rpy": (1, 0, 0.3)}
    model.joint("weld", "fixed", parent="hand", child="tool", placement=turned)
    model.joint(
        "rail",
        "prismatic",
        parent="trunk",
        child="slider",
        axis=(0, 1, 1),
        placement=(0, -0.2, 0),
        mimic={"joint": "shoulder", "multiplier": 0.7, "offset": 0.1},
    )
    return model


def bodies(seed: int = 0) -> np.ndarray:
    """(5, 10) inertial numbers of real bodies."""
    rng = np.random.default_rng(seed)
    ten = []
    for _ in range(5):
        r = rng.normal(size=(6, 3)) * 0.3
        w = rng.uniform(0.1, 1, 6)
        s = np.einsum("k,ki,kj", w, r, r)
        j = np.trace(s) * np.eye(3) - s
        ten.append([w.sum(), *(w @ r), *np.diag(j), j[0, 1], j[0, 2], j[1, 2]])
    return np.array(ten)


def states(model: eomc.CompiledModel, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    u, a = rng.normal(size=(2, size, model.nu))
    return model.random_configuration(rng, size=size), u, a


def test_it_is_inverse_dynamics() -> None:
    given = bodies()
    model = eomc.build(branched(given), flags=FLAGS)
    q, u, a = states(model, 7)
    Y, b = model.regressor(q, u, a)
    pi = model.inertial_parameters()
    np.testing.assert_allclose(pi, given.ravel(), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(Y @ pi + b, model.inverse_dynamics(q, u, a), rtol=1e-11, atol=1e-11)
    assert model.output_names("inertial_parameters")[10:13] == ("arm.m", "arm.hx", "arm.hy")


def test_every_column_is_a_difference_of_inverse_dynamics() -> None:
    """Linear in the numbers, so that differences of any size are exact but for round-off."""
    given = bodies()
    q, u, a = states(eomc.build(branched(given), flags=FLAGS), 3)
    Y, _ = eomc.build(branched(given), flags=FLAGS).regressor(q, u, a)
    other = bodies(seed=1)
    at = eomc.equations(branched(given)).inverse_dynamics
    for body in range(5):
        changed = given.copy()
        changed[body] = other[body]
        moved = eomc.equations(branched(changed)).inverse_dynamics
        for k in range(3):
            at_state = {"q": q[k], "u": u[k], "a": a[k]}
            change = np.ravel(moved.evaluate(**at_state)) - np.ravel(at.evaluate(**at_state))
            told = Y[k][:, 10 * body : 10 * body + 10] @ (other[body] - given[body])
            np.testing.assert_allclose(told, change, rtol=1e-10, atol=1e-10)


def test_one_number_at_a_time() -> None:
    """Each of the ten as a parameter of its own: its column is the derivative by it."""
    model = eomc.Model("single", gravity=(0, -3, -9))
    names = [f"p_{number}" for number in INERTIAL]
    for name, value in zip(names, bodies()[0], strict=True):
        model.parameter(name, float(value), tunable=True)
    com = tuple(f"{name}/p_m" for name in names[1:4])
    model.body("box", mass="p_m", com=com, inertia=tuple(names[4:]), inertia_about="origin")
    model.joint("free", "floating", parent="world", child="box")
    box = eomc.build(model, flags=FLAGS)
    q, u, a = states(box, 4)
    Y, _ = box.regressor(q, u, a)
    by_parameters = box.inverse_dynamics_parameter_derivatives(q, u, a)
    np.testing.assert_allclose(Y, by_parameters, rtol=1e-10, atol=1e-10)
    pi = box.inertial_parameters(parameters={"p_m": 3.0})
    assert pi[0] == 3.0


def test_what_has_no_regressor_says_why() -> None:
    from eomc.systems.beam_robot import beam_robot

    with pytest.raises(AttributeError, match="some of its bodies deform"):
        _ = eomc.equations(beam_robot(modes=1)).regressor
    model = branched(bodies())
    model.central_gravity("earth", mu=1.0, center=(9, 9, 9))
    with pytest.raises(AttributeError, match="field of gravity"):
        _ = eomc.equations(model).regressor
    with pytest.raises(AttributeError, match="nothing that moves has mass"):
        _ = eomc.equations(eomc.Model("empty")).regressor
