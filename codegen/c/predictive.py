"""Predictive control in C: a struct with the trajectory over the horizon, and a step a sample.

A program whose metadata have ``predictive`` gets the solver of that problem around its functions
``rk4_step`` and ``rk4_step_derivatives``: with "solves" as the iteration to an optimum, else as a
controller. Templates: ``predictive*``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eomc.binding.files import INTERFACE, text
from eomc.codegen.c.arguments import declared
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import (
    PREDICTIVE,
    PREDICTIVE_CODES,
    EmittedFunction,
    Interface,
    Port,
    asked_once,
)
from eomc.codegen.templates.template import fill
from eomc.derive.graph import Argument, Function, flops

_CAP = {"double": 30, "float": 20}
"""Most iterations of the interior point method."""
_CONSTANTS = {
    "start_weight": 1.0, "most_part": 0.995, "closed": 1e-9, "feasible": 1e-7, "armijo": 1e-4,
    "noise": 1e-11, "least_part": 1e-4, "least_reach": 1e-3, "four": 4,
    "rate_factor": 1.5, "least_penalty": 1e3,
    "penalty_factor": 100.0, "least_shift": 1e-3, "most_shift": 1e9,
    "shift_factor": 8.0, "shift_relief": 4.0, "short_part": 0.2, "rate_decay": 0.7, "tenth": 0.1,
    "rounding": 1e5, "stalled": 0.9, "huge": 1e30,
    "zero": 0, "one": 1, "two": 2,
}  # fmt: skip
_OF_STEPS = (
    *("step", "step_arguments", "derivatives", "derivative_arguments", "bent_arguments"),
    *("hessian", "forces", "forces_within", "nh", "nb", "kept_columns", "more_work", "rest"),
)
_MOST_LANES = 16
HOSTED = 100
"""Added to the codes of functions of a model that is compiled already."""
_IN_FLOAT = {"closed": 1e-5, "feasible": 1e-4, "noise": 1e-6, "rounding": 1e2}


def predictive_declarations(face: Interface, bodies: Mapping[str, FunctionText]) -> str:
    """For the header."""
    marks = dict(_marks(face))
    if not marks:
        return ""
    # The recursion and the functions of a step are not under way at the same time.
    nx, nv, nf = marks["nx"], marks["nv"], marks["fixed"]
    recursion = 2 * nx * nx + 3 * nx * nv + 2 * nx + nv + nf * (2 * nx + nv)
    linearizing = [body.stack for body in bodies.values()]
    entry = face.entry("rk4_step_derivatives")
    own = sum(p.size for p in (*entry.inputs, *entry.outputs)) if entry else 0
    own += marks["nz"] ** 2 * 4 * marks["exact"]
    deepest = max(
        [stack_bound(recursion, face.real), stack_bound(own, face.real) + max([0, *linearizing])]
    )
    marks["stack"] = deepest + stack_bound(2 * nx, face.real) + 4 * stack_bound(0, face.real)
    parts = (
        ("predictive_problem.h", "predictive_solve.h")
        if marks["solves"]
        else ("predictive_step.h",)
    )
    first = ["predictive_host.h"] if _specification(face)["hosted"] else []
    return "\n" + "".join(_filled(part, marks) for part in (*first, "predictive.h", *parts))


def predictive_definitions(face: Interface) -> str:
    """For the source file."""
    marks = dict(_marks(face))
    if not marks:
        return ""
    parts = [] if marks["solves"] else ["predictive_problem.h"]
    parts += ["predictive.c", *(["predictive_interior.c"] if marks["bounded"] else [])]
    parts += ["predictive_program.c"]
    parts.append("predictive_solve.c" if marks["solves"] else "predictive_step.c")
    if marks["hosted_steps"]:
        marks |= {"hosts": marks["hosts"] + _filled("predictive_lanes.c", marks)}
    return "\n" + "".join(_filled(part, marks) for part in parts)


def predictive_call(face: Interface) -> dict[str, str]:
    """The file that Python calls, with the interface of a compiled model if it takes one."""
    model = {INTERFACE: text(INTERFACE)} if _specification(face)["hosted"] else {}
    call = _filled("predictive_call.c", _marks(face))
    return {f"{face.prefix}_call.c": call, **model}


def predictive_entry(face: Interface) -> EmittedFunction | None:
    """The controller's step as `eomc.codegen.c.sampled_loop` sees it; None for other programs."""
    spec = _specification(face)
    if not spec:
        return None
    graph, names = face.program.graph, face.program.index_names
    zero = graph.constant(0)

    def port(name: str, rows: Sequence[str], is_output: bool) -> Port:
        entries = (zero,) * len(rows)
        return Port(name, Argument(name, (len(rows),), entries, "", "", tuple(rows)), is_output)

    inputs = tuple(port(x, names[x[0]], False) for x in ("q", "u", "q_d", "u_d"))
    output = port(spec["output"], spec["rows"], True)
    made = Function("step", tuple(p.argument for p in inputs), (output.argument,), "", ())
    return EmittedFunction("step", f"{face.prefix}_step", made, inputs, (output,))


