"""Functions of a model that its compiled integrators and solvers call."""

STEPS_NEED = ("coordinate_rates", "forward_dynamics", "normalize")
"""Functions that compiled integrators call."""

EXPLICIT_METHODS = ("rk4", "dopri")
"""Explicit integrators."""

IMPLICIT_STEPS_NEED = ("integrate", "displacement_rates", "step_matrix")
"""Functions that implicit integrators call, beside those of other integrators."""

IMPLICIT_METHODS = {
    "generalized_alpha": IMPLICIT_STEPS_NEED,
    "hht": IMPLICIT_STEPS_NEED,
    "linear_euler": IMPLICIT_STEPS_NEED,
    "midpoint": ("midpoint_step",),
    "ros34pw2": IMPLICIT_STEPS_NEED,
    "rodas4p": IMPLICIT_STEPS_NEED,
}
"""Implicit integrators, which are compiled when they are asked for, and what they call."""

LEAST_RHO = {"generalized_alpha": 0.0, "hht": 0.5}
"""Those whose numerical damping is chosen by rho, up to 1, and from where on."""

PAGE_METHODS = tuple(method for method in IMPLICIT_METHODS if method not in LEAST_RHO)
"""Those that a page can step by, which keep nothing but the state."""

SOLVERS_NEED = (
    *("constraint_residual", "constraint_jacobian", "constraint_velocity", "constraint_bias"),
    *("position_correction", "velocity_correction", "integrate", "mass_matrix", "bias"),
    *("inverse_dynamics", "normalize"),
)
"""Functions that the solvers of constraints call."""

REACTION_FRICTION_NEEDS = "constrained_dynamics"
"""Further function of the constraints, needed where forces depend on multipliers."""

LINEARIZATIONS = ("reduced_linearization", "state_space")
"""Solvers that are compiled when they are asked for."""

CLOSURE_NEEDS = ("closure_residual", "closure_jacobian", "closure_velocity")
"""Functions that check the rows which the equations leave out."""

LINEARIZATIONS_NEED = ("linearization", "constraint_derivatives")
"""Functions that these solvers call, beside those of the constraints."""

CONTACT_METHODS = ("moreau", "stewart_trinkle")
"""Compiled steps with rigid contacts, which are compiled when they are asked for."""

CONTACT_METHODS_NEED = ("contact_equations", "integrate")
"""Functions that they call, beside the correction of positions where there are constraints."""


def is_implicit(integrator: str) -> bool:
    """True for the implicit integrators of eomc, of fixed or adaptive steps."""
    return integrator.removesuffix("_adaptive") in IMPLICIT_METHODS


def needed_by_implicit(integrator: str) -> tuple[str, ...]:
    """Functions that an implicit integrator, by default one of the user's own, calls."""
    return IMPLICIT_METHODS.get(integrator.removesuffix("_adaptive"), IMPLICIT_STEPS_NEED)


def ways_to_steps(
    integrator: str, explicit: tuple[str, ...], is_constrained: bool
) -> tuple[tuple[str, ...], ...]:
    """Sets of functions with which an integrator may be compiled, in order; `explicit` are those
    of explicit steps. One of the user's own may be of either kind."""
    if integrator in CONTACT_METHODS:
        return ((*CONTACT_METHODS_NEED, *(("position_correction",) if is_constrained else ())),)
    implicit = (*explicit, *needed_by_implicit(integrator))
    if integrator in EXPLICIT_METHODS:
        return (explicit,)
    return (implicit,) if is_implicit(integrator) else (explicit, implicit)
