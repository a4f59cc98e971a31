"""Faults planted in the product itself, not in what systems declare: a case of a thesis fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from reference.test_mutants import fails, forget

from eomc.derive.cables import tension
from eomc.derive.finite_elements import node_rotation
from eomc.derive.forces import involute_cable
from eomc.runtime.control.flexible import RigidMotion
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.simulation.latch_run import LatchRun
from eomc_published import reference


def no_bending(patch: pytest.MonkeyPatch) -> None:
    """b- = 0."""
    looked_up = RigidMotion.looked_up

    def straight(self: RigidMotion, t: float) -> tuple[Any, Any]:
        force, bent = looked_up(self, t)
        return force, np.zeros_like(bent)

    patch.setattr(RigidMotion, "looked_up", straight)


def no_secant(patch: pytest.MonkeyPatch) -> None:
    """A node of a truss does not turn."""
    patch.setitem(
        node_rotation._KINDS,
        "secant",
        lambda structure, node, origin: np.zeros((3, len(structure.freedoms))),
    )


def damping_of_the_elongation(patch: pytest.MonkeyPatch) -> None:
    """The factor 1 + eps left out."""

    def short(*given: Any) -> tension.Tension:
        force = tension.damped(*given).on_length
        return tension.Tension(force, force)

    patch.setattr(involute_cable, "damped", short)


def impulse_without_masses(patch: pytest.MonkeyPatch) -> None:
    """Speeds that satisfy the constraints of a latch, but nearest to those before it as numbers."""
    call = Excitation.call

    def nearest(self: Excitation, function: str, values: Any) -> Any:
        if function != "velocity_correction":
            return call(self, function, values)
        rows, rates = (
            np.asarray(call(self, f"constraint_{what}", values))
            for what in ("jacobian", "velocity")
        )
        return -np.linalg.pinv(rows) @ rates

    patch.setattr(Excitation, "call", nearest)


def no_impulse(patch: pytest.MonkeyPatch) -> None:
    """A latch that closes leaves the speeds as they are."""
    call = Excitation.call

    def none(self: Excitation, function: str, values: Any) -> Any:
        found = call(self, function, values)
        return 0 * found if function == "velocity_correction" else found

    patch.setattr(Excitation, "call", none)


def no_release(patch: pytest.MonkeyPatch) -> None:
    """A latch that is to open stays closed."""
    watches = LatchRun._watches

    def held(self: LatchRun, t: float, state: Any) -> Any:
        return (watch for watch in watches(self, t, state) if watch.what != "opens")

    patch.setattr(LatchRun, "_watches", held)


@pytest.fixture(autouse=True)
def _kept_apart() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.parametrize(
    ("work", "number", "plant"),
    [
        pytest.param("boutin", 34, no_bending, marks=pytest.mark.slow),
        ("boutin", 36, no_secant),
        pytest.param("tensegrity", 11, damping_of_the_elongation, marks=pytest.mark.slow),
        pytest.param("capture", 1, impulse_without_masses, marks=pytest.mark.slow),
        pytest.param("capture", 2, impulse_without_masses, marks=pytest.mark.slow),
        pytest.param("capture", 3, no_impulse, marks=pytest.mark.slow),
        pytest.param("capture", 3, no_release, marks=pytest.mark.slow),
        pytest.param("capture", 4, no_release, marks=pytest.mark.slow),
        ("capture", 5, impulse_without_masses),
    ],
)
def test_a_case_fails(work: str, number: int, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    (case,) = reference(work).select([number])
    assert fails(case), f"case {number} is blind to it"
