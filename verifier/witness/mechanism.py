"""A mechanism as plain numbers: what the numeric reference of `newton_euler` works on.

Nothing here knows how equations are derived; laws are functions of named values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from eomc.binding.arrays import Array

if TYPE_CHECKING:
    from eomc.verifier.witness.contact import WitnessContact
    from eomc.verifier.witness.contact_laws import Normal
    from eomc.verifier.witness.rows import Residuals

Law = Callable[[Mapping[str, float]], float]
"""A number from the values of coordinates, ``speed(...)``, inputs, ``t`` (and ``x``, ``v``)."""

WORLD = -1


@dataclass(frozen=True)
class WitnessBody:
    """Mass [kg], centre of mass (3,) [m] and inertia about it (3, 3) [kg m^2], body axes."""

    name: str
    mass: float
    com: Array
    inertia: Array


@dataclass(frozen=True)
class WitnessVariable:
    """factor * array[index] + offset; a constant `offset` if `array` is empty.

    `array` is "q" or "s" for a coordinate, "u" or "s_rate" for a speed.
    """

    name: str
    array: str = ""
    index: int = 0
    factor: float = 1.0
    offset: float = 0.0

    def value(self, values: Mapping[str, Array]) -> float:
        """The number at the arrays `values`."""
        if not self.array:
            return self.offset
        return self.factor * float(values[self.array][self.index]) + self.offset


@dataclass(frozen=True)
class WitnessStation:
    """A place on a deformed body, as functions of the n variables that it depends on.

    `pose` (4, 4), its `slopes` (n, 4, 4) and `curvatures` (n, n, 4, 4). `rates` is E (n, m) of
    q' = E(q) u for m speeds that are no rates, with its slopes (n, n, m) by the variables.
    """

    coordinates: tuple[WitnessVariable, ...]
    speeds: tuple[WitnessVariable, ...]
    pose: Callable[[Array], Array]
    slopes: Callable[[Array], Array]
    curvatures: Callable[[Array], Array]
    rates: tuple[Callable[[Array], Array], Callable[[Array], Array]] | None = None


@dataclass(frozen=True)
class WitnessDeformation:
    """The part that k internal coordinates xi of a body add to the rigid part of the same index.

    T = y^T H y / 2 with y = (v, w, xi') in body axes: `mass` is H (6+k, 6+k), `mass_slopes`
    dH/dxi (k, 6+k, 6+k); `strain` V(xi) with its slopes (k,); `losses` dD/dxi' (k,) of (xi, xi').
    """

    body: int
    coordinates: tuple[WitnessVariable, ...]
    speeds: tuple[WitnessVariable, ...]
    mass: Callable[[Array], Array]
    mass_slopes: Callable[[Array], Array]
    strain: Callable[[Array], float]
    strain_slopes: Callable[[Array], Array]
    losses: Callable[[Array, Array], Array]


@dataclass(frozen=True)
class WitnessJoint:
    """A joint between bodies (indices, `WORLD` for the base), children after their parents.

    `before` (4, 4) is the joint frame in the parent body, `after` (4, 4) the child body in the
    joint frame of its side. `damping` and `friction` have one entry a speed. `station` is where
    on a deformable parent the child sits, for joints that are no others. One that closes a loop has
    no `coordinates` and `speeds`; `neutral` coordinates, the names `unit_speeds`, the places of a
    `quaternion` among the coordinates and whether the speeds are their `rates` are those of the
    kind.
    """

    name: str
    kind: str
    parent: int
    child: int
    before: Array
    after: Array
    coordinates: tuple[WitnessVariable, ...] = ()
    speeds: tuple[WitnessVariable, ...] = ()
    neutral: Array = field(default_factory=lambda: np.zeros(0))
    unit_speeds: tuple[str, ...] = ()
    quaternion: tuple[int, ...] = ()
    rates: bool = True
    axis: Array | None = None
    axis_2: Array | None = None
    pitch: float = 0.0
    sequence: str = ""
    damping: tuple[float, ...] = ()
    friction: tuple[float, ...] = ()
    friction_speed: float = 1e-3
    armature: float = 0.0
    station: WitnessStation | None = None


@dataclass(frozen=True)
class RigidHold:
    """A constraint between bodies: entries of the child-side frame's pose X in the parent-side one
    are held.

    `rows` are matrices (4, 4) with sum(row * X) = 0. `before` and `after` as for joints.
    """

    name: str
    parent: int
    child: int
    before: Array
    after: Array
    rows: tuple[Array, ...]


@dataclass(frozen=True)
class WitnessPoint:
    """A point (3,) [m] in the frame of a body."""

    body: int
    xyz: Array


@dataclass(frozen=True)
class WitnessSpring:
    """Along the line a-b: tension stiffness x + damping v, or `law` of (x, v) among the values."""

    name: str
    a: WitnessPoint
    b: WitnessPoint
    stiffness: Law
    damping: Law
    free_length: Law
    law: Law | None = None


@dataclass(frozen=True)
class WitnessJointSpring:
    """Across a coordinate: force -(stiffness x + damping v), or -`law`."""

    coordinate: WitnessVariable
    speed: WitnessVariable
    stiffness: Law
    damping: Law
    free_angle: Law
    law: Law | None = None


@dataclass(frozen=True)
class WitnessStop:
    """Ends of the way of a coordinate: (word, end, sign of the gap), with the law of what presses
    there; `rigid` is the restitution and the speed of rest of one without depth."""

    name: str
    coordinate: WitnessVariable
    speed: WitnessVariable
    ends: tuple[tuple[str, float, int], ...]
    pressing: Normal
    width: float
    smoothing: str
    rigid: tuple[float, float] | None = None


@dataclass(frozen=True)
class Force:
    """magnitude * direction at a point, or a free torque if `is_torque`; world or body axes."""

    name: str
    at: WitnessPoint
    direction: tuple[Law, Law, Law]
    magnitude: Law
    in_body_axes: bool
    is_torque: bool


@dataclass(frozen=True)
class WitnessPotential:
    """Energy and its slopes by the coordinates it holds."""

    energy: Law
    slopes: Mapping[str, Law]


@dataclass(frozen=True)
class Attraction:
    """By a point mass at `center`; expanded to second order about the origin of body `about`.

    `about` is None for the origin of each body itself; `rods` holds half lengths by name.
    """

    mu: float
    center: Array
    is_expanded: bool
    about: int | None = None
    rods: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class WitnessGeneralizedForce:
    """A force on one speed."""

    speed: WitnessVariable
    value: Law


@dataclass(frozen=True)
class BearingFriction:
    """Coulomb friction on the speed of a joint, by its place, under its own reaction; a joint that
    closes a loop has a name instead."""

    joint: int | None
    speed: WitnessVariable | None
    cut: str
    axis: Array
    friction: float
    radius: float | None
    span: float | None
    collar: float
    width: float | None
    preload: float
    slip_speed: float
    regularization: str
    minimum_load: float


@dataclass(frozen=True)
class ConditionUnknown:
    """A variable that a condition finds, from a guess, between ends; None for the condition of a
    kind that is not known here."""

    name: str
    condition: Law | None
    guess: Law
    ends: tuple[Law | None, Law | None] = (None, None)


@dataclass(frozen=True)
class Moved:
    """A number and its slopes by the coordinates, and by ``t``, that it holds."""

    value: Law
    slopes: Mapping[str, Law]


@dataclass(frozen=True)
class WitnessCableStation:
    """A point of a cable, or a circle of `radius` on which it turns with `sense` about `axis`.

    `axis` and `zero`, from which angles count, are unit vectors of the body. A drum that follows
    its cable lies in a plane through `axis`, `block` = (offset, height) from the point; `follows`
    is 1 or -1 for the neighbour near whose direction the plane is; `turn` is that of a drum. `near`
    is an angle from which that of the cable is within half a turn.
    """

    at: WitnessPoint
    friction: float = 0.0
    bearing: float = 0.0
    radius: float = 0.0
    sense: int = 1
    turns: int = 0
    axis: Array | None = None
    zero: Array | None = None
    block: tuple[float, float] | None = None
    turn: Moved | None = None
    follows: int = 1
    near: Law | None = None


@dataclass(frozen=True)
class WitnessCable:
    """A cable over stations, with the numbers of its law; as a rope that does not stretch it has
    neither."""

    name: str
    stations: tuple[WitnessCableStation, ...]
    length: Moved
    stiffness: float = 0.0
    viscosity: float = 0.0
    law: Law | None = None
    width: float = 0.0
    elasticity: str = ""
    damping: str = ""
    dissipation: str = ""
    slip_speed: float = 1.0
    stores: bool = False


class PullingLine(Protocol):
    """Something that pulls along a line and is no cable over stations."""

    def in_state(self, around: Any) -> Any:
        """Its forces and outputs, with the names of `CableInState`."""


@dataclass(frozen=True)
class UnwindingCable:
    """The cable of a joint of some `kind` whose string unwinds, with the numbers of its law."""

    name: str
    kind: str
    radius: float
    coordinates: tuple[WitnessVariable, ...]
    speeds: tuple[WitnessVariable, ...]
    stiffness: float
    viscosity: float
    width: float
    elasticity: str
    damping: str
    dissipation: str


@dataclass(frozen=True)
class WitnessFrame:
    """A frame at the pose `placement` (4, 4) in a body."""

    name: str
    body: int
    placement: Array


class MovingPose(Protocol):
    """Pose X of a body, X' and the angular velocity, in world axes."""

    @property
    def x(self) -> Array: ...
    @property
    def rate(self) -> Array: ...
    @property
    def rotation(self) -> Array: ...
    @property
    def angular_velocity(self) -> Array: ...


