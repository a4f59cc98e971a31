"""Bodies, joints, loops and frames of a compiled model, as its manifest tells them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import sympy

from eomc.derive.elements.initial_guess import initial_guesses
from eomc.derive.joints.pose import pose
from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import is_zero
from eomc.derive.language.value import value_of
from eomc.derive.model.lowest_frequency import lowest_frequency
from eomc.derive.model.typical_size import typical_size
from eomc.derive.picture import picture
from eomc.derive.system.sizes import length, sliding

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.bodies.mass_properties import MassProperties
    from eomc.derive.joints.joint import Joint
    from eomc.derive.model.model import Model
    from eomc.derive.placement.placement import Placement
    from eomc.derive.system import System


class Metadata:
    """Of a model, as it is derived."""

    def __init__(self, model: Model, system: System) -> None:
        self.model = model
        self.system = system

    def facts(self, functions: Collection[str]) -> dict[str, object]:
        """All of it, as plain values; the picture only with its function among `functions`."""
        deformables = {"deformables": self._deformables} if self.model.deformables else {}
        return {
            "bodies": [self._body(body) for body in self.model.bodies.values()],
            "joints": [self._joint(joint_name) for joint_name in self.model.joints],
            **({"latches": latches} if (latches := self._latches()) else {}),
            **({"closures": closures} if (closures := self._closures()) else {}),
            **({"redundant": rows} if (rows := self.open_rows()) else {}),
            **({"all_constraints_redundant": True} if self._holds_nothing() else {}),
            **({"sizes": sizes} if (sizes := self._sizes()) else {}),
            **(
                {"initial_guess": guess}
                if (guess := initial_guesses(self.model, self._defaults))
                else {}
            ),
            **deformables,
            **({"finite_differences": True} if self._is_differenced else {}),
            **({"element_states": states} if (states := self._element_states()) else {}),
            **({"unilateral_outputs": taut} if (taut := self._slack_without()) else {}),
            **({"unilateral_rows": rows} if (rows := self._pulling_rows()) else {}),
            **({"velocity_level": names} if (names := self._velocity_level()) else {}),
            **({"channel_units": units} if (units := self._further_units()) else {}),
            **({"picture": picture(self.model)} if "poses" in functions else {}),
        }

    def _further_units(self) -> dict[str, str]:
        """Of inputs, of states of elements and of what elements tell, where they are said."""
        model = self.model
        said = {
            **{name: given.units for name, given in model.inputs.items()},
            **{name: state.units for name, state in model.element_states().items()},
            **{name: output.units for name, output in model.element_outputs().items()},
        }
        return {name: units for name, units in said.items() if units}

    def _holds_nothing(self) -> bool:
        """True if constraints are declared that take no freedom away, as two hinges on one axis."""
        return self.system.is_constrained and not self.system.constraints.rows

    @property
    def _is_differenced(self) -> bool:
        """Bodies whose derivatives are long, joints whose speeds are the rates of coordinates."""
        straight = all(joint.declaration.rates for joint in self._tree_joints.values())
        long = any(body.form.is_differenced for body in self.model.deformables.values())
        return long and straight

    def _slack_without(self) -> list[str]:
        """Outputs that say that an element is slack where they are not above zero."""
        told = self.model.element_outputs().items()
        return [name for name, output in told if output.unilateral_outputs]

    def _pulling_rows(self) -> list[str]:
        """Rows of constraints whose multiplier is minus the tension of what can only pull."""
        named = self.model.constraints.items()
        return [f"{name}.{label}" for name, held in named for label in held.unilateral_rows]

    def _velocity_level(self) -> list[str]:
        """Elements that steps with contacts alone know: dry friction, contacts that give way."""
        elements = (e for table in self.model.acting().values() for e in table.values())
        return [e.name for e in elements if e.is_velocity_level]

    def _element_states(self) -> list[dict[str, object]]:
        return [
            {"name": name, "units": state.units, "initial": value_of(state.initial, self._defaults)}
            for name, state in self.model.element_states().items()
        ]

    @cached_property
    def _defaults(self) -> dict[str, float]:
        return {name: float(p.value) for name, p in self.model.parameters.items()}

    def _body(self, body: MassProperties) -> dict[str, object]:
        """Mass and centre of mass [kg, m] with all parameters at their defaults."""
        com = [value_of(entry, self._defaults) for entry in body.com]
        return {"name": body.name, "mass": value_of(body.mass, self._defaults), "com": com}

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
            "units": [] if cut else [entry.unit for entry in joint.declaration.coordinates],
            **{limit: None if cut else self._limit(getattr(joint, limit)) for limit in limits},
            **({"cut": True} if cut else {}),
            **({"moving_base": True} if joint.declaration.rides else {}),
            **({"deviations": found} if (found := self._deviations(joint)) else {}),
        }

    def _deviations(self, joint: Joint) -> Sequence[tuple[float, float] | None]:
        """(middle, deviation) of coordinates that do not move about zero, None for others."""
        if joint.declaration.deviations or joint.parent != WORLD or not self._distance:
            return joint.declaration.deviations
        far = (self._distance, self._distance / 10)
        return [far if entry.unit == "m" else None for entry in joint.declaration.coordinates]

    @cached_property
    def _distance(self) -> float:
        """At which bodies usually are from the origin [m]; 0 if nothing keeps them away."""
        return max((e.distance(self._defaults) for e in self.model.elements()), default=0.0)

    @cached_property
    def _tree_joints(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in self.model.tree()}

    def limits(self) -> dict[str, tuple[float, ...]]:
        """Ends of the coordinates, magnitudes of speeds and of the forces on them, with all
        parameters at their defaults; arrays that limit nothing are left out."""
        arrays: dict[str, tuple[tuple[str, ...], dict[str, float]]] = {
            "q_lower": (self.system.coordinate_names, {}),
            "q_upper": (self.system.coordinate_names, {}),
            "u_limit": (self.system.speed_names, {}),
            "tau_limit": (self.system.speed_names, {}),
        }
        for joint in self._tree_joints.values():
            for array, names, limits in (
                ("q_lower", joint.coordinates, joint.lower),
                ("q_upper", joint.coordinates, joint.upper),
                ("u_limit", joint.speeds, joint.velocity_limit),
                ("tau_limit", joint.speeds, joint.effort_limit),
            ):
                found = zip(names, self._limit(limits) or (), strict=False)
                arrays[array][1].update({n: value for n, value in found if value is not None})
        none = {"q_lower": -math.inf}
        return {
            array: tuple(found.get(name, none.get(array, math.inf)) for name in names)
            for array, (names, found) in arrays.items()
            if any(name in found for name in names)
        }

    def _closures(self) -> list[dict[str, object]]:
        """Places of joints that close loops in their two bodies [m], and if these points meet."""

        def place(body: str, at: Placement) -> dict[str, object]:
            return {"body": body, "origin": [value_of(entry, self._defaults) for entry in at.xyz]}

        return [
            {
                "name": joint.name,
                "ends": [
                    place(joint.parent, joint.placement),
                    place(joint.child, joint.child_placement),
                ],
                "coincident": _ends_meet(joint),
            }
            for joint in self.model.cuts()
        ]

    def _latches(self) -> list[dict[str, object]]:
        """Of each latch: if it is closed, parameters of what it holds, what is said of it."""
        return [
            {
                "name": latch.name,
                "closed": latch.closed,
                "offsets": list(latch.offsets),
                "given": [
                    word
                    for word in (*latch.limits, *latch.events)
                    if getattr(latch, word) is not None
                ],
            }
            for latch in self.model.latches.values()
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
                "slopes": [[value_of(x, values) for x in row] for row in body.form.slopes],
                **self._spanned(body),
                **({"folds": rows} if (rows := self._folds(body)) else {}),
                **({} if body.form.stiffens else self._turning(body)),
            }
            for body, size in sizes
        ]

    def _spanned(self, body: Deformable) -> dict[str, object]:
        """The coordinate that the slopes are divided by, and its reference value, if any."""
        over = body.form.slopes_over
        if over is None:
            return {}
        name, value = over
        return {"slopes_over": [f"{body.name}_{name}", value_of(value, self.model.defaults())]}

    def _folds(self, body: Deformable) -> list[list[float]]:
        """The strains by which the sections of a body fold, of all its internal coordinates."""
        return [[value_of(x, self._defaults) for x in row] for row in body.form.folds]

    def _turning(self, body: Deformable) -> dict[str, object]:
        """Of a body without geometric stiffness: its lowest frequency [rad/s], and the angular
        speeds of each joint that carries it."""
        above = {joint.child: joint for joint in self._tree_joints.values()}
        groups, at = [], body.name
        while at in above:
            pairs = zip(above[at].speeds, above[at].declaration.speeds, strict=True)
            groups.append([name for name, variable in pairs if variable.unit == "rad/s"])
            at = above[at].parent
        lowest = lowest_frequency(body, self._defaults)
        return {"lowest_frequency": lowest, "rotation_speeds": [group for group in groups if group]}

    def _limit(self, values: tuple[object, ...] | None) -> list[float | None] | None:
        """Numbers for the manifest; infinite limits, which JSON cannot hold, become None."""
        if values is None:
            return None
        return [
            None if value in (math.inf, -math.inf) else value_of(value, self._defaults)
            for value in values
        ]

    def _sizes(self) -> dict[str, object]:
        """Of coordinates, speeds and rows, by which procedures judge steps and residuals."""
        size = float(f"{length(self.model):.1e}")
        if self.system.is_constrained:
            return {**self.system.constraints.independent.sizes, "length": size}
        slides, _ = sliding(self.system)
        lengths = zip(self.system.speed_names, slides, strict=True)
        known = {name: size for name, slide in lengths if slide}
        return {"u": known, "length": size} if known and size != 1.0 else {}

    def open_rows(self) -> list[str]:
        """Names of holonomic rows that the equations leave out, as they depend on others."""
        if not self.system.is_constrained:
            return []
        constraints = self.system.constraints
        return [row.name for row in constraints.closing if row.name not in set(constraints.names)]


def _ends_meet(joint: Joint) -> bool:
    """True if the child's joint frame never leaves the origin of the parent's."""
    return all(is_zero(entry) for entry in pose(joint, [*map(sympy.Symbol, joint.coordinates)]).xyz)
