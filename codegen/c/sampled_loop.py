"""A mechanism under a sampled controller in C: both as they are emitted, and the loop around them.

The loop holds the controller's forces between the instants at which they change, and integrates by
the mechanism's own steps from instant to instant. Templates: ``sampled_loop*``.
"""

from collections.abc import Mapping
from dataclasses import replace

from eomc.codegen.c.arguments import call_arguments, declared, passed_on
from eomc.codegen.c.contact_step import ContactStep, contact_step
from eomc.codegen.c.difference_step import STEP
from eomc.codegen.c.implicit_integrator import DEFAULT_RHO, implicit_integrators
from eomc.codegen.c.integrator import Integrator, integrators, states_behind
from eomc.codegen.c.language import port_declaration
from eomc.codegen.c.predictive import predictive_entry
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port
from eomc.codegen.templates.template import fill, words

_MEASURED = {"q": "q", "u": "u"}
_FORCES = "tau"

_SENSING = ("felt", "sensed", "made")
"""Names of what stands between the mechanism's function below and the controller's step."""
MEASURED = "measured"
"""The mechanism's function that tells a controller what is measured, if it needs one."""


def loop_name(plant: Interface, controller: Interface) -> str:
    """Prefix of the loop's names."""
    return f"{plant.prefix}_{controller.prefix}"


def loop_files(plant: Interface, controller: Interface, method: str) -> dict[str, str]:
    """The loop's header, its C file and the call from Python; `method` of its steps.

    Raises EmissionError where the controller does not fit the mechanism, and for a method that it
    does not have.
    """
    contacts = contact_step(plant)
    known: dict[str, tuple[str, ...]] = {
        m.tableau.name: () for m in integrators(plant) if not m.tableau.is_adaptive
    }
    known |= {m.name: m.memory for m in implicit_integrators(plant) if not m.adaptive}
    known = dict.fromkeys(contacts.methods, ()) if contacts else known
    if method not in known:
        raise EmissionError(f"the mechanism has no method {method!r}; valid: {', '.join(known)}")
    marks = {**_marks(plant, controller, _method(plant, method)), "method": method}
    marks |= _step(plant, marks, len(known[method]))
    marks["steps"] = fill(f"sampled_loop_{'fixed' if contacts else 'steps'}.c", **marks)
    name = loop_name(plant, controller)
    return {
        f"{name}.h": fill("sampled_loop.h", **marks),
        f"{name}.c": fill("sampled_loop.c", **marks),
        f"{name}_call.c": fill("sampled_loop_call.c", **marks),
    }


def _step(plant: Interface, marks: Mapping[str, object], memory: int) -> dict[str, object]:
    """A step of equal length, and room for what it leaves to the next."""
    method = str(marks["method"])
    if not memory:
        call = f"{marks['m']}_{method}(q, u, {marks['held']}{marks['from']}h, 1)"
        return {"memory": "", "constant": "const ", "fixed_step": f"{INDENT * 3}status = {call};\n"}
    base = _method(plant, method)
    held = [*(port.name for port in base.held), literal(DEFAULT_RHO, plant.real)]
    own = {"all": base.width + memory, "held_with_rho": passed_on(plant, held)}
    return {
        "memory": f"{INDENT}{plant.prefix}_real memory[{memory}];\n",
        "constant": "",
        "fixed_step": fill("sampled_loop_memory.c", **{**marks, **own}),
    }


def held_inputs(plant: Interface, method: str) -> tuple[str, ...]:
    """Names of the inputs that stay over a run, beside the forces."""
    held = (port.argument.name for port in _method(plant, method).held)
    return tuple(name for name in held if name != _FORCES)


def width_of(plant: Interface, method: str) -> int:
    """Of the rows that hold the speeds, and behind them states of elements or impulses."""
    return _method(plant, method).width


def _method(plant: Interface, name: str) -> Integrator | ContactStep:
    contacts = contact_step(plant)
    if contacts is not None and name in contacts.methods:
        return contacts
    methods = [method for method in integrators(plant) if not method.tableau.is_adaptive]
    if not methods:
        raise EmissionError(
            f"model {plant.program.name!r} has no integrator; it takes the functions "
            "coordinate_rates, forward_dynamics and normalize"
        )
    return methods[0]


