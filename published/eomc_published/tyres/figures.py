"""Pictures of tyres, critical speeds and ride."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc_published.tyres.handling import car_at, car_critical, slowest, truck_critical
from eomc_published.tyres.ride import truck_ride
from eomc_published.tyres.slip import LOADS, forces
from eomc_published.work import Figure


def _figure(columns: int) -> Any:
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(4.5 * columns, 3.6), layout="constrained")
    return figure, np.atleast_1d(figure.subplots(1, columns))


def draw_slip(path: Path) -> None:
    """Pure lateral slip, and combined slip in the friction ellipse."""
    figure, (pure, combined) = _figure(2)
    angles = np.linspace(-15, 15, 121)
    for load in LOADS:
        values = [forces("magic_formula", load, x, 0.0)[1] for x in np.radians(angles)]
        pure.plot(angles, np.array(values) / 1e3, label=f"{load / 1e3:g} kN")
    pure.set(xlabel="slip angle [degrees]", ylabel="lateral force [kN]")
    pure.legend()
    for angle in (1, 2, 4, 8):
        slips = np.tan(np.linspace(-1.2, 1.2, 121)) / 3
        values = [forces("magic_formula", 4000.0, np.radians(angle), x) for x in slips]
        combined.plot(*(np.array(values).T / 1e3), label=f"{angle} degrees")
    combined.set(xlabel="longitudinal force [kN]", ylabel="lateral force [kN]")
    combined.legend()
    figure.savefig(path, dpi=130)


def draw_speeds(path: Path) -> None:
    """Slowest eigenvalue over speed."""
    figure, (car, truck) = _figure(2)
    speeds = np.linspace(15, 60, 60)
    values = [np.linalg.eigvals(car_at(v).without("speed(ride_vx)").A).real.max() for v in speeds]
    car.plot(speeds, values)
    car.axvline(car_critical(), color="0.4", ls="--")
    car.set(title="oversteering car", xlabel="speed [m/s]", ylabel="largest real part [1/s]")
    speeds = np.linspace(15, 45, 31)
    truck.plot(speeds, [slowest(v) for v in speeds])
    truck.axvline(truck_critical(), color="0.4", ls="--")
    truck.set(title="five-axle truck", xlabel="speed [m/s]")
    for ax in (car, truck):
        ax.axhline(0, color="0.7", lw=0.8)
    figure.savefig(path, dpi=130)


def draw_ride(path: Path) -> None:
    """Density of the tractor's vertical acceleration."""
    figure, (ax,) = _figure(1)
    found = truck_ride()
    for spectrum, name in ((found, "unweighted"), (found.weighted(), "W_k")):
        text = f"{name}: {spectrum.rms:.2f} m/s²"
        ax.loglog(spectrum.frequency, spectrum.density, label=text)
    ax.set(xlabel="frequency [Hz]", ylabel="density [(m/s²)²/Hz]", ylim=(1e-6, None))
    ax.legend()
    figure.savefig(path, dpi=130)


FIGURES = (
    Figure("slip", "Lateral and combined slip of a passenger car's tyre", (1, 2), draw_slip),
    Figure("critical_speeds", "Slowest eigenvalue over speed", (5, 7), draw_speeds),
    Figure("ride", "Vertical acceleration of the tractor, road of class B", (11,), draw_ride),
)
