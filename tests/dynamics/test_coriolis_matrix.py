"""The Coriolis matrix: C u, the skew symmetry of M' - 2 C, and Christoffel's symbols."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest
from dynamics.evaluation import value

import eomc
from eomc.binding.arrays import Array
from eomc.derive.equations import Equations
from eomc.derive.joints.joint import Mimic

MODELS = Path(__file__).parents[2] / "examples" / "models"


def torso() -> eomc.Model:
    """A floating body with limbs: balls, slides, cylinders, a speed shared by two joints."""
    model = eomc.Model("torso", gravity=(0.3, 0, -9.81))
    model.body("torso", mass=5, com=(0.1, 0.05, 0), inertia=(0.3, 0.2, 0.4, 0.02, 0.01, -0.03))
    model.joint("root", "floating", parent="world", child="torso")
    chain = [
        ("upper", "spherical", "torso", {}),
        ("lower", "revolute", "upper", {"axis": (1, 2, 2), "rotor_inertia": 0.05}),
        ("rod", "cylindrical", "torso", {"axis": (0, 1, 0)}),
        ("tool", "universal", "rod", {}),
        ("left", "revolute", "torso", {"axis": (0, 0, 1)}),
        ("right", "revolute", "left", {"axis": (0, 1, 0), "mimic": Mimic("j_left", -2)}),
    ]
    for k, (name, kind, parent, more) in enumerate(chain):
        model.body(name, mass=1 + 0.2 * k, com=(0.1, -0.05, 0.2), inertia=(0.02, 0.03, 0.025))
        model.joint(
            f"j_{name}", kind, parent=parent, child=name, placement=(0.1, 0.2, 0.1 * k), **more
        )
    return model


def strings() -> eomc.Model:
    """Joints whose subspaces change in their links, two speeds each."""
    model = eomc.Model("strings")
    model.body("base", mass=2, com=(0.1, 0.2, 0.1), inertia=(0.3, 0.4, 0.5))
    model.joint("base", "revolute", parent="world", child="base", axis=(0, 1, 0))
    for k, kind in enumerate(("involute_length", "involute_strain")):
        model.body(kind, mass=0.5, com=(0.1, 0.05, 0.02), inertia=(0.01, 0.02, 0.03))
        model.joint(
            f"j{k}",
            kind,
            parent="base",
            child=kind,
            axis=(1, 2, 2),
            radius=0.2,
            placement=(0.3, 0, k),
            child_placement=(0.1, 0, 0),
        )
        model.involute_cable(f"c{k}", joint=f"j{k}", modulus=100, width=0.05)
    return model


SYSTEMS = {
    "panda": lambda: eomc.load(MODELS / "panda.toml"),
    "torso": torso,
    "strings": strings,
    "planar": lambda: eomc.load(MODELS / "double_pendulum.toml"),
}


@functools.cache
def equations(name: str) -> Equations:
    return eomc.equations(SYSTEMS[name]())


@functools.cache
def state(name: str) -> tuple[Array, Array]:
    rng, of = np.random.default_rng(3), equations(name)
    q = value(of, "integrate", q=value(of, "neutral"), du=rng.uniform(0.2, 0.8, len(of.speeds)))
    return q, rng.uniform(-1, 1, len(of.speeds))


def rate_of_mass(name: str, q: Array, u: Array, h: float = 1e-4) -> Array:
    """M' along u, by differences of fourth order."""

    def mass(step: float) -> Array:
        of = equations(name)
        at = value(of, "integrate", q=q, du=step * u)
        return np.asarray(value(of, "mass_matrix", q=at))

    return (8 * (mass(h) - mass(-h)) - (mass(2 * h) - mass(-2 * h))) / (12 * h)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_rate_of_the_mass_matrix_less_twice_it_is_skew(name: str) -> None:
    q, u = state(name)
    found = np.asarray(value(equations(name), "coriolis_matrix", q=q, u=u))
    rate = rate_of_mass(name, q, u)
    # Along constant speeds integrate() follows the motion to second order, and M' to first.
    assert np.abs(rate).max() > 1e-3
    assert np.allclose(rate, found + found.T, rtol=0, atol=1e-9 * (1 + np.abs(found).max()))
    assert np.abs(found - found.T).max() > 1e-3


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_gives_the_gyroscopic_forces(name: str) -> None:
    """The part of the bias that is quadratic in the speeds: damping is odd, weight has none."""
    of, (q, u) = equations(name), state(name)
    found = np.asarray(value(of, "coriolis_matrix", q=q, u=u)) @ u
    there, back, still = (np.asarray(value(of, "bias", q=q, u=k * u)) for k in (1, -1, 0))
    assert np.allclose(found, (there + back) / 2 - still, rtol=0, atol=1e-12 * np.abs(found).max())


@pytest.mark.parametrize("name", ["panda", "strings", "planar"])
def test_it_is_that_of_christoffel_where_speeds_are_rates(name: str) -> None:
    """C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) u_k / 2, by differences of M."""
    q, u = state(name)
    slopes = np.array([rate_of_mass(name, q, e) for e in np.eye(len(u))])  # [k, i, j]
    symbols = (np.moveaxis(slopes, 0, 2) + np.moveaxis(slopes, 0, 1) - slopes) / 2  # [i, j, k]
    found = np.asarray(value(equations(name), "coriolis_matrix", q=q, u=u))
    assert np.allclose(symbols @ u, found, rtol=0, atol=1e-8 * (1 + np.abs(found).max()))


def test_of_prescribed_motion_it_has_the_free_speeds() -> None:
    """M' counts the prescribed motion; its own columns are no part of C."""
    model = eomc.load(MODELS / "double_pendulum.toml")
    model.prescribed(model.speeds[0])
    of = eomc.equations(model)
    s, rate, q, u = np.array([0.4]), np.array([0.7]), np.array([0.5]), np.array([-0.3])
    given = {"s": s, "s_rate": rate}
    found = np.asarray(value(of, "coriolis_matrix", q=q, u=u, **given))
    whole = np.asarray(
        value(equations("planar"), "coriolis_matrix", q=np.r_[s, q], u=np.r_[rate, u])
    )
    assert found.shape == (1, 1) and found[0, 0] == pytest.approx(whole[1, 1], abs=1e-14)


def test_deformable_bodies_are_refused_by_name() -> None:
    model = eomc.load(MODELS / "flexible_arm.toml")
    with pytest.raises(AttributeError, match=r"coriolis_matrix.*some of its bodies deform"):
        _ = eomc.equations(model).coriolis_matrix


def test_in_c_and_python() -> None:
    """The compiled function, batches included."""
    model = eomc.build(MODELS / "double_pendulum.toml")
    q, u = np.array([[0.3, -0.5], [1.0, 0.2]]), np.array([[1.0, -2.0], [0.5, 0.4]])
    found = model.coriolis_matrix(q, u)
    expected = [
        value(equations("planar"), "coriolis_matrix", q=a, u=b) for a, b in zip(q, u, strict=True)
    ]
    assert np.allclose(found, expected, rtol=1e-13, atol=1e-15)
