"""Systems given in SymPy compile to the same kind of module as any model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from lagrange.test_mechanics_methods import rolling_disc
from sympy.physics.mechanics import dynamicsymbols
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

import eomc
from eomc.derive.lagrange import LagrangianSystem, from_sympy


def bead_on_a_turning_hoop() -> LagrangianSystem:
    """Explicit time, an input, a constraint, damping: every optional argument at once."""
    x, y, force = dynamicsymbols("x y force")
    m, radius, w, c = sp.symbols("m radius w c")
    t = dynamicsymbols._t
    return LagrangianSystem(
        "hoop",
        [x, y],
        m * (x.diff() ** 2 + y.diff() ** 2 + w**2 * x**2) / 2,
        9.81 * m * y,
        dissipation=c * (x.diff() ** 2 + y.diff() ** 2) / 2,
        generalized_forces={x: force * sp.cos(w * t)},
        holonomic=[x**2 + y**2 - radius**2],
        parameters={m: 0.3, radius: 0.5, w: 6.0, c: 0.02},
        tunable=[w, c],
        inputs=[force],
    )


def cart() -> Any:
    """Two pendulums on a cart, as SymPy ships them."""
    values = {"g": 9.81, "l0": 0.5, "l1": 0.4, "m0": 1.0, "m1": 0.2, "m2": 0.3}
    return from_sympy(n_link_pendulum_on_cart(2), values, name="cart")


def test_simulation_of_quasi_speeds_keeps_the_energy(tmp_path: Path) -> None:
    """A disc rolls for two seconds: its speeds are no coordinate rates, its energy is constant."""
    r, g = 0.4, 9.81
    disc = from_sympy(rolling_disc(), {"r": r, "m": 1.5, "g": g}, name="disc")
    compiled = eomc.build(disc, cache_dir=tmp_path)
    q, u = np.array([0.1, 0.3, 0.0]), np.array([0.2, 4.0, 0.5])
    for method, step in (("DOP853", None), ("rk4", 1e-3)):
        run = eomc.simulate(compiled, q, u, (0.0, 2.0), method=method, step=step)
        heights = r * np.cos(run.q[:, 1])
        energy = compiled.kinetic_energy(run.q, run.u) + 1.5 * g * heights
        assert np.ptp(run.q[:, 1]) > 0.05  # it wobbles
        np.testing.assert_allclose(energy, energy[0], rtol=1e-7)


@pytest.mark.parametrize("steps", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [bead_on_a_turning_hoop, cart])
def test_compiled_functions_equal_the_graph(make: Any, steps: bool, tmp_path: Path) -> None:
    """Steps with their derivatives are long to compile, and stand alone."""
    system = make()
    names = [n for n in system.function_names if n.startswith(("rk4_", "midpoint_")) == steps]
    compiled = eomc.build(system, functions=names, cache_dir=tmp_path)
    assert compiled.nu == len(system.speeds)
    rng = np.random.default_rng(5)
    for name in names:
        expected = getattr(system, name)
        parts = expected if isinstance(expected, tuple) else (expected,)
        tunable = system.program(functions=[name]).parameters
        chosen = [list(system.parameters).index(p.name) for p in tunable]
        arguments = [
            rng.uniform(0.2, 0.9, size=(4, *a.shape)) * (0.01 if a.name == "h" else 1)
            for a in parts[0].inputs
        ]
        given = list(arguments)
        if parts[0].inputs and parts[0].inputs[-1].name == "along_p":  # of the tunable ones only
            given[-1] = arguments[-1][:, chosen]
            arguments[-1] = np.zeros_like(arguments[-1])
            arguments[-1][:, chosen] = given[-1]
        results = getattr(compiled, name)(*given)
        results = results if isinstance(results, tuple) else (results,)
        for result, part in zip(results, parts, strict=True):
            value = part.evaluate(*arguments)
            if part.name.endswith(
                ("_dp", "p_bar", "B_p")
            ):  # columns of the tunable parameters only
                value = value[..., chosen]
            if part.name.endswith("H"):  # parameters come last in its rows and columns
                first = value.shape[-1] - len(system.parameters)
                kept = [*range(first), *(first + k for k in chosen)]
                value = value[..., kept, :][..., kept]
            np.testing.assert_allclose(result, value, rtol=1e-11, atol=1e-12)
