"""Cases of critical speeds: 5 to 7."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from scipy.optimize import brentq

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.runtime.linearization import LinearModel, linearize
from eomc.runtime.linearization.critical_speeds import critical_speeds
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.trom import semitrailer
from eomc.systems.trom.semitrailer import AXLES, FORWARD
from eomc.systems.vehicles import PASSENGER_TYRE, TRUCK_TYRE, single_track_car, trailing_wheel
from eomc_published.case import Case, CaseCheck, agrees, holds

G = 9.81
DRIVEN = ("drive1", "drive2")
PLACE = ("tractor_x", "tractor_y", "tractor_a1")


def stiffness_of_axle(load: float, wheels: int, law: dict[str, float]) -> float:
    """Cornering stiffness [N/rad] of `wheels` tyres that bear the load together, as printed."""
    n = wheels * law["nominal_load"]
    return float(law["pky1"] * n * np.sin(2 * np.arctan(load / (law["pky2"] * n))))


# -- a car on one track ----------------------------------------------------------------------------

_MASS, _FRONT, _REAR = 1600.0, 1.5, 1.1


@cache
def car() -> CompiledModel:
    """An oversteering car."""
    return build(single_track_car(PASSENGER_TYRE, mass=_MASS, front=_FRONT, rear=_REAR))


def car_at(speed: float) -> LinearModel:
    """Its motion about straight running."""
    zero = np.zeros(4)
    linear = linearize(car(), q=zero, u={"ride_vx": speed}, a=zero)
    return linear.without(*(name for name in linear.coordinates if name != "heave"))


def car_critical() -> float:
    """L sqrt(C_1 C_2/(m (a C_1 - b C_2))), Pacejka (1.49)."""
    length = _FRONT + _REAR
    law = dict(PASSENGER_TYRE)
    first = stiffness_of_axle(G * _MASS * _REAR / length, 2, law)
    second = stiffness_of_axle(G * _MASS * _FRONT / length, 2, law)
    over = _FRONT * first - _REAR * second
    return float(length * np.sqrt(first * second / (_MASS * over)))


def growth(run: Array, t: Array) -> float:
    """Rate [1/s] of the exponential of the last half of a run."""
    half = slice(len(t) // 2, None)
    return float(np.polyfit(t[half], np.log(np.abs(run[half])), 1)[0])


def _car() -> Iterator[CaseCheck]:
    wanted = car_critical()
    (found,) = critical_speeds(lambda v: car_at(v).A, 15.0, 60.0)
    yield agrees("critical speed [m/s]", wanted, found.speed, 1e-4, relative=True)
    yield holds("kind", "divergence", f"{found.frequency:.3g} rad/s", found.frequency == 0.0)
    for share, name in ((0.9, "below"), (1.1, "above")):
        speed = share * found.speed
        t = np.linspace(0, 4, 81)
        start = {"ride_vx": speed, "ride_wz": 1e-6}
        run = simulate(car(), u=start, t_span=t, rtol=1e-10, atol=1e-14, progress=False)
        rate = growth(run["speed(ride_wz)"], t)
        root = np.linalg.eigvals(car_at(speed).without("speed(ride_vx)").A).real.max()
        yield agrees(f"rate of the yaw rate in a run, {name} [1/s]", root, rate, 0.01)
        grows = rate > 0
        yield holds(
            f"{name}", "grows" if share > 1 else "decays", f"{rate:.3f}", grows == (share > 1)
        )


# -- a trailing wheel ------------------------------------------------------------------------------

TRAIL, INERTIA, DAMPING, CORNERING, RELAXATION = 0.1, 1.0, 25.0, 4e4, 0.3


@cache
def wheel() -> CompiledModel:
    """That shimmies between two speeds."""
    given = {"trail": TRAIL, "inertia": INERTIA, "damping": DAMPING}
    return build(trailing_wheel(**given, cornering=10.0, load=4000.0, relaxation_length=RELAXATION))


def wheel_at(speed: float) -> LinearModel:
    """About straight running."""
    still = np.zeros(2)
    return linearize(wheel(), q=still, u={"way": speed}, a=still).without("way")


def shimmy_speeds() -> Array:
    """Zeros of Hurwitz' determinant of I s^3 + (k + I V/sigma) s^2 + (k V/sigma + e^2 C/sigma) s +
    e C V/sigma: (I k/sigma) V^2 + (k^2 + I C e (e/sigma - 1)) V + k C e^2 = 0."""
    i, k, c, e, sigma = INERTIA, DAMPING, CORNERING, TRAIL, RELAXATION
    return np.sort(np.roots([i * k / sigma, k * k + i * c * e * (e / sigma - 1), k * c * e**2]))


def _shimmy() -> Iterator[CaseCheck]:
    wanted = shimmy_speeds()
    found = critical_speeds(lambda v: wheel_at(v).A, 0.5, 60.0)
    yield agrees("speeds [m/s]", wanted, [one.speed for one in found], 1e-3, relative=True)
    frequency = np.sqrt((DAMPING * wanted + TRAIL**2 * CORNERING) / (INERTIA * RELAXATION))
    got = [one.frequency for one in found]
    yield agrees("frequencies there [rad/s]", frequency, got, 1e-3, relative=True)
    kinds = [one.stabilizes for one in found]
    yield holds("unstable between them", "False, True", str(kinds), kinds == [False, True])
    for speed, unstable in (
        (0.8 * wanted[0], False),
        (wanted.mean(), True),
        (1.2 * wanted[1], False),
    ):
        t = np.linspace(0, 2, 1001)
        run = simulate(
            wheel(), {"yaw": 1e-4}, {"way": speed}, t, rtol=1e-9, atol=1e-14, progress=False
        )
        size = np.abs(run["yaw"])
        ratio = size[750:].max() / size[:250].max()
        text = f"{ratio:.3g}"
        word = "grows" if unstable else "decays"
        yield holds(
            f"run at {speed:.3g} m/s, last by first quarter", word, text, (ratio > 1) == unstable
        )


# -- the truck -------------------------------------------------------------------------------------


@cache
def truck() -> CompiledModel:
    """The five-axle semitrailer on saturating tyres, single ones on its drive axles."""
    return build(semitrailer(TRUCK_TYRE, relaxation_length=0.5, rough=True, single=DRIVEN))


@cache
def straight() -> Equilibrium:
    """Straight running."""
    resting = [name for name in truck().coordinates if name not in PLACE]
    return equilibrium(truck(), None, {"tractor_x": FORWARD}, solve_for=[*resting, "drive"])


def truck_at(speed: float, **more: object) -> LinearModel:
    """The truck about straight running."""
    rest = straight()
    given = {"q": rest.q, "a": np.zeros(truck().nu), "z": rest.z, "inputs": rest.inputs, **more}
    return linearize(truck(), u={"tractor_x": speed}, **given)  # type: ignore[arg-type]


def slowest(speed: float) -> float:
    """Largest real part [1/s] of the truck without its place."""
    values = np.linalg.eigvals(truck_at(speed).without("tractor_x", "tractor_y").A)
    return float(values[np.abs(values) > 1e-6].real.max())


@cache
def truck_critical() -> float:
    """The speed at which that changes its sign [m/s]."""
    return float(brentq(slowest, 28.0, 36.0, xtol=1e-6))


def steady_turn(speed: float, stiffness: dict[str, float]) -> float:
    """Determinant of the equations of a steady turn without steering, of two bodies in a plane.

    Unknowns: lateral velocity v and yaw rate r of the tractor, angle of the trailer. Each axle
    gives -C alpha, each mass takes m V r; the sums of the forces, and of the moments about the
    hitch of either unit, vanish. Places are those under the static pitch of both units.
    """
    rest = straight()
    pitch = {"tractor": rest["tractor_a2"], "trailer": rest["tractor_a2"] + rest["hitch_a2"]}
    height = {"tractor": 1.0, "trailer": 1.2}
    hitch = -3.2 + 0.2 * pitch["tractor"]
    parts = [(a.unit, a.place, -height[a.unit], a.mass, stiffness[a.name]) for a in AXLES]
    parts += [("tractor", 0.0, 0.0, 6500.0, 0.0), ("trailer", -6.0, 0.7, 27000.0, 0.0)]
    rows = np.zeros((3, 3))
    for unit, x, z, mass, c in parts:
        place = x + z * pitch[unit]
        row, arm, slip = 1, place - hitch, np.array([1.0, place, 0.0])
        if unit == "trailer":
            row, arm, slip = 2, place, np.array([1.0, hitch + place, -speed])
        force = c * slip / speed + np.array([0.0, mass * speed, 0.0])
        rows[0] += force
        rows[row] += arm * force
    return float(np.linalg.det(rows))


def axle_stiffness(saturating: bool) -> dict[str, float]:
    """Of each axle under its load in straight running."""
    values = straight().outputs
    found = {}
    for name in ("front", "drive1", "drive2", "trailer1", "trailer2"):
        load = values[f"{name}_left.load"]
        wheels = 1 if name in ("front", *DRIVEN) else 2
        law = dict(TRUCK_TYRE)
        side = stiffness_of_axle(load, wheels, law) if saturating else 5.7 * load
        found[name] = 2 * side
    return found


def _truck() -> Iterator[CaseCheck]:
    wanted = float(brentq(steady_turn, 20.0, 50.0, args=(axle_stiffness(True),)))
    found = truck_critical()
    yield agrees("critical speed [m/s]", wanted, found, 1e-3, relative=True)
    linear = axle_stiffness(False)
    signs = {np.sign(steady_turn(v, linear)) for v in np.linspace(5, 80, 76)}
    yield holds(
        "with tyres of one stiffness by load", "none up to 80 m/s", str(signs), len(signs) == 1
    )
    for share, word in ((0.9, "decays"), (1.1, "grows")):
        speed = share * found
        t = np.linspace(0, 16, 81)
        rest = straight()
        run = simulate(
            truck(),
            rest.q,
            {"tractor_x": speed, "tractor_a1": 1e-4},
            t,
            z=rest.z,
            inputs=rest.inputs,
            rtol=1e-8,
            atol=1e-12,
            progress=False,
        )
        rate = growth(run["speed(tractor_a1)"], t)
        yield agrees(
            f"rate of the yaw rate in a run at {share:g} of it [1/s]", slowest(speed), rate, 0.01
        )
        yield holds(f"run at {share:g} of it", word, f"{rate:.4f}", (rate > 0) == (share > 1))


CASES = (
    Case(
        5,
        "Critical speed of an oversteering car",
        "(1.49), sec. 1.3.2",
        "linearization over speed against the closed form; runs below and above",
        _car,
        "reconstructed",
        slow=True,
    ),
    Case(
        6,
        "Shimmy of a trailing wheel with relaxation length",
        "sec. 5.2",
        "the range of speeds against Hurwitz' determinant; runs below, within and above",
        _shimmy,
        "reconstructed",
        slow=True,
    ),
    Case(
        7,
        "Critical speed of the five-axle truck on saturating tyres",
        "Trom (1990), sec. 5.4; sec. 4.3.2",
        "linearization over speed against a plane steady turn with the printed cornering stiffness "
        "under the loads of the axles; runs below and above",
        _truck,
        "reconstructed",
        note="Single tyres on the drive axles bear more of the load at which the cornering "
        "stiffness no longer rises: the tractor oversteers. With stiffness in proportion to the "
        "load it has no critical speed. The plane turn knows no roll steer.",
        slow=True,
    ),
)
