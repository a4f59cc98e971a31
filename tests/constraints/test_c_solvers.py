"""Compiled solvers of constraints: against dense equations, at their limits, over long runs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from constraints.four_bars import planar, spatial
from constraints.values import near

import eomc
from eomc.binding.arrays import Array
from eomc.codegen.compiler import find_compiler
from eomc.derive.model import Model, Placement

ROUNDING = 1e-13


@pytest.fixture(scope="module")
def linkage() -> eomc.CompiledModel:
    return eomc.build(planar())


@pytest.fixture(scope="module")
def loop() -> eomc.CompiledModel:
    return eomc.build(spatial())


@pytest.fixture(scope="module")
def slider() -> eomc.CompiledModel:
    return eomc.build(slider_crank())


def slider_crank() -> Model:
    """A crank of 1 m, a rod of 2 m, a slider: at q = 0 all in one line."""
    model = Model("slider_crank", gravity=(0, 0, -9.81))
    model.body("crank", mass=1, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
    model.body("rod", mass=2, com=(1, 0, 0), inertia=(0.02, 0.7, 0.7))
    model.body("slider", mass=3)
    model.joint("turn", "revolute", parent="world", child="crank", axis=(0, 1, 0))
    model.joint(
        "knee", "revolute", parent="crank", child="rod", axis=(0, 1, 0), placement=(1, 0, 0)
    )
    model.joint("slide", "prismatic", parent="world", child="slider", axis=(1, 0, 0))
    model.joint(
        "pin",
        "revolute",
        parent="slider",
        child="rod",
        axis=(0, 1, 0),
        cut=True,
        child_placement=Placement(xyz=(2, 0, 0)),
    )
    return model


def _consistent(model: eomc.CompiledModel, seed: int) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    q, u = rng.normal(scale=0.4, size=model.nq), rng.normal(size=model.nu)
    return *model.project(q, u, tolerance=ROUNDING / 10), rng.normal(size=model.nu)


@pytest.mark.parametrize("name", ["linkage", "loop", "slider"])
def test_projection_ends_at_rounding(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    for seed in range(5):
        q, u, _ = _consistent(model, seed)
        assert np.abs(model.constraint_residual(q)).max() < ROUNDING
        assert np.abs(model.constraint_velocity(q, u)).max() < ROUNDING * (1 + np.abs(u).max())


@pytest.mark.parametrize("name", ["linkage", "loop"])
def test_orthogonal_complement_is_the_dense_solution(
    name: str, request: pytest.FixtureRequest
) -> None:
    """Both formulations solve [M -G^T; G 0] [a; lambda] = [tau - c; -g]."""
    model = request.getfixturevalue(name)
    for seed in range(5):
        q, u, tau = _consistent(model, seed)
        g = model.constraint_jacobian(q)
        rest = np.zeros((len(g), len(g)))
        dense = np.block([[model.mass_matrix(q), -g.T], [g, rest]])
        right = np.concatenate([tau - model.bias(q, u), -model.constraint_bias(q, u)])
        a, multipliers = np.split(np.linalg.solve(dense, right), [model.nu])
        order, rank = model.independent_speeds(q)
        assert rank == len(g)
        for found in (
            model.reduced_dynamics(q, u, tau, order),
            model.constrained_dynamics(q, u, tau, [0.0]),
            model.consistent_state(q, u, tau)[2:],
        ):
            assert near(found[0], a, 1e-10)
            assert near(found[1], multipliers, 1e-10)


def test_dependent_coordinates_leave_the_independent_ones(linkage: eomc.CompiledModel) -> None:
    q, u, _ = _consistent(linkage, 1)
    order, _ = linkage.independent_speeds(q)
    free = order[: linkage.nu - 2]
    moved, faster = q.copy(), u.copy()
    moved[free] += 0.1
    faster[free] += 0.3
    closed = linkage.dependent_coordinates(moved, order)
    rates = linkage.dependent_speeds(closed, faster, order)
    assert (closed[free] == moved[free]).all() and (rates[free] == faster[free]).all()
    assert np.abs(linkage.constraint_residual(closed)).max() < ROUNDING
    assert np.abs(linkage.constraint_velocity(closed, rates)).max() < ROUNDING


def test_newton_is_bounded(linkage: eomc.CompiledModel) -> None:
    """A return code, not an endless loop, where no configuration is in reach."""
    far = np.full(3, 0.9)
    with pytest.raises(FloatingPointError, match="no_convergence") as caught:
        linkage.project(far, np.zeros(3), max_steps=1)
    assert caught.value.code == "no_convergence"  # type: ignore[attr-defined]
    q, _, _ = _consistent(linkage, 1)
    q[0] = np.nan
    with pytest.raises(FloatingPointError, match="no_convergence"):
        linkage.project(q, np.zeros(3))


def test_a_crank_in_reach_of_no_slider(slider: eomc.CompiledModel) -> None:
    """The slider held 3.5 m off, where crank and rod are 3 m: no convergence."""
    q = np.array([0.1, -0.1, 3.5])
    turn, knee, slide = range(3)
    with pytest.raises(FloatingPointError) as caught:
        slider.dependent_coordinates(q, [slide, turn, knee])
    assert caught.value.code in ("no_convergence", "singular_constraints")  # type: ignore[attr-defined]


def test_choices_that_are_not_independent(slider: eomc.CompiledModel) -> None:
    """At dead centre the slider's speed is zero whatever the crank does."""
    dead = np.array([0.0, 0.0, 3.0])
    turn, knee, slide = range(3)
    assert np.abs(slider.constraint_residual(dead)).max() < 1e-15
    with pytest.raises(FloatingPointError, match="singular_constraints"):
        slider.reduced_dynamics(dead, np.zeros(3), np.zeros(3), [slide, turn, knee])
    order, rank = slider.independent_speeds(dead)
    assert rank == 2 and order[0] != slide


