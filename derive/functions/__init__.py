"""Named functions of a model."""

from eomc.derive.functions import (
    acting_forces,
    adjoints,
    composite,
    constrained_derivatives,
    constraints,
    contact_equations,
    derivatives,
    driven,
    dynamics,
    element_quantities,
    energy,
    feedback,
    frames,
    implicit_step,
    linearization,
    manifold,
    midpoint,
    pull,
    reactions,
    regressor,
    rigid_contacts,
    runge_kutta_adjoint,
    runge_kutta_derivatives,
    second_order,
    second_order_tensors,
    state_space,
    sympy_systems,
)
from eomc.derive.functions.frames import (
    QUESTIONS,
    frame_derivative_kind,
    frame_kinds,
    function_name,
)
from eomc.derive.functions.registry import KINDS, Kind

_ORDER = [
    module.__name__
    for module in (
        *(
            dynamics,
            energy,
            manifold,
            driven,
            element_quantities,
            frames,
            pull,
            rigid_contacts,
            contact_equations,
            feedback,
            composite,
            derivatives,
            regressor,
            adjoints,
            second_order,
            second_order_tensors,
            runge_kutta_adjoint,
            runge_kutta_derivatives,
            implicit_step,
            midpoint,
        ),
        linearization,
        *(state_space, constraints, constrained_derivatives, reactions),
        acting_forces,
        sympy_systems,
    )
]
# The order of functions in manifests and lists: not that in which modules happened to be imported.
_ordered = sorted(KINDS.items(), key=lambda item: _ORDER.index(item[1].make.__module__))
KINDS.clear()
KINDS.update(_ordered)

__all__ = [
    "KINDS",
    "QUESTIONS",
    "Kind",
    "acting_forces",
    "adjoints",
    "composite",
    "constrained_derivatives",
    "constraints",
    "contact_equations",
    "derivatives",
    "driven",
    "dynamics",
    "element_quantities",
    "energy",
    "feedback",
    "frame_derivative_kind",
    "frame_kinds",
    "frames",
    "function_name",
    "implicit_step",
    "linearization",
    "manifold",
    "midpoint",
    "reactions",
    "regressor",
    "rigid_contacts",
    "runge_kutta_adjoint",
    "runge_kutta_derivatives",
    "second_order",
    "second_order_tensors",
    "state_space",
]
