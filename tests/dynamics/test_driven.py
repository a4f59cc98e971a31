"""Given motion by Lagrange multipliers and by elimination: one motion, the same forces."""

from __future__ import annotations

import numpy as np
import pytest
from dynamics.evaluation import close, value
from orbit.satellites import robot
from verification.witnesses import arm, spinner

import eomc
from eomc.derive.formats import parse_toml, toml_text
from eomc.derive.graph import flops
from eomc.derive.model import Model, ModelError

MODELS = {
    "arm": (arm, ("slide",)),
    "arm, two": (arm, ("wrist", "turn")),
    "spinner": (spinner, ("axle",)),
    "orbit": (robot, ("orbit", "elbow")),
}


def prepared(name: str, how: str) -> tuple[Model, tuple[str, ...]]:
    make, given = MODELS[name]
    model = make()
    if name == "arm, two":
        model.joints.pop("grip")  # it follows the wrist
        model.bodies.pop("finger")
    for joint in given:
        getattr(model, how)(joint)
    return model, given


@pytest.mark.parametrize("name", MODELS)
def test_multipliers_and_elimination_agree(name: str) -> None:
    """The accelerations of the free speeds, and the forces on the given ones."""
    driven, given = prepared(name, "servo_constraint")
    eliminated, _ = prepared(name, "prescribed")
    rng = np.random.default_rng(5)
    speeds, coordinates = driven.speeds, driven.coordinates
    names = [n for joint in given for n in driven.joints[joint].speeds]
    q = rng.uniform(-0.5, 0.5, size=len(coordinates))
    if name == "spinner":
        q[3:7] /= np.linalg.norm(q[3:7])
    if name == "orbit":
        q[2] = 3.0
        for model in (driven, eliminated):
            model.central_gravities.clear()
            model.central_gravity("planet", mu=5, about="arm")
    u, tau, w = (
        rng.normal(size=len(speeds)),
        rng.normal(size=len(speeds)),
        rng.normal(size=len(names)),
    )
    free = [k for k, n in enumerate(speeds) if n not in names]
    tau[[k for k, n in enumerate(speeds) if n in names]] = 0
    inputs = {"r": np.ones(len(driven.inputs))}
    a, forces = value(
        eomc.equations(driven),
        "driven_dynamics",
        q=q,
        u=u,
        tau=tau,
        driven_acceleration=w,
        **inputs,
    )
    order = eomc.equations(eliminated).system(()).tree.prescribed_names
    place = [names.index(n) for n in order]
    state = {
        "q": [x for x, n in zip(q, coordinates, strict=True) if n not in names],
        "u": u[free],
        "tau": tau[free],
        "s": [q[coordinates.index(n)] for n in order],
        "s_rate": [u[speeds.index(n)] for n in order],
        "s_acceleration": w[place],
        **inputs,
    }
    equations = eomc.equations(eliminated)
    assert close(a[free], value(equations, "forward_dynamics", **state), 1e-11)
    assert close([a[speeds.index(n)] for n in names], w, 0)
    assert close(forces[place], value(equations, "prescribed_forces", **state), 1e-11)


def chain(count: int) -> Model:
    model = Model("chain")
    above = "world"
    for k in range(count):
        model.body(f"b{k}", mass=1 + k % 3, com=(0.3, 0.1, 0), inertia=(0.1, 0.2, 0.25))
        place = (1, 0, 0) if k else (0, 0, 0)
        axis = (0, 0, 1) if k % 2 else (0, 1, 0)
        model.joint(f"j{k}", "revolute", parent=above, child=f"b{k}", axis=axis, placement=place)
        above = f"b{k}"
    model.servo_constraint("j1")
    model.servo_constraint(f"j{count - 1}")
    return model


def test_long_chains_stay_linear() -> None:
    """Articulated bodies give the responses too: as many operations for each further body."""
    counts = []
    for count in (30, 40, 50):
        program = eomc.equations(chain(count)).program(functions=["driven_dynamics"])
        (function,) = program.functions
        counts.append(flops(program.graph, function.nodes))
    assert counts[2] - counts[1] == pytest.approx(counts[1] - counts[0], rel=1e-3)
    model = chain(30)
    rng = np.random.default_rng(3)
    state = {name: rng.normal(size=30) for name in ("q", "u", "tau")}
    a, forces = value(
        eomc.equations(model), "driven_dynamics", **state, driven_acceleration=[0.3, -0.7]
    )
    tau = state.pop("tau")
    tau[[1, 29]] += forces
    assert close(value(eomc.equations(model), "inverse_dynamics", **state, a=a), tau, 1e-10)


def test_constraints_hold_beside_the_given_motion() -> None:
    model = chain(5)
    first, *_, last = model.speeds
    model.constraint("gear", "coupling", first=first, second=last, ratio=-1.5)
    rng = np.random.default_rng(8)
    state = {name: rng.normal(size=5) for name in ("q", "u", "tau")}
    wanted = dict(zip(model.servo_constraints, (0.3, -0.7), strict=True))
    equations = eomc.equations(model)
    a, forces = value(
        equations, "driven_dynamics", **state, driven_acceleration=list(wanted.values())
    )
    for name, force in zip(wanted, forces, strict=True):
        state["tau"][model.speeds.index(name)] += force
        assert a[model.speeds.index(name)] == wanted[name]
    assert close(value(equations, "forward_dynamics", **state), a, 1e-10)
    assert a[0] == pytest.approx(-1.5 * a[4])


def test_files_keep_drives() -> None:
    model, _ = prepared("arm, two", "servo_constraint")
    assert parse_toml(toml_text(model)) == model


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("wirst",), "servo_constraint 'wirst': 'wirst' is no speed that is free.*'wrist'"),
        (("grip",), "'grip' is no speed that is free"),
        (("free", "free_wx"), "speed 'free_wx' is driven twice"),
    ],
)
def test_refusals(names: tuple[str, ...], message: str) -> None:
    model = spinner() if "free" in names else arm()
    for name in names:
        model.servo_constraint(name)
    with pytest.raises(ModelError, match=message):
        eomc.equations(model)


def test_models_without_drives_have_no_such_function() -> None:
    assert "driven_dynamics" not in eomc.equations(arm()).function_names
