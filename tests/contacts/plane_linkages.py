"""Planar linkages with one foot on a plane, in absolute angles: a witness by hand.

All points are p = sum c_k exp(i phi_k), x along the plane and y above it, so that

    p' = sum i c_k exp(i phi_k) phi_k',    p'' = sum (i phi_k'' - phi_k'^2) c_k exp(i phi_k)

and masses, loops, pressing force and friction N, -mu N sign(v) of the foot make one linear system
for phi'' and the forces. Dry friction is integrated from one zero of the slip to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import eomc

GRAVITY = 9.81


@dataclass(frozen=True, eq=False)
class Linkage:
    """Links k from link `parents[k]` (-1: from `base[k]` of the world) at the distance `along[k]`
    on it, of lengths and masses at their ends; inertias about their starts; `loop` (a, b, at) holds
    the end of link a on the end of link b; the foot is the end of `foot`, at the height `height`.
    """

    lengths: tuple[float, ...]
    masses: tuple[float, ...]
    parents: tuple[int, ...]
    along: tuple[float, ...]
    base: tuple[complex, ...]
    foot: int
    height: float
    loop: tuple[int, int] | None = None
    spring: float = 0.0
    inertia: float = 0.01

    def path(self, k: int) -> tuple[Any, complex]:
        """Coefficients and constant of the end of a link."""
        c = np.zeros(len(self.lengths), complex)
        c[k] = self.lengths[k]
        at = k
        while self.parents[at] >= 0:
            c[self.parents[at]] += self.along[at]
            at = self.parents[at]
        return c, self.base[at]

    def model(self, friction: dict[str, Any], normal: dict[str, Any]) -> eomc.Model:
        """The same for eomc: joints about -y, so that angles turn x to z."""
        made = eomc.Model("linkage", gravity=(0, 0, -GRAVITY))
        for k, (length, mass) in enumerate(zip(self.lengths, self.masses, strict=True)):
            own = (self.inertia,) * 3
            made.body(f"link{k}", mass=mass, com=(length, 0, 0), inertia=own)
            up = self.parents[k]
            place = (self.along[k], 0, 0) if up >= 0 else (self.base[k].real, 0, self.base[k].imag)
            made.joint(
                f"turn{k}",
                "revolute",
                parent=f"link{up}" if up >= 0 else "world",
                child=f"link{k}",
                axis=(0, -1, 0),
                placement=place,
            )
        if self.loop:
            a, b = self.loop
            made.joint(
                "close",
                "revolute",
                parent=f"link{a}",
                child=f"link{b}",
                axis=(0, -1, 0),
                placement=(self.lengths[a], 0, 0),
                child_placement=(self.lengths[b], 0, 0),
            )
        if self.spring:
            made.joint_spring("spring", "turn0", stiffness=self.spring)
        foot = eomc.Point(f"link{self.foot}", (self.lengths[self.foot], 0, 0))
        made.contact(
            "rub",
            shape={"kind": "point", "at": foot},
            surface={"kind": "plane", "at": eomc.Point("world", (0, 0, self.height))},
            normal=normal,
            friction=friction,
        )
        return made

    def start(self, phi: Any, speed: float) -> tuple[Any, Any]:
        """Angles near `phi` that keep everything, the first as it is, and rates with the first."""

        def off(others: Any) -> Any:
            e = np.exp(1j * np.concatenate([[phi[0]], others]))
            return [self._off(c @ e + constant, up) for c, constant, up in self._kept()]

        others = np.array(phi[1:])
        if np.abs(off(others)).max() > 1e-15:
            others = fsolve(off, others, xtol=1e-13)
        q = np.concatenate([[phi[0]], others])
        rows = self._rows(np.exp(1j * q))
        u = np.linalg.solve(np.vstack([rows, np.eye(len(q))[0]]), [0.0] * len(rows) + [speed])
        return q, u

    @staticmethod
    def _off(value: Any, up: bool) -> float:
        return float(value.imag if up else value.real)

    def _kept(self) -> list[tuple[Any, complex, bool]]:
        c, base = self.path(self.foot)
        kept = [(c, base - 1j * self.height, True)]
        if self.loop:
            (a, base_a), (b, base_b) = (self.path(k) for k in self.loop)
            kept += [(a - b, base_a - base_b, False), (a - b, base_a - base_b, True)]
        return kept

    def _rows(self, e: Any) -> Any:
        """Of the height of the foot, then of the loop."""
        slopes = [(1j * c * e, up) for c, _, up in self._kept()]
        return np.array([s.imag if up else s.real for s, up in slopes])

    def slip(self, q: Any, u: Any) -> float:
        """Speed of the foot."""
        return float((1j * self.path(self.foot)[0] * np.exp(1j * q)).real @ u)

    def acceleration(self, q: Any, u: Any, mu: float) -> tuple[Any, float]:
        """phi'' and N; mu with the sign of the slip."""
        e, n = np.exp(1j * q), len(q)
        ends = [self.path(k)[0] for k in range(n)]
        mass, force = self.inertia * np.eye(n), np.zeros(n)
        force[0] -= self.spring * q[0]
        for c, m in zip(ends, self.masses, strict=True):
            j = 1j * c * e
            mass += m * (np.outer(j.real, j.real) + np.outer(j.imag, j.imag))
            bent = -(c * e) @ u**2
            force -= m * (j.real * bent.real + j.imag * (bent.imag + GRAVITY))
        kept, rows = self._kept(), self._rows(e)
        bends = [-(c * e) @ u**2 for c, _, _ in kept]
        right = [-self._off(b, up) for b, (_, _, up) in zip(bends, kept, strict=True)]
        columns = rows.copy()
        columns[0] = rows[0] - mu * (1j * self.path(self.foot)[0] * e).real
        whole = np.block([[mass, -columns.T], [rows, np.zeros((len(rows), len(rows)))]])
        x = np.linalg.solve(whole, np.concatenate([force, right]))
        return x[:n], float(x[n])

    def energy(self, q: Any, u: Any) -> float:
        """T + V."""
        e = np.exp(1j * q)
        found = self.inertia * float(u @ u) / 2 + self.spring * q[0] ** 2 / 2
        for k, m in enumerate(self.masses):
            c, base = self.path(k)
            found += m * abs(1j * (c * e) @ u) ** 2 / 2 + m * GRAVITY * float((c @ e + base).imag)
        return float(found)

    def run(self, q: Any, u: Any, mu: float, end: float) -> tuple[float, Any, int, float]:
        """Time until which the foot slips and presses, [q; u; work] then, the number of dead
        centres passed, and the least pressing force."""
        n, t, y, passed = len(q), 0.0, np.concatenate([q, u, [0.0]]), 0
        sign, least = float(np.sign(self.slip(q, u))), np.inf
        while t < end:

            def rate(_: float, y: Any, sign: float = sign) -> Any:
                a, pressing = self.acceleration(y[:n], y[n : 2 * n], mu * sign)
                v = self.slip(y[:n], y[n : 2 * n])
                return np.concatenate([y[n : 2 * n], a, [mu * pressing * v * sign]])

            def stops(_: float, y: Any, sign: float = sign) -> float:
                return sign * self.slip(y[:n], y[n : 2 * n])

            stops.terminal, stops.direction = True, -1  # type: ignore[attr-defined]
            span = solve_ivp(
                rate,
                (t, end),
                y,
                method="DOP853",
                rtol=1e-11,
                atol=1e-12,
                events=stops,
                max_step=0.02,
            )
            least = min(
                least, *(self.acceleration(x[:n], x[n : 2 * n], mu * sign)[1] for x in span.y.T)
            )
            t, y = float(span.t[-1]), span.y[:, -1]
            if t < end:
                q, u, sign = y[:n], y[n : 2 * n], -sign
                c = self.path(self.foot)[0] * np.exp(1j * q)
                if sign * ((1j * c) @ self.acceleration(q, u, mu * sign)[0] - c @ u**2).real <= 0:
                    break  # it stands
                passed += bool(np.abs(u).max() > 1e-3)
        return t, y, passed, least


SLIDER_CRANK = Linkage((0.1, 0.3), (1.0, 3.0), (-1, 0), (0, 0.1), (0j, 0j), 1, 0.0)
OFFSET = Linkage((0.1, 0.35), (1.0, 3.0), (-1, 0), (0, 0.1), (0j, 0j), 1, -0.12)
SCISSORS = Linkage((0.4, 0.2), (0.2, 4.0), (-1, 0), (0, 0.2), (0j, 0j), 1, 0.0, spring=20.0)
"""The second bar is pinned to the middle of the first, its foot on the plane; flat at 0."""
FOUR_BAR = Linkage(
    (0.1, 0.35, 0.25, 0.4),
    (0.5, 0.2, 0.2, 4.0),
    (-1, 0, -1, 2),
    (0, 0.1, 0, 0.25),
    (0j, 0j, 0.3 + 0j, 0j),
    3,
    0.0,
    loop=(1, 2),
)
"""On the end of the rocker hangs a strut whose foot lies on the plane."""
