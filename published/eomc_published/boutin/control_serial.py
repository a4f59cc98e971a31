"""Case of serial robots with flexible beams: 35."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.control.flexible import CompositeControl, RigidMotion, SlowFast, fast_regulator
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc.runtime.trajectories import SineRamp
from eomc.systems.beam_robot import ONE_LINK, TWO_LINKS, beam_robot
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_PAYLOAD = 0.1
#: Roots of cosh x cos x = -1 (Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1).
_ROOTS = (1.8751040687, 4.6940911330)
#: Q and R in fast time, by the number of beams.
_WEIGHTS = {1: (1.0, 100.0), 2: (1.0, 1e4)}
#: Amplitude of the first beam at the start: its tip is off by twice as much [m].
_BENT = 0.01
#: While the first beam rings [s].
_WINDOW = 0.2, 0.5


@cache
def robot(links: int) -> CompiledModel:
    """Of one beam or of two."""
    return build(beam_robot(ONE_LINK if links == 1 else TWO_LINKS, payload=_PAYLOAD))


def _by_quadrature() -> tuple[Array, Array]:
    """M and K of the straight robot of one beam, from the shapes of a cantilever."""
    (link,) = ONE_LINK
    s, w = np.polynomial.legendre.leggauss(60)
    x, w = (s + 1) / 2, w / 2 * link.length
    rows, curved, ends = [x * link.length], [], [link.length]
    for root in _ROOTS:
        sigma = (np.cosh(root) + np.cos(root)) / (np.sinh(root) + np.sin(root))

        def shape(z: Array, root: float = root, sigma: float = sigma) -> Array:
            k = root * z
            return np.asarray(np.cosh(k) - np.cos(k) - sigma * (np.sinh(k) - np.sin(k)))

        k = root * x
        bend = np.cosh(k) + np.cos(k) - sigma * (np.sinh(k) + np.sin(k))
        rows.append(shape(x))
        curved.append((root / link.length) ** 2 * bend)
        ends.append(float(shape(np.array(1.0))))
    phi, end = np.array(rows), np.array(ends)
    mass = link.mass_per_length * (phi * w) @ phi.T + _PAYLOAD * np.outer(end, end)
    mass[0, 0] += link.hub
    return mass, link.EI * (np.array(curved) * w) @ np.array(curved).T


def _one_beam() -> Iterator[CaseCheck]:
    from scipy.linalg import solve_continuous_are

    mass, stiffness = _by_quadrature()
    frozen = SlowFast(robot(1)).at()
    yield agrees("M of one beam", mass, frozen.mass, 1e-8, relative=True)
    yield agrees("K of one beam", stiffness, frozen.stiffness, 1e-7, relative=True)
    q, r = _WEIGHTS[1]
    design = fast_regulator(frozen, q, r)
    k = float(np.linalg.eigvalsh(stiffness)[0])
    h = np.linalg.inv(mass)
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness / k @ h[1:, 1:], np.zeros((2, 2))]])
    b = np.concatenate([np.zeros(2), stiffness / k @ h[1:, 0]])[:, None]
    gain = b.T @ solve_continuous_are(a, b, q * np.eye(4), [[r]]) / r
    yield agrees("F, by SciPy from these matrices", gain, design.design.gain, 1e-5, relative=True)


@cache
def slew(links: int, damped: bool) -> Trajectory:
    """All joints by a radian in two seconds, bent at the start, with and without the fast law."""
    model = robot(links)
    system = SlowFast(model)
    ends = np.ones(len(system.slow))
    path = {name: SineRamp(0.0, 1.0, 2.0) for name in system.slow}
    rigid = RigidMotion(system, path, np.linspace(0, 2, 201))
    fast = fast_regulator(system.at(ends), *_WEIGHTS[links]) if damped else None
    law = CompositeControl(rigid, 4.0, 4.0, fast, computed_torque=True)
    t = np.linspace(0, 3.0 if damped else _WINDOW[1], 3001 if damped else 501)
    start = {"beam1_y1": _BENT}
    return simulate(model, start, t_span=t, controller=law, rtol=1e-7, atol=1e-9, progress=False)


def _ringing(run: Trajectory) -> float:
    """The largest rate of the first beam's first amplitude in the window."""
    assert run.model is not None
    inside = (run.t >= _WINDOW[0]) & (run.t <= _WINDOW[1])
    return float(np.abs(run.u[inside, run.model.speeds.index("beam1_y1")]).max())


def _serial() -> Iterator[CaseCheck]:
    yield from _one_beam()
    for links in (1, 2):
        without, damped = slew(links, False), slew(links, True)
        power = np.einsum("ti,ti->t", damped.tau, damped.u)
        step = damped.t[1] - damped.t[0]
        from scipy.integrate import simpson

        work = float(simpson(power, dx=step))
        gained = float(damped.energy[-1] - damped.energy[0])
        scale = float(np.abs(damped.energy).max())
        yield at_most(f"work less energy, {links} beams", abs(work - gained) / scale, 1e-5)
        goal = np.ones(links)
        joints = [f"joint{k + 1}" for k in range(links)]
        reached = np.array([damped[name][-1] for name in joints])
        yield agrees(f"angles, {links} beams", goal, reached, 5e-3)
        ratio = _ringing(damped) / _ringing(without)
        yield at_most(f"ringing, by that without the fast law, {links} beams", ratio, 0.35)
        actuated = robot(links).nu - len(joints)
        idle = float(np.abs(damped.tau).sum(axis=0).astype(bool).sum())
        yield holds(
            f"only the joints are driven, {links} beams",
            f"{links} torques",
            f"{idle:g} torques",
            idle == links and actuated == 2 * links,
        )


CASES = (
    Case(
        35,
        "Serial robots of flexible beams",
        "Ch. 7: Cyril; Siciliano and Book",
        "one beam against quadrature of a cantilever's shapes and SciPy's Riccati equation; "
        "slews of one and two beams under composite control: work and energy, vibration left",
        _serial,
        provenance="reconstructed",
        note="the source gives no data of these robots: theirs are of the project's own choice",
        slow=True,
    ),
)
