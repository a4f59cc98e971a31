"""A hydraulic or electric cylinder between two points: a barrel and a rod that close a loop.

    a --(foot, turns)-- barrel --(slides)-- rod --(head, turns)-- b

The rod's end is at b; at the extension 0 it is `length` away from the foot. Both lie along x of the
barrel. What drives the rod is one of: a force, with first-order lag and limits; an extension or a
velocity that is given from outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.derive.joints.joint_kind import joint_kind
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, is_number, is_zero, scalar, vector3
from eomc.derive.placement.placement import Placement, point
from eomc.derive.placement.rotation import Matrix3

if TYPE_CHECKING:
    from eomc.derive.language.errors import Source
    from eomc.derive.model.model import Model

__all__ = ["DRIVES", "declare_cylinder"]

_ACROSS = 1e-9
_RELIEF = 10_000
"""Of relief valves [1/s]: they take what is above their force away within 0.1 ms."""
DRIVES = ("force", "extension", "velocity")


def declare_cylinder(
    model: Model,
    name: str,
    *,
    a: Any,
    b: Any,
    axis: Sequence[Any],
    length: Any,
    direction: Sequence[float] = (1, 0, 0),
    head: str = "revolute",
    barrel_mass: Any = 0,
    rod_mass: Any = 0,
    drive: str = "force",
    command: Any = None,
    stiffness: Any = 0,
    lag: Any = 0,
    force_limits: Sequence[Any] | None = None,
    stroke: Sequence[Any] | None = None,
    stop: Mapping[str, Any] | None = None,
    damping: Any = 0,
    friction: Any = 0,
    source: Source | None = None,
) -> None:
    """Declare bodies <name>_barrel and <name>_rod, joints <name>_foot, <name> (the extension) and
    <name>_head, which closes a loop, and what drives it.

    Parameters
    ----------
    a, b : points of two bodies
        Where foot and head are hinged: `Point`, name of a body or mapping.
    axis : (3,)
        Of the hinge at a, in a's body.
    length : Scalar
        From foot to head at extension 0 [m].
    direction : (3,) numbers
        From foot to head in a's body when the foot's coordinate is zero.
    head : str
        Kind of the joint at b, which is cut: revolute about the same axis, or one without an axis.
    barrel_mass, rod_mass : Scalar
        [kg], uniform rods of `length`: the barrel from the foot on, the rod up to the head. Both
        zero: no mass.
    drive : str
        "force": along the rod, positive pushes; `command`, an expression, or by default the input
        <name>_force. "extension": the coordinate is prescribed and leaves the state. "velocity":
        a flow, `command` or by default the input <name>_velocity, feeds a column of oil of the
        given `stiffness`, F' = k (v_c - v); relief valves open at the limits of the force.
    stiffness : Scalar
        Of a velocity source [N/m]: of its oil or its shaft.
    lag : Scalar
        Time constant of first order [s] between the command and what acts; 0 is none.
    force_limits : pair, optional
        Least and largest force [N].
    stroke : pair, optional
        Least and largest extension [m]: limits of the joint.
    stop : mapping, optional
        Law of elastic ends of the stroke, as `normal` of a `stop`.
    damping, friction : Scalar
        Of the slide, as of a joint.

    Examples
    --------
    >>> from eomc.derive.model import Model, Point
    >>> model = Model("jib", gravity=(0, -9.81, 0))
    >>> model.body("jib", mass=100, com=(2, 0, 0), inertia=(1, 130, 130))
    >>> model.joint("luff", "revolute", parent="world", child="jib", axis=(0, 0, 1))
    >>> model.cylinder("jack", a=Point("world", (0, -1, 0)), b=Point("jib", (1, 0, 0)),
    ...                axis=(0, 0, 1), direction=(1, 1, 0), length=1.4, rod_mass=3, barrel_mass=4)
    >>> model.coordinates
    ('luff', 'jack_foot', 'jack')

    Raises
    ------
    ModelError
        Naming the argument.
    """
    foot_at, head_at = point(a), point(b)
    if drive not in DRIVES:
        raise ModelError(f"cylinder {name!r}: drive: no {drive!r}; {near_names(drive, DRIVES)}")
    try:
        pull = _Drive(
            name,
            drive,
            command,
            scalar(lag, "lag"),
            _pair(force_limits, "force_limits"),
            scalar(stiffness, "stiffness"),
        )
        ends = _pair(stroke, "stroke")
        half = scalar(length, "length") / 2
        if is_number(half) and not half > 0:
            raise ModelError(f"length is {length}; give a number > 0")
        if stop is not None and ends is None:
            raise ModelError("a stop needs the stroke at whose ends it is")
        turn, turned = _axes(axis, direction), _axes(axis, None)
        barrel, rod, hinge = f"{name}_barrel", f"{name}_rod", (0, 0, 1)
        for body, mass, sign in ((barrel, barrel_mass, 1), (rod, rod_mass, -1)):
            weight = scalar(mass, f"mass of {body}")
            across = weight * (2 * half) ** 2 / 12
            model.body(
                body,
                mass=weight,
                com=(sign * half, 0, 0),
                inertia=(0, across, across),
                source=source,
            )
    except ModelError as error:
        raise error.within(f"cylinder {name!r}", source) from None
    place = Placement(xyz=vector3(foot_at.xyz, "a"), rotation=turn)
    model.joint(
        f"{name}_foot",
        "revolute",
        parent=foot_at.body,
        child=barrel,
        axis=hinge,
        placement=place,
        source=source,
    )
    limits: dict[str, Any] = {} if ends is None else {"lower": ends[0], "upper": ends[1]}
    model.joint(
        name,
        "prismatic",
        parent=barrel,
        child=rod,
        axis=(1, 0, 0),
        damping=damping,
        friction=friction,
        placement=(2 * half, 0, 0),
        source=source,
        **limits,
    )
    about: dict[str, Any] = {"axis": hinge} if "axis" in joint_kind(head).arguments else {}
    model.joint(
        f"{name}_head",
        head,
        parent=rod,
        child=head_at.body,
        cut=True,
        source=source,
        child_placement=Placement(xyz=head_at.xyz, rotation=turned),
        **about,
    )
    if stop is not None and ends is not None:
        model.stop(
            f"{name}_stop",
            coordinate=name,
            normal=stop,
            lower=ends[0],
            upper=ends[1],
            source=source,
        )
    pull.declare(model, source)


class _Drive:
    """The force, extension or velocity that moves the rod, with lag, limits and stiffness."""

    def __init__(
        self,
        name: str,
        kind: str,
        command: Any,
        lag: Scalar,
        limits: tuple[Scalar, Scalar] | None,
        stiffness: Scalar,
    ) -> None:
        self.name, self.kind, self.command = name, kind, command
        self.lag, self.limits, self.stiffness = lag, limits, stiffness
        if is_number(lag) and not lag >= 0:
            raise ModelError(f"lag is {lag}; give a number >= 0")
        if (kind == "velocity") == is_zero(stiffness) or (is_number(stiffness) and stiffness < 0):
            raise ModelError(
                f"stiffness is {stiffness} N/m; a velocity source needs one > 0, others have none"
            )
        if kind == "extension" and not (command is None and is_zero(lag) and limits is None):
            raise ModelError(
                "a given extension takes no command, lag or limits: give its motion to the run"
            )

    def declare(self, model: Model, source: Source | None) -> None:
        """Its elements."""
        name = self.name
        if self.kind == "extension":
            model.prescribed(name, source=source)
            return
        asked = self.command
        if asked is None:
            asked = f"{name}_{self.kind}"
            model.input(asked, units="N" if self.kind == "force" else "m/s", source=source)
        if self.kind == "velocity":
            self._source(model, asked, source)
            return
        asked = f"({asked})"
        if not is_zero(self.lag):
            model.lag(
                f"{name}_drive",
                speed=name,
                command=self._within(asked),
                time_constant=self.lag,
                source=source,
            )
            return
        model.generalized_force(
            f"{name}_drive", speed=name, expression=self._within(asked), source=source
        )

    def _source(self, model: Model, asked: Any, source: Source | None) -> None:
        """F' = k (v_c - v), the flow v_c through lag: a column of oil between pump and piston,
        with relief valves at the limits."""
        name, flow, force = self.name, asked, f"{self.name}_thrust"
        if not is_zero(self.lag):
            flow = f"{name}_flow"
            model.state(flow, rate=f"({asked} - {flow})/({self.lag})", source=source)
        rate = f"({self.stiffness})*(({flow}) - speed({name}))"
        if self.limits is not None:
            low, high = self.limits
            over = f"max({force} - ({high}), 0) + min({force} - ({low}), 0)"
            rate = f"{rate} - {_RELIEF}*({over})"
        model.state(force, rate=rate, source=source)
        model.generalized_force(f"{name}_drive", speed=name, expression=force, source=source)

    def _within(self, force: str) -> str:
        if self.limits is None:
            return force
        low, high = self.limits
        return f"max({low}, min({high}, {force}))"


def _pair(given: Sequence[Any] | None, what: str) -> tuple[Scalar, Scalar] | None:
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise ModelError(f"{what} is {given!r}; give two numbers, the lower first")
    low, high = (scalar(entry, what) for entry in given)
    if is_number(low) and is_number(high) and not low < high:
        raise ModelError(f"{what} is {given!r}; give the lower number first")
    return low, high


def _axes(axis: Sequence[Any], direction: Sequence[Any] | None) -> Matrix3:
    """Rows of the rotation whose z is the axis and whose x is the direction."""
    try:
        z = np.asarray(axis, dtype=float)
        x = None if direction is None else np.asarray(direction, dtype=float)
        fits = z.shape == (3,) and (x is None or x.shape == (3,))
    except (TypeError, ValueError):
        fits = False
    if not fits or not np.linalg.norm(z) > 0 or (x is not None and not np.linalg.norm(x) > 0):
        raise ModelError(f"axis {axis!r} and direction {direction!r}: give three numbers each")
    z = z / np.linalg.norm(z)
    if x is None:
        x = np.eye(3)[int(np.argmin(np.abs(z)))]
        x = x - z * (z @ x)
    x = x / np.linalg.norm(x)
    if abs(x @ z) > _ACROSS:
        raise ModelError(f"direction {direction!r} is not normal to the axis {axis!r}")
    columns = np.column_stack([x, np.cross(z, x), z])
    first, second, third = (tuple(float(entry) for entry in row) for row in columns)
    return (first, second, third)  # type: ignore[return-value]