def _followed(
    plant: Interface, controller: Interface, method: Integrator | ContactStep
) -> list[Port]:
    """Inputs of the controller beside q, u and what is measured; sizes and forces are checked."""
    entry = controller_entry(controller)
    if entry is None:
        raise EmissionError(f"program {controller.program.name!r} is no controller")
    seen = _seen(plant)
    sizes = {"q": method.nq, "u": method.nu} | {name: port.size for name, port in seen.items()}
    made = entry.outputs[-1]
    if made.argument.name != _FORCES or _placed(plant, controller, method) is None:
        raise EmissionError(
            f"controller {controller.program.name!r} gives {made.size} {made.argument.name!r}; the "
            f"mechanism takes {method.nu} {_FORCES!r}"
        )
    ports = [port for port in entry.inputs if port.argument.name not in ("state", "chance")]
    for port in ports:
        name = port.argument.name
        if name in sizes and port.size != sizes[name]:
            raise EmissionError(
                f"controller {controller.program.name!r} measures {port.size} {name!r}; the "
                f"mechanism has {sizes[name]}"
            )
    return [port for port in ports if port.argument.name not in (*_MEASURED, *seen)]


def controller_entry(controller: Interface) -> EmittedFunction | None:
    """The step of a controller; None for other programs."""
    return controller.entry(STEP) or predictive_entry(controller)


def seen_name(name: str) -> str:
    """Of the output of `MEASURED` that gives the controller's input of that name."""
    return f"seen_{name}"


def _seen(plant: Interface) -> dict[str, Port]:
    """Outputs of `MEASURED`, by the names of the controller's inputs."""
    entry = plant.entry(MEASURED)
    first = len(seen_name(""))
    return {p.argument.name[first:]: p for p in entry.outputs} if entry else {}


def _placed(
    plant: Interface, controller: Interface, method: Integrator | ContactStep
) -> list[int] | None:
    """Places of the controller's forces among the mechanism's, by the names of the speeds; none
    where they are the same, None where they do not fit."""
    entry, nu = controller_entry(controller), method.nu
    assert entry is not None
    made = entry.outputs[-1]
    if made.size == nu and "u" not in _seen(plant):
        return []
    there = list(plant.program.index_names.get("u", ()))
    if not set(made.argument.rows) <= set(there):
        return None
    return [there.index(name) for name in made.argument.rows]


def _marks(
    plant: Interface, controller: Interface, method: Integrator | ContactStep
) -> dict[str, object]:
    followed = _followed(plant, controller, method)
    name = loop_name(plant, controller)
    own = Names((*RESERVED, "p", "controller_p", "tau", *_SENSING, *words("sampled_loop*.?")))
    held = {
        port.argument.name: port
        if port.argument.name == _FORCES
        else replace(port, name=own.take(port.name))
        for port in method.held
    }
    ports = [port for key, port in held.items() if key != _FORCES]
    declarations = declared(plant, (port_declaration(plant, port) for port in ports))
    measures = controller.members
    of_controller = f"const {controller.parameters_type} *controller_p"
    return {
        "m": plant.prefix,
        "M": plant.macro,
        "c": controller.prefix,
        "C": controller.macro,
        "l": name,
        "L": name.upper(),
        "l_failed": f"{name.upper()}_CONTROLLER_FAILED",
        "l_undefined": f"{name.upper()}_CONTROLLER_NOT_FINITE",
        "f": plant.real.suffix,
        "zero": literal(0, plant.real),
        "one": literal(1, plant.real),
        "same": "3.6e-15" if plant.real.bytes == 8 else "1.9e-6",
        "nq": max(method.nq, 1),
        "nu": max(method.width, 1),
        "q_rows": 2 * max(method.nq, 1),
        "u_rows": 2 * max(method.width, 1),
        "actuated": max(method.nu, 1),
        "coming": max(method.nu, 1) + 1,
        "behind": _behind(method),
        "reference": ", ".join(p.argument.name for p in followed) or "nothing",
        "reference_size": sum(port.size for port in followed),
        "held_declarations": declarations,
        "declarations": declarations + (f"{INDENT}{of_controller},\n" if measures else ""),
        "inputs": passed_on(plant, (port.name for port in ports)),
        "held": passed_on(plant, (port.name for port in held.values())),
        "from": "from, " if method.timed else "",
        "controller_parameter": f"{of_controller},\n    " if measures else "",
        "controller_given": "controller_p, " if measures else "",
        "step_arguments": _step_arguments(plant, controller, followed),
        **_sensing(plant, controller, method, ports, declarations),
        "seed": ", seed" if _draws(controller) else "",
        "arguments": _call_arguments(plant, controller, ports),
    }


