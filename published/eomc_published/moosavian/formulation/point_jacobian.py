"""Jacobian of a point and its body by the speeds v = (R', omega_0, theta'), all in inertial axes.

    J = [1  J1  J2]      J1 = -[sum of all spans]x
        [0  1   J3]      J2 = -sum_k [span_k]x E_k,    J3 = E_i

A span is what body k carries of the way from the reference to the point: with those of the direct
path this is (2.26)-(2.27), with barycentric vectors (2.14)-(2.15). In the plane the rows and
columns that stay zero are kept; R' and omega_0 have three components always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc_published.moosavian.formulation.body_axes import BodyAxes
from eomc_published.moosavian.formulation.chain import Body, Chain


@dataclass(frozen=True)
class PointJacobian:
    """Columns of [J1 J2] (linear) and [1 J3] (angular)."""

    linear: tuple[Vector, ...]
    angular: tuple[Vector, ...]

    @staticmethod
    def of_spans(chain: Chain, body: Body, spans: Sequence[tuple[Body, Vector]]) -> PointJacobian:
        """From the spans between the reference and the point on `body`."""
        still = Vector(chain.zero, chain.zero, chain.zero)
        whole = sum((span for _, span in spans), start=still)
        turns = BodyAxes.inertial(chain.zero).columns
        linear = [axis.cross(whole) for axis in turns]
        joint_columns = [still] * len(chain.theta)
        for k, span in spans:
            columns = zip(joint_columns, chain.angular_velocity_jacobian(k), strict=True)
            joint_columns = [
                known if axis.is_zero else known + axis.cross(span) for known, axis in columns
            ]
        angular = [*turns, *chain.angular_velocity_jacobian(body)]
        return PointJacobian((*linear, *joint_columns), tuple(angular))

    def rows(self, zero: Expression) -> list[list[Expression]]:
        """(6, 6 + K), the columns of R' included."""
        translations = BodyAxes.inertial(zero).columns
        still = Vector(zero, zero, zero)
        linear = [*translations, *self.linear]
        angular = [still, still, still, *self.angular]
        return [
            [list(column)[axis] for column in columns]
            for columns in (linear, angular)
            for axis in range(3)
        ]
