"""Compiled integrators against methods written down here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import RK45, solve_ivp

from eomc.binding.arrays import Array
from eomc.runtime.model.state import parted
from eomc.verifier.subject.check import Absent, Comparison, check, largest
from eomc.verifier.subject.soiled_memory import soil
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

EXACT, SAME, ALIKE, NEAR, LOOSE, AGREED = 1e-12, 1e-10, 1e-9, 1e-7, 1e-3, 1e-9
_RTOL, _ATOL = 1e-12, 1e-14
_LONGEST, _STEPS, _RUNS = 0.05, 8, 3
_FEW, _MOVING = 3, ("q", "u", "z")
_MANY, _PART = 300, 150
"""Steps that take more than one call into C, and such that take one."""
_RATIO, _CALLS, _COARSE = 10, 5_000, 1e-5
_HOPELESS = 1e-6
"""Of the way, between four steps and eight: the eight then err by more than `AGREED`."""
_TOLERANCES, _MULTIPLE, _STARTS = (1e-5, 1e-7, 1e-9), 100.0, 4
"""Of runs whose steps are left to rounding, how many times each their errors may be, and starts by
which that is seen."""
_AWAY = 1e-5
"""Displacements and speeds by which runs start beside the constraints."""
_FRACTIONS = np.array([0.0, 0.13, 0.5, 0.58, 0.9, 1.0])


@check(
    "integrators",
    compares="steps of the compiled Runge-Kutta method, and a run of the adaptive one at its ends "
    "and between its steps, under constant forces; steps under forces of each, few and many; that "
    "steps end on unit quaternions",
    reference="the classical method written down here on the compiled rates; single steps; Dormand "
    "and Prince's method of order 8 at 1e-12 (Hairer, Norsett and Wanner, Solving Ordinary "
    "Differential Equations I); SciPy's own Dormand-Prince method, which chooses the same steps",
    tolerance=f"of the way of q and of u over the run: {EXACT:.0e} for a single step of the "
    f"adaptive method, {SAME:.0e} for the same method, {ALIKE:.0e} where it chooses its steps, "
    f"{NEAR:.0e} for the adaptive one at 1e-9 and for steps that project, {LOOSE:.0e} for it at "
    "1e-4, where its steps are longer than the record's; where rounding decides which steps are "
    f"taken, in stiff laws, {_MULTIPLE:g} times each of three tolerances",
    needs=("forward_dynamics", "coordinate_rates"),
)
def integrators(subject: Subject) -> Iterator[Comparison]:
    """From the first random states, over a time so short that both references agree."""
    if subject.freedoms == 0:
        names = [entry["name"] for entry in subject.model.manifest.get("integrators", ())]
        raise Absent("free motion", tuple(f"integrator {name}" for name in names))
    regular = {state.label for state in subject.regular}
    drawn = [state for state in subject.held if state.is_random and state.label in regular]
    for run, state in enumerate(drawn[:_RUNS]):
        weighed = state.with_values(tau=subject.mass_weights(state))
        yield from _in_state(subject, weighed, long=run == 0)


def _in_state(subject: Subject, state: TestState, long: bool) -> Iterator[Comparison]:
    start, rates = _start(subject, state), partial(_rates, subject, state)
    begin, span = float(state["t"]), _LONGEST
    for _ in range(30):
        times = begin + span * _FRACTIONS
        if (np.diff(times) <= 0).any():
            return  # so stiff that no time is left between two numbers
        solved = None
        try:
            coarse, mine = (_classical(subject, state, rates, span, n) for n in (4, _STEPS))
            sizes = _sizes(subject, np.array([start, mine]))
            # Over a time too long for eight steps the other method may take a million.
            if largest(coarse / sizes, mine / sizes) < _HOPELESS:
                solved = solve_ivp(
                    rates, (begin, times[-1]), start, "DOP853", times, rtol=_RTOL, atol=_ATOL
                )
        except FloatingPointError:
            pass
        if solved is not None and solved.success:
            expected = np.array(solved.y.T)
            sizes = _sizes(subject, expected)
            if largest(mine / sizes, expected[-1] / sizes) < AGREED:
                break
        span /= 4
    else:
        return
    fixed, adaptive = subject.model.integrator("rk4"), subject.model.integrator("dopri")
    values = dict(state.values)
    if fixed is not None:
        call, names = fixed
        _soil(subject, _STEPS + 1)
        got = np.hstack(call(*(values[name] for name in names), span / _STEPS, _STEPS))[-1]
        allowed = NEAR if subject.model.is_constrained else SAME
        error = largest(got / sizes, mine / sizes)
        yield Comparison("rk4", state.label, error, allowed, "integrator rk4")
        if subject.model.is_constrained:
            yield from _brought_back(subject, state, fixed, span / _STEPS)
        yield from _normalized(subject, state, fixed, (span / _STEPS, 1))
        yield from _of_each_step(subject, state, fixed, span / _STEPS, _FEW, 1, sizes)
        if long:
            yield from _of_each_step(subject, state, fixed, span / _MANY, _MANY, _PART, sizes)
    if adaptive is not None:
        call, names = adaptive
        for rtol, allowed in ((1e-9, NEAR), (1e-4, LOOSE)):
            arguments = [values[name] for name in names]
            _soil(subject, len(times))
            *got, _ = call(*arguments, times, rtol=rtol, atol=1e-12, h=0.0, max_steps=100_000)
            error = largest(np.hstack(got) / sizes, expected / sizes)
            what = f"dopri at {rtol:.0e}"
            yield Comparison(what, state.label, error, allowed, "integrator dopri")
        options = {"rtol": 1e-9, "atol": 1e-12, "h": 0.0, "max_steps": 100_000}
        yield from _normalized(subject, state, adaptive, (times,), **options)
        # Longer, as far as that takes no more work than a stiff law leaves.
        longer = span * min(_RATIO, _CALLS / solved.nfev)
        yield from _step_by_step(subject, state, adaptive, longer)
    yield from _own_methods(subject, state, times, expected)


def _own_methods(
    subject: Subject, state: TestState, times: Array, expected: Array
) -> Iterator[Comparison]:
    """Methods that users add: the error falls with the declared order when steps are halved, and
    with the tolerance."""
    sizes = _sizes(subject, expected)
    for entry in subject.model.manifest.get("integrators", ()):
        name, found = entry["name"], subject.model.integrator(entry["name"])
        if name in ("rk4", "dopri") or found is None or "contacts" in entry:
            continue
        # What a method keeps from step to step begins at zero; it damps as by default.
        given = {**state.values, "rho": np.array(0.8)}
        kept = np.zeros(len(entry.get("memory", ())))
        given["z"] = np.concatenate([given.get("z", np.zeros(0)), kept])
        call, arguments = found[0], [given[of] for of in found[1]]
        if entry["adaptive"]:
            *got, _ = call(*arguments, times, rtol=1e-9, atol=1e-12, h=0.0, max_steps=100_000)
            error, allowed = largest(np.hstack(got) / sizes, expected / sizes), NEAR
        else:
            span = times[-1] - times[0]
            ends = [
                np.hstack(call(*arguments, span / steps, steps))[-1, : expected.shape[1]]
                for steps in (_STEPS, 2 * _STEPS)
            ]
            coarse, error = (largest(end / sizes, expected[-1] / sizes) for end in ends)
            floor = NEAR if subject.model.is_constrained else SAME
            allowed = floor + coarse / 2 ** (entry["order"] - 0.5)
        yield Comparison(name, state.label, error, allowed, f"integrator {name}")


def _of_each_step(
    subject: Subject,
    state: TestState,
    fixed: tuple[Callable[..., Any], tuple[str, ...]],
    h: float,
    steps: int,
    part: int,
    sizes: Array,
) -> Iterator[Comparison]:
    """Forces and inputs of each step, in rows, against so many steps at once."""
    call, names = fixed
    held: list[str] = [name for name in ("tau", "r") if name in names and state[name].size]
    if not held:
        return
    growing = 1.0 + 0.1 * np.arange(steps) / part
    rows: dict[str, Array] = {name: np.multiply.outer(growing, state[name]) for name in held}
    parts = [name for name in _MOVING if name in names]
    try:
        at = state
        for k in range(0, steps, part):
            own: dict[str, Array] = {name: rows[name][k : k + part] for name in held}
            after = call(*(own.get(name, at[name]) for name in names), h, part)
            ends = dict(zip(parts, (array[-1] for array in after), strict=True))
            at = at.with_values(**ends, t=at["t"] + part * h)
    except FloatingPointError:
        return  # forces that grow lead where there is no motion
    together = call(*(rows.get(name, state[name]) for name in names), h, steps)
    got, alone = (np.hstack(found) for found in ([part[-1] for part in together], [*ends.values()]))
    allowed = NEAR if subject.model.is_constrained else SAME
    error = largest(got / sizes, alone / sizes)
    what = "rk4, forces of each step" if part == 1 else "rk4, many steps"
    yield Comparison(what, state.label, error, allowed)


def _soil(subject: Subject, rows: int) -> None:
    """For the rows of q and of u."""
    soil((rows, subject.model.nq), (rows, subject.nu))


def _normalized(
    subject: Subject,
    state: TestState,
    integrator: tuple[Callable[..., Any], tuple[str, ...]],
    span: tuple[Any, ...],
    **options: Any,
) -> Iterator[Comparison]:
    """From beside the unit quaternions steps end on them."""
    beside, (call, names) = subject.beside_manifold(state), integrator
    if beside is None:
        return
    try:
        q = call(*(beside[name] for name in names), *span, **options)[0][1:]
    except FloatingPointError:
        return  # so far that no step leads back
    error = max(subject.off_manifold(state, row) for row in q)
    yield Comparison("unit quaternions", state.label, error, SAME)


def _brought_back(
    subject: Subject, state: TestState, fixed: tuple[Callable[..., Any], tuple[str, ...]], h: float
) -> Iterator[Comparison]:
    """From beside the constraints steps end on them."""
    call, names = fixed
    beside = subject.displaced(state, _AWAY)
    try:
        q, u = (part[-1] for part in call(*(beside[name] for name in names), h, 2)[:2])
    except FloatingPointError:
        return  # so far that no step leads back
    at = state.with_values(q=q, u=u, t=state["t"] + 2 * h)
    length, fastest = (1.0 + float(np.abs(part).max(initial=0.0)) for part in (q, u))
    if subject.model.output_names("constraint_residual"):
        error = largest(subject.call("constraint_residual", at), 0.0, length)
        yield Comparison("rk4 back on positions", state.label, error, NEAR)
    error = largest(subject.call("constraint_velocity", at), 0.0, fastest * length)
    yield Comparison("rk4 back on speeds", state.label, error, NEAR)


def _step_by_step(
    subject: Subject,
    state: TestState,
    adaptive: tuple[Callable[..., Any], tuple[str, ...]],
    span: float,
) -> Iterator[Comparison]:
    """The same method in SciPy chooses the same steps, so that errors of a step show as well."""
    if subject.model.is_constrained or subject.model.nq != subject.nu:
        return  # SciPy's steps neither project nor normalize
    begin, h = float(state["t"]), span / (_RATIO * _STEPS)
    if (np.diff(begin + h * _FRACTIONS) > 0).all():
        yield _one_step(subject, state, adaptive, h)
    times = begin + span * _FRACTIONS
    (call, names), rates = adaptive, partial(_rates, subject, state)
    own = {"rtol": _COARSE, "atol": 1e-3 * _COARSE}
    try:
        solved = solve_ivp(
            rates, (times[0], times[-1]), _start(subject, state), "RK45", times, **own
        )
    except FloatingPointError:
        return
    expected = np.array(solved.y.T)
    if not solved.success or not np.isfinite(expected).all():
        return
    values = [state[name] for name in names]
    _soil(subject, len(times))
    *got, report = call(*values, times, **own, h=0.0, max_steps=100_000)
    sizes = _sizes(subject, expected)
    error = largest(np.hstack(got) / sizes, expected / sizes)
    # The lengths of steps go by a difference of rates, which rounds, and the errors by the lengths.
    allowed = ALIKE + _rounding(np.abs(expected[0]), sizes)
    extra = abs(1 + 6 * (report["steps"] + report["rejected"]) + 1 - solved.nfev)
    if (error > allowed or extra) and _is_left_to_rounding(solved, rates, sizes, own, allowed):
        yield from _converging(subject, state, adaptive, times)
        return
    yield Comparison("dopri step by step", state.label, error, allowed)
    yield Comparison("trials of dopri", state.label, extra, 0.0)


def _is_left_to_rounding(
    solved: Any, rates: Callable[[float, Array], Array], sizes: Array, own: Any, allowed: float
) -> bool:
    """True if starts that differ by rounding lead SciPy itself to other steps: in stiff laws the
    differences grow until a step is taken here and refused there."""
    rng, start, times = np.random.default_rng(0), solved.y[:, 0], solved.t
    for _ in range(_STARTS):
        beside = start * (1 + 4 * np.finfo(float).eps * rng.choice([-1, 1], start.size))
        try:
            other = solve_ivp(rates, (times[0], times[-1]), beside, "RK45", times, **own)
        except FloatingPointError:
            return True
        apart = largest((other.y.T - solved.y.T) / sizes, 0.0) if other.success else np.inf
        if other.nfev != solved.nfev or apart > allowed / 10:
            return True
    return False


def _converging(
    subject: Subject,
    state: TestState,
    adaptive: tuple[Callable[..., Any], tuple[str, ...]],
    times: Array,
) -> Iterator[Comparison]:
    """The error falls with the tolerance, whichever steps are taken."""
    (call, names), rates = adaptive, partial(_rates, subject, state)
    try:
        solved = solve_ivp(
            rates,
            (times[0], times[-1]),
            _start(subject, state),
            "DOP853",
            times,
            rtol=_RTOL,
            atol=_ATOL,
        )
    except FloatingPointError:
        return
    if not solved.success:
        return
    expected, values = np.array(solved.y.T), [state[name] for name in names]
    sizes = _sizes(subject, expected)
    for rtol in _TOLERANCES:
        *got, _ = call(*values, times, rtol=rtol, atol=1e-3 * rtol, h=0.0, max_steps=100_000)
        error, allowed = largest(np.hstack(got) / sizes, expected / sizes), _MULTIPLE * rtol
        yield Comparison(f"dopri converges, {rtol:.0e}", state.label, error, allowed)


def _one_step(
    subject: Subject,
    state: TestState,
    adaptive: tuple[Callable[..., Any], tuple[str, ...]],
    h: float,
) -> Comparison:
    """A single step by SciPy's tableau and interpolant: a digit of either shows."""
    (call, names), t = adaptive, float(state["t"])
    start, h = _start(subject, state), (t + h) - t
    # Of a step short against the time, t + h/2 is rounded by much of it, and a stiff law goes far
    # meanwhile: what is compared is at the times that both are asked for. Differences of close
    # times are exact (Sterbenz).
    times = t + h * _FRACTIONS
    shares = (times - t) / h
    stages = np.zeros((RK45.n_stages + 1, start.size))
    for row, weights in enumerate([*RK45.A, RK45.B]):
        place = start + h * weights[:row] @ stages[:row]
        stages[row] = _rates(subject, state, t + h * float([*RK45.C, 1.0][row]), place)
    powers = shares[:, None] ** np.arange(1, RK45.P.shape[1] + 1)
    expected = start + h * (powers @ RK45.P.T) @ stages
    _soil(subject, len(times))
    *got, _ = call(*(state[name] for name in names), times, rtol=1.0, atol=1e9, h=h, max_steps=2)
    sizes = _sizes(subject, expected)
    error = largest(np.hstack(got) / sizes, expected / sizes)
    large = np.maximum(np.abs(start), h * np.abs(stages).max(axis=0))
    allowed = EXACT + _rounding(large, sizes)
    return Comparison("one step of dopri", state.label, error, allowed, "integrator dopri")


