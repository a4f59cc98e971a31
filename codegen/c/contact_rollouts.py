"""Many runs at once in steps with rigid contacts: equations on lanes, a solve for each lane."""

from eomc.codegen.c.arguments import call_arguments
from eomc.codegen.c.contact_step import ContactStep, contact_marks, contact_methods, contact_step
from eomc.codegen.c.lanes_language import all_lanes
from eomc.codegen.c.rollouts import rollouts
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.interface import Interface, asked_once
from eomc.codegen.templates.template import fill

_P = "p_row"


def contact_rollout_declarations(face: Interface) -> str:
    """For the header."""
    found = contact_step(face)
    if found is None or not found.nq:
        return ""
    marks = _marks(face, found)
    signal = "" if rollouts(face) else "\n" + fill("signal.h", m=face.prefix)
    own = f"\n/* The solve of one step, for rollouts. */\n{fill('contact_impulses.h', **marks)};\n"
    methods = (fill("contact_rollouts.h", **marks, **m) for m in contact_methods(found))
    return signal + own + "".join(methods)


def contact_rollout_definitions(face: Interface) -> str:
    """For the source file."""
    found = contact_step(face)
    if found is None or not found.nq:
        return ""
    marks = _marks(face, found)
    methods = (
        fill(
            "contact_rollouts_method.c",
            **marks,
            **m | {"is_midpoint": int(m["method"] == "moreau")},
        )
        for m in contact_methods(found)
    )
    return fill("contact_rollouts.c", **marks) + "".join(methods)


@asked_once
def _lane_marks(face: Interface) -> dict[str, object]:
    found = contact_step(face)
    assert found is not None
    real, rows = face.real_type, [(port.name, port.size) for port in found.held]
    rows += [("p", len(face.members))] if face.members else []
    names = [name for name, _ in rows]
    held = {name: f"{place}_row" for name, place in found.names.items()}
    calls = held | {"u": "speeds", "du": "du", "implicit_step": "implicit"}
    ahead, at_end = {"t": "t_rows"}, {"t": "t_end"}
    return {
        "signal_declarations": "".join(
            f"{INDENT}const {face.prefix}_signal *{name},\n" for name in names
        ),
        "signal_names": ", ".join(names),
        "time_declaration": f"{INDENT}{real} t,\n" if found.timed else "",
        "time_or_zero": "t" if found.timed else "0",
        "row_arrays": "".join(
            f"{INDENT}{real} {name}_row[{all_lanes(face, size)}];\n" for name, size in rows
        ),
        "row_loads": "".join(
            f"{INDENT * 2}{face.prefix}_to_lanes("
            f"&{name}->rows[(size_t)step*{name}->step], {size}, {name}->state, {name}_row);\n"
            for name, size in rows
        ),
        "integrate_half": call_arguments(
            face, found.integrate, calls | ahead | {"q": "at_start"}, _P
        ),
        "equations_arguments": call_arguments(
            face, found.equations, calls | ahead | {"q": "q_rows"}, _P
        ),
        "integrate_whole": call_arguments(
            face, found.integrate, calls | at_end | {"q": "at_start"}, _P
        ),
        "correction_arguments": ""
        if found.correction is None
        else call_arguments(face, found.correction, calls | at_end | {"q": "q_rows"}, _P),
        "integrate_open": call_arguments(
            face, found.integrate, calls | at_end | {"q": "q_open"}, _P
        ),
    }


def _marks(face: Interface, found: ContactStep) -> dict[str, object]:
    """Those of a single step, with what is otherwise on lanes."""
    marks = contact_marks(face) | _lane_marks(face)
    real, aligned = face.real_type, f"{face.macro}_LANES_ALIGNED"
    solved = {"y": marks["y_size"]} | dict.fromkeys(("drift", "rates", "pushes"), marks["rows"])
    solved |= found.arrays
    lanes = found.arrays | ({"q_open": found.nq} if found.loops else {})
    marks |= {
        "lane_arrays": "".join(
            f"{INDENT}{aligned} {real} {name}[{size}*L];\n" for name, size in lanes.items()
        ),
        "arrays_of": "".join(
            f"{INDENT}{real} {name}_of[L][{size}];\n"
            for name, size in [*solved.items(), ("x", found.nu)]
        ),
        "copies_of": "".join(
            f"{INDENT * 2}{face.prefix}_from_lanes({name}, {size}, {size}, {name}_of[0]);\n"
            for name, size in [*solved.items(), ("x", found.nu)]
        ),
        "arguments_of": ", ".join(f"{name}_of[k]" for name in solved),
    }
    marks["speeds"] = fill("contact_speeds_lanes.c", **marks)
    marks["dry_hold"] = fill("contact_dry_hold_lanes.c", **marks) if found.dry else ""
    marks["loops_close"] = fill("contact_loops_close_lanes.c", **marks) if found.loops else ""
    return marks
