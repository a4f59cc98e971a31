"""Named functions: what each takes, and how it is made.

A function is one entry here: its inputs, one sentence, and a maker that builds its outputs on the
graph of a formulation. Inputs that only some systems have (r, t and the prescribed motion s) are
added where the function can depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from eomc.derive.functions.formulation import Arrays
from eomc.derive.functions.inputs import FURTHER, further_inputs, input_argument
from eomc.derive.geometry import SpatialForce, SpatialMotion
from eomc.derive.graph import (
    Argument,
    DeferredEntries,
    Expression,
    Function,
    Guard,
    nodes,
    reachable,
    required,
    symbol,
    symbols,
)
from eomc.derive.graph.ends import end_guards

Maker = Callable[[Any], Sequence[Argument]]
Guards = Callable[[Any], Sequence[Guard]]

MULTIPLIERS = "multipliers"

TRAITS = {
    "bodies": "it is given without bodies",
    "prescribed_motions": "its motion is nowhere prescribed",
    "moving mass": "nothing that moves has mass",
    "regular mass": "some of its speeds carry no inertia, so that its mass matrix is singular",
    "rigid bodies": "some of its bodies deform",
    "uniform weight": "a field of gravity pulls at its bodies, by their inertia",
    "drives": "none of its speeds is driven",
    "elastic amplitudes": "nothing in it bends",
    "inputs": "it has no inputs",
    "constraints": "it has no loops and no constraints",
    "no constraints": "it has loops or constraints, which eomc.linearize eliminates",
    "free steps": "its steps end on constraints, follow a prescribed motion or carry states of "
    "elements",
    "speeds as rates": "some of its speeds are not rates of coordinates, as of quaternions",
    "tangent displacements": "its speeds are not the rates of its coordinates",
    "element outputs": "none of its elements tells anything",
    "element lines": "none of its elements is drawn so",
    "body lines": "none of its bodies is drawn as a line that bends",
    "strains": "none of its elements has a strain",
    "element switches": "the forces of its elements have no kinks that they tell",
    "rigid contacts": "none of its contacts is rigid",
    "latches": "it has no latches",
    "contact equations": "it has neither rigid contacts nor dry friction, or a rigid contact with "
    "smooth friction, which is no impulse (give dry)",
    "forces by reactions": "none of its forces depends on the reaction in a joint",
    "forces free of multipliers": "some of its forces depend on the multipliers of its constraints",
    "element states": "none of its elements has states of its own",
    "kinetic energy": "its kinetic energy is not known",
    "potential": "its potential energy is not known",
    "applied forces": "its forces are not known one by one",
    "auxiliary speeds": "it has no auxiliary speeds",
    "SymPy": "it is of systems that are given in SymPy",
}
"""Traits that a system can have, and how it is told that it lacks one."""


@dataclass(frozen=True)
class Kind:
    """A named function before it is made for a system.

    `inputs` are the arrays it takes in order; `sees_forces` says that inputs r, time, states z of
    elements and the rates of the prescribed motion matter to it, `sees_bodies=False` that it knows
    of the free coordinates only and no prescribed motion matters, `sees_time` that time alone may
    matter, `feeds` that it is a feedback law of the function named. With `sees_multipliers` it
    takes the multipliers of constraints where its outputs depend on them, as forces by reactions
    do. Systems without one of the traits `needs` have no such function. `outline` gives its outputs
    without entries, for functions that may be emitted without being derived.
    """

    name: str
    inputs: tuple[str, ...]
    description: str
    make: Maker
    sees_forces: bool = False
    guards: Guards | None = None
    sees_bodies: bool = True
    sees_time: bool = False
    feeds: str = ""
    needs: tuple[str, ...] = ()
    sees_multipliers: bool = False
    outline: Maker | None = None

    def deferred(
        self,
        given: Any,
        guards: Iterable[Guard],
        begun: Iterable[int],
        derive: Callable[[], Function],
    ) -> Function:
        """The function with outputs that are derived when their entries are asked for, and guards
        of the nodes that its loops begin with."""
        assert self.outline is not None

        def output(place: int, empty: Argument) -> Argument:
            entries = DeferredEntries(prod(empty.shape), lambda: derive().outputs[place].entries)
            return replace(empty, entries=entries)

        outputs = tuple(output(k, empty) for k, empty in enumerate(self.outline(given)))
        inputs, first = self.arguments(given), tuple(begun)
        start = [Argument("start", (len(first),), first)]
        own = tuple(guards)
        every = (*required(given.graph, start, own), *own, *end_guards(given.graph, start, inputs))
        return Function(self.name, inputs, outputs, self.description, every, self.feeds)

    def function(self, given: Any, more: Sequence[str] = ()) -> Function:
        """The function of one formulation; inputs `more` matter to it besides."""
        outputs = tuple(self.make(given))
        guards = tuple(self.guards(given)) if self.guards else ()
        guards = (*required(given.graph, outputs, guards), *guards)
        held = ["t"] if given.uses_time and holds_time(given, outputs) else []
        inputs = self.arguments(given, [*more, *held])
        if self.sees_multipliers and holds_multipliers(given, outputs):
            inputs = self.with_multipliers(given, inputs)
        guards = (*guards, *end_guards(given.graph, outputs, inputs))
        return Function(self.name, inputs, outputs, self.description, guards, self.feeds)

    def with_multipliers(self, given: Any, inputs: Sequence[Argument]) -> tuple[Argument, ...]:
        """Input arrays with the multipliers behind those of the function itself."""
        names = given.constraints.names
        entries = nodes(symbols(given.graph, MULTIPLIERS, len(names)))
        meaning = "multipliers of the constraints"
        argument = Argument(MULTIPLIERS, (len(names),), entries, meaning, "N or N m", names)
        place = max(k for k, entry in enumerate(inputs) if entry.name in self.inputs)
        return (*inputs[: place + 1], argument, *inputs[place + 1 :])

    def arguments(self, given: Arrays, more: Sequence[str] = ()) -> tuple[Argument, ...]:
        """Input arrays, those that only some systems have included."""
        further = further_inputs(
            given,
            self.inputs,
            sees_forces=self.sees_forces,
            sees_bodies=self.sees_bodies,
            sees_time=self.sees_time,
        )
        names = [*self.inputs, *(name for name in FURTHER if name in (*more, *further))]
        if self.sees_forces and given.element_state_names:
            names.insert(1 + max(names.index(name) for name in ("q", "u") if name in names), "z")
        return tuple(input_argument(given, name) for name in names)

    def lacks(self, traits: Iterable[str]) -> str:
        """Reason for which systems of these traits have no such function; empty if they have."""
        for need in self.needs:
            if need not in traits:
                return TRAITS[need]
        return ""


def holds_time(given: Arrays, outputs: Sequence[Argument]) -> bool:
    """True if outputs depend on time by themselves, as a potential energy may."""
    entries = [node for output in outputs for node in output.entries]
    return symbol(given.graph, "t").node in reachable(given.graph, entries)


def holds_multipliers(given: Any, outputs: Sequence[Argument]) -> bool:
    """True if outputs depend on the multipliers of constraints."""
    if not given.is_constrained:
        return False
    own = nodes(symbols(given.graph, MULTIPLIERS, len(given.constraints.names)))
    entries = [node for output in outputs for node in output.entries]
    return not set(own).isdisjoint(reachable(given.graph, entries))


KINDS: dict[str, Kind] = {}


def function(
    name: str,
    inputs: Iterable[str],
    description: str,
    *,
    sees_forces: bool = False,
    guards: Guards | None = None,
    sees_bodies: bool = True,
    sees_time: bool = False,
    feeds: str = "",
    needs: Iterable[str] = (),
    sees_multipliers: bool = False,
    outline: Maker | None = None,
) -> Callable[[Maker], Maker]:
    """Decorator: `make` builds the outputs of the function `name`."""

    def remember(make: Maker) -> Maker:
        KINDS[name] = Kind(
            name,
            tuple(inputs),
            description,
            make,
            sees_forces,
            guards,
            sees_bodies,
            sees_time,
            feeds,
            tuple(needs),
            sees_multipliers,
            outline,
        )
        return make

    return remember


def scalar(name: str, value: Expression, description: str, units: str = "") -> Argument:
    """A scalar output."""
    return Argument(name, (), (value.node,), description, units)


def column(
    name: str,
    values: Sequence[Expression],
    description: str,
    units: str = "",
    rows: Sequence[str] = (),
) -> Argument:
    """A vector output."""
    return Argument(name, (len(values),), nodes(values), description, units, tuple(rows))


def matrix(
    name: str,
    rows: Sequence[Sequence[Expression]],
    width: int,
    description: str,
    units: str = "",
    row_names: Sequence[str] = (),
) -> Argument:
    """A matrix output given by rows of length `width`."""
    entries = tuple(entry.node for row in rows for entry in row)
    return Argument(name, (len(rows), width), entries, description, units, tuple(row_names))


def matrix_of(
    name: str, columns: Sequence[Sequence[Expression]], rows: Sequence[str], description: str
) -> Argument:
    """A matrix output given by columns, one entry for each of the named rows."""
    entries = [[column[i] for column in columns] for i in range(len(rows))]
    return matrix(name, entries, len(columns), description, "", rows)


SIX = ("vx", "vy", "vz", "wx", "wy", "wz")
"""Row names of a stacked (linear, angular) six-vector."""


def six(
    name: str, vector: SpatialMotion | SpatialForce, description: str, units: str = ""
) -> Argument:
    """A spatial vector as an output."""
    return column(name, vector.entries, description, units, SIX)
