"""Forces one by one, as arrows show them: Newton's and Euler's equations of each body, by the
motion of its frames alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import eomc
from eomc.runtime import CompiledModel
from eomc.runtime.picture.forces import arrows, force_functions
from eomc.runtime.picture.placed import placed

GRAVITY = np.array([0.0, 0.0, -9.81])
BODIES = {"a": (2.0, (0, 0, -0.5), (0.1, 0.12, 0.03)), "b": (1.0, (0, 0.1, -0.5), (0.1, 0.1, 0.02))}
Q, U, TAU, PUSH = np.array([0.4, 0.3]), np.array([1.0, -2.0]), np.array([0.5, 0.7]), [4.0]


def pushed() -> eomc.Model:
    """Two bodies with a force, a torque, a spring, a drive and a joint that is turned on its
    child."""
    model = eomc.Model("pushed", gravity=(0, 0, -9.81))
    model.input("push")
    for name, (mass, com, inertia) in BODIES.items():
        model.body(name, mass=mass, com=com, inertia=inertia)
    turned = eomc.Placement((0, 0, 0.1), rpy=(0.3, 0, 0))
    model.joint("h", "revolute", parent="world", child="a", axis=(0, 1, 0), child_placement=turned)
    model.joint("k", "revolute", parent="a", child="b", axis=(1, 0, 0), placement=(0, 0, -1))
    tip = {"body": "b", "xyz": (0, 0, -1)}
    model.spring("coil", a={"body": "world", "xyz": (1, 0, 0)}, b=tip, stiffness=50, damping=2)
    model.force("thrust", at=tip, direction=(1, 0, 0), magnitude="push")
    model.torque("twist", body="b", direction=(0, 0, 1), magnitude=3)
    model.generalized_force("drive", speed="k", expression="2*push")
    return model


@cache
def compiled() -> CompiledModel:
    return eomc.build(pushed())


def test_forces_on_each_body_are_its_mass_times_its_acceleration() -> None:
    """What acts and what joints transmit, with the weight, moves the middle of each body and turns
    it; tau and drives are within the joints, so that joints transmit them already."""
    model = compiled()
    a = model.forward_dynamics(Q, U, TAU, PUSH)
    names = model.output_names("acting_forces")
    assert names == ("thrust", "twist", "drive", "coil", "tau(h)", "tau(k)")
    acting = dict(zip(names, model.acting_forces(Q, U, TAU, PUSH), strict=True))
    joint = dict(zip(("h", "k"), model.joint_forces(Q, U, a, PUSH), strict=True))
    shares = {
        "a": [(1, joint["h"]), (-1, joint["k"])],
        "b": [(1, joint["k"]), *((1, acting[name]) for name in ("thrust", "twist", "coil"))],
    }
    for name, (mass, com, inertia) in BODIES.items():
        middle, acceleration, spin_rate = _moved(model, name, np.array(com), a, inertia)
        force = sum(sign * row[3:6] for sign, row in shares[name])
        moment = sum(
            sign * (row[6:] + np.cross(row[:3] - middle, row[3:6])) for sign, row in shares[name]
        )
        assert np.allclose(force + mass * GRAVITY, mass * acceleration, atol=1e-5)
        assert np.allclose(moment, spin_rate, atol=1e-5)
    # What acts on a speed alone is along its axis.
    axis = np.array(model.frame("a").pose(Q))[:3, :3] @ np.array([1.0, 0, 0])
    assert np.allclose(acting["drive"][6:], 2 * PUSH[0] * axis)
    assert np.allclose(acting["tau(h)"], [0, 0, 0, 0, 0, 0, 0, TAU[0], 0])


def _moved(
    model: CompiledModel, name: str, com: np.ndarray, a: np.ndarray, inertia: tuple
) -> tuple:
    """Where the middle of mass is, its acceleration, and the rate of the spin, by differences of
    poses along the motion."""
    h = 1e-4

    def at(t: float) -> tuple[np.ndarray, np.ndarray]:
        pose = np.array(model.frame(name).pose(Q + U * t + a * t * t / 2))
        return pose[:3, :3], pose[:3, :3] @ com + pose[:3, 3]

    def spin(t: float) -> np.ndarray:
        (before, _), (now, _), (after, _) = at(t - h), at(t), at(t + h)
        turning = (after - before) @ now.T / (2 * h)
        w = (
            np.array(
                [
                    turning[2, 1] - turning[1, 2],
                    turning[0, 2] - turning[2, 0],
                    turning[1, 0] - turning[0, 1],
                ]
            )
            / 2
        )
        return now @ np.diag(inertia) @ now.T @ w

    middle = [at(t)[1] for t in (-h, 0.0, h)]
    acceleration = (middle[0] - 2 * middle[1] + middle[2]) / h**2
    return middle[1], acceleration, (spin(h) - spin(-h)) / (2 * h)


def test_arrows_stand_where_forces_act(tmp_path: Path) -> None:
    run = eomc.simulate(compiled(), {"h": 0.4}, t_span=0.4, step=0.1, inputs={"push": 4.0})
    lines, note = arrows(run, True, reach=1.0)
    joints = run.evaluate("joint_forces")
    largest = np.linalg.norm(joints[..., 3:6], axis=2).max()
    assert f"{largest:.3g} N" in note
    first = next(line for line in lines if line.record["id"] == "arrow 0 of joints")
    assert np.allclose(first.points[:, 0], joints[:, 0, :3])
    lengths = np.linalg.norm(first.points[:, 1] - first.points[:, 0], axis=1)
    assert np.allclose(lengths, 0.6 * np.sqrt(np.linalg.norm(joints[:, 0, 3:6], axis=1) / largest))
    # They take the place of marks that stand for forces of any size.
    kinds = {line.record["kind"] for line in placed(run).lines}
    assert kinds == {"spring", "arrow", "turn"}
    assert "turn" not in {line.record["kind"] for line in placed(run, forces="acting").lines}
    film = tmp_path / "pushed.gif"
    run.animate(film, fps=5, dpi=40, forces="joints")
    with Image.open(film) as pictures:
        assert pictures.n_frames == 3


def test_reactions_of_a_loop_are_told_too() -> None:
    """At rest a four-bar's bearings on the world bear the weight and the spring's moment alone."""
    model = eomc.build(Path("examples/models/four_bar.toml"))
    rest = eomc.equilibrium(model)
    run = eomc.simulate(model, rest.q, t_span=0.01, step=0.01)
    rows = dict(
        zip(model.output_names("joint_forces"), run.evaluate("joint_forces")[0], strict=True)
    )
    bodies = model.manifest["metadata"]["bodies"]
    weight = 9.81 * sum(body["mass"] for body in bodies)
    parents = {joint["name"]: joint["parent"] for joint in model.manifest["metadata"]["joints"]}
    held = sum(row[3:6] for name, row in rows.items() if parents.get(name) == "world")
    assert np.allclose(held, [0, 0, weight], atol=1e-8)


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(ValueError, match="did you mean 'joints'"):
        force_functions(("acting_forces", "joint_forces"), "joint")
    with pytest.raises(ValueError, match="its contacts are rigid"):
        force_functions(("acting_forces", "joint_forces", "rigid_contacts"), "joints")
    with pytest.raises(ValueError, match="it has no bodies"):
        force_functions(("forward_dynamics",), "acting")
    assert force_functions(("acting_forces", "joint_forces", "rigid_contacts"), True) == {
        "acting": "acting_forces"
    }