def _filled(template: str, marks: Mapping[str, Any]) -> str:
    """The template, its marks replaced, lines between #if 0 and #else or #endif left out."""
    kept: list[str] = []
    chosen: list[bool | None] = []  # None: a condition for the compiler
    for line in fill(template, **marks).splitlines():
        if line.startswith("#if"):
            found = re.fullmatch(r"#if (\d+)", line)
            chosen.append(int(found[1]) > 0 if found else None)
            is_own = found is not None
        elif is_own := line in ("#else", "#endif") and chosen[-1] is not None:
            is_open = chosen.pop()
            chosen += [not is_open] if line == "#else" else []
        elif line == "#endif":
            chosen.pop()
        if not is_own and False not in chosen:
            kept.append(line)
    return "\n".join(kept) + "\n"


def _specification(face: Interface) -> dict[str, Any]:
    found = face.program.metadata.get(PREDICTIVE, {})
    assert isinstance(found, Mapping)
    return dict(found)


@asked_once
def _marks(face: Interface) -> dict[str, Any]:
    """Marks of the templates with their values; none for other programs."""
    spec = _specification(face)
    if not spec:
        return {}
    codes = {status.code: status.enumerator for status in face.statuses}
    sizes = _sizes(face, spec)
    marks: dict[str, Any] = {"m": face.prefix, "M": face.macro, "f": face.real.suffix} | sizes
    own = _CONSTANTS | (_IN_FLOAT if face.real.suffix else {})
    marks |= {name: literal(value, face.real) for name, value in own.items()}
    marks |= {code: codes[code] for code in PREDICTIVE_CODES}
    marks |= {"most_lanes": _MOST_LANES, "hosted_code": HOSTED}
    marks |= _calls(face, spec, marks) | _bounds(face, spec) | _linear(face, spec)
    marks["reach"] = "state->reach*" if sizes["solves"] else ""
    marks |= {"trials": 24, "most_penalty": literal(1e6 if sizes["fixed"] else 0, face.real)}
    next_of = "next_" if sizes["bounded"] else ""
    marks |= {"next_dx": f"{next_of}dx", "next_dv": f"{next_of}dv", "cap": _CAP[face.real.name]}
    exact = sizes["exact"]
    marks["bent_vv"] = (
        "at->bent[({nx} + i)*{nz} + {nx} + j]".format(**sizes) if exact else marks["zero"]
    )
    marks["bent_xx"] = f"at->bent[i*{sizes['nz']} + j]" if exact else marks["zero"]
    convex = (
        "convex(state, {problem}, {scale})" if exact else "quadratic(state, {problem}, {z}, {z})"
    )
    numbers = f"{face.prefix}_numbers"
    for name, problem, scale in (
        ("quadratic", f"&{numbers}", f"{numbers}.weight[{sizes['nx']}]"),
        ("quadratic_of_problem", "problem", "scale"),
    ):
        call = convex.format(problem=problem, scale=scale, z=marks["zero"])
        marks[name] = f"{face.prefix}_{call}"
    return marks | (_of_controller(face, spec, sizes) if not sizes["solves"] else {})