def _behind(method: Integrator | ContactStep) -> str:
    if isinstance(method, ContactStep):
        return ", u with impulses and what the solve tells behind"
    return ", u with the states of elements behind" if states_behind(method) else ""


def _draws(controller: Interface) -> bool:
    told = controller.program.metadata.get(STEP)
    return isinstance(told, dict) and bool(told.get("draws"))


def _sensing(
    plant: Interface,
    controller: Interface,
    method: Integrator | ContactStep,
    ports: list[Port],
    declarations: str,
) -> dict[str, str]:
    """C of the measurement before a step, and of the placing of its forces."""
    entry, real, indent = plant.entry(MEASURED), f"{plant.prefix}_real", 2 * INDENT
    lines: dict[str, list[str]] = {"room": [], "sensing": [], "placing": []}
    made, places = "&row[1]", _placed(plant, controller, method) or []
    if entry is not None:
        lines["room"].append(f"{real} felt[{max(method.nu, 1)}];")
        lines["room"] += [f"{real} {port.argument.name}[{port.size}];" for port in entry.outputs]
        lines["room"].append("int sensed;")
        names = {"q": "q", "u": "u", "z": f"&u[{method.nu}]", "t": "t", _FORCES: "felt"}
        names |= {port.argument.name: port.name for port in ports}
        for port in entry.inputs:
            if port.argument.name not in names:
                raise EmissionError(
                    f"sensors take {port.argument.name!r}, which the mechanism's motion does not"
                )
        given = call_arguments(plant, entry, names)
        seen = ", ".join(port.argument.name for port in entry.outputs)
        lines["sensing"] += [
            "forces(settings, now, t, felt);",
            f"sensed = {entry.symbol}({given}, {seen});",
            f"if (sensed != {plant.macro}_OK) {{",
            f"{INDENT}return sensed;",
            "}",
        ]
    if places:
        made = "made"
        lines["room"].append(f"{real} made[{len(places)}];")
        zero = literal(0, plant.real)
        lines["placing"] += [
            f"for (int k = 1; k <= {method.nu}; k++) {{",
            f"{INDENT}row[k] = {zero};",
            "}",
        ]
        lines["placing"] += [f"row[{place + 1}] = made[{k}];" for k, place in enumerate(places)]
    text = {key: "".join(f"{indent}{line}\n" for line in part) for key, part in lines.items()}
    own = [line.strip() for line in declarations.strip().splitlines()] if entry else []
    return {
        "sensing_room": text["room"],
        "sensing": text["sensing"],
        "placing": text["placing"],
        "made": made,
        "sensing_declarations": "".join(f"{line}\n{INDENT}" for line in own),
        "sensing_given": passed_on(plant, (port.name for port in ports)) if entry else "",
    }


def _step_arguments(plant: Interface, controller: Interface, followed: list[Port]) -> str:
    entry = controller_entry(controller)
    assert entry is not None
    given = _MEASURED | {name: port.argument.name for name, port in _seen(plant).items()}
    place = 0
    for port in followed:
        given[port.argument.name], place = f"&r[{place}]", place + port.size
    names = [given[p.argument.name] for p in entry.inputs if p.argument.name in given]
    return ", ".join(["state", *names, *(["controller_p"] if controller.members else [])])


def _call_arguments(plant: Interface, controller: Interface, ports: list[Port]) -> str:
    """Arguments that stay over a run, from a table of arrays; structs are scalars in order."""
    found = [f"x[{k}][0]" if port.by_value else f"x[{k}]" for k, port in enumerate(ports)]
    for k, face in enumerate((plant, controller), start=len(ports)):
        if face.members:
            found.append(f"(const {face.parameters_type} *)(const void *)x[{k}]")
    return "".join(f"{argument}, " for argument in found)
