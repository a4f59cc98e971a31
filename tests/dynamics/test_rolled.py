"""Recursions as loops over tables of bodies give what the unrolled expressions give."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dynamics.loaded_trees import loaded_tree
from hypothesis import given, settings
from hypothesis import strategies as st
from peers.random_trees import random_tree
from small_programs.run_rolled import run_rolled

import eomc
from eomc.derive.graph import Function, Program, evaluate
from eomc.derive.model import Mimic, Model

MODELS = Path(__file__).parents[2] / "examples" / "models"
EVERYWHERE = (
    *("inverse_dynamics", "bias", "gravity", "kinetic_energy", "potential_energy", "momentum"),
    "center_of_mass",
)
"""Functions that are in loops whatever the tree of rigid bodies."""
ONE_EACH = (
    "forward_dynamics",
    "mass_matrix",
    "center_of_mass_jacobian",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
"""Functions that are in loops if no speed moves several links."""


def state(program: Program, function: Function, seed: int) -> dict[str, np.ndarray]:
    """Random inputs, quaternions of unit length; `normalize` is the last function."""
    rng = np.random.default_rng(seed)
    found = {a.name: rng.uniform(-1, 1, size=len(a.entries)) for a in function.inputs}
    found["q"] = unrolled(program, program.functions[-1], found)
    return found


def unrolled(program: Program, function: Function, inputs: dict[str, np.ndarray]) -> np.ndarray:
    values: dict[object, float] = {p.symbol: p.default for p in program.parameters}
    for argument in function.inputs:
        values.update(zip(argument.entries, inputs[argument.name], strict=True))
    nodes = [node for output in function.outputs for node in output.entries]
    return np.array([float(v) for v in evaluate(program.graph, nodes, values)])


def rounding(program: Program, function: Function, inputs: dict[str, np.ndarray]) -> float:
    """What solving with M may lose, relative: eps times the condition of M."""
    known = {f.name: f for f in program.functions}
    if not function.name.startswith("forward_dynamics"):
        return 0.0
    M = unrolled(program, known["mass_matrix"], inputs)
    size = math.isqrt(M.size)
    return float(np.finfo(float).eps * np.linalg.cond(M.reshape(size, size)))


def assert_loops_agree(
    model: Model, names: tuple[str, ...], tunable: str | None = None, seed: int = 0
) -> None:
    program = eomc.equations(model).program(
        functions=(*names, "normalize"), tunable=tunable, small=True
    )
    for function in program.functions[:-1]:
        inputs = state(program, function, seed)
        expected = unrolled(program, function, inputs)
        found, failed = run_rolled(program, function, inputs)
        assert not failed
        assert np.abs(expected).max() > 0
        place, allowed = 0, max(1e-12, rounding(program, function, inputs))
        for got in found:
            known = expected[place : place + got.size]
            place += got.size
            scale = np.abs(known).max()
            if scale < 1e-12 * np.abs(expected).max():  # what is 0 by cancelling
                scale = np.abs(expected).max()
            assert np.abs(got - known).max() <= allowed * scale, function.name


def is_mimic(model: Model) -> bool:
    return any(joint.mimic for joint in model.joints.values())


@pytest.mark.slow
@settings(max_examples=12)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_random_trees_of_all_joints(seed: int, joints: int) -> None:
    model = random_tree(seed, joints)
    if not model.speeds:
        return
    names = EVERYWHERE if is_mimic(model) else (*EVERYWHERE, *ONE_EACH)
    assert_loops_agree(model, names, seed=seed)


@pytest.mark.slow
@settings(max_examples=6)
@given(st.integers(0, 10_000), st.booleans())
def test_all_forces_inputs_and_parameters(seed: int, tunable: bool) -> None:
    model = loaded_tree(seed)
    names = EVERYWHERE if is_mimic(model) else (*EVERYWHERE, *ONE_EACH)
    assert_loops_agree(model, names, "all" if tunable else None, seed=seed)


def arm(**last: object) -> Model:
    """Three turns with losses, rotors and springs."""
    model = eomc.Model("arm")
    parent = "world"
    for k in range(3):
        model.body(f"b{k}", mass=1 + k, com=(0.1, 0, -0.2), inertia=(0.1, 0.2, 0.15))
        model.joint(
            f"j{k}",
            "revolute",
            parent=parent,
            child=f"b{k}",
            axis=(0, 1, 0),
            placement=eomc.Placement(xyz=(0, 0, -0.4), rpy=(0.3 * k, 0, 0)),
            **(last if k == 2 else {"damping": 0.1 * k, "rotor_inertia": 0.05}),
        )
        parent = f"b{k}"
    model.joint_spring("coil", joint="j0", stiffness=3, damping=0.2, free_angle=0.4)
    return model


@pytest.mark.parametrize(
    "last",
    [
        {"damping": 0.3, "friction": 0.5, "rotor_inertia": 0.1, "gear_ratio": 3},
        {"friction": 0.2},
        {},
    ],
    ids=["losses and rotor", "friction", "nothing"],
)
def test_losses_rotors_and_springs_of_joints(last: dict[str, object]) -> None:
    assert_loops_agree(arm(**last), (*EVERYWHERE, *ONE_EACH))


def loops_in(model: Model, names: tuple[str, ...]) -> list[str]:
    program = eomc.equations(model).program(functions=names, small=True)
    return [function.name for function in program.functions if function.rolled]


def test_what_stays_unrolled() -> None:
    names = (*EVERYWHERE, *ONE_EACH)
    assert loops_in(arm(), (*names, "power")) == list(names)
    follower = arm(mimic=Mimic("j0", 0.5, 0.1))
    assert loops_in(follower, names) == list(EVERYWHERE)
    program = eomc.equations(arm()).program(functions=names)
    assert not any(function.rolled for function in program.functions)


def obstructed(reason: str) -> Model:
    if reason != "prescribed":
        file = {"closes a loop": "four_bar", "deformable": "flexible_arm"}[reason]
        return eomc.load(MODELS / f"{file}.toml")
    model = arm()
    model.prescribed("j1")
    return model


@pytest.mark.parametrize("reason", ["prescribed", "closes a loop", "deformable"])
def test_refusals_name_the_element(reason: str) -> None:
    with pytest.raises(eomc.ModelError, match=rf"(coordinate|joint|body) '\w+' .*{reason}"):
        eomc.equations(obstructed(reason)).program(small=True)


def test_followers_add_up() -> None:
    assert_loops_agree(arm(mimic=Mimic("j0", 0.5, 0.1)), EVERYWHERE)


def test_a_body_without_inertia_is_reported() -> None:
    model = eomc.Model("singular")
    mass = model.parameter("m", 1.0, tunable=True)
    model.body("bob", mass=mass, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    program = eomc.equations(model).program(functions=["forward_dynamics", "normalize"], small=True)
    function, _ = program.functions
    massless = tuple(replace(parameter, default=0.0) for parameter in program.parameters)
    program = replace(program, parameters=massless)
    with np.errstate(all="ignore"):
        _, failed = run_rolled(program, function, state(program, function, 0))
    assert failed == {"singular_mass_matrix"}
