"""Linearizations on constraints by the compiled solvers, against those of the runtime.

The runtime reduces by LAPACK, on an orthonormal basis or on chosen coordinates; the emitted C by an
elimination of its own. Transfer functions do not depend on the choice.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from constraints.four_bars import ball_in_the_tree, planar, spatial
from constraints.values import near
from small_programs.c_library import COMPILERS, WARNINGS, compile_c

import eomc
from eomc.binding.arrays import Array
from eomc.derive.model import Model, Point
from eomc.runtime.names.displacement_names import displacement_names
from eomc.systems.trom import four_bar, mcpherson_strut

FREQUENCY = 0.4 + 1.7j


def disc() -> Model:
    """A disc that rolls on a plane: one constraint on positions, two on speeds alone."""
    model = Model("disc", gravity=(0, 0, -9.81))
    model.body("wheel", mass=1.3, inertia=(0.104, 0.052, 0.052))
    model.joint("free", "floating", parent="world", child="wheel")
    model.constraint(
        "road", "rolling", a="wheel", b="world", axis_b=(0, 0, 1), length=0.4, axis_a=(1, 0, 0)
    )
    return model


def sled() -> Model:
    """A knife edge off the mass centre: no constraint on positions."""
    model = Model("sled", gravity=(0, 0, 0))
    model.body("sled", mass=2, inertia=(0.2, 0.3, 0.4))
    model.joint(
        "p", "planar", parent="world", child="sled", axis=(0, 0, 1), damping=(0.3, 0.3, 0.1)
    )
    model.constraint("edge", "knife_edge", a=Point("sled", (-0.3, 0, 0)), axis_a=(0, 1, 0))
    return model


MODELS: dict[str, Callable[[], Model]] = {
    "planar": planar,
    "spatial": spatial,
    "unequal": lambda: four_bar(damping=3.0, unequal=True),
    "rssr": ball_in_the_tree,
    "strut": lambda: mcpherson_strut(damping=900.0),
    "disc": disc,
    "sled": sled,
}
QUICK = ("unequal", "disc")
ALL = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in MODELS]
HOLONOMIC = [one for one in ALL if one.values[0] not in ("disc", "sled")]


@cache
def built(name: str) -> eomc.CompiledModel:
    """Each model once, with all that is asked of it."""
    equations = eomc.equations(MODELS[name]())
    return eomc.build(equations, functions=asked(equations), flags=("-O1",))


def asked(equations: Any) -> list[str]:
    """What the linearizations call, and what the tests do."""
    wanted = (*eomc.CORE, "linearization", "constraint_derivatives", "input_matrix")
    return [function for function in wanted if function in equations.function_names]


def state(model: eomc.CompiledModel, seed: int) -> tuple[Array, Array, Array, dict[str, Array]]:
    """A consistent state in motion, the forces on it, and further arguments."""
    rng = np.random.default_rng(seed)
    held = {"inputs": rng.normal(size=len(model.inputs))} if model.inputs else {}
    start = eomc.assemble(
        model,
        model.integrate(model.neutral(), 0.25 * rng.normal(size=model.nu)),
        rng.normal(size=model.nu),
        **held,
    )
    return start.q, start.u, rng.normal(size=model.nu), held


def compiled(
    model: eomc.CompiledModel, solver: str, seed: int, order: list[int] | None = None
) -> tuple[tuple[Array, ...], list[int]]:
    """Matrices of the solver, and the order that it took."""
    q, u, tau, held = state(model, seed)
    r = tuple(held.values())
    a, multipliers = model.constrained_dynamics(q, u, tau, [0.0], *r)
    if order is None:
        order, _ = model.independent_speeds(q)
    return getattr(model, solver)(q, u, a, multipliers, *r, order), order


def shown(model: eomc.CompiledModel) -> list[str]:
    """What y of the compiled state space holds."""
    return [
        *displacement_names(model.coordinates, model.speeds),
        *(f"speed({speed})" for speed in model.speeds),
        *(f"acceleration({speed})" for speed in model.speeds),
    ]


def transfer(a: Array, b: Array, c: Array, d: Array) -> Array:
    """C (s - A)^-1 B + D"""
    found: Array = c @ np.linalg.solve(FREQUENCY * np.eye(len(a)) - a, b) + d
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_held_at_rest_all_move_as_on_the_orthonormal_basis(name: str) -> None:
    """Whatever is independent: at rest the choice is a constant change of coordinates."""
    model = built(name)
    q, _, _, held = state(model, 1)
    still, r = np.zeros(model.nu), tuple(held.values())
    g = model.constraint_jacobian(q)
    multipliers = np.random.default_rng(2).normal(size=len(g))
    tau = model.inverse_dynamics(q, still, still, *r) - g.T @ multipliers
    linear = eomc.linearize(
        model, q=q, u=still, tau=tau, independent="null space", outputs=shown(model), **held
    )
    expected = transfer(linear.A, linear.B, linear.C, linear.D)
    order, _ = model.independent_speeds(q)
    found = transfer(*model.state_space(q, still, still, multipliers, *r, order))
    assert abs(found - expected).max() < 1e-10 * abs(expected).max()


@pytest.mark.parametrize("name", HOLONOMIC)
def test_moving_in_chosen_coordinates(name: str) -> None:
    model = built(name)
    names = displacement_names(model.coordinates, model.speeds)
    for seed in range(3):
        second, order = compiled(model, "reduced_linearization", seed)
        q, u, tau, held = state(model, seed)
        chosen = [names[place] for place in order[: len(second[0])]]
        linear = eomc.linearize(
            model, q=q, u=u, tau=tau, independent=chosen, outputs=shown(model), **held
        )
        expected = linear.mass, linear.damping, linear.stiffness, linear.forcing
        for got, matrix in zip(second, expected, strict=True):
            assert near(got, matrix, 1e-10)
        first, _ = compiled(model, "state_space", seed)
        for got, matrix in zip(first, (linear.A, linear.B, linear.C, linear.D), strict=True):
            assert near(got, matrix, 1e-10)


@pytest.mark.parametrize("name", ["disc", pytest.param("sled", marks=pytest.mark.slow)])
def test_more_displacements_than_speeds(name: str) -> None:
    """A and B in the runtime's own choice of displacements and speeds; no second-order form."""
    model = built(name)
    names = displacement_names(model.coordinates, model.speeds)
    q, u, tau, _ = state(model, 1)
    (a, *_), order = compiled(model, "state_space", 1)
    rank = len(model.output_names("constraint_jacobian"))
    displacements = len(a) - (model.nu - rank)
    assert displacements > model.nu - rank
    chosen = order[:displacements]
    linear = eomc.linearize(
        model, q=q, u=u, tau=tau, independent=[names[k] for k in chosen], outputs=shown(model)
    )
    speeds = [model.speeds.index(name[6:-1]) for name in linear.states[displacements:]]
    mixed = [*speeds, *(k for k in chosen if k not in speeds)]
    mixed += [k for k in range(model.nu) if k not in mixed]
    (a, b, c, d), _ = compiled(model, "state_space", 1, mixed)
    places = [chosen.index(k) for k in mixed[:displacements]]
    places += range(displacements, len(a))
    assert near(a, linear.A[np.ix_(places, places)], 1e-10)
    assert near(b, linear.B[places], 1e-10)
    assert near(c, linear.C[:, places], 1e-10)
    assert near(d, linear.D, 1e-10)
    with pytest.raises(AttributeError, match="'state_space' only"):
        model.reduced_linearization  # noqa: B018


