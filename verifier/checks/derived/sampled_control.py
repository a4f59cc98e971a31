"""A sampled controller in one compiled loop with the mechanism, against Python's run."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.building import sampled_loop
from eomc.runtime.control import Sampled
from eomc.runtime.impacts.contacts import has_rigid_contacts
from eomc.runtime.model.errors import SimulationError
from eomc.runtime.simulation.simulate import simulate
from eomc.verifier.requested.sampled import NEEDS, ControllerModel, plant, sampled
from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

FIXED, ADAPTIVE, PROJECTED = 1e-9, 1e-6, 1e-5
_SEED = 2**40 + 7
_RUNS = 2
_DELAYS = (2.3, 0.6)
"""In periods, of one run each."""
_ROWS = np.array([0.0, 0.6, 1.0, 3.7, 5.5, 9.0])
"""Times of the record in periods, of which few are samples."""


@check(
    "sampled control",
    compares="runs of the mechanism and a controller in one compiled loop: a law with a state, "
    "noise, filters, quantizers and limits, forces that come late and lag; that commands which "
    "are no numbers end a run",
    reference="the controller run in Python from sample to sample, between which the compiled "
    "methods step",
    tolerance=f"of the largest entry of q, of u and of the forces {FIXED:.0e} for steps of equal "
    f"length, {ADAPTIVE:.0e} for adaptive ones at 1e-9, {PROJECTED:.0e} where steps end on "
    "constraints",
    needs=NEEDS,
    thorough=True,
)
def sampled_control(subject: DerivedSubject) -> Iterator[Comparison]:
    """From some random states, a period of four steps that converge."""
    model = subject.model
    if model.prescribed or model.integrator("rk4") is None or subject.freedoms == 0:
        raise NotApplicable("its motion is prescribed, or there are no steps")
    if has_rigid_contacts(model):
        raise NotApplicable("methods of sampled loops do not go with rigid contacts")
    regular = {state.label for state in subject.regular if "high" not in state.label}
    drawn = [s for s in subject.held if s.is_random and s.label in regular][:_RUNS]
    h = subject.run_step(drawn) if drawn else None
    if h is None:
        raise NotApplicable("no step converges from the states that are drawn")
    period = 4 * h
    targets = drawn[0]["q1"], drawn[0]["q"]

    def compiled(controller: Sampled) -> Any:
        return sampled_loop(
            plant(subject.program),
            controller,
            model=ControllerModel(subject.program),
            **subject.options,
        )

    # Commands that wait for several samples, and one that comes before the next.
    late = [sampled(model, period, targets, _SEED, delay) for delay in _DELAYS]
    loops = [(controller, compiled(controller)) for controller in late]
    nowhere = np.where(np.arange(len(targets[0])) == 0, np.nan, targets[0])
    lost = compiled(sampled(model, period, (nowhere, nowhere), _SEED))
    for state, (controller, loop) in zip(drawn, loops, strict=False):
        for method in ("rk4", "dopri"):
            how: dict[str, Any] = {"t_span": state["t"] + period * _ROWS, "method": method}
            how |= {"step": h}
            how |= {"rtol": 1e-9, "atol": 1e-11, "z": state.values.get("z")}
            how |= {"inputs": state["r"]} if model.inputs else {}
            yield from _runs(subject, state, loop, controller, how)
            what = f"{method} without a command"
            yield Comparison(what, state.label, 0.0 if _ends(lost, state, how) else np.inf, 0.0)


def _ends(loop: Any, state: TestState, how: dict[str, Any]) -> bool:
    """True if the run ends, and says that it is for the forces."""
    try:
        loop.run(state["q"], state["u"], **how)
    except SimulationError as error:
        return "forces are not finite" in str(error)
    return False


def _runs(
    subject: DerivedSubject, state: TestState, loop: Any, controller: Any, how: dict[str, Any]
) -> Iterator[Comparison]:
    q, u = state["q"], state["u"]
    try:
        with warnings.catch_warnings():  # the report tells itself how far the theory holds
            warnings.simplefilter("ignore")
            expected = simulate(subject.model, q, u, controller=controller, **how)
    except SimulationError:
        return  # a state from which no run gets far
    rough = PROJECTED if subject.model.is_constrained else ADAPTIVE
    allowed = FIXED if how["method"] == "rk4" and rough == ADAPTIVE else rough
    try:
        found = loop.run(q, u, **how)
    except SimulationError:
        yield Comparison(f"{how['method']} fails", state.label, np.inf, allowed)
        return
    for part in ("q", "u", "z", "tau"):
        got, wanted = np.asarray(getattr(found, part)), np.asarray(getattr(expected, part))
        size = 1.0 + float(np.abs(wanted).max(initial=0.0))
        error = largest(got, wanted, size)
        yield Comparison(f"{part} by {how['method']}", state.label, error, allowed)