def _rounding(large: Array, sizes: Array) -> float:
    """Its share in errors, where the way is short against the state, or stages of a stiff law large
    against their sum."""
    return 100 * np.finfo(float).eps * float((large / sizes).max())


def _sizes(subject: Subject, rows: Array) -> Array:
    """Largest ways of q, u and z, for each of their entries; no less than rounding shows.

    The units of z are many and its sizes not known: what is drawn may be large against its way.
    """
    parts = parted(subject.model, np.abs(rows - rows[0]).max(axis=0))
    floor = 1e-4 * (1.0 + np.abs(rows[0]).max())
    floors = (floor, floor, 1e2 * floor)
    sizes = [max(way.max(initial=0.0), least) for way, least in zip(parts, floors, strict=False)]
    return np.repeat(sizes, [*map(len, parts)])


def _start(subject: Subject, state: TestState) -> Array:
    """[q; u; z]"""
    own = [state["z"]] if subject.model.element_states else []
    return np.concatenate([state["q"], state["u"], *own])


def _rates(subject: Subject, state: TestState, t: float, y: Array) -> Array:
    at = {**parted(subject.model, y).named, "t": np.array(t)}
    names = ["coordinate_rates", "forward_dynamics"]
    names += ["element_state_rates"] if subject.model.element_states else []
    return np.concatenate([subject.call(name, state, **at) for name in names])


def _classical(
    subject: Subject,
    state: TestState,
    rates: Callable[[float, Array], Array],
    span: float,
    steps: int,
) -> Array:
    """[q; u; z] after so many steps: y + h (k1 + 2 k2 + 2 k3 + k4) / 6, q put on its manifold."""
    nq, h = subject.model.nq, span / steps
    y, t = _start(subject, state), float(state["t"])
    for _ in range(steps):
        first = rates(t, y)
        second = rates(t + h / 2, y + h / 2 * first)
        third = rates(t + h / 2, y + h / 2 * second)
        fourth = rates(t + h, y + h * third)
        y, t = y + h / 6 * (first + 2 * second + 2 * third + fourth), t + h
        if "normalize" in subject.functions:
            y[:nq] = subject.call("normalize", state, q=y[:nq])
    return y
