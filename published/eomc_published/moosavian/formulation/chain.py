"""Rotations and angular velocities of all bodies, on an expression graph.

Coordinates in the literature's order: translation of the reference point (3, in the plane 2),
attitude of the base, joint angles manipulator by manipulator. Angular velocities are built twice:
each in the axes of its body, by (3.54), and all in inertial axes, by (2.12).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import Literal, get_args

from eomc.derive.geometry import Vector, unit
from eomc.derive.graph import Expression, Graph, constant, symbol, symbols
from eomc.derive.language.errors import ModelError
from eomc.systems.free_flyer.topology import FreeFlyer, Link, Triple
from eomc_published.moosavian.formulation.attitude import (
    euler_axes,
    euler_rates_matrix,
    inverse_euler_rates_matrix,
    parameter_axes,
    parameter_rates,
    parameter_rates_matrix,
    plane_axes,
    times,
)
from eomc_published.moosavian.formulation.body_axes import BodyAxes

Body = tuple[int, int]
"""(m, i): body i of manipulator m, both from 1; the base is (0, 0)."""
BASE: Body = (0, 0)

AttitudeKind = Literal["euler_angles", "euler_parameters"]
Speeds = Literal["rates", "quasi"]


class Chain:
    """The free-flyer's bodies in motion.

    Parameters
    ----------
    flyer : FreeFlyer
    attitude : "euler_angles" or "euler_parameters"; a planar one has its angle either way
    speeds : "rates" or "quasi"
        What the symbols ``u`` are: q' (N entries, N+1 with Euler parameters), or
        v = (R', ^0omega_0, theta') (N entries). With quasi-speeds, q' is made from them.
    symbolic : bool
        Keep every quantity of the data as a symbol of its name instead of its number.
    graph : Graph
        Where to build; the symbols of `coordinates` and of `speed_name` are shared with what
        stands there.
    """

    def __init__(
        self,
        flyer: FreeFlyer,
        attitude: AttitudeKind = "euler_angles",
        speeds: Speeds = "rates",
        *,
        symbolic: bool = False,
        graph: Graph | None = None,
        speed_name: str = "u",
    ) -> None:
        if attitude not in get_args(AttitudeKind):
            raise ModelError(f"attitude is {attitude!r}; valid: 'euler_angles', 'euler_parameters'")
        self.flyer, self.symbolic = flyer, symbolic
        self.graph = Graph() if graph is None else graph
        self.zero = constant(self.graph, 0)
        self.attitude_kind = "angle" if flyer.planar else attitude
        self.translations = 2 if flyer.planar else 3
        self.angles = {"angle": 1, "euler_angles": 3, "euler_parameters": 4}[self.attitude_kind]
        self.turns = 1 if flyer.planar else 3
        k = flyer.joints
        self.q = symbols(self.graph, "q", self.translations + self.angles + k)
        self.quasi = quasi = speeds == "quasi"
        width = self.turns if quasi else self.angles
        self.speeds = symbols(self.graph, speed_name, self.translations + width + k)
        self.reference = self._in_space(self.q[: self.translations])
        self.reference_rate = self._in_space(self.speeds[: self.translations])
        self.attitude = self.q[self.translations : self.translations + self.angles]
        self.theta = self.q[-k:] if k else []
        self.theta_rates = self.speeds[-k:] if k else []
        self._turn_base(self.speeds[self.translations : self.translations + width], quasi)
        self._turn_links()

    def _in_space(self, entries: Sequence[Expression]) -> Vector:
        x, y, z = (*entries, self.zero) if len(entries) == 2 else entries
        return Vector(x, y, z)

    def _turn_base(self, given: Sequence[Expression], quasi: bool) -> None:
        """T_0, ^0omega_0 and the rates of the attitude coordinates."""
        self.attitude_rates = list(given)
        if self.attitude_kind == "angle":
            axes, omega = plane_axes(self.attitude[0]), Vector(self.zero, self.zero, given[0])
        elif self.attitude_kind == "euler_angles":
            axes, matrix = euler_axes(self.attitude), euler_rates_matrix(self.attitude)
            omega = Vector(*(given if quasi else times(matrix, given)))
            if quasi:
                self.attitude_rates = times(inverse_euler_rates_matrix(self.attitude), given)
        else:
            axes = parameter_axes(self.attitude)
            matrix = parameter_rates_matrix(self.attitude, in_base_axes=True)
            omega = Vector(*(given if quasi else times(matrix, given)))
            if quasi:
                self.attitude_rates = parameter_rates(self.attitude, omega)
        self.axes: dict[Body, BodyAxes] = {BASE: axes}
        self.body_rates: dict[Body, Vector] = {BASE: omega}
        self.angular_velocity: dict[Body, Vector] = {BASE: axes.to_inertial(omega)}

    def _turn_links(self) -> None:
        """^{i-1}T_i (kept as `relative`), ^iomega_i by (3.54) and omega_i by (2.12)."""
        self.links: dict[Body, Link] = {}
        self.joint_of: dict[Body, int] = {}
        self.relative: dict[Body, BodyAxes] = {}
        z = unit(self.zero, 2)
        for m, arm in enumerate(self.flyer.manipulators, 1):
            parent = BASE
            for i, link in enumerate(arm.links, 1):
                body, joint = (m, i), len(self.joint_of)
                twist, offset = (
                    tuple(constant(self.graph, value) for value in cosine_and_sine(angle))
                    for angle in (link.twist, link.offset)
                )
                angle, rate = self.theta[joint], self.theta_rates[joint]
                turn = (angle.cos(), angle.sin())
                relative = BodyAxes.inertial(self.zero).turned_about("x", *twist)
                relative = relative.turned_about("z", *offset).turned_about("z", *turn)
                axes = self.axes[parent].turned_about("x", *twist)
                self.axes[body] = axes.turned_about("z", *offset).turned_about("z", *turn)
                self.body_rates[body] = relative.to_body(self.body_rates[parent]) + z * rate
                self.angular_velocity[body] = (
                    self.angular_velocity[parent] + self.axes[body].z * rate
                )
                self.links[body], self.joint_of[body] = link, joint
                self.relative[body] = relative
                parent = body

    # -- bodies ----------------------------------------------------------------------------------

    @property
    def bodies(self) -> list[Body]:
        """The base, then all links."""
        return [BASE, *self.links]

    def inboard(self, body: Body) -> list[Body]:
        """Bodies 1 .. i of the manipulator of `body`, itself included; empty for the base."""
        m, i = body
        return [(m, k) for k in range(1, i + 1)]

    def outboard(self, body: Body) -> list[Body]:
        """Bodies i .. N_m of the manipulator of `body`."""
        m, i = body
        return [(m, k) for k in range(i, len(self.flyer.manipulators[m - 1].links) + 1)]

    @property
    def tips(self) -> list[Body]:
        """The last body of each manipulator."""
        return [(m, len(arm.links)) for m, arm in enumerate(self.flyer.manipulators, 1)]

    # -- data ------------------------------------------------------------------------------------

    def _number(self, name: str, value: float) -> Expression:
        if self.symbolic and value:
            return symbol(self.graph, name)
        return constant(self.graph, value)

    def _vector(self, name: str, values: Triple, axes: str = "x y z") -> Vector:
        entries = zip(axes.split(), values, strict=True)
        return Vector(*(self._number(f"{name}_{axis}", value) for axis, value in entries))

    def mass(self, body: Body) -> Expression:
        """m_i [kg]"""
        if body == BASE:
            return self._number("m_0", self.flyer.mass)
        return self._number("m_{}_{}".format(*body), self.links[body].mass)

    def inertia(self, body: Body) -> Vector:
        """Principal moments (I_xx, I_yy, I_zz) about C_i [kg m^2]."""
        if body == BASE:
            return self._vector("I_0", self.flyer.inertia, "xx yy zz")
        return self._vector("I_{}_{}".format(*body), self.links[body].inertia, "xx yy zz")

    def r0(self, m: int) -> Vector:
        """^0r_0(m), from C_0 to joint 1 of manipulator m, in base axes."""
        return self._vector(f"r0_{m}", self.flyer.manipulators[m - 1].r0)

    def r(self, body: Body) -> Vector:
        """^ir_i, from C_i to joint i+1 or the end-effector, in axes of body i."""
        return self._vector("r_{}_{}".format(*body), self.links[body].r)

    def l(self, body: Body) -> Vector:  # noqa: E743
        """^il_i, from C_i to joint i, in axes of body i."""
        return self._vector("l_{}_{}".format(*body), self.links[body].l)

    @property
    def total_mass(self) -> Expression:
        """M [kg]"""
        return sum((self.mass(body) for body in self.bodies), start=self.zero)

    # -- rates -----------------------------------------------------------------------------------

    @property
    def coordinate_rates(self) -> list[Expression]:
        """q' in terms of the speeds."""
        translation = self.speeds[: self.translations]
        return [*translation, *self.attitude_rates, *self.theta_rates]

    def angular_velocity_jacobian(self, body: Body) -> list[Vector]:
        """E_i (3, K), by columns: omega_i - omega_0 = E_i theta'. (2.15e)"""
        columns = [Vector(self.zero, self.zero, self.zero)] * len(self.theta)
        for inner in self.inboard(body):
            columns[self.joint_of[inner]] = self.axes[inner].z
        return columns


def cosine_and_sine(degrees: float) -> tuple[float, float]:
    """Exact at right angles, so that structural zeros stay zeros.

    >>> cosine_and_sine(-90)
    (0, -1)
    """
    exact = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}
    turned = degrees % 360
    if turned in exact:
        return exact[int(turned)]
    return cos(radians(degrees)), sin(radians(degrees))
