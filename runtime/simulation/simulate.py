"""Runs of a compiled model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.constraints.run import constrained_run
from eomc.runtime.constraints.start import GivenByName
from eomc.runtime.excitation.excitation import Clocked, Excitation, InputLaw, MotionLaw, TorqueLaw
from eomc.runtime.excitation.external_wrenches import Wrenches
from eomc.runtime.impacts.contact_steps import ContactSteps, is_contact_method
from eomc.runtime.impacts.contacts import has_rigid_contacts, refuse_velocity_level
from eomc.runtime.impacts.run import ContactRun, check_contact_run
from eomc.runtime.integrators import InitialValueProblem, RunSolution, is_compiled
from eomc.runtime.integrators.events import EventFunction, event_functions
from eomc.runtime.latches.measures import has_latches, refuse_latches
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import SimulationError, numerical_as, stopped
from eomc.runtime.model.implicit_steps import checked_rho
from eomc.runtime.model.state import State, Values, initial_state
from eomc.runtime.model.validity import warn_of_folds, warn_of_slopes, warn_of_turning
from eomc.runtime.names.near_names import near_names
from eomc.runtime.names.renamed import current_arguments
from eomc.runtime.output.progress import time_bar
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.choice import MethodChoice, choice
from eomc.runtime.simulation.latch_run import LatchConfiguration, LatchRun
from eomc.runtime.simulation.record_times import positive, record_times, whole_number
from eomc.runtime.simulation.spans import solved_by_spans
from eomc.runtime.simulation.stiffness import warn_of_stiffness

AT_SINGULARITY = ("continue", "stop")


@current_arguments
def simulate(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    t_span: float | Sequence[float] | ArrayLike = (0.0, 10.0),
    *,
    z: Values = None,
    controller: TorqueLaw = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    external_wrenches: Wrenches = None,
    method: str | None = None,
    step: float | None = None,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    parameters: Mapping[str, float] | None = None,
    events: EventFunction | Sequence[EventFunction] | None = None,
    dense: bool = False,
    progress: bool | None = None,
    assemble: bool = False,
    fixed: Sequence[str] | str = (),
    formulation: str = "multipliers",
    stabilization: float = 10.0,
    at_singularity: str = "continue",
    max_steps: int | None = None,
    impact_law: str = "newton",
    contacts: Mapping[str, Any] | None = None,
    rho: float | None = None,
) -> Trajectory:
    """Integrate the equations of motion q' = G(q) u, u' = forward_dynamics(q, u, tau, ...).

    Where elements have states of their own also z' = element_state_rates(q, u, z, ...).

    With loops and other constraints every step ends on them, positions and speeds to rounding:
    "statistics" tells the number of projections. A module that was built without what that takes
    is refused with the names of the functions that it lacks (AttributeError).

    Parameters
    ----------
    model : CompiledModel
        As `eomc.simulate` also a Model or the path of a model file.
    q, u : (nq,) and (nu,) arrays, or mappings of names to values
        The state at the start [rad or m, rad/s or m/s]; what is not given is neutral and at rest.
        Or q is a whole state: a State, an equilibrium, what `assemble` found.
    z : (nz,) array, or a mapping of names to values
        States of elements at the start; those that are not given have their declared initial value.
    t_span : (start, end), a duration, or all times of the record, increasing [s]
    controller : object with a method ``torque(t, q, u)``, or a function of (t, q, u)
        Gives generalized forces (nu,) on the speeds; `eomc.runtime.control.Sampled` makes a law
        one of a digital controller, at whose instants the run is cut.
    tau : (nu,) array, or a mapping of names of speeds to values
        Constant generalized forces, added to the controller's.
    inputs : (n,) array, mapping of names to values or functions of (t, q, u), or one such function
        The model's declared inputs r; zero by default.
    prescribed : function t -> (s, s_rate, s_acceleration), or a mapping of names to such functions
        Motion of the prescribed coordinates; a number holds one at rest. Required if there are any.
    external_wrenches : mapping of frames or bodies to six numbers, or functions of (t, q, u)
        External force [N] and moment [N m] at the origin of each, in world axes.
    method : str, optional
        By default the compiled "dopri", the compiled implicit "rodas4p" where stability alone would
        keep its steps short, or SciPy's "DOP853" where Python acts within a step: with
        functions as controller (but not a `Sampled` that holds), inputs or motion, at the kinks of
        contacts and other forces, with ``dense``, other formulations and
        ``at_singularity="stop"``, and without "dopri" in the module. "statistics" tells the
        "method", and "why" it is not the compiled one.
        By name SciPy's "DOP853", "RK45", "RK23", "LSODA", "Radau", "BDF"; "cvode", the backward
        differentiation formulas of SUNDIALS (extra "sundials"); or a compiled one: "rk4" in steps
        of fixed length, "dopri" (Dormand-Prince 5(4), as "RK45") in steps that the tolerances
        choose; implicit are "ros34pw2" and "rodas4p", of fixed length if a step is given, and
        "linear_euler", "midpoint", which keeps momenta and bounds errors of the energy, and
        "generalized_alpha" and "hht", which damp fast modes alone. Compiled methods that are named
        hold a controller's forces and inputs as a digital controller does: "rk4" for a step,
        "dopri" for an interval of the record. Without controller, they stay in C. For models with
        rigid contacts also "moreau" and "stewart_trinkle": fixed steps in which contacts open and
        close without events.
    step : float, optional
        Interval of the record [s] if `t_span` does not list the times; by default a 1000th of the
        time span. For "rk4" also the longest step, for "dopri" the longest time that forces are
        held.
    rtol, atol : float
        Relative and absolute tolerance of the adaptive methods.
    parameters : mapping
        Values of tunable parameters that differ from their defaults.
    events : function (t, q, u) -> float, or several
        Their zeros are found and recorded; attributes ``terminal`` and ``direction`` as in SciPy.
        Signs are compared as often as the method takes steps, with "dopri" by name at each time of
        the record.
    dense : bool
        Keep the interpolants of all steps, so that ``run.at(t)`` is as accurate as the run however
        sparse the record; SciPy's methods only, at a cost in time and memory.
    progress : bool, optional
        Whether to draw a bar on long runs; by default if stderr is a terminal.
    assemble : bool
        Start from a consistent state near (q, u) instead of refusing one that violates the
        constraints, as `eomc.assemble` finds it. What is given by name is kept where the
        constraints allow it; a `MovedStartWarning` tells of what is not, and "assembled" of
        "statistics" of all that moved.
    fixed : sequence of str
        Of the start, with `assemble`: names as of `eomc.assemble` whose values must be kept.
    formulation : str
        How constraints are solved: "multipliers", with projection of each step; "independent",
        natural orthogonal complement in independent coordinates that are chosen by pivoting, and
        chosen anew when they degrade; or "stabilized", multipliers that draw drift back
        (Baumgarte) without projection, residuals then being those of the tolerances. The compiled
        methods take "multipliers".
    stabilization : float
        Rate alpha of "stabilized" [1/s].
    at_singularity : str
        What happens at a singular configuration of the constraints, where branches of the motion
        meet: "continue" on the branch that the motion is on, by inertia, or "stop" with an error
        that tells time, configuration and smallest singular value.
    max_steps : int, optional
        Most steps of an adaptive method, by default a million, of "dopri" ten million: a run too
        stiff for its method ends with an error instead of going on for days.
    impact_law : str
        Law of impact of rigid contacts: "newton", "poisson" or "sequential", see
        `eomc.runtime.impacts.impact`.
    contacts : mapping, optional
        How "moreau" and "stewart_trinkle" solve for the impulses of rigid contacts: most "sweeps"
        of a step (100), the "tolerance" of changes at which they end (1e-12), the "residual" that
        is refused (0.01), and the "solver": "gauss_seidel", or "newton" that ends what its sweeps
        have begun (the default); "relaxed" takes the convex relaxation of Coulomb's law, by which
        sliding contacts hover.
    rho : float, optional
        Share of the fastest modes that a step of "generalized_alpha", 0 to 1, or "hht", 0.5 to 1,
        leaves, by default 0.8; 1 damps nothing. The largest relative "residual" of their Newton's
        method stands in "statistics".

    Raises
    ------
    ValueError
        An argument has another shape, an unknown name, or is not finite; the message names it.
    ConstraintError
        The start violates the constraints, or their configuration there is singular.
    SimulationError
        The run cannot go on (it diverges, or the equations are singular); the message names the
        time, and ``error.until()`` makes the run up to the last recorded time before. A controller
        that fails in the middle of a run is a LawError, one of these, with the state; so is a latch
        that cannot close or open, a LatchError.
    """
    again = partial(
        simulate,
        model,
        q,
        u,
        z=z,
        controller=controller,
        tau=tau,
        inputs=inputs,
        prescribed=prescribed,
        external_wrenches=external_wrenches,
        method=method,
        step=step,
        rtol=rtol,
        atol=atol,
        parameters=parameters,
        events=events,
        dense=dense,
        progress=progress,
        assemble=assemble,
        fixed=fixed,
        formulation=formulation,
        stabilization=stabilization,
        at_singularity=at_singularity,
        max_steps=max_steps,
        impact_law=impact_law,
        contacts=contacts,
        rho=rho,
    )
    model = taken(model)
    times = record_times(t_span, step)
    start = initial_state(model, q, u, z)
    acting: dict[str, Any] = {
        "controller": controller,
        "tau": tau,
        "inputs": inputs,
        "prescribed": prescribed,
        "external_wrenches": external_wrenches,
    }
    excitation = Excitation(model, parameters=parameters, **acting)
    if isinstance(controller, Clocked):
        controller.begin(model, float(times[0]))
    choose = partial(
        choice, step=step, formulation=formulation, at_singularity=at_singularity, dense=dense
    )
    constrain = partial(constrained_run, stabilization=stabilization)
    stepping = None
    if is_contact_method(method):
        refuse_latches(model, f"method {method!r}")
        stepping = ContactSteps(model, excitation, str(method), step, contacts)
        chosen = MethodChoice(stepping.method, stepping.solved, has_fixed_steps=True)
    else:
        chosen = choose(method, model, excitation)
    asked = method
    method, solve = chosen.method, chosen.solve
    settings: dict[str, Any] = {}
    if not chosen.has_fixed_steps:
        settings = {"rtol": positive("rtol", rtol), "atol": positive("atol", atol)}
    if at_singularity not in AT_SINGULARITY:
        known = near_names(str(at_singularity), AT_SINGULARITY)
        raise ValueError(f"unknown at_singularity {at_singularity!r}; {known}")
    if stepping is None:
        refuse_velocity_level(model, f"method {method!r}")
    rigid = has_rigid_contacts(model) and stepping is None
    if rigid:
        check_contact_run(model, method, formulation, impact_law)
        contact_run = ContactRun(model, excitation, solve, impact_law)
        solve = contact_run.solved
    functions = event_functions(events)
    most_steps = None if max_steps is None else whole_number("max_steps", max_steps)
    reached = _Reached(model.name, float(times[0]))
    with numerical_as(reached.stopped):
        constrained = constrain(
            model,
            excitation,
            float(times[0]),
            start,
            formulation,
            method=method,
            assemble=assemble,
            fixed=fixed,
            named=GivenByName.of(model, q, u),
        )
    initial = start if constrained is None else constrained.start
    latched = None
    if has_latches(model):

        def configured(acting: Excitation, t: float, state: State) -> LatchConfiguration:
            own = choose(asked, acting.model, acting)
            then = constrain(acting.model, acting, t, state, formulation, method=own.method)
            if not rigid:
                return LatchConfiguration(acting, own.solve, then)
            contacts = ContactRun(acting.model, acting, own.solve, impact_law)
            contacts.history = contact_run.history
            return LatchConfiguration(acting, contacts.solved, then)

        def acts(model: CompiledModel, offsets: Mapping[str, float]) -> Excitation:
            return Excitation(model, parameters={**(parameters or {}), **offsets}, **acting)

        first = LatchConfiguration(excitation, solve, constrained)
        latched = LatchRun(first, float(times[0]), acts, configured)
        solve = latched.solved
    longest = step if is_compiled(method) else None
    with time_bar(float(times[0]), float(times[-1]), progress) as report:
        problem = InitialValueProblem(
            model,
            excitation,
            initial,
            times,
            longest,
            reached.observing(report),
            functions,
            dense,
            most_steps,
            project=None if constrained is None else constrained.project,
            acceleration=None if constrained is None else constrained.acceleration,
            passage=None if constrained is None else constrained.passage,
            stops_at_singularity=at_singularity == "stop",
            rho=checked_rho(method, rho),
        )
        try:
            with numerical_as(reached.stopped):
                # What is wrong with a law shows before the run.
                problem.rates(float(times[0]), initial)
                if isinstance(controller, Clocked):
                    solution = solved_by_spans(solve, problem, settings, controller)
                else:
                    solution = solve(problem, settings)
        except SimulationError as error:
            if stepping is None:
                warn_of_stiffness(problem, method)
            before = times[times < error.time]
            if len(before) > 1:
                error.again = partial(again, t_span=before)
            raise
    chosen = chosen.settled(solution)
    if stepping is None:
        warn_of_stiffness(problem, chosen.method, solution)
    if solution.memory is not None:
        solution.statistics["residual"] = float(solution.memory[-1])
    history: Any = None
    with numerical_as(reached.stopped):
        if rigid:
            solution, history = contact_run.with_statistics(solution), contact_run.history
        if stepping is not None:
            solution, history = stepping.with_statistics(solution), stepping.record(solution)
        if constrained is not None:
            for what, count in constrained.statistics.items():
                solution.statistics[what] = solution.statistics.get(what, 0) + count
        if latched is not None:
            solution = latched.with_statistics(solution)
        record = _trajectory(model, excitation, chosen, solution, history)
        if latched is not None:
            record = replace(record, latches=latched.history)
    if constrained is not None and (text := constrained.assembled.summary):
        record = replace(record, statistics={**record.statistics, "assembled": text})
    return record


class _Reached:
    """Time that a run has come to, for errors that do not know it."""

    def __init__(self, name: str, t: float) -> None:
        self.name, self.t = name, t

    def observing(self, report: Callable[[float], None]) -> Callable[[float], None]:
        """`report`, heard here too."""

        def heard(t: float) -> None:
            self.t = t
            report(t)

        return heard

    def stopped(self, reason: str) -> SimulationError:
        """The run ended here."""
        return stopped(self.name, self.t, reason)


def _trajectory(
    model: CompiledModel,
    excitation: Excitation,
    chosen: MethodChoice,
    solution: RunSolution,
    contacts: Any,
) -> Trajectory:
    """The record with the torques, inputs and prescribed motion along it."""
    states = [State(*parts) for parts in zip(*solution.states, strict=True)]
    pairs = list(zip(solution.t.tolist(), states, strict=True))
    tau = solution.tau
    if tau is None:
        tau = np.array([excitation.torque(t, x) for t, x in pairs]).reshape(len(pairs), model.nu)
    rows = [excitation.others(t, x) for t, x in pairs]
    widths = {"r": len(model.inputs)}
    widths |= dict.fromkeys(("s", "s_rate", "s_acceleration"), len(model.prescribed))
    arrays: dict[str, Any] = {
        name: np.array([row.get(name, ()) for row in rows], dtype=float).reshape(len(rows), width)
        for name, width in widths.items()
    }
    told = model.manifest.get("metadata", {})
    for warn in (warn_of_slopes, warn_of_folds):
        warn(told, model.coordinates, solution.states.q, np.asarray(solution.t))
    speeds = zip(model.speeds, np.asarray(solution.states.u).T, strict=True)
    given = zip(model.prescribed, arrays["s_rate"].T, strict=True)
    warn_of_turning(told, dict([*speeds, *given]))
    p = {} if excitation.p is None else zip(model.parameters, excitation.p.tolist(), strict=True)
    return Trajectory(
        model.name,
        chosen.method,
        solution.t,
        solution.states.q,
        solution.states.u,
        tau,
        **arrays,
        coordinates=model.coordinates,
        speeds=model.speeds,
        inputs=model.inputs,
        prescribed=model.prescribed,
        parameters=dict(p),
        events=solution.events,
        statistics={**chosen.told, **solution.statistics},
        model=model,
        dense=solution.dense,
        z=solution.states.z,
        element_states=tuple(model.element_states),
        switches=solution.switches,
        contacts=contacts,
    )
