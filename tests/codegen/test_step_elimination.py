"""The matrix of an implicit step is eliminated along the tree where that takes fewer operations."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.codegen.c.step_elimination import StepElimination, step_elimination
from eomc.codegen.plan.interface import interface
from eomc.codegen.plan.real import DOUBLE

NEEDS = ("coordinate_rates", "forward_dynamics", "normalize", "integrate")
IMPLICIT = (*NEEDS, "displacement_rates", "step_matrix")
LEGS = 4


def _walker(across: bool = False) -> eomc.Model:
    """A trolley with legs of two joints, on springs; a spring across the first two, if asked."""
    model = eomc.Model("walker_across" if across else "walker", gravity=(0, 0, -9.81))
    model.body("trolley", mass=5)
    model.joint("x", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    for leg in range(LEGS):
        parent = "trolley"
        for part in ("hip", "knee"):
            name = f"{part}_{leg}"
            model.body(f"{name}_link", mass=1, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
            place = (0.3 * leg, 0, 0) if part == "hip" else (0, 0, -0.4)
            model.joint(
                name,
                "revolute",
                parent=parent,
                child=f"{name}_link",
                axis=(0, 1, 0),
                placement=place,
                damping=2,
            )
            model.joint_spring(f"spring_{name}", joint=name, stiffness=1e5)
            parent = f"{name}_link"
    if across:
        model.spring(
            "band",
            a={"body": "knee_0_link"},
            b={"body": "knee_1_link"},
            stiffness=10,
            free_length=0.1,
        )
    return model


def _elimination(model: eomc.Model) -> StepElimination:
    program = eomc.equations(model).program(functions=IMPLICIT)
    face = interface(program, "m", DOUBLE)
    matrix = face.entry("step_matrix")
    assert matrix is not None
    return step_elimination(program.graph, matrix)


def test_legs_do_not_meet() -> None:
    """Rows of a leg are coupled to that leg and to the trolley."""
    found = _elimination(_walker())
    legs = [row for k in range(LEGS) for row in ((0,), (0, 2 * k + 1))]
    assert found.before == ((), *legs)
    assert found.factor_operations == LEGS * (3 + 2 * 5)
    assert found.solve_operations == 9 + 4 * 3 * LEGS


def test_a_spring_from_knee_to_knee_couples_their_hips_alone() -> None:
    found = _elimination(_walker(across=True))
    assert found.before[1:5] == ((0,), (0, 1), (0, 1), (0, 3))
    assert found.before[5:] == ((0,), (0, 5), (0,), (0, 7))


def test_a_chain_is_dense() -> None:
    model = eomc.Model("chain", gravity=(0, 0, -9.81))
    parent = "world"
    for k in range(4):
        model.body(f"link_{k}", mass=1, com=(0, 0, -1))
        model.joint(
            f"j_{k}",
            "revolute",
            parent=parent,
            child=f"link_{k}",
            axis=(0, 1, 0),
            placement=(0, 0, -1),
        )
        parent = f"link_{k}"
    found = _elimination(model)
    assert found.before == () and found.factor_operations == 3 + 10 + 21


@pytest.mark.parametrize("across", [False, True])
def test_a_step_solves_its_equations(across: bool) -> None:
    """One linearly implicit Euler step against NumPy: E dw = m a + (dF/dtheta) S u."""
    model = eomc.build(_walker(across), functions=IMPLICIT)
    rng = np.random.default_rng(0)
    q, u, tau = (0.3 * rng.normal(size=9) for _ in range(3))
    h = 1e-2
    matrix, mass, carried = model.step_matrix(q, u, tau, 1 / h)
    change = np.linalg.solve(matrix, mass @ model.forward_dynamics(q, u, tau) + carried @ u)
    rows = model.linear_euler(q, u, tau, h, 1)
    np.testing.assert_allclose(rows[1][1], u + change, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(rows[0][1], q + h * (u + change), rtol=1e-9, atol=1e-12)