def test_any_order_or_a_code() -> None:
    """All choices of one speed of four; the turn out of the plane never moves, and is refused."""
    model = built("unequal")
    still = model.speeds.index("phi3_2")
    for order in permutations(range(4)):
        for solver in ("reduced_linearization", "state_space"):
            if order[0] == still:
                with pytest.raises(FloatingPointError) as caught:
                    compiled(model, solver, 0, list(order))
                assert caught.value.code == "singular_constraints"  # type: ignore[attr-defined]
                continue
            found, _ = compiled(model, solver, 0, list(order))
            first, _ = compiled(model, solver, 0, [order[0], *sorted(order[1:])])
            for got, expected in zip(found, first, strict=True):
                assert near(got, expected, 1e-10)


@pytest.mark.slow
def test_nothing_resists() -> None:
    """A slider beside a loop loses its mass at run time: its acceleration is undefined."""
    model = planar()
    mass = model.parameter("m", 1.0, units="kg", tunable=True)
    model.body("ghost", mass=mass)
    model.joint("g", "prismatic", parent="world", child="ghost", axis=(0, 0, 1))
    compiled_model = eomc.build(model)
    q = eomc.assemble(compiled_model, {"a": 0.7, "b": -0.4, "d": 1.2}).q
    still = np.zeros(compiled_model.nu)
    order, _ = compiled_model.independent_speeds(q)
    rest = compiled_model.state_space(q, still, still, np.zeros(2), order)
    assert np.isfinite(rest[0]).all()
    with pytest.raises(FloatingPointError) as caught:
        compiled_model.state_space(q, still, still, np.zeros(2), order, parameters={"m": 0.0})
    assert caught.value.code == "singular_mass_matrix"  # type: ignore[attr-defined]


