"""Named functions of a model."""

from eomc.derive.functions import (
    acting_forces,
    adjoints,
    composite,
    constraint_derivatives,
    constraints,
    contact_equations,
    derivatives,
    driven,
    dynamics,
    element_lines,
    element_outputs,
    element_states,
    element_strains,
    element_switches,
    energy,
    feedback,
    linearization,
    linearization_derivative,
    manifold,
    poses,
    pull,
    reactions,
    regressor,
    rigid_contacts,
    runge_kutta_adjoint,
    second_order,
    second_order_tensors,
    state_space,
    sympy_systems,
)
from eomc.derive.functions.frame_derivatives import frame_derivative_kind
from eomc.derive.functions.frames import QUESTIONS, frame_kinds, function_name
from eomc.derive.functions.registry import KINDS, Kind

_ORDER = [
    module.__name__
    for module in (
        *(
            dynamics,
            energy,
            manifold,
            driven,
            element_states,
            element_outputs,
            element_lines,
            poses,
            pull,
            element_strains,
            element_switches,
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
        ),
        linearization,
        *(state_space, linearization_derivative, constraints, constraint_derivatives, reactions),
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
    "constraint_derivatives",
    "constraints",
    "contact_equations",
    "derivatives",
    "driven",
    "dynamics",
    "element_lines",
    "element_outputs",
    "element_states",
    "element_strains",
    "element_switches",
    "energy",
    "feedback",
    "frame_derivative_kind",
    "frame_kinds",
    "function_name",
    "linearization",
    "linearization_derivative",
    "manifold",
    "poses",
    "reactions",
    "regressor",
    "rigid_contacts",
    "runge_kutta_adjoint",
    "second_order",
    "second_order_tensors",
    "state_space",
]
