"""Runs of many states at once: fixed steps on lanes, with feedback if the model allows it."""

from collections.abc import Mapping
from dataclasses import dataclass

from eomc.codegen.c.body import INDENT
from eomc.codegen.c.integrator import Integrator, integrators, method_marks
from eomc.codegen.interface import Entry, Interface, Port
from eomc.codegen.template import fill


@dataclass(frozen=True)
class Rollouts:
    """One method on many states of one model.

    tau : the held input that feedback adds to, None if there is none
    difference : displacement between coordinates, None where a subtraction will do
    inverse : inverse dynamics of computed torque, None if it is not emitted
    """

    method: Integrator
    tau: Port | None
    difference: Entry | None
    inverse: Entry | None


def rollouts(face: Interface) -> Rollouts | None:
    """What ``face`` allows; None without coordinates or an integrator of fixed steps."""
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
    known = {"q", "u", "a", "t"} | {port.argument.name for port in method.held}
    if inverse is not None and not {port.argument.name for port in inverse.inputs} <= known:
        inverse = None
    return Rollouts(method, tau, difference if method.nq != method.nu else None, inverse)


def rollout_declarations(face: Interface) -> str:
    """For the header."""
    found = rollouts(face)
    if found is None:
        return ""
    marks = _marks(face, found)
    feedback = fill("feedback.h", **marks) if found.tau is not None else ""
    return "\n" + fill("rollouts.h", **marks, feedback_type=feedback)


def rollout_definitions(face: Interface) -> str:
    """For the source file."""
    found = rollouts(face)
    if found is None:
        return ""
    marks = _marks(face, found)
    feedback = fill("feedback.c", **marks) if found.tau is not None else ""
    return fill("rollouts.c", **marks, feedback_definition=feedback)


def signal_names(face: Interface, found: Rollouts) -> list[str]:
    """Inputs given as signals, in the order of the C function, p last."""
    return [port.name for port in found.method.held] + (["p"] if face.members else [])


def _marks(face: Interface, found: Rollouts) -> dict[str, object]:
    method, signal = found.method, f"const {face.prefix}_signal *"
    rows = [(port.name, port.size) for port in method.held]
    rows += [("p", len(face.members))] if face.members else []
    loads = "".join(
        f"{INDENT * 2}{face.prefix}_to_lanes("
        f"{name}->rows + (size_t)step*{name}->step, {size}, {name}->state, {name}_row);\n"
        for name, size in rows
    )
    held = {port.argument.name: f"{port.name}_row" for port in method.held} | {"t": "time"}
    stage = {"q": "x_stage", "u": "x_stage + Q"} | held
    marks: dict[str, object] = {
        "held_declarations": "".join(f"{INDENT}{signal}{name},\n" for name, _ in rows),
        "time_declaration": f"{INDENT}{face.real_type} t,\n" if method.timed else "",
        "feedback_declaration": "",
        "feedback_call": "",
        "start": "t + " if method.timed else "",
        "row_arrays": _row_arrays(face, rows),
        "row_loads": loads,
        "coordinate_rates_arguments": _arguments(face, method.rates, stage),
        "forward_dynamics_arguments": _arguments(face, method.dynamics, stage),
        "normalize": _normalize(face, method) + _corrections(face, method, held),
        "nq": method.nq,
        "nu": method.nu,
    }
    if found.tau is not None:
        marks |= _feedback(face, found, rows, held)
    return method_marks(face, method) | marks


def _row_arrays(face: Interface, rows: list[tuple[str, int]]) -> str:
    return "".join(
        f"{INDENT}{face.real_type} {name}_row[{size}*{face.macro}_LANES];\n" for name, size in rows
    )


def _feedback(
    face: Interface, found: Rollouts, rows: list[tuple[str, int]], held: Mapping[str, str]
) -> dict[str, object]:
    assert found.tau is not None
    names = [f"{name}_row" for name, _ in rows] + ["time"]
    declarations = "".join(f"{INDENT}const {face.real_type} *{name},\n" for name in names)
    arguments = ", ".join(["x", "x + Q", *names])
    call = (
        f"{INDENT * 2}if (feedback != NULL) {{\n"
        f"{INDENT * 3}for (int k = 0; k < {face.macro}_LANES; k++) {{\n"
        f"{INDENT * 4}time[k] = {'t + ' if found.method.timed else ''}({face.real_type})step*h;\n"
        f"{INDENT * 3}}}\n"
        f"{INDENT * 3}{face.prefix}_feedback_torque(\n"
        f"{INDENT * 4}{arguments}, feedback, (size_t)step, codes, torque);\n"
        f"{INDENT * 3}for (int k = 0; k < U; k++) {{\n"
        f"{INDENT * 4}{found.tau.name}_row[k] += torque[k];\n"
        f"{INDENT * 3}}}\n"
        f"{INDENT * 2}}}\n"
    )
    return {
        "feedback_declaration": f"{INDENT}const {face.prefix}_feedback *feedback,\n",
        "feedback_call": call,
        "row_declarations": declarations,
        "row_arrays": _row_arrays(face, rows) + f"{INDENT}{face.real_type} torque[U];\n",
        "unused": "".join(f"{INDENT}(void){name};\n" for name in ["codes", *names]),
        "difference": _difference(face, found),
        "computed_torque": _computed_torque(face, found, held),
    }


