"""Outputs that a task controls, their Jacobian and its rate.

    q^ = (R_C0, delta_0, x_E(1), ...),   q^' = J_c q',   q^'' = J_c q'' + J_c' q'       (4.7), (4.8)

Of an end-effector the task controls the point, the two pointing angles alpha_E, beta_E (in the
plane its angle), or both the point and all angles. Euler angles of the sequence z-y-x follow from
the rotation matrix, their rates from the angular velocity in body axes:

    alpha' = p + tan(beta) (q sin(alpha) + r cos(alpha)),   beta' = q cos(alpha) - r sin(alpha),
    gamma' = (q sin(alpha) + r cos(alpha)) / cos(beta)

Moosavian 1996, sections 3.4.2, 4.2 and 4.4.3.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.attitude import euler_rates_matrix
from eomc_published.moosavian.formulation.body_axes import BodyAxes
from eomc_published.moosavian.formulation.chain import BASE, Body
from eomc_published.moosavian.formulation.differentiation import Derivatives
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.point_jacobian import PointJacobian

Matrix = list[list[Expression]]


class TaskSpace:
    """q^, J_c and J_c' of a chain in coordinate rates (Euler angles, or in the plane)."""

    def __init__(self, kinematics: Kinematics) -> None:
        self.kinematics = kinematics
        self.chain = kinematics.chain
        self._tips = list(zip(self.chain.flyer.manipulators, self.chain.tips, strict=True))

    @property
    def names(self) -> list[str]:
        """Names of the outputs."""
        axes = "xyz"[: self.chain.translations]
        turns = ["theta"] if self.chain.flyer.planar else ["alpha", "beta", "gamma"]
        names = [f"base_{axis}" for axis in axes] + [f"base_{turn}" for turn in turns]
        for arm, _ in self._tips:
            if arm.controlled != "axis":
                names += [f"{arm.name}_{axis}" for axis in axes]
            if arm.controlled != "position":
                shown = turns[:2] if arm.controlled == "axis" else turns
                names += [f"{arm.name}_{turn}" for turn in shown]
        return names

    def outputs(self) -> list[Expression]:
        """q^"""
        chain, size = self.chain, self.chain.translations
        still = Vector(chain.zero, chain.zero, chain.zero)
        values = [*list(self.kinematics.point(BASE, still))[:size], *chain.attitude]
        for arm, body in self._tips:
            if arm.controlled != "axis":
                values += list(self.kinematics.point(body, chain.r(body)))[:size]
            if arm.controlled != "position":
                angles = self._angles(body)
                values += angles[:2] if arm.controlled == "axis" else angles
        return values

    def jacobian(self) -> Matrix:
        """J_c (outputs, N)"""
        chain, size = self.chain, self.chain.translations
        still = Vector(chain.zero, chain.zero, chain.zero)
        linear, _ = self._by_rates(self.kinematics.jacobian(BASE, still))
        rows = _rows(linear)[:size]
        one = chain.zero + 1
        for i in range(chain.turns):
            rows.append([one if j == size + i else chain.zero for j in range(len(chain.q))])
        for arm, body in self._tips:
            linear, angular = self._by_rates(self.kinematics.jacobian(body, chain.r(body)))
            if arm.controlled != "axis":
                rows += _rows(linear)[:size]
            if arm.controlled != "position":
                turning = self._angle_rates(body, angular)
                rows += turning[:2] if arm.controlled == "axis" else turning
        return rows

    def jacobian_rate(self) -> Matrix:
        """J_c' along q'"""
        jacobian = self.jacobian()
        width = len(self.chain.q)
        derivatives = Derivatives([entry for row in jacobian for entry in row])
        flat = derivatives.along(dict(zip(self.chain.q, self.chain.speeds, strict=True)))
        return [flat[k : k + width] for k in range(0, len(flat), width)]

    def _by_rates(self, jacobian: PointJacobian) -> tuple[list[Vector], list[Vector]]:
        """(linear, angular) columns by q' instead of (R', omega_0, theta')."""
        chain = self.chain
        directions = BodyAxes.inertial(chain.zero).columns[: chain.translations]
        still = Vector(chain.zero, chain.zero, chain.zero)
        linear, angular = list(directions), [still] * chain.translations
        for axis in self._attitude_axes():
            parts = zip(axis, jacobian.linear[:3], strict=True)
            linear.append(sum((column * share for share, column in parts), start=still))
            angular.append(axis)
        return [*linear, *jacobian.linear[3:]], [*angular, *jacobian.angular[3:]]

    def _attitude_axes(self) -> list[Vector]:
        """omega_0 in inertial axes for unit rates of the base's angles: columns of T_0 S_0."""
        chain = self.chain
        if chain.flyer.planar:
            return [BodyAxes.inertial(chain.zero).z]
        columns = zip(*euler_rates_matrix(chain.attitude), strict=True)
        return [chain.axes[BASE].to_inertial(Vector(*column)) for column in columns]

    def _angles(self, body: Body) -> list[Expression]:
        axes = self.chain.axes[body]
        if self.chain.flyer.planar:
            return [axes.x.y.binary("atan2", axes.x.x)]
        cosine = (axes.y.z * axes.y.z + axes.z.z * axes.z.z).sqrt()
        return [
            axes.y.z.binary("atan2", axes.z.z),
            (-axes.x.z).binary("atan2", cosine),
            axes.x.y.binary("atan2", axes.x.x),
        ]

    def _angle_rates(self, body: Body, angular: list[Vector]) -> Matrix:
        """Rows of the rates of the angles of `body` from the columns of its angular velocity."""
        if self.chain.flyer.planar:
            return [[column.z for column in angular]]
        axes = self.chain.axes[body]
        inverse = 1 / (axes.y.z * axes.y.z + axes.z.z * axes.z.z).sqrt()
        sine, cosine, tangent = axes.y.z * inverse, axes.z.z * inverse, -axes.x.z * inverse
        rows: Matrix = [[], [], []]
        for column in angular:
            rates = axes.to_body(column)
            turning = rates.y * sine + rates.z * cosine
            rows[0].append(rates.x + tangent * turning)
            rows[1].append(rates.y * cosine - rates.z * sine)
            rows[2].append(turning * inverse)
        return rows


def _rows(columns: list[Vector]) -> Matrix:
    return [[list(column)[axis] for column in columns] for axis in range(3)]
