"""Case of the suspensions: 42."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.runtime.linearization import UserForce, linearize
from eomc.runtime.linearization.spectrum import Spectrum, spectrum
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.trom.models import axle, strut

# Records as long as the thesis's, by its bins.
_RECORDS = {"strut": (20.0, 100.0, 1), "twist axle": (15.0, 100.0, 2)}
_SPEED = 0.02


def model_of(name: str, tyre: bool = True) -> CompiledModel:
    """The suspension by name."""
    return strut(tyre) if name == "strut" else axle(tyre)


@cache
def at_rest(name: str) -> Equilibrium:
    """Standing on its wheels."""
    return equilibrium(model_of(name))


def frequencies(name: str, **options: object) -> Array:
    """Natural frequencies [Hz] about the state of rest."""
    linear = linearize(model_of(name), at_rest(name), **options)  # type: ignore[arg-type]
    found: Array = linear.modes().natural_frequency[::2]
    return found


def tyre_force(name: str) -> UserForce:
    """The tyres of the suspension as a function of the user, without derivative."""
    from eomc.systems.trom.suspensions import STRUT_TYRE, TWIST_TYRE

    model = model_of(name, False)
    wheels = {
        "strut": (("contact", STRUT_TYRE, 0.02),),
        "twist axle": (("contact_left", TWIST_TYRE, 0.015), ("contact_right", TWIST_TYRE, 0.015)),
    }[name]
    places = [(model.frame(frame), stiffness, free) for frame, stiffness, free in wheels]

    def law(t: float, q: Array, u: Array) -> Array:
        force = np.zeros(model.nu)
        for frame, stiffness, free in places:
            load = stiffness * (free - frame.pose(q)[2, 3])
            force += load * frame.jacobian(q)[2]
        return force

    return UserForce(law, name="tyres", of_speeds=False)


@cache
def simulated(name: str) -> Spectrum:
    """Spectrum of free vibrations from small consistent speeds."""
    duration, rate, _ = _RECORDS[name]
    model, rest = model_of(name), at_rest(name)
    basis = linearize(model, rest).basis
    start = _SPEED * basis @ np.arange(1.0, basis.shape[1] + 1)
    t = np.arange(int(duration * rate)) / rate
    run = simulate(model, rest.q, start, t_span=t, rtol=1e-9, atol=1e-12)
    return spectrum(run.t, run.q)


def _suspensions() -> Iterator[CaseCheck]:
    for name, (_, _, count) in _RECORDS.items():
        exact = frequencies(name)
        yield holds(f"{name}: modes", str(count), str(len(exact)), len(exact) == count)
        text = ", ".join(f"{f:.4f}" for f in exact)
        near = bool(((exact > 9) & (exact < 13)).all())
        yield holds(f"{name}: frequencies [Hz]", "of wheel hop, 9 to 13", text, near)
        for method in ("one-sided", "central"):
            gap = np.abs(frequencies(name, method=method) / exact - 1).max()
            # The thesis's largest gap is 0.070 %.
            yield at_most(f"{name}: {method} differences, relative gap", gap, 7e-4)
        bare = linearize(model_of(name, False), at_rest(name), forces=tyre_force(name))
        by_user = bare.modes().natural_frequency[::2]
        gap = np.abs(by_user / exact - 1).max()
        yield at_most(f"{name}: tyres differenced as a user's force", gap, 1e-6)
        found = simulated(name)
        for k, frequency in enumerate(exact):
            peak = found.nearest(float(frequency), floor=0.05)
            yield agrees(
                f"{name}: spectral peak of mode {k + 1} [Hz]", frequency, peak, found.bin / 2
            )


CASES = (
    Case(
        42,
        "McPherson strut and twist axle",
        "section 4.5, table 4.2",
        "exact, differenced and simulated frequencies on own data",
        _suspensions,
        note="The thesis prints frequencies and times only; topology and data are common ones.",
        slow=True,
    ),
)
