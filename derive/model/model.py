"""The declaration of a mechanism: bodies, joints, forces, parameters, inputs, frames."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import sympy

from eomc.derive.bodies.mass_properties import INERTIA_POLICIES, MassProperties
from eomc.derive.elements.element import Element
from eomc.derive.elements.frame import Frame
from eomc.derive.fields.parameter import Input, Parameter
from eomc.derive.joints.joint import Joint, Mimic
from eomc.derive.joints.joint_declaration import declared_joint
from eomc.derive.language.argument import text
from eomc.derive.language.errors import ModelError, Source, declaring
from eomc.derive.language.motion_name import MotionName
from eomc.derive.language.naming import WORLD, check_name, check_new, check_word
from eomc.derive.language.near_names import near_names
from eomc.derive.language.renamed import current_arguments
from eomc.derive.language.scalar import is_number, vector3
from eomc.derive.language.value import value_of
from eomc.derive.model.composed import ComposedElement
from eomc.derive.model.cylinder import declare_cylinder
from eomc.derive.model.dh_chain import declare_dh_chain
from eomc.derive.model.elements import Elements
from eomc.derive.model.flexible_joint import declare_flexible_joint
from eomc.derive.model.lumped_cable import declare_lumped_cable
from eomc.derive.model.snapshot import Snapshot
from eomc.derive.placement.placement import Placement
from eomc.derive.topology.tree import mimic_target, resolved_joint

if TYPE_CHECKING:
    from eomc.derive.bodies.form import Form
    from eomc.derive.contacts.collision import Collision

__all__ = ["WORLD", "Model"]

#: Checks and equations of a tree take some milliseconds and 100 kB a body.
MOST_BODIES = 20_000
Method = TypeVar("Method", bound=Callable[..., None])


def _as(declaration: Callable[..., None]) -> Callable[[Method], Method]:
    """Decorator: files read the words of the method, and those that it needs, from there; the model
    keeps what was given."""

    def told(method: Method) -> Method:
        @wraps(method)
        def declare(self: Model, /, name: str, **arguments: Any) -> None:
            before = {id(element) for element in self.everything()}
            method(self, name, **arguments)
            made = tuple(e for e in self.everything() if id(e) not in before)
            self._composed += (ComposedElement(method.__name__, name, arguments, made),)

        vars(declare)["__signature__"] = inspect.signature(declaration)
        return cast("Method", declare)

    return told


class Model(Elements):
    """A mechanism as data; nothing is derived here.

    Elements stand in dictionaries by name, in the order of declaration. Every number may be a SymPy
    expression in declared parameters or its text. SI units, radians; `gravity` (3,) [m/s^2] in
    world axes. `inertia` says what an inertia is that no body has: "error", "warn" or "ignore".

    >>> model = Model("pendulum", gravity=(0, 0, -9.81))
    >>> m, l = model.parameter("m", 1.5, units="kg"), model.parameter("l", 0.5, units="m")
    >>> model.body("rod", mass=m, com=(0, 0, -l / 2), inertia=(m * l**2 / 12, m * l**2 / 12, 0))
    >>> model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0), damping=0.01)
    >>> model.coordinates
    ('hinge',)
    """

    _snapshot: Snapshot | None = None

    def __init__(
        self,
        name: str = "model",
        *,
        gravity: Sequence[Any] = (0, 0, -9.81),
        description: str = "",
        inertia: str = "error",
        source: Source | None = None,
    ) -> None:
        super().__init__()
        with declaring("model", name, source) as self.source:
            self.name = check_name(name)
            if inertia not in INERTIA_POLICIES:
                raise ModelError(f"inertia is {inertia!r}; valid: 'error', 'warn', 'ignore'")
            self.inertia = inertia
            #: Folders from which pictures read meshes besides that of the model's file.
            self.packages: tuple[Path, ...] = ()
            #: Collision shapes of the file, if they were asked for; they act in contacts alone.
            self.collisions: tuple[Collision, ...] = ()
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
            made = Parameter(name, value, units, tunable, description, source)
            if not is_number(made.value):
                raise ModelError(f"value {made.value} holds names; a parameter's value is a number")
            self.parameters[name] = made
        return sympy.Symbol(name)

    def input(
        self, name: str, *, units: str = "", description: str = "", source: Source | None = None
    ) -> sympy.Symbol:
        """Declare a signal from outside; returns its symbol for laws and magnitudes of forces."""
        with declaring("input", name, source) as source:
            check_new(check_word(name), "inputs", self.inputs)
            self.inputs[name] = Input(name, units, description, source)
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
            if len(self.bodies) == MOST_BODIES:
                raise ModelError(f"there are {MOST_BODIES} already, the most that are supported")
            self.bodies[name] = MassProperties(name, mass, com, inertia, inertia_about, source)  # type: ignore[arg-type]

    @current_arguments
    def deformable(
        self,
        /,
        name: str,
        kind: Form | str,
        *,
        fixed: Mapping[str, Any] | bool | None = None,
        source: Source | None = None,
        **arguments: Any,
    ) -> None:
        """Declare that the body `name` deforms as `kind` says, an object or the name of a kind.

        The body need not be declared before; if it is, its mass is a rigid part at the origin of
        the body frame. `fixed` takes coordinates of the form out of the state: true for all, or
        their short names with values. Other arguments are those of the kind of form.
        """
        from eomc.derive.bodies.declared_deformable import declared_deformable

        folder = None if source is None else Path(source.file).parent
        with declaring("deformable", name, source) as source:
            check_new(check_name(name), "deformable bodies", self.deformables)
            declared = declared_deformable(name, kind, fixed, arguments, source, folder)
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
        source: Source | None = None,
    ) -> None:
        """Make a massless body `name` fixed to the station `at` of a deformable body.

        Joints, springs, forces and frames may name it as they name any body.
        """
        self.body(name, source=source)
        self.joint(
            name, "attachment", parent=body, child=name, at=at, placement=placement, source=source
        )

    @current_arguments
    def joint(
        self,
        /,
        name: str,
        kind: str,
        *,
        parent: str,
        child: str,
        axis: Sequence[Any] | None = None,
        axis_2: Sequence[Any] | None = None,
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
        **own: Any,
    ) -> None:
        """Declare a joint; see `Joint` for the meaning of the arguments.

        `own` are further arguments that the kind alone has.

        `damping`, `friction` and limits are one number for all or a sequence, one entry a speed
        (coordinate, for lower and upper). `locked=True` freezes the joint at its neutral position,
        a number or sequence at those coordinates. Joints may close loops; `cut=True` says which
        joint does so by a constraint, else it is chosen (see `eomc.derive.topology.spanning_tree`).
        """
        with declaring("joint", name, source) as source:
            check_new(check_name(name), "joints", self.joints)
            self.joints[name] = declared_joint(
                source,
                name=name,
                kind=kind,
                parent=parent,
                child=child,
                axis=axis,
                axis_2=axis_2,
                pitch=pitch,
                sequence=sequence,
                at=at,
                placement=placement,
                child_placement=child_placement,
                damping=damping,
                friction=friction,
                friction_speed=friction_speed,
                rotor_inertia=rotor_inertia,
                gear_ratio=gear_ratio,
                lower=lower,
                upper=upper,
                velocity_limit=velocity_limit,
                effort_limit=effort_limit,
                mimic=mimic,
                cut=cut,
                locked=locked,
                own=own,
            )

    @_as(declare_flexible_joint)
    def flexible_joint(self, /, name: str, **arguments: Any) -> None:
        """Declare a revolute joint with compliance between its rotor and the child.

        See `eomc.derive.model.flexible_joint.declare_flexible_joint` for the arguments.
        """
        declare_flexible_joint(self, name, **arguments)

    @_as(declare_cylinder)
    def cylinder(self, /, name: str, **arguments: Any) -> None:
        """Declare a hydraulic or electric cylinder between two points, which closes a loop.

        See `eomc.derive.model.cylinder.declare_cylinder` for the arguments.
        """
        declare_cylinder(self, name, **arguments)

    @_as(declare_dh_chain)
    def dh_chain(self, /, name: str, **arguments: Any) -> None:
        """Declare a serial chain by a Denavit-Hartenberg table, standard or modified.

        See `eomc.derive.model.dh_chain.declare_dh_chain` for the arguments.
        """
        declare_dh_chain(self, name, **arguments)

    @_as(declare_lumped_cable)
    def lumped_cable(self, /, name: str, **arguments: Any) -> None:
        """Declare a cable with mass, as links with point masses between them.

        See `eomc.derive.model.lumped_cable.declare_lumped_cable` for the arguments.
        """
        declare_lumped_cable(self, name, **arguments)

    @staticmethod
    def composites() -> tuple[str, ...]:
        """Words that declare several elements at once."""
        return ("flexible_joint", "cylinder", "dh_chain", "lumped_cable", "attachment")

    # ---- elements: methods of the other kinds are made from their records

    def constraint(
        self, /, name: str, kind: str, *, source: Source | None = None, **arguments: Any
    ) -> None:
        """Declare a constraint; `arguments` are those of its kind."""
        from eomc.derive.elements.constraint import declared_constraint

        with declaring("constraint", name, source) as source:
            self.add(declared_constraint(name, kind, arguments, source))

    def add(self, element: Element) -> None:
        """Add an element made from its record, as those of the user's own kinds are.

        Raises `ModelError` for what is none, and for a name that is taken.
        """
        if not isinstance(element, Element):
            raise ModelError(f"model {self.name!r}: give an element, not {type(element).__name__}")
        with declaring(element.word, element.name, element.source):
            table: dict[str, Element] = self._elements.setdefault(element.word, {})
            check_new(element.name, element.plural, table)
            element.declare_with(self)
            table[element.name] = element

    # ---- queries

    def snapshot(self) -> Snapshot:
        """Snapshot of the model as it stands: what follows from it, found once until it changes."""
        if self._snapshot is None or not self._snapshot.shows(self):
            self._snapshot = Snapshot(self)
        return self._snapshot

    def tree(self) -> list[Joint]:
        """Joints of the spanning tree, depth first from the world, children as declared.

        Raises `ModelError` for unknown and unconnected bodies.
        """
        return list(self.snapshot().tree)

    def cuts(self) -> list[Joint]:
        """Joints that close loops by constraints, in order of declaration."""
        return list(self.snapshot().cuts)

    def motions(self) -> Mapping[str, MotionName]:
        """Velocities that stand in expressions, by the names of their symbols."""
        return self.snapshot().motions

    def prescribed_coordinates(self) -> frozenset[str]:
        """Names of the prescribed coordinates."""
        return self.snapshot().prescribed

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the free coordinates, depth first: none locked, mimicking or prescribed."""
        return self.snapshot().coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of the free generalized speeds in order; not always rates of coordinates."""
        return self.snapshot().speeds

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

    def latched(self, *closed: str, keep: bool = True) -> Model:
        """A copy in which the latches of these names are closed at the start, and no others.

        With ``keep=False`` it has no latches, but the joints of those that are closed for good.
        Raises `ModelError` for a name that is no latch's.
        """
        other, latches = self.copy(), self.latches
        for name in closed:
            if name not in latches:
                raise ModelError(
                    f"model {self.name!r}: no latch {name!r}; {near_names(name, latches)}"
                )
        for name, latch in latches.items():
            other.latches[name] = latch.changed(closed=name in closed)
            other.joints.pop(name, None)
            if name in closed:
                other.joints[name] = latch.cut_joint
            if not keep:
                del other.latches[name]
                for offset in latch.offsets:
                    del other.parameters[offset]
        return other

    def closed(self, *contacts: str) -> Model:
        """A copy in which rigid contacts stay closed: their gaps are constraints.

        A contact of several sites is named with the number of each that touches, "foot_1". Those
        with dry friction stick, those without slide. The multipliers of the copy are the forces of
        contact: it may be linearized and put in equilibrium.

        Raises `ModelError` for a contact that is not rigid, or slides with friction.
        """
        from eomc.derive.model.closed_contacts import closed_contacts

        return closed_contacts(self, contacts)

    def reduced(self) -> Model:
        """An equal mechanism without fixed and locked joints; see `merge.merged`."""
        return self.snapshot().reduced.copy()

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

    def validate(self, *, inertia: str | None = None) -> None:
        """Check structure, names and numbers; raises `ModelError` for the first breach.

        `inertia` as declared with the model, unless it is given here.
        """
        from eomc.derive.model.validate import validated

        policy = inertia or self.inertia
        snapshot = self.snapshot()
        if not snapshot.has_passed(policy):
            validated(self, inertia=policy)
            snapshot.passes(policy)

    def _repr_html_(self) -> str:
        """For notebooks: bodies below what carries them, joints, what else is declared."""
        from eomc.derive.model.shown import model_html

        return model_html(self)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {len(self.bodies)} bodies, {len(self.joints)} joints)"
