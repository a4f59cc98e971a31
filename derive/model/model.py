"""The declaration of a mechanism: bodies, joints, forces, parameters, inputs, frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from eomc.derive.bodies.form import Form
from eomc.derive.model.argument import axes, flag, nonzero_direction, spring_values, text
from eomc.derive.model.asked_joints import asked_joints
from eomc.derive.model.body import Body, inertia_entries
from eomc.derive.model.central_gravity import declared as declared_central_gravity
from eomc.derive.model.constraint import declared_constraint
from eomc.derive.model.deformable import declared_deformable
from eomc.derive.model.drive import Drive
from eomc.derive.model.elements import Elements
from eomc.derive.model.errors import ModelError, Source, declaring
from eomc.derive.model.expression_value import value_of
from eomc.derive.model.flexible_joint import declare_flexible_joint
from eomc.derive.model.force import (
    GeneralizedForce,
    JointSpring,
    PointForce,
    PointSpring,
    PointTorque,
    Potential,
)
from eomc.derive.model.frame import Frame
from eomc.derive.model.joint import Joint, Mimic, Prescription
from eomc.derive.model.joint_declaration import declared_joint
from eomc.derive.model.naming import WORLD, check_name, check_new, check_word
from eomc.derive.model.near_names import near_names
from eomc.derive.model.parameter import Input, Parameter
from eomc.derive.model.passed_joints import passed_joints
from eomc.derive.model.placement import Placement, Point, point
from eomc.derive.model.placement import placement as placed
from eomc.derive.model.scalar import is_number, scalar, vector3
from eomc.derive.model.spanning_tree import Spanning, spanning
from eomc.derive.model.tree import check_ends, depth_first, mimic_target, resolved_joint

__all__ = ["WORLD", "Model"]


class Model(Elements):
    """A mechanism as data; nothing is derived here.

    Elements stand in dictionaries by name, in the order of declaration. Every number may be a SymPy
    expression in declared parameters or its text. SI units, radians; `gravity` (3,) [m/s^2] in
    world axes.

    >>> model = Model("pendulum", gravity=(0, 0, -9.81))
    >>> m, l = model.parameter("m", 1.5, units="kg"), model.parameter("l", 0.5, units="m")
    >>> model.body("rod", mass=m, com=(0, 0, -l / 2), inertia=(m * l**2 / 12, m * l**2 / 12, 0))
    >>> model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0), damping=0.01)
    >>> model.coordinates
    ('hinge',)
    """

    def __init__(
        self,
        name: str = "model",
        *,
        gravity: Sequence[Any] = (0, 0, -9.81),
        description: str = "",
        source: Source | None = None,
    ) -> None:
        super().__init__()
        with declaring("model", name, source) as self.source:
            self.name = check_name(name)
            #: True for a file whose impossible inertias were let pass with a warning.
            self.accepts_any_inertia = False
            self.gravity = vector3(gravity, "gravity")
            self.description = text(description, "description")

    # ---- numbers and signals

    def parameter(
        self,
        name: str,
        value: Any,
        *,
        units: str = "",
        tunable: bool = False,
        description: str = "",
        source: Source | None = None,
    ) -> sympy.Symbol:
        """Declare a named number, adjustable at run time if `tunable`; returns its symbol."""
        with declaring("parameter", name, source) as source:
            check_new(check_word(name), "parameters", self.parameters)
            number = scalar(value, "value")
            if not is_number(number):
                raise ModelError(f"value {number} holds names; a parameter's value is a number")
            self.parameters[name] = Parameter(
                name, number, text(units, "units"), flag(tunable, "tunable"),
                text(description, "description"), source,
            )  # fmt: skip
        return sympy.Symbol(name)

    def input(
        self, name: str, *, units: str = "", description: str = "", source: Source | None = None
    ) -> sympy.Symbol:
        """Declare a signal from outside; returns its symbol for laws and magnitudes of forces."""
        with declaring("input", name, source) as source:
            check_new(check_word(name), "inputs", self.inputs)
            self.inputs[name] = Input(
                name, text(units, "units"), text(description, "description"), source
            )
        return sympy.Symbol(name)

    # ---- bodies and joints

    def body(
        self,
        name: str,
        *,
        mass: Any = 0,
        com: Sequence[Any] = (0, 0, 0),
        inertia: Any = (0, 0, 0),
        inertia_about: str = "com",
        source: Source | None = None,
    ) -> None:
        """Declare a rigid body: mass [kg], centre of mass (3,) [m], inertia [kg m^2], in body axes.

        `inertia` is (ixx, iyy, izz), (ixx, iyy, izz, ixy, ixz, iyz) or a symmetric 3x3 matrix,
        about the centre of mass or, with inertia_about="origin", about the origin of the body
        frame. Without mass and inertia the body is massless.
        """
        with declaring("body", name, source) as source:
            if check_name(name) == WORLD:
                raise ModelError("'world' is the base; choose another name")
            check_new(name, "bodies", self.bodies)
            if inertia_about not in ("com", "origin"):
                raise ModelError(f"inertia_about is {inertia_about!r}; valid: 'com', 'origin'")
            self.bodies[name] = Body(
                name, scalar(mass, "mass"), vector3(com, "com"), inertia_entries(inertia),
                inertia_about, source,
            )  # fmt: skip

    def deformable(
        self,
        name: str,
        form: Form | str,
        *,
        held: Mapping[str, Any] | bool | None = None,
        source: Source | None = None,
        **arguments: Any,
    ) -> None:
        """Declare that the body `name` deforms as `form` says, an object or the name of a kind.

        The body need not be declared before; if it is, its mass is a rigid part at the origin of
        the body frame. `held` takes coordinates of the form out of the state: true for all, or
        their short names with values. Other arguments are those of the kind of form.
        """
        with declaring("deformable", name, source) as source:
            check_new(check_name(name), "deformable bodies", self.deformables)
            declared = declared_deformable(name, form, held, arguments, source)
            if name not in self.bodies:
                self.body(name, source=source)
            self.deformables[name] = declared

    def attachment(
        self,
        name: str,
        *,
        body: str,
        at: Any,
        placement: Placement | Mapping[str, Any] | Sequence[Any] | None = None,
    ) -> None:
        """Make a massless body `name` fixed to the station `at` of a deformable body.

        Joints, springs, forces and frames may name it as they name any body.
        """
        self.body(name)
        self.joint(name, "attachment", parent=body, child=name, at=at, placement=placement)

    def joint(
        self,
        name: str,
        kind: str,
        *,
        parent: str,
        child: str,
        axis: Sequence[Any] | None = None,
        axis2: Sequence[Any] | None = None,
        pitch: Any = None,
        sequence: str | None = None,
        at: Any = None,
        placement: Placement | Mapping[str, Any] | Sequence[Any] | None = None,
        child_placement: Placement | Mapping[str, Any] | Sequence[Any] | None = None,
        damping: Any = 0,
        friction: Any = 0,
        friction_speed: Any = 1e-3,
        rotor_inertia: Any = 0,
        gear_ratio: Any = 1,
        lower: Any = None,
        upper: Any = None,
        velocity_limit: Any = None,
        effort_limit: Any = None,
        mimic: Mimic | Mapping[str, Any] | str | None = None,
        cut: bool = False,
        locked: Any = None,
        source: Source | None = None,
    ) -> None:
        """Declare a joint; see `Joint` for the meaning of the arguments.

        `damping`, `friction` and limits are one number for all or a sequence, one entry a speed
        (coordinate, for lower and upper). `locked=True` freezes the joint at its neutral position,
        a number or sequence at those coordinates. Joints may close loops; `cut=True` says which
        joint does so by a constraint, else it is chosen (see `eomc.derive.model.spanning_tree`).
        """
        arguments = {key: value for key, value in locals().items() if key not in ("self", "source")}
        with declaring("joint", name, source) as source:
            check_new(check_name(name), "joints", self.joints)
            self.joints[name] = declared_joint(source=source, **arguments)

    def flexible_joint(self, name: str, **arguments: Any) -> None:
        """Declare a revolute joint with compliance between its rotor and the child.

        See `eomc.derive.model.flexible_joint.declare_flexible_joint` for the arguments.
        """
        declare_flexible_joint(self, name, **arguments)

    # ---- forces

    def spring(
        self,
        name: str,
        *,
        a: Point | str | Mapping[str, Any],
        b: Point | str | Mapping[str, Any],
        stiffness: Any = 0,
        damping: Any = 0,
        free_length: Any = 0,
        law: Any = None,
        source: Source | None = None,
    ) -> None:
        """Declare a spring, damper or actuator between two points; see `PointSpring`."""
        with declaring("spring", name, source) as source:
            check_new(check_name(name), "springs", self.springs)
            values = spring_values(stiffness, damping, free_length, "free_length", law)
            self.springs[name] = PointSpring(name, point(a), point(b), *values, source=source)

    def joint_spring(
        self,
        name: str,
        *,
        joint: str,
        stiffness: Any = 0,
        damping: Any = 0,
        free_angle: Any = 0,
        law: Any = None,
        source: Source | None = None,
    ) -> None:
        """Declare a spring, damper or actuator across a joint's coordinate; see `JointSpring`."""
        with declaring("joint_spring", name, source) as source:
            check_new(check_name(name), "joint springs", self.joint_springs)
            values = spring_values(stiffness, damping, free_angle, "free_angle", law)
            self.joint_springs[name] = JointSpring(
                name, text(joint, "joint"), *values, source=source
            )

    def force(
        self,
        name: str,
        *,
        at: Point | str | Mapping[str, Any],
        direction: Sequence[Any],
        frame: str = "world",
        magnitude: Any = 1,
        source: Source | None = None,
    ) -> None:
        """Declare a force magnitude*direction [N] at a point, in world or body axes."""
        with declaring("force", name, source) as source:
            check_new(check_name(name), "forces", self.forces)
            self.forces[name] = PointForce(
                name,
                point(at),
                nonzero_direction(direction),
                axes(frame),
                scalar(magnitude, "magnitude"),
                source,
            )

    def torque(
        self,
        name: str,
        *,
        body: str,
        direction: Sequence[Any],
        frame: str = "world",
        magnitude: Any = 1,
        source: Source | None = None,
    ) -> None:
        """Declare a torque magnitude*direction [N m] on a body, in world or body axes."""
        with declaring("torque", name, source) as source:
            check_new(check_name(name), "torques", self.torques)
            self.torques[name] = PointTorque(
                name, text(body, "body"), nonzero_direction(direction), axes(frame),
                scalar(magnitude, "magnitude"), source,
            )  # fmt: skip

    def potential(self, name: str, expression: Any, *, source: Source | None = None) -> None:
        """Declare a potential energy [J] in coordinates, parameters and time."""
        with declaring("potential", name, source) as source:
            check_new(check_name(name), "potentials", self.potentials)
            self.potentials[name] = Potential(name, scalar(expression, "expression"), source)

    def generalized_force(
        self, name: str, speed: str, expression: Any, *, source: Source | None = None
    ) -> None:
        """Declare a force on a generalized speed; `speed` is one of `Joint.speeds`."""
        with declaring("generalized_force", name, source) as source:
            check_new(check_name(name), "generalized forces", self.generalized_forces)
            self.generalized_forces[name] = GeneralizedForce(
                name, text(speed, "speed"), scalar(expression, "expression"), source
            )

    def central_gravity(
        self,
        name: str,
        *,
        mu: Any,
        center: Sequence[Any] = (0, 0, 0),
        expansion: str = "second_order",
        about: str = "body",
        rods: Mapping[str, Any] | Sequence[Any] | None = None,
        source: Source | None = None,
    ) -> None:
        """Declare the attraction of all bodies by a point mass; see `CentralGravity`.

        It adds to the uniform `gravity` of the model, which is best (0, 0, 0) then.
        """
        with declaring("central_gravity", name, source) as source:
            check_new(check_name(name), "central gravities", self.central_gravities)
            self.central_gravities[name] = declared_central_gravity(
                name, mu, center, expansion, about, rods, source
            )

    # ---- constraints, motion from outside, outputs

    def constraint(
        self, name: str, kind: str, *, source: Source | None = None, **arguments: Any
    ) -> None:
        """Declare a constraint; `arguments` are those of its kind, see `Constraint`."""
        with declaring("constraint", name, source) as source:
            check_new(check_name(name), "constraints", self.constraints)
            self.constraints[name] = declared_constraint(name, kind, arguments, source)

    def prescribe(self, name: str, *, source: Source | None = None) -> None:
        """Give the motion of a joint or coordinate from outside; the needed force comes out."""
        with declaring("prescribe", name, source) as source:
            check_new(check_name(name), "prescribed coordinates", self.prescriptions)
            self.prescriptions[name] = Prescription(name, source)

    def drive(self, name: str, *, source: Source | None = None) -> None:
        """Give the acceleration of a joint or speed, which stays in the state; see `Drive`."""
        with declaring("drive", name, source) as source:
            check_new(check_name(name), "driven speeds", self.drives)
            self.drives[name] = Drive(name, source)

    def frame(
        self,
        name: str,
        *,
        body: str,
        placement: Placement | Mapping[str, Any] | Sequence[Any] | None = None,
        source: Source | None = None,
    ) -> None:
        """Declare a frame of a body (or "world") whose kinematics can be asked for."""
        with declaring("frame", name, source) as source:
            check_new(check_name(name), "frames", self.frames)
            if name == WORLD:
                raise ModelError("'world' is the base; choose another name")
            self.frames[name] = Frame(name, text(body, "body"), placed(placement), source)

    # ---- queries

    def tree(self) -> list[Joint]:
        """Joints of the spanning tree, depth first from the world, children as declared.

        Raises `ModelError` for unknown and unconnected bodies.
        """
        check_ends(self.bodies, self.joints)
        return depth_first(self.bodies, self._spanning().tree)

    def cuts(self) -> list[Joint]:
        """Joints that close loops by constraints, in order of declaration."""
        check_ends(self.bodies, self.joints)
        return list(self._spanning().cut)

    def _spanning(self) -> Spanning:
        # Without loops every joint is in the tree, whoever asks for it.
        if len(self.joints) <= len(self.bodies):
            return spanning(self.bodies, self.joints)
        return spanning(self.bodies, self.joints, asked_joints(self), passed_joints(self))

    def prescribed(self) -> frozenset[str]:
        """Names of the prescribed coordinates."""
        names: set[str] = set()
        for name in self.prescriptions:
            names.update(self.joints[name].coordinates if name in self.joints else (name,))
        return frozenset(names)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the free coordinates, depth first: none locked, mimicking or prescribed."""
        return self._free("coordinates")

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of the free generalized speeds in order; not always rates of coordinates."""
        return self._free("speeds")

    def _free(self, what: str) -> tuple[str, ...]:
        given = self.prescribed()
        names: list[str] = []
        for joint in self.tree():
            if joint.mimic is None and not joint.is_fixed:
                names += getattr(joint, what)
            if joint.child in self.deformables:
                names += self.deformables[joint.child].coordinates
        return tuple(name for name in names if name not in given)

    def mimic_target(self, joint: str) -> str:
        """The joint that `joint` follows in the end, through a chain of mimic rules."""
        return mimic_target(joint, self.joints)

    def resolved(self, joint: str) -> Joint:
        """The joint with one mimic rule for a chain of them; locked if the chain ends at a lock."""
        return resolved_joint(joint, self.joints)

    def rigidified(self, body: str, values: Mapping[str, Any] | None = None) -> Model:
        """A copy in which coordinates of a deformable body are held and leave the state.

        All of them at their reference values, or those that `values` names, by short names.
        """
        if body not in self.deformables:
            known = near_names(body, self.deformables)
            raise ModelError(f"model {self.name!r}: no deformable body {body!r}; {known}")
        other = self.copy()
        other.deformables[body] = self.deformables[body].rigidified(values)
        return other

    def reduced(self) -> Model:
        """An equal mechanism without fixed and locked joints; see `merge.merged`."""
        from eomc.derive.model.merge import merged

        return merged(self)

    def defaults(self) -> dict[str, float]:
        """Default values of the parameters."""
        return {name: value_of(parameter.value) for name, parameter in self.parameters.items()}

    def frame_of(self, name: str) -> Frame:
        """The declared frame `name`, or the frame of the body (or "world") of that name.

        Raises `ModelError` with near names if there is neither.
        """
        if name in self.frames:
            return self.frames[name]
        if name in self.bodies or name == WORLD:
            return Frame(name, name)
        known = near_names(name, [*self.frames, *self.bodies])
        raise ModelError(f"model {self.name!r}: unknown frame {name!r}; {known}", self.source)

    def validate(self, *, inertia: str = "error") -> None:
        """Check structure, names and numbers; raises `ModelError` for the first breach.

        `inertia` says what an inertia is that no body has: "error", "warn" or "ignore".
        """
        from eomc.derive.model.validate import validated

        validated(self, inertia=inertia)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.bodies)} bodies, {len(self.joints)} joints)"
