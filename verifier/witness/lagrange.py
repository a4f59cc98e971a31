"""Lagrange's equations of a model by brute force: differences of positions, in sixty digits.

Near a configuration every direction of motion has a coordinate z_k with u = z', a = z'' at z = 0:
X(z) = X exp(sum of Xi_k z_k) with a joint's generators, the coordinate itself on deformable bodies
and for joints that are told by their pose alone. All poses X(z) are products from the base,
velocities are differences of poses,

    X' = (X(z + h z') - X(z - h z')) / 2h,     (w, v) of X^-1 X',

T(z, z') and V(z) are sums over the bodies, those of deformable ones as their forms declare, and

    tau_k = d/dt dT/dz'_k - dT/dz_k + dV/dz_k

again by differences along z = u t + a t^2 / 2. No Jacobian, no inertia matrix, no equation of a
body: nothing but energies. Steps of 1e-15 and 1e-10, exact numbers of two, leave errors of 1e-20.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model
from eomc.verifier.arithmetic.exact_function import exact_function
from eomc.verifier.arithmetic.many_digits import many, power, working
from eomc.verifier.witness.deformation import Energies, chain_of
from eomc.verifier.witness.joint_motion import KINDS
from eomc.verifier.witness.mechanism import (
    WORLD,
    WitnessJoint,
    WitnessMechanism,
    WitnessStation,
    WitnessVariable,
)
from eomc.verifier.witness.numbers import Numbers
from eomc.verifier.witness.own_joint import station_pose

DIGITS = 60
INNER, OUTER = 2.0**-50, 2.0**-33
Pose: TypeAlias = "list[list[Any]]"
"""The upper three rows of a homogeneous matrix."""
Point: TypeAlias = "list[Any]"
"""z, or z'."""


class Lagrange:
    """Energies of a model near any of its configurations."""

    def __init__(self, model: Model, mechanism: WitnessMechanism) -> None:
        self.mechanism = mechanism
        self.directions = mechanism.nu + mechanism.ns
        parameters = Numbers(model).parameters
        self.energies = []
        for body in mechanism.deformables:
            energies = Energies(model, mechanism.bodies[body.body].name, parameters)
            if energies.chain is None:
                kinetic = exact_function([*energies.xi, *energies.y], energies.kinetic)
            else:
                kinetic = energies.chain.exact_energy(INNER)
            self.energies.append((body, kinetic, exact_function(energies.xi, energies.strain)))
        self.poses = [_pose_function(joint, model, parameters) for joint in mechanism.joints]

    def near(self, values: Any) -> Nearby:
        """The model near the configuration (q, s)."""
        return Nearby(self, values)


