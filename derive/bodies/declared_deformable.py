"""Deformable bodies of a model: a name, a form, and what of it is held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import sympy

from eomc.derive.bodies.deformable import FormOnGraph
from eomc.derive.bodies.form import Form, Invariants
from eomc.derive.bodies.forms import make_form
from eomc.derive.bodies.frozen import Frozen
from eomc.derive.bodies.shape import DeformedShape, Read
from eomc.derive.geometry import Inertia
from eomc.derive.graph import Expression, Graph, constant
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, scalar
from eomc.derive.language.value import value_of

__all__ = ["Deformable", "declared_deformable"]


@dataclass(frozen=True)
class AtRest:
    """Numbers of a deformable body at its reference shape: m, the diagonal of J, M."""

    mass: float
    moments: tuple[float, ...]
    internal: list[list[float]]


def _read_at(values: Mapping[str, float], graph: Graph) -> Read:
    """Scalars as numbers on a graph."""
    return lambda value: constant(graph, value_of(value, values))


def _number(entry: Expression) -> float:
    return float(entry.graph.number(entry.node) or 0)


@dataclass(frozen=True)
class Deformable:
    """The body `name` deforms as `given` says; `held` are coordinates taken out of the state."""

    name: str
    given: Form
    held: tuple[tuple[str, Scalar], ...] = ()
    source: Source | None = field(default=None, compare=False, repr=False)

    @property
    def form(self) -> Form:
        """The form without what is held."""
        return Frozen(self.given, self.held) if self.held else self.given

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the internal coordinates, and of their speeds: <body>_<short name>."""
        return tuple(f"{self.name}_{short}" for short in self.form.coordinates)

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of the internal speeds: the rates of the coordinates."""
        return self.coordinates

    @property
    def symbols(self) -> tuple[sympy.Symbol, ...]:
        """The internal coordinates as they stand in expressions."""
        return tuple(sympy.Symbol(name) for name in self.coordinates)

    @cached_property
    def invariants(self) -> Invariants:
        """Those of the form in `symbols`; integrals over the body are done once."""
        return self.form.invariants(self.symbols)

    @cached_property
    def is_expanded(self) -> bool:
        """True if the form is told by invariants and attachments."""
        graph = Graph()
        return self.form.on_graph(lambda _: constant(graph, 1), {}) is None

    def on_graph(self, read: Read) -> DeformedShape:
        """The body on a graph."""
        return self.form.on_graph(read, {}, self.name) or self._expanded(read)

    def _expanded(self, read: Read) -> FormOnGraph:
        form = self.invariants

        def row(entries: Sequence[object]) -> tuple[Expression, ...]:
            return tuple(read(entry) for entry in entries)

        return FormOnGraph(
            read(form.mass),
            row(form.first),
            row(form.inertia),
            *(tuple(map(row, rows)) for rows in (form.linear, form.angular, form.internal)),
        )

    @property
    def mass(self) -> Scalar:
        """m [kg]"""
        return self.invariants.mass if self.is_expanded else self.form.whole_mass

    def at_rest(self, values: Mapping[str, float]) -> AtRest:
        """Mass, moments of inertia and mass matrix of the internal speeds at the reference shape,
        with parameters at `values`.

        Raises `ModelError` for entries without a value.
        """
        neutral = dict(zip(self.coordinates, self.form.neutral, strict=True))
        if self.is_expanded:
            given, known = self.invariants, {**values, **neutral}
            return AtRest(
                value_of(given.mass, known),
                tuple(value_of(entry, known) for entry in given.inertia[:3]),
                [[value_of(entry, known) for entry in row] for row in given.internal],
            )
        graph = Graph()
        read = _read_at(values, graph)
        body = self.on_graph(read).body(Inertia.zero(read(0)), [read(x) for x in neutral.values()])
        about = body.inertia.rotational()
        return AtRest(
            _number(body.inertia.mass),
            tuple(_number(entry) for entry in (about.xx, about.yy, about.zz)),
            [[_number(entry) for entry in row] for row in body.internal_mass()],
        )

    @property
    def rates(self) -> tuple[sympy.Symbol, ...]:
        """The internal speeds as they stand in expressions."""
        return tuple(sympy.Symbol(f"speed({name})") for name in self.speeds)

    @cached_property
    def strain_energy(self) -> Any:
        """V in `symbols`."""
        return sympy.sympify(self.form.strain_energy(self.symbols))

    @cached_property
    def dissipation(self) -> Any:
        """Rayleigh's function in `symbols` and `rates`."""
        return sympy.sympify(self.form.dissipation(self.symbols, self.rates))

    def rigidified(self, values: Mapping[str, Any] | None = None) -> Deformable:
        """All (or the named) coordinates held, at their reference values unless given.

        Raises `ModelError` for names that the form does not have.
        """
        names, neutral = self.given.coordinates, self.given.neutral
        held = dict(self.held)
        reference = dict(zip(names, neutral, strict=True))
        chosen = reference if values is None else values
        for name, value in chosen.items():
            if name not in reference:
                raise ModelError(
                    f"deformable {self.name!r}: no coordinate {name!r}; {near_names(name, names)}",
                    self.source,
                )
            held.setdefault(name, scalar(reference[name] if value is None else value, name))
            try:
                self.given.check_held(name, held[name])
            except ModelError as error:
                raise error.within(f"deformable {self.name!r}: fixed", self.source) from None
        ordered = tuple((name, held[name]) for name in names if name in held)
        return Deformable(self.name, self.given, ordered, self.source)


def declared_deformable(
    name: str,
    form: Form | str,
    fixed: Mapping[str, Any] | bool | None,
    arguments: Mapping[str, Any],
    source: Source | None,
    folder: Path | None = None,
) -> Deformable:
    """The deformable body that the arguments of `Model.deformable` declare."""
    if isinstance(form, str):
        form = make_form(form, arguments, folder)
    elif arguments:
        words = ", ".join(arguments)
        raise ModelError(f"{words}: arguments of a form given by its name; here it is an object")
    if not isinstance(form, Form):
        raise ModelError(f"kind: give a Form or its name, not {type(form).__name__}")
    names = form.coordinates
    if len(set(names)) != len(names):
        raise ModelError(f"the form has two coordinates of one name among {', '.join(names)}")
    plain = Deformable(name, form, (), source)
    if fixed is None or fixed is False:
        return plain
    if fixed is not True and not isinstance(fixed, Mapping):
        raise ModelError("fixed: give true for all coordinates, or names with their values")
    return plain.rigidified(None if fixed is True else fixed)
