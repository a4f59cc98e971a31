"""The equations of motion of a model, ready to be read, evaluated and emitted."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from eomc.derive.bodies.typical_size import typical_size
from eomc.derive.constraints.redundancy import Redundancy, redundancy
from eomc.derive.functions import KINDS, frame_derivative_kind, frame_kinds
from eomc.derive.functions.feedback import NEEDS_DRIVES
from eomc.derive.functions.frames import identifier
from eomc.derive.functions.manifold import neutral_values
from eomc.derive.functions.registry import Kind
from eomc.derive.graph import Function, Parameter, Program, flops
from eomc.derive.loops import loops_of
from eomc.derive.model.body import Body
from eomc.derive.model.errors import ModelError
from eomc.derive.model.expression_value import value_of
from eomc.derive.model.joint import Joint
from eomc.derive.model.model import Model
from eomc.derive.model.near_names import near_names
from eomc.derive.model.placement import Placement
from eomc.derive.quantity import Quantity
from eomc.derive.system import System

CONSTRAINED = (
    *("constraint_residual", "constraint_jacobian", "constraint_velocity", "constraint_bias"),
    *("constrained_dynamics", "position_correction", "velocity_correction"),
)
"""Functions of models with loops or other constraints."""

CLOSURE = ("closure_residual", "closure_jacobian")
"""Functions of models some of whose constraints depend on others."""

CORE = (
    *("inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity"),
    *("kinetic_energy", "potential_energy", "power", "momentum", "center_of_mass"),
    *("center_of_mass_jacobian", "coordinate_rates", "integrate", "difference", "neutral"),
    *("normalize", "prescribed_forces", "driven_dynamics"),
    *CONSTRAINED,
)
"""Functions that are emitted unless others are asked for."""

ALL_PARAMETERS = "all"


class Equations:
    """Named symbolic functions of a model on one expression graph.

    Every function (`mass_matrix`, `bias`, `forward_dynamics`, ...; see `function_names`) is an
    attribute: a `Quantity` that reads as SymPy, LaTeX or text, with all parameters of the model as
    symbols. A function of several outputs gives a tuple of them. `program` prepares emission, with
    the parameters that are not tunable baked in as numbers. In SymPy a coordinate bears its own
    name, the entries of all other inputs are led by the input's: ``hinge``, ``u_hinge``,
    ``tau_hinge``.

    Examples
    --------
    >>> from eomc.derive.model import Model
    >>> model = Model("pendulum", gravity=(0, 0, "-g"))
    >>> _ = [model.parameter(name, value) for name, value in (("m", 1.0), ("l", 0.5), ("g", 9.81))]
    >>> model.body("bob", mass="m", com=(0, 0, "-l"))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> equations = derive(model)
    >>> equations.mass_matrix.to_sympy()
    Matrix([[l**2*m]])
    >>> equations.gravity.to_sympy()
    Matrix([[g*l*m*sin(hinge)]])
    """

    def __init__(self, model: Model) -> None:
        model.validate(inertia="ignore" if model.accepts_any_inertia else "error")
        self.model = model
        self._systems: dict[frozenset[str], System] = {}
        self._functions: dict[tuple[frozenset[str], str], Function] = {}

    # -- names -----------------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of q in order."""
        return self.model.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of u in order."""
        return self.model.speeds

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every function that this model has, by name."""
        kinds = {name: kind for name, kind in KINDS.items() if name not in self._absent}
        for frame in self.frames:
            kinds.update((kind.name, kind) for kind in frame_kinds(frame))
            derivative = frame_derivative_kind(frame)
            kinds[derivative.name] = derivative
        return kinds

    @cached_property
    def _absent(self) -> Mapping[str, str]:
        """Functions of other models, and why this one has none of them."""
        model, absent = self.model, {}
        if not model.prescriptions:
            absent["prescribed_forces"] = "its motion is nowhere prescribed"
        if not model.drives:
            absent |= dict.fromkeys(
                ("driven_dynamics", *NEEDS_DRIVES), "none of its speeds is driven"
            )
        if not model.inputs:
            absent["input_matrix"] = "it has no inputs"
        if model.constraints or model.cuts():
            absent["state_space"] = "it has loops or constraints, which eomc.linearize eliminates"
        else:
            closed = (*CONSTRAINED, *CLOSURE, "constraint_derivatives")
            absent |= dict.fromkeys(closed, "it has no loops and no constraints")
        return absent

    def _unknown(self, name: str) -> str:
        """What is wrong with asking for function `name`."""
        if name in self._absent:
            return f"model {self.model.name!r} has no function {name!r}: {self._absent[name]}"
        return f"no function {name!r}; {near_names(name, self.kinds)}"

    @property
    def function_names(self) -> tuple[str, ...]:
        """Names of all functions that can be read or emitted."""
        return tuple(self.kinds)

    @cached_property
    def frames(self) -> tuple[str, ...]:
        """Names of declared frames and bodies, whose kinematics can be asked for."""
        names = dict.fromkeys([*self.model.frames, *self.model.bodies])
        identifiers: dict[str, str] = {}
        for name in names:
            other = identifiers.setdefault(identifier(name), name)
            if other != name:
                raise ModelError(
                    f"frames {other!r} and {name!r} would have the same name "
                    f"{identifier(name)!r} in emitted code; rename one"
                )
        return tuple(names)

    def redundancy(self) -> Redundancy:
        """Rank of the constraints, degrees of freedom, and which joint directions are redundant.

        Without loops and constraints there are no rows. `parameters` of the result are those
        tunable ones on whose default values a redundancy rests. Raises `ModelError` if the model
        cannot be assembled.
        """
        return redundancy(self.system(self.tunable(None)).constraints)

    # -- reading ---------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:  # a Quantity, or a tuple of them
        if name.startswith("_") or name not in self.kinds:
            raise AttributeError(self._unknown(name))
        quantities = self.quantities(name)
        return quantities[0] if len(quantities) == 1 else quantities

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.kinds]

    def quantities(self, name: str) -> tuple[Quantity, ...]:
        """The outputs of function `name`, with all parameters as symbols."""
        system = self.system(self.model.parameters)
        function = self._function(system, name)
        values = {name: float(p.value) for name, p in self.model.parameters.items()}
        names = {
            str(system.graph.value[node]): row if argument.name == "q" else f"{argument.name}_{row}"
            for argument in function.inputs
            for node, row in zip(argument.entries, argument.rows, strict=False)
        }
        return tuple(
            Quantity(system.graph, output, function.inputs, names, values)
            for output in function.outputs
        )

    @property
    def operations(self) -> dict[str, int]:
        """Additions, subtractions, multiplications and divisions of each core function as
        emitted."""
        program = self.program()
        return {f.name: flops(program.graph, f.nodes) for f in program.functions}

    # -- emission --------------------------------------------------------------------------------

    def system(self, symbolic: Collection[str]) -> System:
        """The derivation with the parameters `symbolic` as symbols, kept for the next call."""
        key = frozenset(symbolic)
        if key not in self._systems:
            self._systems[key] = System(self.model, key)
        return self._systems[key]

    def _function(self, system: System, name: str) -> Function:
        key = (frozenset(system.symbolic), name)
        if key not in self._functions:
            if name not in self.kinds:
                raise ModelError(self._unknown(name))
            self._functions[key] = self.kinds[name].function(system)
        return self._functions[key]

    def tunable(self, names: Iterable[str] | str | None) -> tuple[str, ...]:
        """Parameters that stay tunable: those declared so, those named, or "all"."""
        parameters = self.model.parameters
        if names is None:
            return tuple(name for name, parameter in parameters.items() if parameter.tunable)
        if names == ALL_PARAMETERS:
            return tuple(parameters)
        chosen = {names} if isinstance(names, str) else set(names)
        for name in sorted(chosen - set(parameters)):
            raise ModelError(f"no parameter {name!r} to tune; {near_names(name, parameters)}")
        return tuple(name for name in parameters if name in chosen)

    def program(
        self,
        functions: Iterable[str] | None = None,
        frames: Iterable[str] | None = None,
        tunable: Iterable[str] | str | None = None,
        name: str | None = None,
        small: bool = False,
    ) -> Program:
        """What code generation emits.

        Parameters
        ----------
        functions : names, optional
            Functions to emit; by default `CORE`, and `CLOSURE` if the model is over-constrained.
            Frame functions may be named too; of those in `CORE`, what the model has not is left
            out.
        frames : names, optional
            Frames (or bodies) whose five functions are emitted; the declared frames by default, if
            `functions` is not given.
        tunable : names or "all", optional
            Parameters that stay tunable at run time; those declared tunable by default.
        name : str, optional
            Prefix of the emitted names; made from the model's name by default.
        small : bool
            Functions as loops over the bodies where that is possible (`eomc.derive.loops`).
        """
        system = self.system(self.tunable(tunable))
        if functions is None:
            chosen = [function for function in CORE if function in self.kinds]
            chosen += CLOSURE if self._open_rows(system) else ()
            frames = self.model.frames if frames is None else frames
        else:
            asked = [functions] if isinstance(functions, str) else list(functions)
            # All of CORE is what the model has of it; drives and constraints are not in every one.
            left_out = CORE if set(CORE) <= set(asked) else ()
            chosen = [name for name in asked if name in self.kinds or name not in left_out]
        for frame in frames or ():
            if frame not in self.frames:
                raise ModelError(f"no frame or body {frame!r}; {near_names(frame, self.frames)}")
            chosen += [kind.name for kind in frame_kinds(frame)]
        chosen = list(dict.fromkeys(chosen))
        return Program(
            name=name or program_name(self.model.name),
            graph=system.graph,
            functions=tuple(
                self._looped(system, function) if small else self._function(system, function)
                for function in chosen
            ),
            parameters=tuple(self._parameter(parameter) for parameter in system.symbolic),
            index_names=self._index_names(system),
            metadata=self._metadata(system),
        )

    def _looped(self, system: System, name: str) -> Function:
        """The function with its loops, if it has any."""
        return replace(self._function(system, name), loops=loops_of(system, name))

    def _parameter(self, name: str) -> Parameter:
        declared = self.model.parameters[name]
        return Parameter(name, name, float(declared.value), declared.units, declared.description)

    def _index_names(self, system: System) -> dict[str, tuple[str, ...]]:
        names = {
            "q": system.tree.coordinate_names,
            "u": system.tree.speed_names,
            "r": tuple(self.model.inputs),
            "s": system.tree.prescribed_names,
        }
        return {array: entries for array, entries in names.items() if entries}

    def _open_rows(self, system: System) -> list[str]:
        """Names of holonomic rows that the equations leave out, as they depend on others."""
        if CLOSURE[0] not in self.kinds:
            return []
        kept = set(system.constraints.names)
        return [row.name for row in system.constraints.closing if row.name not in kept]

    def _metadata(self, system: System) -> dict[str, object]:
        tree = system.tree
        deformables = {"deformables": self._deformables} if self.model.deformables else {}
        return {
            "model": self.model.name,
            "description": self.model.description,
            "coordinates": list(tree.coordinate_names),
            "speeds": list(tree.speed_names),
            "inputs": list(self.model.inputs),
            "prescribed": list(tree.prescribed_names),
            "neutral": neutral_values(system),
            "frames": list(self.frames),
            "frame_bodies": {name: frame.body for name, frame in self.model.frames.items()},
            "functions": list(self.kinds),
            "bodies": [self._body(body) for body in self.model.bodies.values()],
            "joints": [self._joint(joint_name) for joint_name in self.model.joints],
            **({"closures": closures} if (closures := self._closures()) else {}),
            **({"redundant": rows} if (rows := self._open_rows(system)) else {}),
            **deformables,
        }

    def _body(self, body: Body) -> dict[str, object]:
        """Mass and centre of mass [kg, m] with all parameters at their defaults."""
        defaults = {name: float(p.value) for name, p in self.model.parameters.items()}
        com = [value_of(entry, defaults) for entry in body.com]
        return {"name": body.name, "mass": value_of(body.mass, defaults), "com": com}

    def _joint(self, name: str) -> dict[str, object]:
        """A joint as the tree has it; one that closes a loop has neither coordinates nor limits."""
        joint = self._tree_joints.get(name, self.model.joints[name])
        cut = name not in self._tree_joints
        limits = ("lower", "upper", "velocity_limit", "effort_limit")
        return {
            "name": name,
            "kind": joint.kind,
            "parent": joint.parent,
            "child": joint.child,
            "coordinates": [] if cut else list(joint.coordinates),
            "speeds": [] if cut else list(joint.speeds),
            **{limit: None if cut else self._limit(getattr(joint, limit)) for limit in limits},
            **({"cut": True} if cut else {}),
        }

    @cached_property
    def _tree_joints(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in self.model.tree()}

    def _closures(self) -> list[dict[str, object]]:
        """Where joints that close loops stand in their two bodies [m]."""
        defaults = {name: float(p.value) for name, p in self.model.parameters.items()}

        def place(body: str, at: Placement) -> dict[str, object]:
            return {"body": body, "origin": [value_of(entry, defaults) for entry in at.xyz]}

        return [
            {
                "name": joint.name,
                "ends": [
                    place(joint.parent, joint.placement),
                    place(joint.child, joint.child_placement),
                ],
            }
            for joint in self.model.cuts()
        ]

    @cached_property
    def _deformables(self) -> list[dict[str, object]]:
        values = self.model.defaults()
        sizes = [(body, typical_size(body, values)) for body in self.model.deformables.values()]
        return [
            {
                "name": body.name,
                "coordinates": list(body.coordinates),
                "units": list(body.form.units),
                "neutral": [float(value) for value in body.form.neutral],
                "deviations": list(size.deviations),
                "radius": size.radius,
            }
            for body, size in sizes
        ]

    def _limit(self, values: tuple[object, ...] | None) -> list[float | None] | None:
        """Numbers for the manifest; infinite limits, which JSON cannot hold, become None."""
        if values is None:
            return None
        system = self.system(())
        numbers: list[float | None] = []
        for value in values:
            if isinstance(value, float) and value in (float("inf"), float("-inf")):
                numbers.append(None)
            else:
                number = system.scalars(value)
                known = number.graph.number(number.node)
                numbers.append(None if known is None else float(known))
        return numbers


def program_name(model: str) -> str:
    """Prefix of emitted names for a model of that name.

    >>> program_name("7-dof arm")
    'model_7_dof_arm'
    """
    name = identifier(model)
    return name if name[:1].isalpha() else f"model_{name}"


def derive(model: Model | str | os.PathLike[str]) -> Equations:
    """Derive the equations of motion of `model`, a `Model` or the path of its file.

    Checks the model first; raises `ModelError` with the element's name and place if it is
    malformed or physically impossible. Derivation itself happens function by function, when asked
    for.
    """
    declared: object = model
    if isinstance(model, str | os.PathLike):
        from eomc.derive.model.load import load

        declared = load(Path(model))
    if not isinstance(declared, Model):
        kind = type(declared).__name__
        raise ModelError(f"cannot derive {kind!r}; give a Model or the path of its file")
    return Equations(declared)
