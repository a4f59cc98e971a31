"""Second-order form about steady motions, in the displacements that are left after cyclic ones."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

import numpy as np
import pytest

import eomc
from eomc.runtime.errors import LinearizationError
from eomc.runtime.linearization import LinearModel, critical_speeds, speed_form
from eomc.systems.bicycle import bicycle, straight_ahead

G = 9.81
_ASKED = ["forward_dynamics", "linearization"]
_FREE = ["x", "y", "yaw", "lean", "steer", "rear", "front"]


@cache
def ready() -> eomc.CompiledModel:
    return eomc.build(bicycle(), functions=[*_ASKED])


@cache
def ahead(v: float) -> LinearModel:
    model = ready()
    return eomc.linearize(model, u=straight_ahead(v), tau=np.zeros(model.nu), independent=_FREE)


def published() -> dict[str, np.ndarray]:
    """M, C1, K0, K2 by the formulas of appendix A of the benchmark, written out from its data."""
    w, c, tilt, r_r, r_f = 1.02, 0.08, pi / 10, 0.3, 0.35
    m_r, m_b, m_h, m_f = 2, 85, 4, 3
    x_b, z_b, x_h, z_h = 0.3, -0.9, 0.9, -0.7
    m_t = m_r + m_b + m_h + m_f
    x_t = (x_b * m_b + x_h * m_h + w * m_f) / m_t
    z_t = (-r_r * m_r + z_b * m_b + z_h * m_h - r_f * m_f) / m_t
    t_xx = 0.0603 + 9.2 + 0.05892 + 0.1405
    t_xx += m_r * r_r**2 + m_b * z_b**2 + m_h * z_h**2 + m_f * r_f**2
    t_xz = 2.4 - 0.00756 - m_b * x_b * z_b - m_h * x_h * z_h + m_f * w * r_f
    t_zz = 0.0603 + 2.8 + 0.00708 + 0.1405 + m_b * x_b**2 + m_h * x_h**2 + m_f * w**2
    m_a = m_h + m_f
    x_a, z_a = (x_h * m_h + w * m_f) / m_a, (z_h * m_h - r_f * m_f) / m_a
    a_xx = 0.05892 + 0.1405 + m_h * (z_h - z_a) ** 2 + m_f * (r_f + z_a) ** 2
    a_xz = -0.00756 - m_h * (x_h - x_a) * (z_h - z_a) + m_f * (w - x_a) * (r_f + z_a)
    a_zz = 0.00708 + 0.1405 + m_h * (x_h - x_a) ** 2 + m_f * (w - x_a) ** 2
    u_a = (x_a - w - c) * cos(tilt) - z_a * sin(tilt)
    a_ll = m_a * u_a**2 + a_xx * sin(tilt) ** 2
    a_ll += 2 * a_xz * sin(tilt) * cos(tilt) + a_zz * cos(tilt) ** 2
    a_lx = -m_a * u_a * z_a + a_xx * sin(tilt) + a_xz * cos(tilt)
    a_lz = m_a * u_a * x_a + a_xz * sin(tilt) + a_zz * cos(tilt)
    mu = c / w * cos(tilt)
    s_r, s_f = 0.12 / r_r, 0.28 / r_f
    s_t, s_a = s_r + s_f, m_a * u_a + mu * m_t * x_t
    lean_steer = a_lx + mu * t_xz
    turned = mu * s_t + s_f * cos(tilt)
    return {
        "M": np.array([[t_xx, lean_steer], [lean_steer, a_ll + 2 * mu * a_lz + mu**2 * t_zz]]),
        "K0": np.array([[m_t * z_t, -s_a], [-s_a, -s_a * sin(tilt)]]),
        "K2": np.array(
            [[0, (s_t - m_t * z_t) / w * cos(tilt)], [0, (s_a + s_f * sin(tilt)) / w * cos(tilt)]]
        ),
        "C1": np.array(
            [
                [0, turned + t_xz / w * cos(tilt) - mu * m_t * z_t],
                [-turned, a_lz / w * cos(tilt) + mu * (s_a + t_zz / w * cos(tilt))],
            ]
        ),
    }


@pytest.mark.slow
def test_the_bicycle_of_the_benchmark() -> None:
    """Published matrices and speeds, and those of the formulas."""
    form = speed_form(ahead)
    assert form.coordinates == ("lean", "steer")
    expected = published()
    assert np.abs(expected["M"][0] - [80.81722, 2.31941332208709]).max() < 1e-13
    assert (
        np.abs(
            expected["C1"].ravel()[1:] - [33.86641391492494, -0.85035641456978, 1.68540397397560]
        ).max()
        < 1e-13
    )
    for name, found in (("M", form.M), ("K0", form.K0 / G), ("K2", form.K2), ("C1", form.C1)):
        assert np.abs(found - expected[name]).max() < 1e-10, name
    for none in (form.C0, form.K1):
        assert np.abs(none).max() < 1e-9
    weave, capsize = form.critical_speeds(0.1, 10)
    assert np.isclose(weave.speed, 4.29238253634111, rtol=1e-12)
    assert weave.stabilizes and weave.frequency > 3
    assert np.isclose(capsize.speed, 6.02426201538837, rtol=1e-12)
    assert not capsize.stabilizes and capsize.frequency == 0


@pytest.mark.slow
def test_the_form_has_the_eigenvalues_of_the_first_order_one() -> None:
    """At 5 m/s, published to 14 digits, and beside zeros those of A."""
    steady = ahead(5.0).without_cyclic()
    values = np.sort_complex(np.linalg.eigvals(steady.A))
    known = [
        -14.07838969279822,
        -0.77534188219585 - 4.46486771378823j,
        -0.77534188219585 + 4.46486771378823j,
        -0.32286642900409,
    ]
    assert np.abs(values - np.sort_complex(np.array(known))).max() < 1e-9
    assert steady.states == ("lean", "steer", "rate(lean)", "rate(steer)")
    whole = np.linalg.eigvals(ahead(5.0).A)
    for value in values:
        assert np.abs(whole - value).min() < 1e-9
    tau = steady.inputs.index("tau(steer)")
    assert np.abs(steady.forcing[:, tau] - [0, 1]).max() < 1e-12


@pytest.mark.slow
def test_what_has_no_such_form() -> None:
    """A turn, in which the speed of travel acts on the lean; free fall, where all is cyclic."""
    model = eomc.Model("puck", gravity=(0, 0, 0))
    model.body("puck", mass=1)
    model.joint("x", "prismatic", parent="world", child="puck", axis=(1, 0, 0))
    with pytest.raises(LinearizationError, match="all displacements are cyclic"):
        eomc.linearize(eomc.build(model, functions=_ASKED)).without_cyclic()
    skate = eomc.Model("skate", gravity=(0, 0, 0))
    skate.body("skate", mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.1))
    skate.joint("way", "planar", parent="world", child="skate", axis=(0, 0, 1))
    skate.constraint("edge", "knife_edge", a="skate", axis_a=(0, 1, 0))
    with pytest.raises(LinearizationError, match="without_cyclic"):
        _ = eomc.linearize(eomc.build(skate, functions=_ASKED)).mass
    model = eomc.Model("lagging")
    model.body("mass", mass=1)
    model.joint("x", "prismatic", parent="world", child="mass", axis=(1, 0, 0))
    model.lag("motor", speed="x", command="-x", time_constant=0.1)
    with pytest.raises(LinearizationError, match="elements have states of their own"):
        eomc.linearize(eomc.build(model, functions=_ASKED)).without_cyclic()


def test_critical_speeds_of_matrices() -> None:
    """A pair that crosses at v = 1, a real root at v = 2, a saddle l, -l that is none."""

    def a(v: float) -> np.ndarray:
        found = np.zeros((5, 5))
        found[:2, :2] = [[1 - v, 3], [-3, 1 - v]]
        found[2, 2] = v - 2
        found[3:, 3:] = [[-5, 0], [0, 2 + v]]
        return found

    pair, root = critical_speeds(a, 0.3, 3.3)
    assert np.isclose(pair.speed, 1) and np.isclose(pair.frequency, 3) and pair.stabilizes
    assert np.isclose(root.speed, 2) and root.frequency == 0 and not root.stabilizes
    with pytest.raises(ValueError, match="give lower < upper"):
        critical_speeds(a, 3, 1)
    with pytest.raises(ValueError, match="three different"):
        speed_form(ahead, (1, 1, 2))


def test_speeds_that_matrices_do_not_follow() -> None:
    """A damper that grows with the cube of the speed."""
    model = eomc.Model("sledge", gravity=(0, 0, 0))
    model.body("sledge")
    model.body("mast", mass=1)
    model.joint("x", "prismatic", parent="world", child="sledge", axis=(1, 0, 0))
    model.joint("y", "prismatic", parent="sledge", child="mast", axis=(0, 1, 0))
    model.joint_spring("spring", joint="y", stiffness=1)
    model.generalized_force("drag", speed="y", expression="-speed(x)**3*speed(y)")
    built = eomc.build(model, functions=_ASKED)
    with pytest.raises(LinearizationError, match="the damping matrix is no polynomial"):
        speed_form(lambda v: eomc.linearize(built, u={"x": v}))
