"""Everything that is done with a compiled system, each as a function of one whose result is
numbers: those of the same physics declared as a tree of bodies are the reference."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from eomc.runtime import continuation, joint_reactions, linearize_along, loop_inverse_dynamics
from eomc.runtime.control import (
    LQR,
    PD,
    ComputedTorque,
    FeedbackLinearization,
    GravityCompensation,
    StateFeedback,
)
from eomc.runtime.linearization.sensitivity import sensitivities

CORE = ("forward_dynamics", "coordinate_rates", "normalize")


@dataclass(frozen=True)
class Rough:
    """Numbers that a procedure gives to an absolute tolerance."""

    values: Any
    tolerance: float


@dataclass
class Subject:
    """The systems of one column: `free` has an input, `held` a constraint, `led` a prescribed
    coordinate."""

    make: dict[str, Callable[[], Any]]

    @cached_property
    def declared(self) -> Any:
        return self.make["cart"]()

    @cached_property
    def models(self) -> dict[str, Any]:
        """Every system of the column, compiled."""
        first = {"cart": self.free, "rod": self.held, "crane": self.led}
        return first | {
            name: eomc.build(self.make[name]()) for name in self.make if name not in first
        }

    @cached_property
    def free(self) -> Any:
        return eomc.build(self.declared)

    @cached_property
    def held(self) -> Any:
        return eomc.build(self.make["rod"]())

    @cached_property
    def led(self) -> Any:
        return eomc.build(self.make["crane"]())


PROCEDURES: dict[str, Callable[[Subject], Any]] = {}
"""By the name that a user knows."""


def procedure(name: str) -> Callable[[Callable[[Subject], Any]], Callable[[Subject], Any]]:
    """Decorator: a row of the table."""

    def remember(run: Callable[[Subject], Any]) -> Callable[[Subject], Any]:
        PROCEDURES[name] = run
        return run

    return remember


Q, U = np.array([0.3, -0.4]), np.array([1.0, 0.75])  # consistent states of the rod too
PUSH = {"inputs": {"F": 1.0}}


# -- derivation and code --


@procedure("to_sympy, to_latex")
def _read(s: Subject) -> Any:
    equations = eomc.equations(s.declared)
    matrix = equations.mass_matrix.to_sympy()
    return [matrix.shape, len(equations.forward_dynamics.to_latex()) > 0]


@procedure("emit")
def _emit(s: Subject) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        files = {path.suffix for path in eomc.emit(s.declared, Path(folder) / "c").iterdir()}
    return {".c", ".h", ".json"} <= files


@procedure('build(real="float")')
def _single(s: Subject) -> Any:
    model = eomc.build(s.declared, real="float")
    return Rough(model.forward_dynamics(Q, U, [0, 0], [1.0]), 1e-4)


@procedure("build(small=True)")
def _small(s: Subject) -> Any:
    return eomc.build(s.declared, small=True).forward_dynamics(Q, U, [0, 0], [1.0])


@procedure("batches, lanes, rollouts")
def _lanes(s: Subject) -> Any:
    model = eomc.build(s.declared, lanes=4, functions=CORE)
    q, u = Q + np.linspace(0, 1, 10)[:, None], np.tile(U, (10, 1))
    batch = model.forward_dynamics(q, u, np.zeros(2), np.ones(1))
    ends = model.rk4_rollouts(q, u, np.zeros(2), np.ones(1), 1e-3, 100, every=100)
    return [batch, ends[0][:, -1]]


@procedure("tunable parameters")
def _parameters(s: Subject) -> Any:
    return s.free.forward_dynamics(Q, U, [0, 0], [1.0], parameters={"l": [0.5, 0.9]})


# -- runs --


def _run(model: Any, **more: Any) -> Any:
    inputs = PUSH if model.inputs else {}
    return eomc.simulate(
        model, Q, U, t_span=1.0, step=0.1, rtol=1e-10, atol=1e-12, **inputs, **more
    )


for _method in ("DOP853", "RK45", "LSODA", "Radau", "BDF", "cvode"):
    PROCEDURES[f'simulate(method="{_method}")'] = lambda s, method=_method: [
        Rough(_run(model, method=method).q, 1e-5) for model in (s.free, s.held)
    ]
for _method in ("dopri", "rk4"):
    PROCEDURES[f'simulate(method="{_method}")'] = lambda s, method=_method: [
        _run(model, method=method).q for model in (s.free, s.held)
    ]
for _formulation in ("multipliers", "independent", "stabilized"):
    PROCEDURES[f'simulate(formulation="{_formulation}")'] = lambda s, formulation=_formulation: (
        Rough(_run(s.held, formulation=formulation).q, 1e-7)
    )


@procedure("run.energy")
def _energy(s: Subject) -> Any:
    return [_run(model).energy - _run(model).energy[0] for model in (s.free, s.held)]


@procedure("events, dense output, files")
def _record(s: Subject) -> Any:
    run = _run(s.free, dense=True, events=lambda t, q, u: q[1])
    with tempfile.TemporaryDirectory() as folder:
        run.to_csv(Path(folder) / "run.csv")
        run.to_npz(Path(folder) / "run.npz")
        again = eomc.Trajectory.from_npz(Path(folder) / "run.npz")
    return [run.events[0].t, run.at(0.55).q, again.q]


@procedure("run.animate")
def _film(s: Subject) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        _run(s.free).animate(Path(folder) / "run.gif", fps=5, dpi=30)
        return (Path(folder) / "run.gif").is_file()


# -- constraints --


@procedure("assemble")
def _assemble(s: Subject) -> Any:
    found = eomc.assemble(s.held, [0.35, -0.45], [1.0, 0.0])
    return [found.q, found.u]


@procedure("independent")
def _independent(s: Subject) -> Any:
    found = eomc.runtime.independent_coordinates(s.held, Q)
    return [found.order, found.rank]


@procedure("multipliers(run)")
def _multipliers(s: Subject) -> Any:
    return eomc.runtime.multipliers(_run(s.held)).values


@procedure("loop_inverse_dynamics")
def _loop_forces(s: Subject) -> Any:
    a = s.held.forward_dynamics(Q, U, [1.0, 2.0])
    found = loop_inverse_dynamics(s.held, Q, U, a, actuators=[s.held.speeds[0]])
    return found.tau


@procedure("joint_reactions(run)")
def _reactions(s: Subject) -> Any:
    return joint_reactions(_run(s.held)).values.shape[0]


# -- prescribed coordinates --


def _sway(t: float) -> tuple[float, float, float]:
    return 0.2 * np.sin(t), 0.2 * np.cos(t), -0.2 * np.sin(t)


@procedure("simulate(prescribed=)")
def _prescribed(s: Subject) -> Any:
    led = {"prescribed": {"x": _sway}}
    run = eomc.simulate(s.led, [0.3], [0.1], t_span=1.0, step=0.1, **led)
    return [run.q, eomc.linearize(s.led, q=[0.3], u=[0.1], t=0.3, **led).A]


# -- small motions --


for _way in ("exact", "one-sided", "central"):
    PROCEDURES[f'linearize(method="{_way}")'] = lambda s, way=_way: [
        Rough(eomc.linearize(model, q=Q, u=U, method=way).A, 1e-2 if way == "one-sided" else 1e-4)
        for model in (s.free, s.held)
    ]


@procedure("linearize(independent=)")
def _reduced(s: Subject) -> Any:
    rest = [0.0, -0.5]
    found = [eomc.linearize(s.held, q=rest, independent=way) for way in (["x"], "null space")]
    return [[linear.stiffness, linear.mass] for linear in found]


@procedure("modes, frequency response")
def _modes(s: Subject) -> Any:
    linear = eomc.linearize(s.free, eomc.equilibrium(s.free, [0.1, 0.1]))
    response = linear.frequency_response([1.0, 3.0])
    return [linear.modes().eigenvalues, response.between("theta", "F")]


@procedure("linearize_along")
def _along(s: Subject) -> Any:
    return [linearize_along(_run(model)).transition()[-1] for model in (s.free, s.held)]


@procedure("sensitivities")
def _sensitivities(s: Subject) -> Any:
    found = sensitivities(s.free, eomc.equilibrium(s.free, [0.1, 0.1]), ["k", "l"])
    tied = sensitivities(s.held, eomc.equilibrium(s.held, [0.1, -0.45]), ["l"])
    return [found.eigenvalue_rates, Rough(tied.eigenvalue_rates, 1e-6)]


@procedure("equilibrium")
def _equilibrium(s: Subject) -> Any:
    return [
        eomc.equilibrium(s.free, [0.2, 0.3], **PUSH).q,
        eomc.equilibrium(s.held, [0.1, -0.45]).q,
    ]


@procedure("continuation")
def _continuation(s: Subject) -> Any:
    branch = continuation(eomc.equilibrium(s.free, [0.0, 0.1]), "F", 3.0)
    tied = continuation(eomc.equilibrium(s.held, [0.1, -0.45]), "l", 0.8)
    return [branch.equilibria[-1].q, tied.equilibria[-1].q]


# -- control --


@procedure("PD, ComputedTorque, StateFeedback")
def _laws(s: Subject) -> Any:
    target = np.array([0.5, 0.0])
    laws = [
        PD(s.free, target, kp=10.0, kd=3.0),
        ComputedTorque(s.free, target, kp=16.0),
        StateFeedback(s.free, np.ones((2, 4)), target),
    ]
    return [law.torque(0.0, Q, U) for law in laws]


@procedure("GravityCompensation, PD(gravity=True)")
def _gravity(s: Subject) -> Any:
    laws = [GravityCompensation(s.free), PD(s.free, Q, kp=10.0, kd=3.0, gravity=True)]
    unstretched = np.array([0.0, -0.4])  # of a Lagrangian the spring's force is in it too
    return [law.torque(0.0, unstretched, U) for law in laws]


@procedure("LQR")
def _regulator(s: Subject) -> Any:
    first, first_held = [s.free.speeds[0]], [s.held.speeds[0]]
    law = LQR(s.free, [0.0, 0.0], [100, 100, 1, 1], 0.1, actuators=first)
    tied = LQR(s.held, [0.0, -0.5], [10, 1], 0.1, speeds=first_held, actuators=first_held)
    return [law.design.gain, tied.design.gain]


@procedure("FeedbackLinearization")
def _linearizing(s: Subject) -> Any:
    law = FeedbackLinearization(s.free, {s.free.speeds[0]: 0.5}, 4.0)
    return law.torque(0.0, Q, U)


# -- checks and the command line --


@procedure("verify")
def _verify(s: Subject) -> Any:
    reports = [eomc.verify(s.make[name](), quick=True) for name in ("cart", "rod")]
    assert all(report.ok for report in reports), "\n".join(map(str, reports))
    return True


@procedure("write_toml")
def _file(s: Subject) -> Any:
    from eomc.derive.formats import write_toml

    with tempfile.TemporaryDirectory() as folder:
        write_toml(s.declared, Path(folder) / "cart.toml")
        return len(eomc.load(Path(folder) / "cart.toml").coordinates)


def _json(*arguments: str) -> Any:
    import contextlib
    import io

    from eomc.cli import main

    out = io.StringIO()
    errors = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = main([*arguments, "--json"])
    assert code == 0, errors.getvalue()
    return json.loads(out.getvalue())


def _place(s: Subject, name: str) -> str:
    return f"lagrange.same_physics:{s.make[name].__name__}"


_COMMANDS: dict[str, Callable[[Subject], Any]] = {
    "build": lambda s: [_json("build", _place(s, name))["nq"] for name in ("cart", "rod")],
    "info": lambda s: [_json("info", _place(s, name))["nu"] for name in ("cart", "rod")],
    "show": lambda s: _json("show", _place(s, "cart"), "mass_matrix")["outputs"][0]["shape"],
    "derive": lambda s: _json("derive", _place(s, "cart"))["nq"],
    "simulate": lambda s: [
        _json("simulate", _place(s, "cart"), "--q", "theta=0.3", "--t-span", "1")["q"],
        _json("simulate", _place(s, "rod"), "--q", "x=0.3,z=-0.4", "--t-span", "1")["q"],
    ],
    "equilibrium": lambda s: _json("equilibrium", _place(s, "cart"), "--input", "F=2")["q"],
    "linearize": lambda s: [
        _json("linearize", _place(s, "cart"), "--equilibrium")["first_order"]["A"],
        _json("linearize", _place(s, "rod"), "--equilibrium", "--q", "z=-0.5")["first_order"]["A"],
    ],
    "modes": lambda s: len(_json("modes", _place(s, "cart"))["modes"]),
    "verify": lambda s: _json("verify", _place(s, "cart"), "--quick")["ok"],
}
PROCEDURES |= {f"eomc {command}": run for command, run in _COMMANDS.items()}