HOST = """
#include "rssr.h"
#include <stdio.h>
static void show(const double *x, int n) { for (int i = 0; i < n; i++) printf("%.17g\\n", x[i]); }
int main(void)
{
    double q[RSSR_Q_COUNT] = {@q@}, u[RSSR_U_COUNT] = {@u@};
    const double tau[RSSR_U_COUNT] = {@tau@}, r[1] = {@r@};
    double a[5], multipliers[3], M[4], C[4], K[4], B[12], A[16], Bs[24], Cs[60], D[90];
    int order[5], rank, status = rssr_consistent_state(q, u, tau, r, 1e-13, 20, a, multipliers);
    if (!status) status = rssr_independent_speeds(q, order, &rank);
    if (!status) status = rssr_reduced_linearization(
        q, u, a, multipliers, r, order, M, C, K, B);
    if (!status) status = rssr_state_space(q, u, a, multipliers, r, order, A, Bs, Cs, D);
    for (int i = 0; i < 2; i++) printf("%d\\n", order[i]);
    show(M, 4); show(C, 4); show(K, 4); show(B, 12);
    show(A, 16); show(Bs, 24); show(Cs, 60); show(D, 90);
    return status;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_host_program(compiler: str, tmp_path: Path) -> None:
    """The emitted C without Python, strictly C99 and without warnings or allocation."""
    model = built("rssr")
    q, u, tau, held = state(model, 3)
    equations = eomc.equations(ball_in_the_tree())
    eomc.emit(equations, tmp_path, functions=asked(equations))
    sources = sorted(path.name for path in tmp_path.glob("*.c"))
    assert not any("malloc" in (tmp_path / name).read_text() for name in sources)
    values = {"q": q, "u": u, "tau": tau, "r": held["inputs"]}
    text = HOST
    for name, numbers in values.items():
        text = text.replace(f"@{name}@", ", ".join(map(repr, numbers.tolist())))
    (tmp_path / "host.c").write_text(text)
    flags = (*WARNINGS, "-Wvla", "-Wshadow", "-O1")
    program = compile_c(tmp_path, ["host.c", *sources], "host", compiler, *flags)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    first, second, numbers = int(printed[0]), int(printed[1]), np.array(printed[2:], dtype=float)
    names = displacement_names(model.coordinates, model.speeds)
    linear = eomc.linearize(
        model,
        q=q,
        u=u,
        tau=tau,
        independent=[names[first], names[second]],
        outputs=shown(model),
        **held,
    )
    expected = [linear.mass, linear.damping, linear.stiffness, linear.forcing]
    expected += [linear.A, linear.B, linear.C, linear.D]
    for got, matrix in zip(
        np.split(numbers, np.cumsum([m.size for m in expected])[:-1]), expected, strict=True
    ):
        assert near(got.reshape(matrix.shape), matrix, 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rssr", "disc"])
def test_single_precision_compiles_without_warnings(name: str, tmp_path: Path) -> None:
    equations = eomc.equations(MODELS[name]())
    eomc.emit(equations, tmp_path, functions=asked(equations), real="float", name="m")
    sources = sorted(path.name for path in tmp_path.glob("*.c"))
    assert "m.c" in sources
    for source in sources:
        compile_c(tmp_path, [source], "m.o", COMPILERS[0], *WARNINGS, "-Wvla", "-O1", "-c")
