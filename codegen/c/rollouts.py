"""Runs of many states at once: fixed steps on lanes, with feedback if the model allows it."""

from collections.abc import Mapping
from dataclasses import dataclass

from eomc.codegen.c.arguments import call_arguments, with_parameters
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
    """

    method: Integrator
    tau: Port | None
    difference: EmittedFunction | None
    inverse: EmittedFunction | None


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


def rollout_declarations(face: Interface) -> str:
    """For the header."""
    found = rollouts(face)
    if found is None:
        return ""
    marks = _marks(face)
    feedback = fill("feedback.h", **marks) if found.tau is not None else ""
    own = fill("signal.h", m=face.prefix)
    return "\n" + own + fill("rollouts.h", **marks, feedback_type=feedback)


def rollout_definitions(face: Interface) -> str:
    """For the source file."""
    found = rollouts(face)
    if found is None:
        return ""
    marks = _marks(face)
    feedback = fill("feedback.c", **marks) if found.tau is not None else ""
    return fill("rollouts.c", **marks, feedback_definition=feedback)


def signals(face: Interface, found: Rollouts) -> list[tuple[str, int]]:
    """Name and size of the inputs given as signals, in the order of the C function, p last."""
    rows = [(port.name, port.size) for port in found.method.held]
    return rows + ([("p", len(face.members))] if face.members else [])


@asked_once
def _marks(face: Interface) -> dict[str, object]:
    found = rollouts(face)
    assert found is not None
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
    }
    if (entry := method.element_rates) is not None:
        own = {"element_state_rates": entry.symbol}
        own["arguments"] = call_arguments(face, entry, stage, _P)
        marks["element_states"] = fill("rollouts_element_states.c", **{**marks, **own})
    marks["normalize"] = _normalize(face, method, marks) + _corrections(face, held, marks)
    return marks if found.tau is None else marks | _feedback(face, found, held, marks)


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
