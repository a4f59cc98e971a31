"""Runs of many states at once: fixed steps on lanes, with feedback if the model allows it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from eomc.codegen.c.arguments import call_arguments, with_parameters
from eomc.codegen.c.implicit_integrator import FunctionSteps, implicit_integrators
from eomc.codegen.c.integrator import Integrator, integrators, method_marks, states_behind
from eomc.codegen.c.lanes_language import all_lanes
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, asked_once
from eomc.codegen.templates.template import fill

# The tunable parameters on lanes.
_P = "p_row"


@dataclass(frozen=True)
class Rollouts:
    """One method on many states of one model.

    tau : the held input that feedback adds to, None if there is none
    difference : displacement between coordinates, None where a subtraction will do
    inverse : inverse dynamics of computed torque, None if it is not emitted
    step : a method that steps by one function, None for Runge-Kutta steps
    """

    method: Integrator
    tau: Port | None
    difference: EmittedFunction | None
    inverse: EmittedFunction | None
    step: FunctionSteps | None = None

    @property
    def name(self) -> str:
        """Of the method."""
        return self.method.tableau.name if self.step is None else self.step.name

    @property
    def title(self) -> str:
        """Of the method."""
        return (self.method.tableau if self.step is None else self.step.method).title

    @property
    def called(self) -> tuple[EmittedFunction, ...]:
        """Functions of a step, or of a stage."""
        return self.method.entries if self.step is None else (self.step.step,)


@asked_once
def rollouts(face: Interface) -> Rollouts | None:
    """The rollouts of ``face``; None without coordinates or an integrator of fixed steps."""
    methods = [m for m in integrators(face) if not m.tableau.is_adaptive and m.nq and m.nu]
    if not methods:
        return None
    method = methods[0]
    tau = next((p for p in method.held if p.argument.name == "tau" and p.size == method.nu), None)
    difference = face.entry("difference")
    if difference is not None and (
        [port.size for port in difference.ports] != [method.nq, method.nq, method.nu]
    ):
        difference = None
    if method.nq != method.nu and difference is None:
        tau = None
    inverse = face.entry("inverse_dynamics")
    known = {"q", "u", "z", "a", "t"} | {port.argument.name for port in method.held}
    if inverse is not None and not {port.argument.name for port in inverse.inputs} <= known:
        inverse = None
    return Rollouts(method, tau, difference if method.nq != method.nu else None, inverse)


@asked_once
def all_rollouts(face: Interface) -> tuple[Rollouts, ...]:
    """Those of the Runge-Kutta method, then of methods that step by one function."""
    first = rollouts(face)
    if first is None:
        return ()
    steps = [m for m in implicit_integrators(face) if isinstance(m, FunctionSteps)]
    return first, *(replace(first, step=step) for step in steps)


def rollout_declarations(face: Interface) -> str:
    """For the header."""
    texts = []
    for k, found in enumerate(all_rollouts(face)):
        marks = _marks(face, found)
        feedback = fill("feedback.h", **marks) if found.tau is not None else ""
        types = f"{fill('signal.h', m=face.prefix)}{feedback}\n" if k == 0 else ""
        texts.append("\n" + types + fill("rollouts.h", **marks))
    return "".join(texts)


def rollout_definitions(face: Interface) -> str:
    """For the source file."""
    texts = []
    for k, found in enumerate(all_rollouts(face)):
        marks = _marks(face, found)
        if k == 0:
            texts.append(fill("rollouts_merge.c", **marks))
            # One law of feedback for all methods.
            feedback = fill("feedback.c", **marks) if found.tau is not None else ""
            texts.append(feedback + fill("rollouts.c", **marks))
        else:
            texts.append(fill("rollouts.c", **marks))
    return "\n".join(texts)


def signals(face: Interface, found: Rollouts) -> list[tuple[str, int]]:
    """Name and size of the inputs given as signals, in the order of the C function, p last."""
    rows = [(port.name, port.size) for port in found.method.held]
    return rows + ([("p", len(face.members))] if face.members else [])


def _marks(face: Interface, found: Rollouts) -> dict[str, object]:
    method, signal, rows = found.method, f"const {face.prefix}_signal *", signals(face, found)
    loads = "".join(
        f"{INDENT * 2}{face.prefix}_to_lanes("
        f"&{name}->rows[(size_t)step*{name}->step], {size}, {name}->state, {name}_row);\n"
        for name, size in rows
    )
    held = {port.argument.name: f"{port.name}_row" for port in method.held} | {"t": "time"}
    speeds = all_lanes(face, method.nu)
    stage = {"q": "x_stage", "u": "&x_stage[Q]", "z": f"&x_stage[Q + {speeds}]"} | held
    marks = method_marks(face, method) | {
        "held_declarations": "".join(f"{INDENT}{signal}{name},\n" for name, _ in rows),
        "time_declaration": f"{INDENT}{face.real_type} t,\n" if method.timed else "",
        "feedback_declaration": "",
        "feedback_call": "",
        "start": "t + " if method.timed else "",
        "row_arrays": "".join(
            f"{INDENT}{face.real_type} {name}_row[{all_lanes(face, size)}];\n"
            for name, size in rows
        ),
        "row_loads": loads,
        "coordinate_rates_arguments": call_arguments(face, method.rates, stage, _P),
        "forward_dynamics_arguments": call_arguments(face, method.dynamics, stage, _P),
        "nq": method.nq,
        "nu": method.nu,
        "width": method.width,
        "q_lanes": all_lanes(face, method.nq),
        "u_lanes": speeds,
        "width_lanes": all_lanes(face, method.width),
        "behind": states_behind(method),
        # States of elements lie behind the speeds.
        "speeds": speeds if method.nz else "U",
        "element_states": "",
        "method": found.name,
        "title": found.title,
        "evaluated": f"the rates {method.tableau.stages} times",
    }
    if (entry := method.element_rates) is not None:
        own = {"element_state_rates": entry.symbol}
        own["arguments"] = call_arguments(face, entry, stage, _P)
        marks["element_states"] = fill("rollouts_element_states.c", **{**marks, **own})
    marks |= _step_marks(face, found, held, marks)
    return marks if found.tau is None else marks | _feedback(face, found, held, marks)


def _step_marks(
    face: Interface, found: Rollouts, held: Mapping[str, str], marks: Mapping[str, object]
) -> dict[str, object]:
    """A step, and what brings its end back onto the manifold and the constraints."""
    corrections, real = _corrections(face, held, marks), face.real_type
    if (steps := found.step) is None:
        rate = f"{face.macro}_LANES_ALIGNED {real} rate[{marks['stages']}][Q + U];"
        return {
            "coefficients": fill("rollouts_coefficients.c", **marks),
            "rates": f"{INDENT}{rate}\n",
            "step": fill("rollouts_runge_kutta.c", **marks),
            "normalize": _normalize(face, found.method, marks) + corrections,
        }
    z = f"&x[Q + {marks['speeds']}]"
    state = {"q": "x", "u": "&x[Q]", "z": z, "h": "length", **held}
    own = {
        "step": steps.step.symbol,
        "step_arguments": call_arguments(face, steps.step, state, _P),
        "z_next": f", &x_stage[Q + {marks['speeds']}]" if found.method.nz else "",
    }
    return {
        "coefficients": "",
        "rates": f"{INDENT}{real} length[{face.macro}_LANES];\n",
        "step": fill("rollouts_function.c", **{**marks, **own}),
        "normalize": corrections,
        "evaluated": steps.step.symbol,
    }


def _feedback(
    face: Interface, found: Rollouts, held: Mapping[str, str], marks: Mapping[str, object]
) -> dict[str, object]:
    assert found.tau is not None
    names = [f"{name}_row" for name, _ in signals(face, found)] + ["time"]
    arguments = ", ".join(["x", "&x[Q]", *names])
    difference = fill("feedback_displacement.c", **marks)
    if (entry := found.difference) is not None:
        between = ", ".join(with_parameters(face, ("q", "q_ref"), _P))
        own = {"difference": entry.symbol, "arguments": between}
        difference = fill("feedback_difference.c", **{**marks, **own})
    computed_torque = ""
    if (entry := found.inverse) is not None:
        state = {"q": "q", "u": "u", "z": f"&u[{marks['speeds']}]", "a": "error"}
        taken = call_arguments(face, entry, {**held, **state}, _P)
        own = {"inverse_dynamics": entry.symbol, "arguments": taken}
        computed_torque = fill("feedback_computed_torque.c", **{**marks, **own})
    return {
        "feedback_declaration": f"{INDENT}const {face.prefix}_feedback *feedback,\n",
        "feedback_call": fill(
            "feedback_call.c", **{**marks, "arguments": arguments, "tau": found.tau.name}
        ),
        "row_declarations": "".join(f"{INDENT}const {face.real_type} *{n},\n" for n in names),
        "row_arrays": f"{marks['row_arrays']}{INDENT}{face.real_type} torque[{marks['speeds']}];\n",
        "unused": "".join(f"{INDENT}(void){name};\n" for name in ["codes", *names]),
        "difference": difference,
        "computed_torque": computed_torque,
    }


def _corrections(face: Interface, held: Mapping[str, str], marks: Mapping[str, object]) -> str:
    """One step back onto the constraints, of q and then of u; nothing without constraints.

    A step of Newton's method squares what a step of the integrator leaves, which is enough.
    """
    names = ("position_correction", "velocity_correction", "integrate")
    position, velocity, integrate = (face.entry(name) for name in names)
    if position is None or velocity is None or integrate is None:
        return ""
    state = {"q": "x", "u": "&x[Q]", **held}
    own = {
        "position_correction": position.symbol,
        "velocity_correction": velocity.symbol,
        "integrate": integrate.symbol,
        "position_arguments": call_arguments(face, position, state, _P),
        "velocity_arguments": call_arguments(face, velocity, state, _P),
        "integrate_arguments": call_arguments(face, integrate, {"q": "x", "du": "sum"}, _P),
    }
    return fill("rollouts_corrections.c", **{**marks, **own})


def _normalize(face: Interface, method: Integrator, marks: Mapping[str, object]) -> str:
    if method.normalize is None:
        return ""
    own = {
        "normalize": method.normalize.symbol,
        "arguments": ", ".join(with_parameters(face, ["x"], _P)),
    }
    return fill("rollouts_normalize.c", **{**marks, **own})
