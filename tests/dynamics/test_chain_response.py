"""Derivatives of forward dynamics of chains by articulated inertias."""

import math

import mpmath
import numpy as np
import pytest

import eomc
from eomc.derive.dynamics import chain_response
from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.graph import evaluate_mp, flops
from eomc.derive.model import Mimic
from eomc.derive.system import partials
from eomc.systems.pendulum import spatial_pendulum

pytestmark = pytest.mark.variants

NAMES = ("da_dq", "da_du", "da_dtau")


def chain(kinds: list[str], seed: int, **losses: float) -> eomc.Model:
    """Links of general inertia, joints at general places about general or coordinate axes."""
    rng = np.random.default_rng(seed)
    model = eomc.Model("chain", gravity=tuple(rng.normal(size=3)))
    parent = "world"
    for k, kind in enumerate(kinds):
        spread = rng.normal(size=(3, 3))
        inertia = (spread**2).sum() * np.eye(3) - spread @ spread.T
        model.body(
            f"b{k}",
            mass=rng.uniform(1, 2),
            com=tuple(rng.normal(size=3)),
            inertia=(*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]),
        )
        axis = tuple(rng.normal(size=3)) if k % 2 else tuple(np.eye(3)[k % 3])
        options = {"pitch": 0.3} if kind == "screw" else {}
        place = eomc.Placement(xyz=tuple(rng.normal(size=3)), rpy=tuple(rng.normal(size=3)))
        model.joint(
            f"j{k}",
            kind,
            parent=parent,
            child=f"b{k}",
            axis=axis,
            placement=place,
            **options,
            **losses,
        )
        parent = f"b{k}"
    return model


KINDS = ["revolute", "prismatic", "screw", "revolute", "revolute", "prismatic"]


@pytest.mark.parametrize(
    ("kinds", "losses", "spring"),
    [
        (KINDS, {}, False),
        (KINDS[::-1], {"damping": 0.2, "friction": 0.3, "friction_speed": 0.5}, False),
        (["revolute"] * 4, {"rotor_inertia": 0.1, "gear_ratio": 3.0}, False),
        (["revolute", "screw", "revolute"], {"damping": 0.1}, True),
        (["revolute"], {}, False),
    ],
)
def test_exact(kinds, losses, spring):
    """In 50 digits, against differentiation of forward dynamics on the graph.

    The constants of the model are doubles, so its rotations are orthogonal to 1e-16 only.
    """
    model = chain(kinds, len(kinds), **losses)
    if spring:
        ends = eomc.Point("b2", (0.1, 0.2, 0.3)), eomc.Point("world", (1.0, 2.0, 0.5))
        model.spring("s", a=ends[0], b=ends[1], stiffness=3.0, damping=0.4, free_length=0.2)
    system = eomc.equations(model).system(())
    assert chain_response.applies(system.tree, system.state)
    found = partials._by_responses(system)
    one = (system.tree.zero + 1).node
    a = system.forward_articulated.acceleration
    directions = [
        system.directions(),
        *([{x.node: one} for x in array] for array in (system.u, system.tau)),
    ]
    values = {}
    rng = np.random.default_rng(1)
    for array in (system.q, system.u, system.tau):
        values |= {system.graph.value[x.node]: float(rng.normal()) for x in array}
    pairs = zip((found.by_q, found.by_u, found.inverse), directions, NAMES, strict=True)
    for columns, along, name in pairs:
        swept = swept_columns(system, a, along)
        flat = [entry.node for column in (*columns, *swept) for entry in column]
        numbers = evaluate_mp(system.graph, flat, values, 50)
        half = len(numbers) // 2
        scale = max(abs(x) for x in numbers) + mpmath.mpf(1e-30)
        worst = max(abs(x - y) for x, y in zip(numbers[:half], numbers[half:], strict=True))
        assert worst < 1e-13 * scale, name


def test_only_chains_of_single_speeds():
    """Branches, followers, joints of several speeds and prescribed joints go another way."""
    branched = chain(["revolute", "revolute"], 0)
    branched.body("side", mass=1.0, com=(0, 0, 1), inertia=(1, 1, 1))
    branched.joint("fork", "revolute", parent="b0", child="side", axis=(1, 0, 0))
    ball = chain(["revolute"], 0)
    ball.body("end", mass=1.0, com=(0, 0, 1), inertia=(1, 1, 1))
    ball.joint("ball", "spherical", parent="b0", child="end")
    driven = chain(["revolute", "revolute"], 0)
    driven.prescribed("j0")
    follower = chain(["revolute"], 0)
    follower.body("end", mass=1.0, com=(0, 0, 1), inertia=(1, 1, 1))
    mimic = Mimic("j0", 2.0, 0.1)
    follower.joint("same", "revolute", parent="b0", child="end", axis=(1, 0, 0), mimic=mimic)
    for model in (branched, ball, driven, follower):
        system = eomc.equations(model).system(())
        assert not chain_response.applies(system.tree, system.state)


def operations(joints: int) -> int:
    program = eomc.equations(spatial_pendulum(joints)).program(
        functions=["forward_dynamics_derivatives"]
    )
    return flops(program.graph, program.functions[0].nodes)


def test_quadratic_growth():
    """The exponent of the count on chains of 10 to 40 joints, and the count at 30."""
    counts = {n: operations(n) for n in (10, 20, 30, 40)}
    slopes = np.polyfit([math.log(n) for n in counts], [math.log(c) for c in counts.values()], 1)
    assert slopes[0] <= 2.1
    # Through M = L^T D L: two solutions of N columns, 4 N^3 operations, and more.
    assert counts[30] < 4 * 30**3