def _difference(face: Interface, found: Rollouts) -> str:
    macro = face.macro
    if found.difference is None:
        return (
            f"{INDENT}for (int k = 0; k < {found.method.nu}*{macro}_LANES; k++) {{\n"
            f"{INDENT * 2}error[k] = q_ref[k] - q[k];\n{INDENT}}}\n"
        )
    parameters = "p_row, " if face.members else ""
    return (
        f"{INDENT}{{\n{INDENT * 2}int found[{macro}_LANES];\n"
        f"{INDENT * 2}(void){found.difference.symbol}_lanes(q, q_ref, {parameters}error, found);\n"
        f"{INDENT * 2}{face.prefix}_rollouts_merge(found, codes);\n{INDENT}}}\n"
    )


def _computed_torque(face: Interface, found: Rollouts, held: Mapping[str, str]) -> str:
    if found.inverse is None:
        return ""
    macro, nu = face.macro, found.method.nu
    names = dict(held) | {"q": "q", "u": "u", "a": "error"}
    arguments = _arguments(face, found.inverse, names)
    return "\n".join(
        [
            f"{INDENT}if (feedback->computed_torque) {{",
            f"{INDENT * 2}int found[{macro}_LANES];",
            f"{INDENT * 2}signal = &feedback->a_ref;",
            f"{INDENT * 2}{face.prefix}_to_lanes(",
            f"{INDENT * 3}signal->rows + step*signal->step, {nu}, signal->state, u_ref);",
            f"{INDENT * 2}for (int k = 0; k < {nu}*{macro}_LANES; k++) {{",
            f"{INDENT * 3}error[k] += u_ref[k];",
            f"{INDENT * 2}}}",
            f"{INDENT * 2}(void){found.inverse.symbol}_lanes({arguments}, torque, found);",
            f"{INDENT * 2}{face.prefix}_rollouts_merge(found, codes);",
            f"{INDENT * 2}return;",
            f"{INDENT}}}",
            "",
        ]
    )


def _arguments(face: Interface, entry: Entry, names: Mapping[str, str]) -> str:
    arguments = [names[port.argument.name] for port in entry.inputs]
    return ", ".join(arguments + (["p_row"] if face.members else []))


def _corrections(face: Interface, method: Integrator, held: Mapping[str, str]) -> str:
    """One step back onto the constraints, of q and then of u; nothing without constraints.

    A step of Newton's method squares what a step of the integrator leaves, which is enough.
    """
    position, velocity = face.entry("position_correction"), face.entry("velocity_correction")
    integrate = face.entry("integrate")
    if position is None or velocity is None or integrate is None:
        return ""
    state = {"q": "x", "u": "x + Q", **held}
    moved = _arguments(face, integrate, {"q": "x", "du": "sum"})
    start = "t + " if method.timed else ""

    def call(entry: Entry, arguments: str, result: str) -> list[str]:
        return [
            f"{INDENT * 2}(void){entry.symbol}_lanes({arguments}, {result}, found);",
            f"{INDENT * 2}{face.prefix}_rollouts_merge(found, codes);",
        ]

    def loop(count: str, statement: str) -> list[str]:
        head = f"{INDENT * 2}for (int k = 0; k < {count}; k++) {{"
        return [head, f"{INDENT * 3}{statement}", f"{INDENT * 2}}}"]

    return "\n".join(
        [
            *loop(f"{face.macro}_LANES", f"time[k] = {start}({face.real_type})(step + 1)*h;"),
            *call(position, _arguments(face, position, state), "sum"),
            *call(integrate, moved, "x_stage"),
            *loop("Q", "x[k] = x_stage[k];"),
            *call(velocity, _arguments(face, velocity, state), "sum"),
            *loop("U", "x[Q + k] += sum[k];"),
            "",
        ]
    )


def _normalize(face: Interface, method: Integrator) -> str:
    if method.normalize is None:
        return ""
    parameters = "p_row, " if face.members else ""
    return "\n".join(
        [
            f"{INDENT * 2}(void){method.normalize.symbol}_lanes(x, {parameters}x_stage, found);",
            f"{INDENT * 2}{face.prefix}_rollouts_merge(found, codes);",
            f"{INDENT * 2}for (int k = 0; k < Q; k++) {{",
            f"{INDENT * 3}x[k] = x_stage[k];",
            f"{INDENT * 2}}}",
            "",
        ]
    )