@dataclass(frozen=True)
class OwnLoads:
    """Loads of elements of kinds unknown here: (force, moment) on each body in its axes about its
    origin, then a force on each speed in the order of `WitnessMechanism.variables`; with a
    potential, and without; the potential energy."""

    kept: Array
    other: Array
    energy: float


class OwnKinds(Protocol):
    """Forces and constraints by the words of the authors of their kinds."""

    acts: bool

    def loads(self, motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> OwnLoads: ...
    def outputs(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> dict[str, float]: ...
    def rates(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> Sequence[float]: ...
    def conditions(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> Sequence[float]: ...
    def residuals(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> tuple[dict[str, float], dict[str, float]]: ...


@dataclass(frozen=True)
class WitnessMechanism:
    """Bodies, joints (parents first) and forces; `nu` free and `ns` prescribed directions.

    `holds` are joints that close loops, and constraints between bodies, `closing` those of the
    joints whose losses are known here; Newton's and Euler's equations know of neither. `constants`
    are values of further names in laws, such as locked coordinates; `own` is what acts and holds by
    kinds that no formula is known of here, `between` what of it acts between bodies alone;
    `residuals` are rows of constraints by the names of these; `states` names those of elements,
    whose `state_rates`
    are laws; `quantities` are told and act on nothing; `unknowns` are variables without inertia;
    `velocities` are names in laws that mean the velocity of a frame, or how it turns,
    along an axis of the world or of another frame; `not_judged` tells what is declared and not
    known here, of elements that are taken at their word for it; `potential_is_static` is False if a
    potential depends on time.
    """

    gravity: Array
    bodies: tuple[WitnessBody, ...]
    joints: tuple[WitnessJoint, ...]
    nu: int
    ns: int
    inputs: tuple[str, ...] = ()
    springs: tuple[WitnessSpring, ...] = ()
    joint_springs: tuple[WitnessJointSpring, ...] = ()
    forces: tuple[Force, ...] = ()
    potentials: tuple[WitnessPotential, ...] = ()
    generalized_forces: tuple[WitnessGeneralizedForce, ...] = ()
    bearings: tuple[BearingFriction, ...] = ()
    attractions: tuple[Attraction, ...] = ()
    cables: tuple[WitnessCable, ...] = ()
    ropes: tuple[WitnessCable, ...] = ()
    tethers: tuple[WitnessCable, ...] = ()
    lines: tuple[PullingLine, ...] = ()
    contacts: tuple[WitnessContact, ...] = ()
    unwinding: tuple[UnwindingCable, ...] = ()
    stops: tuple[WitnessStop, ...] = ()
    quantities: Mapping[str, Law] = field(default_factory=dict)
    frames: tuple[WitnessFrame, ...] = ()
    deformables: tuple[WitnessDeformation, ...] = ()
    states: tuple[str, ...] = ()
    state_rates: tuple[Law | None, ...] = ()
    unknowns: tuple[ConditionUnknown, ...] = ()
    residuals: Mapping[str, Residuals] = field(default_factory=dict)
    closing: tuple[WitnessJoint, ...] = ()
    holds: tuple[RigidHold | WitnessJoint, ...] = ()
    constants: Mapping[str, float] = field(default_factory=dict)
    velocities: Mapping[str, tuple[WitnessFrame, int, bool, WitnessFrame | None]] = field(
        default_factory=dict
    )
    not_judged: tuple[str, ...] = ()
    own: OwnKinds | None = None
    between: OwnKinds | None = None
    potential_is_static: bool = True

    @property
    def variables(
        self,
    ) -> list[tuple[tuple[WitnessVariable, ...], tuple[WitnessVariable, ...], WitnessJoint | None]]:
        """(coordinates, speeds, joint) of each joint, and of each body with internal ones."""
        found: list[
            tuple[tuple[WitnessVariable, ...], tuple[WitnessVariable, ...], WitnessJoint | None]
        ] = [(joint.coordinates, joint.speeds, joint) for joint in self.joints]
        return found + [(body.coordinates, body.speeds, None) for body in self.deformables]
