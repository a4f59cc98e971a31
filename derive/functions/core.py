"""Functions that are emitted unless others are asked for."""

CONSTRAINED = (
    *("constraint_residual", "constraint_jacobian", "constraint_velocity", "constraint_bias"),
    *("constrained_dynamics", "position_correction", "velocity_correction"),
)
"""Functions of systems with loops or other constraints."""

CLOSURE = ("closure_residual", "closure_jacobian", "closure_velocity")
"""Functions of models some of whose constraints depend on others."""

CORE = (
    *("inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity"),
    *("kinetic_energy", "potential_energy", "power", "momentum", "center_of_mass"),
    *("center_of_mass_jacobian", "coordinate_rates", "integrate", "difference", "neutral"),
    *(
        "normalize",
        "prescribed_forces",
        "forces_by_reactions",
        "forces_by_multipliers",
        "driven_dynamics",
        "element_state_rates",
        "element_switches",
        "rigid_contacts",
        "latches",
    ),
    *CONSTRAINED,
    *("forcing", "constraint_forces", "auxiliary_forces"),
)
"""Of these a system has some or all."""

OF_INERTIA = frozenset(
    {
        "forward_dynamics",
        "driven_dynamics",
        "forces_by_reactions",
        "forces_by_multipliers",
        "constrained_dynamics",
        "position_correction",
        "velocity_correction",
        "constraint_forces",
    }
)
"""Of these, what solves with the mass matrix, and is left out where that is singular."""
