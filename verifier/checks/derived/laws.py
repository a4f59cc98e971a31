"""Feedback laws against their formulas, and steps of closed loops against law and step apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from eomc.binding.arrays import Array
from eomc.building.steps_in_place import closed_loop_steps
from eomc.derive.elements.servo_constraint import driven_speeds
from eomc.derive.functions import KINDS
from eomc.derive.model.elastic_amplitudes import elastic_amplitudes
from eomc.verifier.requested.sampled import plant
from eomc.verifier.subject.check import Absent, Comparison, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

ALLOWED, ACCELERATED = 1e-11, 1e-9
_MOST = 4


@check(
    "laws",
    compares="the feedback laws that are emitted for controllers; the step of the closed loop of "
    "each, which is C alone; given accelerations of driven speeds",
    reference="the laws written down here on the compiled functions (Siciliano et al., Robotics, "
    "ch. 8), driven accelerations by forward dynamics; the law, then one step of the compiled "
    "Runge-Kutta method",
    tolerance=f"{ALLOWED:.0e} of the largest force that stands in a law, and of the state after a "
    f"step; {ACCELERATED:.0e} times the condition number of M for accelerations",
    needs=("forward_dynamics", "inverse_dynamics", "coordinate_rates"),
    thorough=True,
)
def laws(subject: DerivedSubject) -> Iterator[Comparison]:
    """In some random states, towards others; every driven speed active, and each of them not."""
    names = [name for name, kind in KINDS.items() if kind.feeds] + ["driven_dynamics"]
    other = subject.beside(names)
    fed = [function.name for function in other.program.functions if function.feeds]
    if not fed:
        raise Absent("feedback laws")
    loops = plant(other.program).functions + tuple(f for f in other.program.functions if f.feeds)
    steps = closed_loop_steps(
        replace(other.program, functions=loops), subject.options.get("compiler")
    )
    regular = {state.label for state in other.regular if "high" not in state.label}
    drawn = [state for state in other.held if state.is_random and state.label in regular]
    for state in drawn[:_MOST]:
        wanted = state.with_values(q_d=state["q1"])
        if "active" in state.values:
            wanted = wanted.with_values(active=np.ones_like(state["active"]))
        for name in fed:
            judge = _LAWS.get(name)
            if judge is not None:
                yield from judge(other, wanted, name)
            if judge is _linearizing:
                for passive in 1.0 - np.eye(len(wanted["active"])):
                    yield from judge(other, wanted.with_values(active=passive), name)
            if name in steps:
                yield _stepped(other, wanted, name, steps[name])
        if "driven_dynamics" in other.functions:
            yield from _driven(other, state)


def _error(subject: DerivedSubject, state: TestState, q0: str, q1: str) -> Array:
    if "difference" in subject.functions:
        return np.asarray(subject.call("difference", state, q0=state[q0], q1=state[q1]))
    return state[q1] - state[q0]


def _correction(subject: DerivedSubject, state: TestState) -> Array:
    """kp e + kd (u_d - u)"""
    error = _error(subject, state, "q", "q_d")
    return state["kp"] * error + state["kd"] * (state["u_d"] - state["u"])


def _state_feedback(subject: DerivedSubject, state: TestState) -> Array:
    away = np.concatenate([_error(subject, state, "q_d", "q"), state["u"] - state["u_d"]])
    gain = np.reshape(state["K"], (subject.nu, 2 * subject.nu))
    return np.asarray(state["tau_d"] - gain @ away)


def _by_formula(
    formula: Callable[[DerivedSubject, TestState], Array],
) -> Callable[[DerivedSubject, TestState, str], Iterator[Comparison]]:
    def judge(subject: DerivedSubject, state: TestState, name: str) -> Iterator[Comparison]:
        expected = formula(subject, state)
        size = 1.0 + float(np.abs(expected).max(initial=0.0))
        error = largest(subject.call(name, state), expected, size)
        yield Comparison(name, state.label, error, ALLOWED, f"function {name}")

    return judge


def _weightless(subject: DerivedSubject, state: TestState) -> Array:
    return np.asarray(_correction(subject, state) + subject.call("gravity", state))


def _computed_torque(subject: DerivedSubject, state: TestState) -> Array:
    wanted = state["a_d"] + _correction(subject, state)
    return np.asarray(subject.call("inverse_dynamics", state, a=wanted))


def _composite(subject: DerivedSubject, state: TestState) -> Array:
    """Inverse dynamics of the motion without bending, and elastic forces by rest, apart."""
    assert subject.declared is not None
    elastic = elastic_amplitudes(subject.declared)
    places = [subject.model.speeds.index(name) for name in elastic]
    joints = [k for k in range(subject.nu) if k not in places]
    v = state["a_d"] + _correction(subject, state)
    q, u = np.array(state["q"]), np.array(state["u"])
    q[[subject.model.coordinates.index(name) for name in elastic]] = 0.0
    v[places] = u[places] = 0.0
    rigid = np.array(subject.call("inverse_dynamics", state, q=q, u=u, a=v))
    still = np.zeros(subject.nu)
    bent, unbent = (
        np.asarray(subject.call("inverse_dynamics", state, q=at, u=still, a=still))
        for at in (state["q"], q)
    )
    force = (bent - unbent + rigid)[places]
    shape = len(joints), len(places)
    by_force, by_rate = (
        np.reshape(state[name], shape) for name in ("force_gain", "vibration_gain")
    )
    tau = np.zeros(subject.nu)
    tau[joints] = rigid[joints] - by_force @ force - by_rate @ state["u"][places]
    return tau


def _linearizing(subject: DerivedSubject, state: TestState, name: str) -> Iterator[Comparison]:
    """Driven speeds that are active accelerate as wanted; all other forces are those beside."""
    assert subject.declared is not None
    beside = state["tau"] if name == "feedback_linearization" else _state_feedback(subject, state)
    tau = np.asarray(subject.call(name, state))
    places = [subject.model.speeds.index(speed) for speed in driven_speeds(subject.declared)]
    driven = [place for place, on in zip(places, state["active"], strict=True) if on]
    rest = [k for k in range(subject.nu) if k not in driven]
    size = 1.0 + float(np.abs(tau).max(initial=0.0))
    error = largest(tau[rest], beside[rest], size)
    yield Comparison(f"{name}: other forces", state.label, error, ALLOWED)
    wanted = (state["a_d"] + _correction(subject, state))[driven]
    got = subject.call("forward_dynamics", state, tau=tau)[driven]
    size = float((np.abs(wanted).max(initial=0.0) + size) * subject.condition(state))
    error = largest(got, wanted, size)
    yield Comparison(name, state.label, error, ACCELERATED, f"function {name}")


def _driven(subject: DerivedSubject, state: TestState) -> Iterator[Comparison]:
    """The forces given back, forward dynamics gives the accelerations, the asked ones exactly."""
    assert subject.declared is not None
    a, forces = map(np.asarray, subject.call("driven_dynamics", state))
    driven = [subject.model.speeds.index(speed) for speed in driven_speeds(subject.declared)]
    error = largest(a[driven], state["driven_acceleration"])
    yield Comparison("driven accelerations", state.label, error, 0.0)
    tau = np.array(state["tau"])
    tau[driven] += forces
    weights = subject.mass_weights(state)
    size = float((np.abs(tau) / weights + np.abs(a) * weights).max()) * subject.condition(state)
    got = subject.call("forward_dynamics", state, tau=tau)
    error = largest(got * weights, a * weights, size)
    yield Comparison("driven_dynamics", state.label, error, ACCELERATED)


_LAWS = {
    "pd": _by_formula(_correction),
    "pd_with_gravity": _by_formula(_weightless),
    "computed_torque": _by_formula(_computed_torque),
    "state_feedback": _by_formula(_state_feedback),
    "composite_control": _by_formula(_composite),
    "feedback_linearization": _linearizing,
    "combined_feedback": _linearizing,
}


def _stepped(
    subject: DerivedSubject, state: TestState, name: str, step: Callable[..., tuple[Array, ...]]
) -> Comparison:
    """(q, [u; z], output) after one step of the closed loop."""
    found = subject.model.integrator("rk4")
    assert found is not None
    call, names = found
    (output,) = subject.derived(name).outputs
    force = np.asarray(subject.call(name, state))
    held = state.with_values(**{output.name: force})
    what, h = f"closed loop of {name}", subject.run_step([held])
    if h is None:
        return Comparison(f"no step of the {what} converges", state.label, np.inf, ALLOWED)
    q, *rest = (part[-1] for part in call(*(held[word] for word in names), h, 1))
    expected = np.concatenate([q, *rest, force])
    got = np.concatenate(step(state.values, h))
    size = 1.0 + float(np.abs(expected).max(initial=0.0))
    return Comparison(what, state.label, largest(got, expected, size), ALLOWED)
