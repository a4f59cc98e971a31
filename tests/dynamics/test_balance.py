"""Laws that hold for every mechanism: energy, momentum, consistency of the functions among
themselves."""

from __future__ import annotations

import numpy as np
import pytest
from dynamics.evaluation import close, value
from dynamics.loaded_trees import loaded_tree
from peers.random_trees import random_coordinates

import eomc
from eomc.derive.equations import Equations
from eomc.derive.graph import ForwardSweep, evaluate
from eomc.derive.tree.link import WORLD

pytestmark = pytest.mark.variants

SEEDS = range(12)


def state(equations: Equations, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    nu = len(equations.speeds)
    return {
        "q": random_coordinates(equations.model, rng),
        "u": rng.normal(size=nu),
        "tau": rng.normal(size=nu),
        "r": rng.normal(size=len(equations.model.inputs)),
        "t": np.array(0.7),
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_power_is_the_rate_of_energy(seed: int) -> None:
    """d/dt (T + V) along the motion equals the power of tau, losses, actuators and inputs."""
    equations = eomc.equations(loaded_tree(seed))
    at = state(equations, seed)
    a = value(equations, "forward_dynamics", **at)
    program = equations.program(functions=["kinetic_energy", "potential_energy"])
    graph = program.graph
    kinetic, potential = program.functions
    system = equations.system(equations.tunable(None))
    rates = system.coordinate_rates()
    direction = {q.node: rate.node for q, rate in zip(system.q, rates, strict=True)}
    direction |= {u.node: du.node for u, du in zip(system.u, system.a, strict=True)}
    direction[system.time.node] = graph.constant(1)
    slopes = ForwardSweep(graph, [*kinetic.nodes, *potential.nodes])(direction)
    values = {}
    for name, array in {**at, "a": a}.items():
        values |= {f"{name}[{i}]": x for i, x in enumerate(np.ravel(array))}
    values["t"] = at["t"]
    got = sum(float(x) for x in evaluate(graph, slopes, values))
    assert got == pytest.approx(float(value(equations, "power", **at)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_at_rest_are_the_gradient_of_potential_energy(seed: int) -> None:
    """Conservative loads and weight: c(q, 0) without the other loads = dV along each speed's
    direction."""
    equations = eomc.equations(loaded_tree(seed, conservative_only=True))
    at = state(equations, seed)
    rest = np.zeros(len(equations.speeds))
    c = value(equations, "bias", **{**at, "u": rest})
    step = 1e-5
    slope = []
    for k in range(rest.size):
        du = np.zeros(rest.size)
        du[k] = step
        ahead = value(equations, "integrate", q=at["q"], du=du)
        behind = value(equations, "integrate", q=at["q"], du=-du)
        change = value(equations, "potential_energy", q=ahead, t=at["t"]) - value(
            equations, "potential_energy", q=behind, t=at["t"]
        )
        slope.append(float(change) / (2 * step))
    assert close(c, slope, 1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_functions_agree_with_each_other(seed: int) -> None:
    """tau = M a + c; forward inverts inverse; T = u M u / 2; p = m J_com u."""
    equations = eomc.equations(loaded_tree(seed))
    at = state(equations, seed)
    a = np.random.default_rng(seed + 100).normal(size=at["u"].size)
    tau = value(equations, "inverse_dynamics", **at, a=a)
    mass = value(equations, "mass_matrix", **at)
    assert close(tau, mass @ a + value(equations, "bias", **at))
    assert close(value(equations, "forward_dynamics", **{**at, "tau": tau}), a, 1e-9)
    assert close(mass, mass.T, 0.0)
    assert np.linalg.eigvalsh(mass).min() > 0
    energy = value(equations, "kinetic_energy", **at)
    assert float(energy) == pytest.approx(0.5 * at["u"] @ mass @ at["u"], rel=1e-11)
    links = {name: link for name, (link, _, _) in equations.system(()).tree.pose_of.items()}
    moving = [b for b in equations.model.bodies.values() if links[b.name] != WORLD]
    total = sum(float(body.mass) for body in moving)
    com_velocity = value(equations, "center_of_mass_jacobian", **at) @ at["u"]
    assert close(value(equations, "momentum", **at)[:3], total * com_velocity)


@pytest.mark.parametrize("seed", SEEDS)
def test_derivatives_against_differences_along_the_manifold(seed: int) -> None:
    """Columns by q are tangent directions: central differences through `integrate`."""
    equations = eomc.equations(loaded_tree(seed))
    at = state(equations, seed)
    exact = value(equations, "forward_dynamics_derivatives", **at)
    n, step = at["u"].size, 1e-6
    for k, name in enumerate(("q", "u", "tau")):
        columns = []
        for j in range(n):
            h = np.zeros(n)
            h[j] = step
            sides = []
            for sign in (1, -1):
                moved = dict(at)
                if name == "q":
                    moved["q"] = value(equations, "integrate", q=at["q"], du=sign * h)
                else:
                    moved[name] = at[name] + sign * h
                sides.append(value(equations, "forward_dynamics", **moved))
            columns.append((sides[0] - sides[1]) / (2 * step))
        assert close(exact[k], np.array(columns).T, 2e-6), name


@pytest.mark.parametrize("seed", SEEDS)
def test_parameters_kept_tunable_change_no_value(seed: int) -> None:
    """Baked numbers are regrouped and folded, symbols are not: two derivations, one physics."""
    model = loaded_tree(seed)
    equations = eomc.equations(model)
    at = state(equations, seed)
    a = np.random.default_rng(seed + 100).normal(size=at["u"].size)
    for name in ("inverse_dynamics", "forward_dynamics", "momentum", "center_of_mass"):
        baked = value(equations, name, tunable=[], **at, a=a)
        kept = value(equations, name, tunable="all", **at, a=a)
        assert close(kept, baked, 1e-10), name


@pytest.mark.parametrize("seed", range(4))
def test_parameter_derivatives_against_differences(seed: int) -> None:
    model = loaded_tree(seed)
    equations = eomc.equations(model)
    at = state(equations, seed)
    names = list(model.parameters)
    exact = value(equations, "forward_dynamics_parameter_derivatives", tunable="all", **at)
    program = equations.program(functions=["forward_dynamics"], tunable="all")
    (function,) = program.functions
    values = {p.symbol: p.default for p in program.parameters}
    for argument in function.inputs:
        values |= dict(zip(argument.entries, np.ravel(at[argument.name]), strict=True))
    for k, name in enumerate(names):
        step = 1e-6
        sides = [
            np.array(
                [
                    float(x)
                    for x in evaluate(
                        program.graph,
                        function.outputs[0].entries,
                        {**values, name: values[name] + sign * step},
                    )
                ]
            )
            for sign in (1, -1)
        ]
        assert close(exact[:, k], (sides[0] - sides[1]) / (2 * step), 1e-6), name
