"""The configuration manifold: rates, steps, differences, the reference configuration."""

from __future__ import annotations

from functools import partial

from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function
from eomc.derive.graph import Argument, constant, symbols

_UNITS = "rad or m"

# These know of the free coordinates only: no prescribed motion among their inputs.
manifold_function = partial(function, sees_bodies=False)


@manifold_function("coordinate_rates", ("q", "u"), "Rates of the coordinates: q' = G(q) u.")
def coordinate_rates(system: Formulation) -> list[Argument]:
    """Identity but for quaternions."""
    names = system.coordinate_names
    return [column("q_rate", system.coordinate_rates(), "q'", "rad/s or m/s", names)]


@manifold_function(
    "integrate", ("q", "du"), "Configuration reached from q by the tangent displacement du."
)
def integrate(system: Formulation) -> list[Argument]:
    """On the manifold: quaternions keep their length."""
    du = symbols(system.graph, "du", system.nu)
    q = system.integrated(system.q, du)
    return [column("q_next", q, "coordinates", _UNITS, system.coordinate_names)]


@manifold_function("difference", ("q0", "q1"), "Tangent displacement du that leads from q0 to q1.")
def difference(system: Formulation) -> list[Argument]:
    """The inverse of integrate."""
    q0, q1 = (symbols(system.graph, name, system.nq) for name in ("q0", "q1"))
    du = system.displacement(q0, q1)
    return [column("du", du, "displacement", _UNITS, system.speed_names)]


@manifold_function("neutral", (), "Reference configuration: zero, quaternions without rotation.")
def neutral(system: Formulation) -> list[Argument]:
    """Constants."""
    q = [constant(system.graph, value) for value in system.neutral]
    return [column("q", q, "coordinates", _UNITS, system.coordinate_names)]


@manifold_function("normalize", ("q",), "q with its quaternions brought to unit length.")
def normalize(system: Formulation) -> list[Argument]:
    """Removes the drift of numerical integration."""
    q = system.normalized(system.q)
    return [column("q_unit", q, "coordinates", _UNITS, system.coordinate_names)]
