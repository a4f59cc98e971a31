"""Functions that compiled models may have, as type checkers know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["RESERVED", "ModelFunctions"]


class ModelFunctions:
    """Each is there if the model has it; others, such as those of frames or of one's own, are
    reached by `CompiledModel.function`.
    """

    acting_forces: Callable[..., Any]
    actuated_inverse_dynamics: Callable[..., Any]
    auxiliary_forces: Callable[..., Any]
    bias: Callable[..., Any]
    body_lines: Callable[..., Any]
    center_of_mass: Callable[..., Any]
    center_of_mass_jacobian: Callable[..., Any]
    closure_jacobian: Callable[..., Any]
    closure_residual: Callable[..., Any]
    closure_velocity: Callable[..., Any]
    combined_feedback: Callable[..., Any]
    composite_control: Callable[..., Any]
    computed_torque: Callable[..., Any]
    consistent_state: Callable[..., Any]
    constrained_dynamics: Callable[..., Any]
    constraint_bias: Callable[..., Any]
    constraint_derivatives: Callable[..., Any]
    constraint_forces: Callable[..., Any]
    constraint_jacobian: Callable[..., Any]
    constraint_residual: Callable[..., Any]
    constraint_velocity: Callable[..., Any]
    contact_equations: Callable[..., Any]
    coordinate_rates: Callable[..., Any]
    coriolis_matrix: Callable[..., Any]
    dependent_coordinates: Callable[..., Any]
    dependent_speeds: Callable[..., Any]
    difference: Callable[..., Any]
    displacement_rates: Callable[..., Any]
    dopri: Callable[..., Any]
    driven_dynamics: Callable[..., Any]
    element_lines: Callable[..., Any]
    element_output_derivatives: Callable[..., Any]
    element_outputs: Callable[..., Any]
    element_state_derivatives: Callable[..., Any]
    element_state_rates: Callable[..., Any]
    element_strains: Callable[..., Any]
    element_switches: Callable[..., Any]
    feedback_linearization: Callable[..., Any]
    forces_by_multipliers: Callable[..., Any]
    forces_by_reactions: Callable[..., Any]
    forcing: Callable[..., Any]
    forward_dynamics: Callable[..., Any]
    forward_dynamics_derivatives: Callable[..., Any]
    forward_dynamics_hessian: Callable[..., Any]
    forward_dynamics_hvp: Callable[..., Any]
    forward_dynamics_input_derivatives: Callable[..., Any]
    forward_dynamics_jvp: Callable[..., Any]
    forward_dynamics_parameter_derivatives: Callable[..., Any]
    forward_dynamics_second_derivatives: Callable[..., Any]
    forward_dynamics_vjp: Callable[..., Any]
    gravity: Callable[..., Any]
    independent_speeds: Callable[..., Any]
    inertial_parameters: Callable[..., Any]
    input_matrix: Callable[..., Any]
    integrate: Callable[..., Any]
    inverse_dynamics: Callable[..., Any]
    inverse_dynamics_derivatives: Callable[..., Any]
    inverse_dynamics_hessian: Callable[..., Any]
    inverse_dynamics_hvp: Callable[..., Any]
    inverse_dynamics_jvp: Callable[..., Any]
    inverse_dynamics_parameter_derivatives: Callable[..., Any]
    inverse_dynamics_second_derivatives: Callable[..., Any]
    inverse_dynamics_vjp: Callable[..., Any]
    joint_forces: Callable[..., Any]
    joint_reactions: Callable[..., Any]
    kinetic_energy: Callable[..., Any]
    linear_euler: Callable[..., Any]
    linearization: Callable[..., Any]
    linearization_derivative: Callable[..., Any]
    mass_matrix: Callable[..., Any]
    midpoint: Callable[..., Any]
    momentum: Callable[..., Any]
    moreau: Callable[..., Any]
    neutral: Callable[..., Any]
    normalize: Callable[..., Any]
    pd: Callable[..., Any]
    pd_with_gravity: Callable[..., Any]
    poses: Callable[..., Any]
    position_correction: Callable[..., Any]
    potential_energy: Callable[..., Any]
    power: Callable[..., Any]
    prescribed_forces: Callable[..., Any]
    project: Callable[..., Any]
    pull: Callable[..., Any]
    reduced_dynamics: Callable[..., Any]
    reduced_linearization: Callable[..., Any]
    regressor: Callable[..., Any]
    rigid_contacts: Callable[..., Any]
    rk4_step: Callable[..., Any]
    rk4_step_derivatives: Callable[..., Any]
    rk4_step_hessian: Callable[..., Any]
    rodas4p: Callable[..., Any]
    rodas4p_adaptive: Callable[..., Any]
    ros34pw2: Callable[..., Any]
    ros34pw2_adaptive: Callable[..., Any]
    rk4_step_vjp: Callable[..., Any]
    rk4: Callable[..., Any]
    rk4_rollouts: Callable[..., Any]
    state_feedback: Callable[..., Any]
    state_space: Callable[..., Any]
    stewart_trinkle: Callable[..., Any]
    step_matrix: Callable[..., Any]
    velocity_correction: Callable[..., Any]


RESERVED = frozenset(
    (
        *("name", "manifest", "library", "coordinates", "speeds", "inputs", "prescribed"),
        *("frames", "nq", "nu", "parameters", "lower", "upper", "velocity_limits"),
        "effort_limits",
        *("redundant", "element_states", "initial_guess", "displacements", "mesh_folders"),
    )
)
"""Attributes that a function of the model cannot take the place of."""