def test_a_rhombus_folded_flat_is_singular() -> None:
    """All links in line: two branches of the parallelogram meet, and the rank is one."""
    model = eomc.build(rhombus())
    flat = np.zeros(3)
    assert np.abs(model.constraint_residual(flat)).max() < 1e-15
    with pytest.raises(FloatingPointError, match="singular_constraints") as caught:
        model.independent_speeds(flat)
    assert caught.value.rank == 1  # type: ignore[attr-defined]


def rhombus() -> Model:
    """Four links of 1 m, the base one of them."""
    model = Model("rhombus", gravity=(0, 0, -9.81))
    for name in ("left", "coupler", "right"):
        model.body(name, mass=1.0, com=(0, 0.5, 0), inertia=(0.1, 0.01, 0.1))
    one = Placement(xyz=(0, 1, 0))
    model.joint("a", "revolute", parent="world", child="left", axis=(1, 0, 0))
    model.joint("b", "revolute", parent="left", child="coupler", axis=(1, 0, 0), placement=one)
    model.joint("d", "revolute", parent="world", child="right", axis=(1, 0, 0), placement=one)
    model.joint(
        "c",
        "revolute",
        parent="right",
        child="coupler",
        axis=(1, 0, 0),
        cut=True,
        placement=one,
        child_placement=one,
    )
    return model


def test_least_forces_on_actuated_speeds(loop: eomc.CompiledModel) -> None:
    """One motor: that of the equations; two: the smallest pair with the same effect."""
    q, u, tau = _consistent(loop, 2)
    a, _ = loop.constrained_dynamics(q, u, tau, [0.0])
    g = loop.constraint_jacobian(q)
    null = np.linalg.svd(g)[2][len(g) :]
    needed = null @ (loop.mass_matrix(q) @ a + loop.bias(q, u))
    for actuated in ([1, 0, 0, 0], [1, 0, 0, 1], [1, 1, 1, 1]):
        found, multipliers = loop.actuated_inverse_dynamics(q, u, a, actuated)
        mask = np.array(actuated, dtype=bool)
        assert (found[~mask] == 0).all()
        least = np.linalg.pinv(null[:, mask]) @ needed
        assert near(found[mask], least, 1e-10)
        again, forces = loop.constrained_dynamics(q, u, found, [0.0])
        assert near(again, a, 1e-10)
        assert near(multipliers, forces, 1e-9)


def test_no_motor_for_the_motion(loop: eomc.CompiledModel) -> None:
    """The out-of-plane turn of the coupler stands still: a motor there drives nothing."""
    q, u = loop.project(np.zeros(4), np.zeros(4))
    with pytest.raises(FloatingPointError, match="not_actuated"):
        loop.actuated_inverse_dynamics(q, u, np.zeros(4), [0, 0, 1, 0])


@pytest.mark.parametrize("method", ["rk4", "dopri"])
def test_no_drift_over_long_runs(linkage: eomc.CompiledModel, method: str) -> None:
    """Residuals at rounding after 200 s; energy as the method keeps it, over many turns."""
    q, u, _ = _consistent(linkage, 3)
    u = linkage.dependent_speeds(q, np.full(3, 4.0), linkage.independent_speeds(q)[0])
    if method == "rk4":
        qs, us = linkage.rk4(q, u, np.zeros(3), 1e-3, 200_000)
    else:
        times = np.linspace(0, 200, 2001)
        qs, us, _ = linkage.dopri(q, u, np.zeros(3), times, rtol=1e-11, atol=1e-12)
    assert np.abs(linkage.constraint_residual(qs)).max() < ROUNDING
    assert np.abs(linkage.constraint_velocity(qs, us)).max() < 10 * ROUNDING
    energy = linkage.kinetic_energy(qs, us) + linkage.potential_energy(qs)
    assert np.ptp(energy) < 1e-6 * np.ptp(linkage.kinetic_energy(qs, us))


def test_c_is_strict_and_allocates_nothing(tmp_path: Path) -> None:
    """C99 without warnings, no allocation, no statics that change."""
    eomc.emit(spatial(), tmp_path, tunable="all")
    text = (tmp_path / "spatial_four_bar.c").read_text()
    for word in ("malloc", "calloc", "alloca", "printf", "goto"):
        assert word not in text
    for line in re.findall(r"^\s*static [^(]*;|^\s*static [^(]*= ", text, re.MULTILINE):
        assert "static const" in line
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wvla", "-c"]
    done = subprocess.run(
        [*find_compiler(), *flags, "spatial_four_bar.c", "-o", "out.o"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_many_runs_at_once_stay_on_the_constraints(linkage: eomc.CompiledModel) -> None:
    """Runs on vectors end where runs one by one do, and drift no more."""
    model = eomc.build(planar(), lanes=4)
    starts = [_consistent(linkage, seed)[:2] for seed in range(6)]
    q, u = (np.array(rows) for rows in zip(*starts, strict=True))
    qs, us = model.rk4_rollouts(q, u, 0.0, 1e-3, 4000, every=400)
    assert np.abs(linkage.constraint_residual(qs)).max() < ROUNDING
    assert np.abs(linkage.constraint_velocity(qs, us)).max() < 100 * ROUNDING
    for k in range(6):
        one, speeds = linkage.rk4(q[k], u[k], np.zeros(3), 1e-3, 4000)
        assert near(qs[k, -1], one[-1], 1e-8)
        assert near(us[k, -1], speeds[-1], 1e-7)