class Nearby:
    """Energies as functions of z and z', and what follows from them."""

    def __init__(self, model: Lagrange, values: Any) -> None:
        self.model, self.mechanism = model, model.mechanism
        self.values = values
        still = [many(0)] * model.directions
        self.steps = [
            _local(joint, pose, self) for joint, pose in zip(self.joints, model.poses, strict=True)
        ]
        self.rest = still

    @property
    def joints(self) -> tuple[WitnessJoint, ...]:
        """Joints of the mechanism, parents first."""
        return self.mechanism.joints

    # -- positions -------------------------------------------------------------------------------

    def coordinate(self, variable: WitnessVariable, z: Point) -> Any:
        """A coordinate whose rate is a speed."""
        value = many(variable.value(self.values))
        if not variable.array:
            return value
        moved = {"q": "u", "s": "s_rate"}[variable.array]
        speed = self._speed_of(variable)
        return value + variable.factor * z[self.direction(moved, speed)]

    def _speed_of(self, variable: WitnessVariable) -> int:
        """Place of the speed that is the rate of a coordinate."""
        if variable.array == "s":
            return variable.index
        for coordinates, speeds, _ in self.mechanism.variables:
            for coordinate, speed in zip(coordinates, speeds, strict=False):
                if coordinate.array == "q" and coordinate.index == variable.index:
                    return speed.index
        raise KeyError(variable.name)

    def direction(self, array: str, index: int) -> int:
        """Free directions, then prescribed ones."""
        return index + (self.mechanism.nu if array == "s_rate" else 0)

    def displacement(self, variable: WitnessVariable, z: Point) -> Any:
        """factor * z of a speed, zero if it has none."""
        if not variable.array:
            return many(0)
        return variable.factor * z[self.direction(variable.array, variable.index)]

    def poses(self, z: Point) -> dict[int, Pose]:
        """Of all bodies."""
        found = {WORLD: _pose(np.eye(4))}
        for joint, step in zip(self.joints, self.steps, strict=True):
            moved = _product(found[joint.parent], _pose(joint.before))
            for factor in step(z):
                moved = _product(moved, factor)
            found[joint.child] = _product(moved, _pose(joint.after))
        return found

    # -- energies --------------------------------------------------------------------------------

    def kinetic(self, z: Point, rate: Point) -> Any:
        """T(z, z')"""
        ahead = self.poses([a + INNER * b for a, b in zip(z, rate, strict=True)])
        behind = self.poses([a - INNER * b for a, b in zip(z, rate, strict=True)])
        here, total = self.poses(z), many(0)
        for index, body in enumerate(self.mechanism.bodies):
            w, v = _twist(here[index], ahead[index], behind[index])
            v = [a + b for a, b in zip(v, _cross(w, body.com.tolist()), strict=True)]
            total += body.mass * _dot(v, v) / 2
            total += sum(w[i] * body.inertia[i, j] * w[j] for i in range(3) for j in range(3)) / 2
        for deformable, energy, _ in self.model.energies:
            index = deformable.body
            w, v = _twist(here[index], ahead[index], behind[index])
            xi = [self.coordinate(c, z) for c in deformable.coordinates]
            rates = [self.displacement(s, rate) for s in deformable.speeds]
            total += energy(*xi, *v, *w, *rates)
        for joint in self.joints:
            for speed in joint.speeds:
                total += joint.armature * power(self.displacement(speed, rate), 2) / 2
        return total

    def potential(self, z: Point) -> Any:
        """V(z) of weight and strain."""
        here, total, g = self.poses(z), many(0), self.mechanism.gravity.tolist()
        for index, body in enumerate(self.mechanism.bodies):
            total -= body.mass * _dot(g, _place(here[index], body.com.tolist()))
        for deformable, kinetic, strain in self.model.energies:
            xi = [self.coordinate(c, z) for c in deformable.coordinates]
            at = here[deformable.body]
            field = [_dot(column, g) for column in zip(*(row[:3] for row in at), strict=True)]
            total -= _mass(kinetic, xi) * _dot(g, [row[3] for row in at])
            total -= _weight_of_shape(kinetic, xi, field)
            total += strain(*xi)
        return total

    # -- equations -------------------------------------------------------------------------------

    def inverse_dynamics(self) -> Array:
        """tau over all directions at the values of u, a, s_rate, s_acceleration."""
        with working(DIGITS):
            u = [many(x) for x in (*self.values["u"], *self.values["s_rate"])]
            a = [many(x) for x in (*self.values["a"], *self.values["s_acceleration"])]
            return np.array([float(self._force(k, u, a)) for k in range(self.model.directions)])

    def _force(self, k: int, u: Point, a: Point) -> Any:
        unit = [many(int(j == k)) for j in range(self.model.directions)]

        def momentum(t: Any) -> Any:
            """dT/dz'_k; T is quadratic in z', so that a difference of any length is exact."""
            z = [x * t for x in u]
            rate = [x + t * y for x, y in zip(u, a, strict=True)]
            ahead = [x + e for x, e in zip(rate, unit, strict=True)]
            behind = [x - e for x, e in zip(rate, unit, strict=True)]
            return (self.kinetic(z, ahead) - self.kinetic(z, behind)) / 2

        def energy(step: Any) -> Any:
            z = [e * step for e in unit]
            return self.kinetic(z, u) - self.potential(z)

        rate = momentum(OUTER) - momentum(-OUTER)
        return (rate - energy(OUTER) + energy(-OUTER)) / (2 * OUTER)

    def mass_matrix(self) -> Array:
        """d2T/dz' dz' over the free directions."""
        with working(DIGITS):
            size, nu = self.model.directions, self.mechanism.nu
            units = [[many(int(i == j)) for i in range(size)] for j in range(nu)]
            own = [self.kinetic(self.rest, unit) for unit in units]
            result = np.zeros((nu, nu))
            for i in range(nu):
                result[i, i] = float(2 * own[i])
                for j in range(i):
                    both = [x + y for x, y in zip(units[i], units[j], strict=True)]
                    shared = self.kinetic(self.rest, both) - own[i] - own[j]
                    result[i, j] = result[j, i] = float(shared)
            return result

    def kinetic_energy(self) -> float:
        """T at the values of u and s_rate."""
        with working(DIGITS):
            u = [many(x) for x in (*self.values["u"], *self.values["s_rate"])]
            return float(self.kinetic(self.rest, u))


# -- joints --------------------------------------------------------------------------------------


def _pose_function(joint: WitnessJoint, model: Model, parameters: Any) -> Callable[..., Any] | None:
    """Of the coordinates that a joint's station depends on; None for joints with generators."""
    if joint.station is None:
        return None
    declared = next(other for other in model.tree() if other.name == joint.name)
    if declared.declaration.rides and (chain := chain_of(model, declared.parent, parameters)):
        return chain.exact_station(declared.at)
    _, symbols, pose = station_pose(model, declared, parameters)
    return exact_function(symbols, pose[:3, :].tolist())


