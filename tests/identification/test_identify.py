"""Bodies found again from their forces, and bodies that are real whatever was measured."""

from __future__ import annotations

import numpy as np
import pytest
from identification.arms import arm, compiled, measured

import eomc
from eomc.runtime.identification import IdentificationError, identify
from eomc.runtime.identification.pseudo_inertia import is_real, pseudo_inertia


def wrong(seed: int = 2) -> np.ndarray:
    """A prior that is off by up to 30 %."""
    pi = compiled().inertial_parameters()
    return pi * np.random.default_rng(seed).uniform(0.7, 1.3, pi.size)


def test_the_pseudo_inertia_is_that_of_points() -> None:
    rng = np.random.default_rng(0)
    r, w = np.column_stack([rng.normal(size=(5, 3)), np.ones(5)]), rng.uniform(0.1, 1, 5)
    P = np.einsum("k,ki,kj", w, r, r)
    J = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
    ten = [P[3, 3], *P[3, :3], *np.diag(J), J[0, 1], J[0, 2], J[1, 2]]
    np.testing.assert_allclose(pseudo_inertia(ten), P, atol=1e-14)
    assert is_real(ten)
    # Positive moments that break the triangle inequality are of no body.
    assert not is_real([1, 0, 0, 0, 1, 1, 3, 0, 0, 0])


@pytest.mark.parametrize("consistent", [False, True])
def test_exact_forces_give_the_base_parameters_back(consistent: bool) -> None:
    q, u, a, tau = measured()
    losses = tau + 0.7 * u + 0.4 * np.sign(u) + 0.05 * a * [0, 0, 1, 1] - 0.2
    found = identify(
        compiled(),
        q,
        u,
        a,
        losses,
        joints=("viscous", "coulomb", "armature", "offset"),
        consistent=consistent,
        prior=wrong(),
    )
    true = found.base.of(compiled().inertial_parameters())
    np.testing.assert_allclose(found.beta, true, atol=2e-5 if consistent else 1e-9)
    # What the first joint about an axis accelerates is one sum of its rotor and of its bodies.
    assert set(found.untold) == {"yaw.armature", "lift.armature"}
    told = [found.joints[f"{joint}.armature"] for joint in ("bend", "reach")]
    np.testing.assert_allclose(told, 0.05, atol=1e-5)
    for word, value in (("viscous", 0.7), ("coulomb", 0.4), ("offset", -0.2)):
        told = [found.joints[f"{joint}.{word}"] for joint in ("lift", "bend", "reach")]
        np.testing.assert_allclose(told, value, atol=1e-5)
    assert found.residual.max() < (1e-5 if consistent else 1e-9)


def test_deviations_are_those_of_repeated_measurements() -> None:
    """Standard deviations against the scatter over independent noise: the second method."""
    q, u, a, tau = measured()
    rng = np.random.default_rng(1)
    runs = [
        identify(compiled(), q, u, a, tau + rng.normal(size=tau.shape), consistent=False)
        for _ in range(60)
    ]
    scatter = np.std([run.beta for run in runs], axis=0)
    told = np.mean([run.deviation for run in runs], axis=0)
    np.testing.assert_allclose(told / scatter, 1, atol=0.35)


def test_noise_makes_no_unreal_bodies() -> None:
    q, u, a, tau = measured()
    noisy = tau + 3 * np.random.default_rng(3).normal(size=tau.shape)
    free = identify(compiled(), q, u, a, noisy, consistent=False)
    found = identify(compiled(), q, u, a, noisy)
    assert not free.is_real and found.is_real
    # What is real fits a little worse, and is nearer to the truth.
    assert free.residual.sum() <= found.residual.sum() + 1e-9
    true = found.base.of(compiled().inertial_parameters())
    assert np.linalg.norm(found.beta - true) < np.linalg.norm(free.beta - true)
    again = eomc.build(found.applied_to(arm()), functions=["inverse_dynamics"], flags=("-O0",))
    left = np.sqrt(np.mean((noisy - again.inverse_dynamics(q, u, a)) ** 2, axis=0))
    np.testing.assert_allclose(left, found.residual, rtol=1e-8)
    with pytest.raises(ValueError, match="numbers of no real bodies"):
        free.applied_to(arm())
    with pytest.raises(ValueError, match="has no body 'turret'"):
        found.applied_to(eomc.Model("other"))


def test_what_cannot_be_told_is_as_before() -> None:
    q, u, a, tau = measured()
    found = identify(compiled(), q, u, a, tau)
    np.testing.assert_allclose(found.pi, compiled().inertial_parameters(), atol=1e-5)
    assert found.bodies["boom"].shape == (10,)


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "clarabel", None)
    with pytest.raises(IdentificationError, match=r"eomc\[identification\].*consistent=False"):
        identify(compiled(), *measured())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"q": np.zeros((150, 3))}, r"q has shape \(150, 3\), expected \(motions, 4\)"),
        ({"u": np.zeros((9, 4))}, "u has 9 rows, q has 150"),
        ({"tau": np.full((150, 4), np.nan)}, "tau is not finite"),
        ({"a": "fast"}, "a: give numbers, not str"),
        ({"joints": "viscuous"}, "joints: no term 'viscuous'; did you mean 'viscous'"),
        ({"prior": [1.0]}, r"prior has shape \(1,\), expected \(40,\)"),
        ({"trust": 0}, "trust is 0; give a number above 0"),
        ({"others": {"r": [0.0]}}, "others: the regressor of 'arm' takes no 'r'"),
    ],
)
def test_bad_input(change: dict[str, object], text: str) -> None:
    given = dict(zip(("q", "u", "a", "tau"), measured(), strict=True)) | change
    with pytest.raises(ValueError, match=text):
        identify(compiled(), **given)  # type: ignore[arg-type]


def test_too_few_motions() -> None:
    with pytest.raises(ValueError, match=r"8 measured forces for 8 numbers leave nothing"):
        identify(compiled(), *(x[:2] for x in measured()), joints=("viscous", "coulomb"))
