"""Functions that are emitted on request, of a module of their own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.checks.compiled.integrators import integrators
from eomc.verifier.checks.derived.emitted import emitted
from eomc.verifier.requested.choice import OF_BODIES, asked, judges
from eomc.verifier.requested.free_motion import linearized
from eomc.verifier.requested.products import Judge
from eomc.verifier.requested.slopes import FunctionDerivatives
from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.soiled_memory import CODE
from eomc.verifier.subject.states import TestState

ALLOWED, UNCERTAIN = 1e-9, 1e-6
_STATES, _STEP = 3, 0.01


@check(
    "functions on request",
    compares="functions that are emitted if they are asked for: products with derivatives and "
    "second derivatives, linearizations, the gradient of a Runge-Kutta step, poses, pulls, "
    "regressors, reactions, implicit steps and their order",
    reference="complex-step differentiation of the functions that other checks judge; every body "
    "free, in numbers; and the graph in 50-digit arithmetic",
    tolerance=f"{ALLOWED:.0e} of the largest entry of an output, times the condition number of M, "
    f"of which at most {UNCERTAIN:.0e} is accepted; for the graph as of emitted C",
    needs=("inverse_dynamics", "forward_dynamics", "coordinate_rates"),
    thorough=True,
)
def on_request(subject: DerivedSubject) -> Iterator[Comparison]:
    """In some of the states that are drawn."""
    names = asked(subject.program, subject.frames)
    regular = {s.label for s in subject.regular if s.is_random and "high" not in s.label}
    if not names or not regular:
        raise NotApplicable("so large that none is asked for, or no state to compare them in")
    other = subject.beside(names)
    names = [name for name in names if name in other.functions]
    if not names:
        raise NotApplicable("no functions beside those emitted")
    drawn = [s for s in other.states if s.label in regular][:_STATES]
    other = other.among([state.with_values(h=_step(other, state)) for state in drawn])
    yield from emitted.run(other)
    if not other.functions.isdisjoint(("step_matrix", "midpoint_step")):
        # Its steps are halved, as those of all methods.
        yield from integrators.run(other.among(other.states[:1]))
    known = judges(other.frames)
    names += [name for name in sorted(subject.functions) if name in known and name not in names]
    for state in other.states:
        slopes = FunctionDerivatives(other, state)
        for name in names:
            if name in known and (other.mechanism is not None or name not in OF_BODIES):
                yield from _judged(slopes, name, known[name])
        yield from _on_constraints(slopes)


def _step(subject: DerivedSubject, state: TestState) -> Array:
    """Of a step that is gone, not of one across which nothing is resolved, or that stiff elements
    end."""
    h, found = _STEP * np.abs(state.values.get("h", 1.0)), subject.model.integrator("rk4")
    if found is not None:
        call, names = found
        try:
            call(*(state[name] for name in names), float(h), 1)
        except FloatingPointError:
            h = np.minimum(h, subject.run_step([state]) or h)
    return np.asarray(h)


def _judged(slopes: FunctionDerivatives, name: str, judge: Judge) -> Iterator[Comparison]:
    """Each output, of its largest entry; what the judge does not know is NaN."""
    subject, state = slopes.subject, slopes.state
    expected = judge(slopes)
    try:
        found = slopes.outputs(name)
    except FloatingPointError as refusal:
        if CODE in str(refusal) and not all(np.isfinite(x).all() for x in expected.values()):
            return
        raise
    allowed = ALLOWED * min(subject.condition(state), UNCERTAIN / ALLOWED)
    size = _forces(subject, state)
    for output, got in found.items():
        if output not in expected or np.size(expected[output]) != got.size:
            yield Comparison(f"{name}: entries of {output}", state.label, np.inf, allowed)
            continue
        wanted = np.reshape(expected[output], got.shape)
        is_known = np.isfinite(wanted)
        scale = size + float(np.abs(wanted[is_known]).max(initial=0.0))
        error = largest(got[is_known], wanted[is_known], scale)
        yield Comparison(f"{name}: {output}", state.label, error, allowed)


def _on_constraints(slopes: FunctionDerivatives) -> Iterator[Comparison]:
    """Linearizations that the module makes at run time, which may not be missing."""
    subject, state = slopes.subject, slopes.state
    if _is_linearized(subject) and "state_space" not in _solvers(subject):
        yield Comparison("on constraints: state_space is missing", state.label, np.inf, ALLOWED)
    allowed = ALLOWED * min(subject.condition(state), UNCERTAIN / ALLOWED)
    size = _forces(subject, state)
    for what, got, wanted in linearized(slopes):
        scale = size + max(float(np.abs(x).max(initial=0.0)) for x in (got, wanted))
        yield Comparison(
            f"on constraints: {what}", state.label, largest(got, wanted, scale), allowed
        )


def _forces(subject: DerivedSubject, state: TestState) -> float:
    """Of what cancels in derivatives."""
    return (
        float(np.abs(subject.call("bias", state)).max(initial=0.0))
        if "bias" in subject.functions
        else 1.0
    )


def _solvers(subject: DerivedSubject) -> set[str]:
    return {entry["name"] for entry in subject.model.manifest.get("solvers", ())}


def _is_linearized(subject: DerivedSubject) -> bool:
    """True if constraints leave something free, and what linearizes it is emitted: of models
    without states of elements, whose forces are free of multipliers."""
    needs = {"linearization", "constraint_derivatives"}
    needs |= {"input_matrix"} if subject.model.inputs else set()
    if not needs <= subject.functions or subject.model.element_states:
        return False
    can = subject.model.manifest.get("metadata", {}).get("functions", ())
    rows = len(subject.model.output_names("constraint_jacobian"))
    return "inverse_dynamics_vjp" in can and rows < subject.nu