def _sizes(face: Interface, spec: Mapping[str, Any]) -> dict[str, Any]:
    nx, nv, nodes = len(spec["states"]), len(spec["controls"]), spec["nodes"]
    rows, fixed = len(spec["bounds"]), len(spec["fixed"])
    exact, linear = bool(spec["exact"]), bool(spec["linear"])
    priced = exact or bool(spec["solves"])
    own = 5 * nx + 4 * nv + nv * (nv + nx)
    own += (nx + nv + 8 * rows) * bool(rows) + nx * (nx + nv) * (not linear)
    own += nx * (3 + nx) * priced + (nx + nv) ** 2 * exact
    whole = (nodes + 1) * own + 2 * nx + 2 * nv + fixed * (fixed + 1) + 2 * exact
    size = whole * face.real.bytes + 4 * 4
    states, controls = ", ".join(spec["states"]), ", ".join(spec["controls"])
    return {
        "nx": nx, "nv": nv, "nz": nx + nv, "nq": nx // 2, "nu": nx // 2, "nodes": nodes,
        "count": nodes + 1, "rows": rows, "bounded": int(bool(rows)), "fixed": fixed,
        "fixed_size": max(fixed, 1), "free_end": int(not fixed), "exact": int(exact),
        "hosts_model": int(bool(spec["hosted"])), "hosted_steps": int(bool(spec["hosted"])),
        "own_steps": int(not linear and not spec["hosted"]),
        "own_hessian": int(exact and not spec["hosted"]), "nonlinear": int(not linear),
        "priced": int(priced),
        "solves": int(bool(spec["solves"])), "states": states, "control_names": controls,
        "bytes": -(-size // face.real.bytes) * face.real.bytes,
        "method": "exact Hessian" if exact else "Gauss and Newton",
        "period": f"{spec['h']:.6g}" if spec["h"] else "h",
    }  # fmt: skip


@dataclass(frozen=True)
class _StepCall:
    """A function of a step: its name in C, its inputs in order, sizes of its outputs."""

    symbol: str
    inputs: tuple[str, ...]
    outputs: Mapping[str, int]


def _step_functions(face: Interface, spec: Mapping[str, Any]) -> dict[str, _StepCall]:
    """The functions of a step by their names after ``rk4_step``; none of linear problems."""
    found = {}
    for name in ("", "_derivatives", "_hessian"):
        whole, entry = f"rk4_step{name}", face.entry(f"rk4_step{name}")
        if entry is not None:
            inputs = tuple(port.argument.name for port in entry.inputs)
            outputs = {port.argument.name: port.size for port in entry.outputs}
            found[name] = _StepCall(entry.symbol, inputs, outputs)
        elif whole in spec["hosted"]:
            own = spec["hosted"][whole]
            found[name] = _StepCall(
                f"{face.prefix}_host_{whole}", (*own["inputs"],), own["outputs"]
            )
    return found


def _hosts(face: Interface, functions: Mapping[str, _StepCall]) -> str:
    """Callers of functions of a model that is compiled already."""
    text = ""
    for name, call in functions.items():
        made = [f"made{k}" for k in range(len(call.outputs))]
        given = [f"{'' if x == 'h' else '*'}{x}" for x in call.inputs]
        arguments = [f"const {face.real_type} {x}" for x in given]
        arguments += [f"const {face.prefix}_host *p", *(f"{face.real_type} *{x}" for x in made)]
        pointers = ", ".join(["&h" if x == "h" else x for x in call.inputs] + ["p->parameters"])
        text += (
            f"\nstatic int {call.symbol}(\n    {', '.join(arguments)})\n{{\n"
            f"    const void *const x[] = {{{pointers}}};\n"
            f"    void *const y[] = {{{', '.join(made)}}};\n"
            f"    const int status = p->rk4_step{name}(x, y);\n"
            f"    return status == 0 ? 0 : status + {HOSTED};\n}}\n"
        )
    return text


def _calls(face: Interface, spec: Mapping[str, Any], marks: Mapping[str, Any]) -> dict[str, Any]:
    """Calls of the functions of a step, from x and v."""
    declaration = declared(face, ()).strip().rstrip(",")
    kind = face.parameters_type
    if spec["hosted"]:
        kind = f"{face.prefix}_host"
        declaration = f"const {kind} *p"
    p = ["p"] if declaration else []
    found: dict[str, Any] = {
        "parameter": f"{declaration}, " if p else "", "given": "p, " if p else "",
        "also_given": ", p" if p else "", "also_p": f", {declaration}" if p else "",
        "also_cast": f", (const {kind} *)p" if p else "", "hosts": "",
        "declarations": f"{INDENT}{declaration},\n" if p else "",
    }  # fmt: skip
    a, b = ("at->a", "at->b")
    if spec["linear"]:
        a, b = f"{face.prefix}_linear_a", f"{face.prefix}_linear_b"
        return found | dict.fromkeys(_OF_STEPS, "") | {"a": a, "b": b}
    functions = _step_functions(face, spec)
    step, derivatives, hessian = (functions.get(x) for x in ("", "_derivatives", "_hessian"))
    assert step is not None and derivatives is not None
    places, nu, nx, nv = spec["places"], marks["nu"], marks["nx"], marks["nv"]
    nb = derivatives.outputs["B"] // nx
    lines = []
    for name, (first, size) in {"tau": (0, nu), "r": (nu, nb - nu)}.items():
        if name in step.inputs:
            lines.append(f"{face.real_type} {name}[{size}] = {{{marks['zero']}}};")
            own = [(p - first, k) for k, p in enumerate(places) if 0 <= p - first < size]
            lines += [f"{name}[{p}] = v[{k}];" for p, k in own]
    lines.sort(key=lambda line: " = {" not in line)  # declarations first
    called = {"q": "x", "u": f"&x[{nx // 2}]", "tau": "tau", "r": "r", "h": "h"}
    plain = [called[name] for name in step.inputs]
    work = [name for name in ("B_p", "b_h") if name in derivatives.outputs]
    return found | {
        "a": a, "b": b, **(_lanes(face, spec, functions) if spec["hosted"] else {}),
        "step": step.symbol, "step_arguments": ", ".join([*plain, *p]),
        "derivatives": derivatives.symbol, "derivative_arguments": ", ".join([*plain, *p]),
        "bent_arguments": ", ".join(plain), "hessian": hessian.symbol if hessian else "",
        "forces": "".join(f"{INDENT}{line}\n" for line in lines),
        "forces_within": "".join(f"{INDENT * 2}{line}\n" for line in lines),
        "nh": nx + nb, "nb": nb, "kept_columns": "".join(
            f"{INDENT * 3}at->b[i*{nv} + {k}] = b[i*{nb} + {place}];\n"
            for k, place in enumerate(places)
        ),
        "more_work": "".join(
            f"{INDENT * 2}{face.real_type} {name.lower()}[{derivatives.outputs[name]}];\n"
            for name in work
        ),
        "rest": "".join(f", {name.lower()}" for name in work),
    }  # fmt: skip


def _lanes(
    face: Interface, spec: Mapping[str, Any], functions: Mapping[str, _StepCall]
) -> dict[str, Any]:
    """Text of the evaluation of several nodes at once, and its places of controls."""
    step, derivatives = functions[""], functions["_derivatives"]
    nu, nx = len(spec["speeds"]), len(spec["states"])
    nb = derivatives.outputs["B"] // nx
    real, deep = face.real_type, INDENT * 3
    arrays, forces = [], []
    for name, (first, size) in {"tau": (0, nu), "r": (nu, nb - nu)}.items():
        if name in step.inputs:
            arrays.append(f"{real} {name}[{size}*{_MOST_LANES}] = {{{literal(0, face.real)}}};")
            own = [(p - first, k) for k, p in enumerate(spec["places"]) if 0 <= p - first < size]
            forces += [f"{name}[{p}*lanes + lane] = at->v[{k}];" for p, k in own]
    names = {"A": "a", "B": "b"}
    outputs = [names.get(name, name.lower()) for name in derivatives.outputs]
    for name in ("B_p", "b_h"):
        if name in derivatives.outputs:
            size = derivatives.outputs[name]
            arrays.append(f"{real} {name.lower()}[{size}*{_MOST_LANES}];")
    places = ", ".join(map(str, spec["places"]))
    text = f"\nstatic const int {face.prefix}_control_place[] = {{{places}}};\n"
    return {
        "hosts": _hosts(face, functions) + text,
        "lane_arrays": "".join(f"{INDENT * 2}{line}\n" for line in arrays),
        "lane_forces": "".join(f"{deep}{line}\n" for line in forces),
        "lane_inputs": "".join(f"{name}, " for name in step.inputs),
        "lane_outputs": ", ".join(outputs),
    }


def _bounds(face: Interface, spec: Mapping[str, Any]) -> dict[str, Any]:
    rows = spec["bounds"]
    nodes, nx = spec["nodes"], len(spec["states"])
    products = 0
    for row in rows:
        of_state = row["place"] < nx
        count = nodes - (row["place"] in spec["fixed"]) if of_state else nodes
        products += count * (2 if row["soft"] else 1)
    return {
        "places": ", ".join(str(row["place"]) for row in rows),
        "signs": _row(face, [row["sign"] for row in rows]),
        "softs": ", ".join(str(int(row["soft"])) for row in rows),
        "products": literal(max(products, 1), face.real),
        "fixed_places": ", ".join(map(str, spec["fixed"])),
        "kept_places": ", ".join(map(str, spec["kept"])),
    }


def _linear(face: Interface, spec: Mapping[str, Any]) -> dict[str, Any]:
    found = spec["linear"] or {"a": [], "b": [], "offset": []}
    return {
        "linear": int(bool(spec["linear"])),
        "table_a": ",\n".join(f"{INDENT}{_row(face, row)}" for row in found["a"]),
        "table_b": ",\n".join(f"{INDENT}{_row(face, row)}" for row in found["b"]),
        "table_offset": _row(face, found["offset"]),
    }


def _row(face: Interface, values: Sequence[float]) -> str:
    return ", ".join(literal(float(x), face.real) for x in values)


def _table(face: Interface, rows: Sequence[Sequence[float]]) -> str:
    return ",\n".join(f"{INDENT}{{{_row(face, row)}}}" for row in rows)


def _of_controller(
    face: Interface, spec: Mapping[str, Any], sizes: Mapping[str, Any]
) -> dict[str, Any]:
    """Numbers of the problem, and what the step takes and gives."""
    real, rows = face.real, spec["bounds"]
    bounds = [[row[name] for row in rows] for name in ("bound", "linear", "quadratic")]
    numbers = "".join(f",\n    {{{_row(face, row)}}}" for row in bounds)
    tolerance = spec["tolerance"] or (1e-6 if real.suffix else 1e-14)
    numbers += f",\n    {literal(tolerance, real)}"
    nv, output = sizes["nv"], spec["output"]
    places = spec["places"] if output == "tau" else range(nv)
    put = [f"for (int i = 0; i < {len(spec['rows'])}; i++) {{"]
    put += [f"{INDENT}{output}[i] = {literal(0, real)};", "}"]
    put += [f"{output}[{place}] = state->applied[{k}];" for k, place in enumerate(places)]
    return {
        "h": literal(spec["h"], real), "weight": _row(face, spec["weight"]),
        "final_weight": _table(face, spec["final_weight"]).replace(INDENT, INDENT * 2),
        "bound_numbers": numbers if rows else "",
        "target_numbers": f",\n    {{{_row(face, spec['target'])}}}" if spec["fixed"] else "",
        "start_rows": len(spec["start_x"]), "start_x": _table(face, spec["start_x"]),
        "start_v": _table(face, spec["start_v"]), "centre": _row(face, spec["centre"]),
        "final_centre": _row(face, spec["final_centre"]), "output": output,
        "size": len(spec["rows"]), "putting": "".join(f"{INDENT}{line}\n" for line in put),
        "delays": int(spec["delay"] > 0),
        "delay": literal(spec["delay"], real), "iterations": spec["iterations"],
        "first_iterations": spec["first_iterations"],
        "work": _work(face, spec, sizes), "stack": 0,
        "delayed": f" * The forces act {spec['delay']:g} s later; until then the last ones do.\n"
        if spec["delay"] else "",
    }  # fmt: skip


def _work(face: Interface, spec: Mapping[str, Any], sizes: Mapping[str, Any]) -> str:
    """Operations of a sample, at most."""
    nx, nv, nodes = sizes["nx"], sizes["nv"], sizes["nodes"]
    stage = 4 * nx**3 + 6 * nx * nx * nv + 2 * nx * nv * nv + nv**3
    entries = [face.entry(n) for n in ("rk4_step_derivatives", "rk4_step_hessian")]
    steps = sum(
        flops(face.program.graph, e.function.nodes) for e in entries if e and not spec["linear"]
    )
    solved = 1 + (_CAP[face.real.name] if spec["bounds"] else 0)
    most = spec["iterations"] * nodes * (steps + solved * stage)
    least = spec["iterations"] * nodes * (steps + stage)
    return f"at most about {most:.2e} operations; {least:.2e} if no bound is reached."
