"""Variables of a unit: names, references, units, starts, causality, dependencies.

References are places in one array of numbers: 0 is time, then states, their derivatives, inputs,
parameters, outputs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from eomc.codegen.fmi.units import force_of, rate_of, unit
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.first_order import STABILIZATION, ArrayEntry, FirstOrder
from eomc.derive.graph import TunableParameter

STEP = "step"
"""The longest step inside a communication step, a parameter of its own [s]."""

_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_QUOTABLE = re.compile(r"[ -~]+")
_MOST = 200_000


@dataclass(frozen=True)
class FmiVariable:
    """One scalar variable.

    Attributes
    ----------
    name : str
        By FMI's structured naming convention.
    reference : int
        Its place.
    causality, variability, initial : str
        As in FMI; `initial` is empty where it must not be said.
    start : float or None
    units, description : str
        `units` is empty where it is not known.
    derivative : int or None
        Reference of the state that it is the derivative of.
    """

    name: str
    reference: int
    causality: str
    variability: str
    initial: str = ""
    start: float | None = None
    units: str = ""
    description: str = ""
    derivative: int | None = None


@dataclass(frozen=True)
class EntryMetadata:
    """Units, start values and descriptions of entries, by array and name.

    Attributes
    ----------
    units : mapping of (array, name) to str
        The name with indices, if there are any.
    starts : mapping of (array, name) to float
        Zero where an entry is not in it.
    descriptions : mapping of (array, name) to str
    """

    units: Mapping[tuple[str, str], str] = field(default_factory=dict)
    starts: Mapping[tuple[str, str], float] = field(default_factory=dict)
    descriptions: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class VariableLayout:
    """The variables of a system, by kind."""

    system: FirstOrder
    metadata: EntryMetadata
    step: float
    impulses: tuple[str, ...] = ()
    """Of contacts, from which the next step of Co-Simulation starts."""
    memory: tuple[str, ...] = ()
    """Of a method with numerical damping, which its next step takes."""
    latches: tuple[str, ...] = ()
    """Of each latch, which the next step of Co-Simulation takes."""

    @property
    def nx(self) -> int:
        """Number of states."""
        return len(self.system.states)

    @property
    def ny(self) -> int:
        """Number of outputs and event indicators."""
        return len(self.system.outputs)

    @cached_property
    def numbers(self) -> tuple[TunableParameter, ...]:
        """Tunable parameters in the order of the C struct."""
        return self.system.program.parameters

    # -- places ----------------------------------------------------------------------------------

    @property
    def first_rate(self) -> int:
        """Of the derivatives."""
        return 1 + self.nx

    @property
    def first_held(self) -> int:
        """Of the inputs."""
        return 1 + 2 * self.nx

    @property
    def first_parameter(self) -> int:
        """Of the tunable parameters."""
        return self.first_held + len(self.system.held)

    @property
    def step_place(self) -> int:
        """Of the longest step."""
        return self.first_parameter + len(self.numbers)

    @property
    def kept(self) -> tuple[str, ...]:
        """Behind the states while steps of Co-Simulation are taken."""
        return self.impulses + self.memory + self.latches

    @property
    def steps_only(self) -> bool:
        """True without Model Exchange."""
        return bool(self.impulses or self.latches)

    @property
    def first_kept(self) -> int:
        """Of what steps keep."""
        return self.step_place + 1

    @property
    def first_output(self) -> int:
        """Of the outputs."""
        return self.first_kept + len(self.kept)

    @property
    def size(self) -> int:
        """Of all variables."""
        return self.first_output + self.ny

    @property
    def known(self) -> tuple[int, ...]:
        """References of what derivatives are taken by: states, inputs, parameters."""
        held = range(self.first_held, self.step_place)
        return (*range(1, 1 + self.nx), *held)

    @property
    def found(self) -> tuple[int, ...]:
        """References of what derivatives are taken of: rates, outputs."""
        rates = range(self.first_rate, self.first_rate + self.nx)
        return (*rates, *range(self.first_output, self.size))

    # -- variables -------------------------------------------------------------------------------

    @cached_property
    def time(self) -> FmiVariable:
        """The independent variable."""
        return FmiVariable("time", 0, "independent", "continuous", units="s", description="time")

    @cached_property
    def states(self) -> list[FmiVariable]:
        """Outputs with start values."""
        return [
            FmiVariable(
                self._name(entry),
                1 + k,
                "output",
                "continuous",
                "exact",
                self._start(entry),
                self._units(entry),
                self._meaning(entry),
            )
            for k, entry in enumerate(self.system.states)
        ]

    @cached_property
    def rates(self) -> list[FmiVariable]:
        """Derivatives of the states."""
        return [
            FmiVariable(
                f"der({state.name})",
                self.first_rate + k,
                "local",
                "continuous",
                "calculated",
                None,
                rate_of(state.units),
                f"rate of {state.name}",
                state.reference,
            )
            for k, state in enumerate(self.states)
        ]

    @cached_property
    def held(self) -> list[FmiVariable]:
        """Inputs, and the rate of stabilization of constrained models."""
        found = []
        for k, entry in enumerate(self.system.held):
            place = self.first_held + k
            if entry.array == STABILIZATION:
                meaning = "rate at which model exchange draws constraints back"
                found.append(
                    FmiVariable(
                        "stabilization",
                        place,
                        "parameter",
                        "tunable",
                        "exact",
                        self._start(entry),
                        "1/s",
                        meaning,
                    )
                )
                continue
            found.append(
                FmiVariable(
                    self._name(entry),
                    place,
                    "input",
                    "continuous",
                    "",
                    self._start(entry),
                    self._units(entry),
                    self._meaning(entry),
                )
            )
        return found

    @cached_property
    def parameters(self) -> list[FmiVariable]:
        """Tunable parameters, and the longest step."""
        found = [
            FmiVariable(
                self._name(ArrayEntry("p", p.name)),
                self.first_parameter + k,
                "parameter",
                "tunable",
                "exact",
                self._parameter_start(p),
                p.units if unit(p.units) else "",
                p.description,
            )
            for k, p in enumerate(self.numbers)
        ]
        meaning = "longest step of the integrator within a communication step"
        found.append(
            FmiVariable(
                STEP, self.step_place, "parameter", "tunable", "exact", self.step, "s", meaning
            )
        )
        return found

    @cached_property
    def _kept(self) -> list[FmiVariable]:
        """Impulses of the last step, and what its solve tells; or the memory of the method."""
        array = "latches" if self.latches else "impulses" if self.impulses else "memory"
        return [
            FmiVariable(
                self._name(ArrayEntry(array, name)),
                *(self.first_kept + k, "local", "discrete", "exact"),
                *(self._start(ArrayEntry(array, name)), ""),
                "of the last step",
            )
            for k, name in enumerate(self.kept)
        ]

    @cached_property
    def outputs(self) -> list[FmiVariable]:
        """Outputs, then functions that change sign at events, which are local."""
        seen = self.ny - self.system.switches
        return [
            FmiVariable(
                self._name(entry),
                self.first_output + k,
                "output" if k < seen else "local",
                "continuous",
                "calculated",
                None,
                self._units(entry),
                self._meaning(entry),
            )
            for k, entry in enumerate(self.system.outputs)
        ]

    @cached_property
    def all(self) -> list[FmiVariable]:
        """Every variable, the one of reference k at place k.

        Raises EmissionError if there are too many, or two of one name.
        """
        found = [self.time, *self.states, *self.rates, *self.held, *self.parameters]
        found += [*self._kept, *self.outputs]
        if len(found) > _MOST:
            raise EmissionError(
                f"{self.system.program.name!r} would have {len(found)} variables, and an FMU is "
                f"limited to {_MOST} here; ask for fewer outputs"
            )
        names: set[str] = set()
        for variable in found:
            if variable.name in names:
                raise EmissionError(f"two variables of the FMU would be called {variable.name!r}")
            names.add(variable.name)
        return found

    def depends(self, place: int) -> list[int]:
        """References that entry `place` of (x', y) depends on, time last."""
        known = (*self.known, 0)
        return sorted(known[k] for k in self.system.depends[place])

    @cached_property
    def units(self) -> list[str]:
        """All units in use, in order."""
        return sorted({variable.units for variable in self.all if variable.units})

    # -- of an entry -----------------------------------------------------------------------------

    def _name(self, entry: ArrayEntry) -> str:
        inner = entry.name.split(".")
        name = inner if all(map(_PLAIN.fullmatch, inner)) else [entry.name]
        parts = [*entry.array.split("."), *(name if entry.name else [])]
        return ".".join(_legal(part, self.system.program.name) for part in parts) + entry.indices

    def _start(self, entry: ArrayEntry) -> float:
        return float(self.metadata.starts.get((entry.array, entry.name), 0.0))

    def _parameter_start(self, parameter: TunableParameter) -> float:
        return float(self.metadata.starts.get(("p", parameter.name), parameter.default))

    def _units(self, entry: ArrayEntry) -> str:
        found = self.metadata.units.get((entry.array, entry.name + entry.indices), "")
        if not found and entry.array == "tau":
            found = force_of(self.metadata.units.get(("u", entry.name), ""))
        return found if unit(found) else ""

    def _meaning(self, entry: ArrayEntry) -> str:
        return self.metadata.descriptions.get((entry.array, entry.name), "")


def _legal(part: str, model: str) -> str:
    """`part` of a name as FMI allows it, quoted if need be.

    >>> _legal("elbow", "arm"), _legal("left elbow", "arm")
    ('elbow', "'left elbow'")
    """
    if _PLAIN.fullmatch(part):
        return part
    if not _QUOTABLE.fullmatch(part) or '"' in part:
        raise EmissionError(
            f"{part!r} in model {model!r} cannot name a variable of an FMU; valid are letters a to "
            "z, digits, spaces and the signs of ASCII but the double quote"
        )
    escaped = part.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