def _local(
    joint: WitnessJoint, pose: Callable[..., Any] | None, nearby: Nearby
) -> Callable[[Point], list[Pose]]:
    """The joint's factors as functions of z."""
    if pose is not None and joint.station is not None:
        variables = joint.station.coordinates
        if joint.station.rates is not None:
            along = _path(joint.station, nearby)
            return lambda z: [pose(*along(z))]
        return lambda z: [pose(*(nearby.coordinate(c, z) for c in variables))]
    q = [coordinate.value(nearby.values) for coordinate in joint.coordinates]
    factors = KINDS[joint.kind](joint, q)

    def step(z: Point) -> list[Pose]:
        speeds, found = list(joint.speeds), []
        for x, generators in factors:
            used, speeds = speeds[: len(generators)], speeds[len(generators) :]
            found.append(_product(_pose(x), _exponential(nearby, generators, used, z)))
        return found

    return step


def _path(station: WitnessStation, nearby: Nearby) -> Callable[[Point], list[Any]]:
    """q + E z + (dE/dq E z) z / 2 of a joint with q' = E(q) u: to second order its way."""
    assert station.rates is not None
    q = np.array([c.value(nearby.values) for c in station.coordinates])
    first = station.rates[0](q)
    second = np.einsum("inm,ik->nkm", station.rates[1](q), first) / 2
    exact = np.vectorize(many, otypes=[object])
    q, first, second = exact(q), exact(first), exact(second)

    def at(z: Point) -> list[Any]:
        own = np.array([nearby.displacement(speed, z) for speed in station.speeds], dtype=object)
        return list(q + first @ own + (second @ own) @ own)

    return at


def _exponential(
    nearby: Nearby, generators: Array, speeds: Sequence[WitnessVariable], z: Point
) -> Pose:
    """1 + Xi + Xi^2 / 2: what is dropped has no second derivative at z = 0."""
    xi = [[many(0)] * 4 for _ in range(4)]
    for generator, speed in zip(generators, speeds, strict=True):
        length = nearby.displacement(speed, z)
        for i in range(3):
            for j in range(4):
                xi[i][j] += many(generator[i, j]) * length
    return [
        [int(i == j) + xi[i][j] + sum(xi[i][k] * xi[k][j] for k in range(4)) / 2 for j in range(4)]
        for i in range(3)
    ]


# -- small matrices ------------------------------------------------------------------------------


def _pose(matrix: Array) -> Pose:
    return [[many(float(entry)) for entry in row] for row in matrix[:3]]


def _product(a: Pose, b: Pose) -> Pose:
    result = []
    for x, y, z, origin in a:
        row = [x * b[0][j] + y * b[1][j] + z * b[2][j] for j in range(4)]
        row[3] += origin
        result.append(row)
    return result


def _place(pose: Pose, point: Sequence[Any]) -> list[Any]:
    return [_dot(row[:3], point) + row[3] for row in pose]


def _twist(here: Pose, ahead: Pose, behind: Pose) -> tuple[list[Any], list[Any]]:
    """(w, v) in body axes: the skew part of R^T R', and R^T p'."""
    rate = [
        [(a - b) / (2 * INNER) for a, b in zip(*rows, strict=True)]
        for rows in zip(ahead, behind, strict=True)
    ]

    def entry(i: int, j: int) -> Any:
        return sum(here[k][i] * rate[k][j] for k in range(3))

    pairs = ((2, 1), (0, 2), (1, 0))
    return [(entry(i, j) - entry(j, i)) / 2 for i, j in pairs], [entry(i, 3) for i in range(3)]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]


def _mass(kinetic: Callable[..., Any], xi: Sequence[Any]) -> Any:
    """Twice the energy at unit velocity."""
    return 2 * kinetic(*xi, 1, 0, 0, *[0] * (3 + len(xi)))


def _weight_of_shape(kinetic: Callable[..., Any], xi: Sequence[Any], g: Sequence[Any]) -> Any:
    """g.h by unit turns: T(v, w) holds v.(w x h) = h.(v x w)."""
    total = many(0)
    for i in range(3):
        v, w = [0] * 3, [0] * 3
        v[(i + 1) % 3] = w[(i + 2) % 3] = 1
        rates = [0] * len(xi)
        mixed = kinetic(*xi, *v, *w, *rates)
        mixed -= kinetic(*xi, *v, 0, 0, 0, *rates) + kinetic(*xi, 0, 0, 0, *w, *rates)
        total += g[i] * mixed
    return total
