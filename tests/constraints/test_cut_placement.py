"""Where a loop is cut does not change its motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from constraints.rings import SIZES, Ring, random_link
from constraints.values import Values, near
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.binding.arrays import Array

KINDS = tuple(SIZES)


def random_ring(seed: int, base: str = "world") -> Ring:
    """Joints of any kind, seven to nine freedoms among them."""
    rng = np.random.default_rng(seed)
    kinds: list[str] = []
    while sum(SIZES[kind] for kind in kinds) < 7 or len(kinds) < 3:
        kinds.append(str(rng.choice(KINDS)))
    links = [random_link(rng, kind) for kind in kinds]
    chain = Ring.__new__(Ring)  # the chain alone, to draw coordinates on its manifold
    chain.links, chain.base, chain.count = links, base, len(links) - 1
    values = Values(chain._model(None))
    du = rng.uniform(-0.7, 0.7, size=len(values.equations.speeds))
    return Ring(links, values("integrate", q=values("neutral"), du=du), base=base)


def motion(values: Values, q: Array, u: Array) -> dict[str, Any]:
    """What does not depend on the coordinates: energies, power, motion of the bodies."""
    rest = np.zeros(len(u))
    a = values("forward_dynamics", q=q, u=u, tau=rest)
    found = {
        "kinetic_energy": values("kinetic_energy", q=q, u=u),
        "potential_energy": values("potential_energy", q=q),
        "power": values("power", q=q, u=u, tau=rest),
    }
    for body in values.model.bodies:
        found[f"{body}.v"] = values(f"frame_{body}_velocity", q=q, u=u)
        found[f"{body}.a"] = values(f"frame_{body}_acceleration", q=q, u=u, a=a)
    return found


def check_every_cut(ring: Ring, seed: int) -> None:
    u_of = ring.speeds(np.random.default_rng(seed))
    first: dict[str, Any] | None = None
    for k in range(len(ring.links)):
        if any(link.kind == "universal" for link in ring.links[k + 1 :]):
            continue  # the tree would have to pass it from child to parent
        values = Values(ring.cut_at(k))
        q, u = ring.state(values, u_of)
        zero = values("constraint_residual", q=q)
        assert near(zero, 0 * zero, 1e-12)
        rate = values("constraint_velocity", q=q, u=u)
        assert near(rate, 0 * rate, 1e-11)
        found = motion(values, q, u)
        if first is None:
            first = found
            continue
        for name, expected in first.items():
            assert near(found[name], expected, 1e-8), (k, name)


@pytest.mark.slow
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_rings(seed: int) -> None:
    """Revolute, prismatic, screw, cylindrical, universal and spherical joints, all damped."""
    check_every_cut(random_ring(seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_rings_on_a_floating_base(seed: int) -> None:
    """The base turns by a quaternion; without gravity and losses momenta are kept."""
    check_every_cut(random_ring(seed, base="hull"), seed)
