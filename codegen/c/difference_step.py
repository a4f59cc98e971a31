"""Difference equations in C: a struct of what is remembered, and a step from sample to sample.

A program whose metadata tell of a ``difference_step`` gets one around the function of that name,
(state, chance, inputs ...) -> (state_next, output); what it draws by chance is drawn here.
"""

from collections.abc import Mapping
from dataclasses import replace

from eomc.codegen.c.arguments import call_arguments, declared
from eomc.codegen.c.language import port_declaration
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import EmittedFunction, Interface, asked_once
from eomc.codegen.templates.template import fill, words

STEP = "difference_step"
_OWN = ("state", "chance")
_WORDS = ("p", "next", "chance", "k", "state", "status")


def step_declarations(face: Interface) -> str:
    """For the header."""
    marks = _marks(face)
    return "\n" + fill("difference_step.h", **marks) if marks else ""


def step_definitions(face: Interface) -> str:
    """For the source file."""
    marks = _marks(face)
    if not marks:
        return ""
    chance = fill("chance.c", m=face.prefix) if _draws(face) else ""
    return "\n" + chance + fill("difference_step.c", **marks)


def _told(face: Interface) -> Mapping[str, object]:
    found = face.program.metadata.get(STEP, {})
    return found if isinstance(found, Mapping) else {}


def _draws(face: Interface) -> int:
    return int(str(_told(face).get("draws", 0)))


@asked_once
def _marks(face: Interface) -> dict[str, object]:
    """Marks of the templates with their values; none without a difference equation."""
    entry = face.entry(STEP)
    if entry is None or not _told(face):
        return {}
    names = Names((*RESERVED, *_WORDS, *words("difference_step.?")))
    ports = [
        replace(port, name=names.take(port.name))
        for port in entry.inputs
        if port.argument.name not in _OWN
    ]
    output = replace(entry.outputs[-1], name=names.take(entry.outputs[-1].name))
    called = {port.argument.name: port.name for port in ports}
    called |= {"state": "state->memory", "chance": "chance"}
    arguments = call_arguments(face, entry, called) + ", "
    return {
        "m": face.prefix,
        "M": face.macro,
        "function": entry.name,
        "symbol": entry.symbol,
        "declarations": declared(face, (port_declaration(face, port) for port in ports)),
        "output": output.name,
        "size": max(output.size, 1),
        "arguments": arguments + ("next, " if _size(entry) else ""),
        "seed_argument": ", unsigned long long seed" if _draws(face) else "",
        "seed_words": "; equal seeds draw equal numbers" if _draws(face) else "",
    } | _memory(face, entry)


def _size(entry: EmittedFunction) -> int:
    """Of the state."""
    return sum(port.size for port in entry.inputs if port.argument.name == "state")


def _memory(face: Interface, entry: EmittedFunction) -> dict[str, str]:
    """Memory in C: the state, and how many numbers have been drawn of which seed."""
    size, draws, real = _size(entry), _draws(face), face.real_type
    start = [literal(float(x), face.real) for x in _told(face).get("start", ())]  # type: ignore[attr-defined]
    members, initial, work, keep = "", "", "", ""
    if size:
        members = f"    {real} memory[{size}];\n"
        initial = "".join(f"    state->memory[{k}] = {x};\n" for k, x in enumerate(start))
        work = f"    {real} next[{size}];\n"
        keep = _loop(size, "state->memory[k] = next[k];")
    if draws:
        members += "    unsigned long long seed;\n    unsigned long long drawn;\n"
        initial += "    state->seed = seed;\n    state->drawn = 0U;\n"
        cast = f"({real})" if face.real.name != "double" else ""
        call = f"{cast}{face.prefix}_normal(state->drawn + (unsigned long long)k, state->seed)"
        keep += f"    state->drawn += {draws}U;\n"
        work += f"    {real} chance[{draws}];\n"
        work += _loop(draws, f"chance[k] = {call};")
    if not members:
        members, initial = "    int unused;\n", "    state->unused = 0;\n"
        work = "    (void)state;\n"
    return {"members": members, "initial": initial, "work": work, "keep": keep}


def _loop(count: int, statement: str) -> str:
    return f"    for (int k = 0; k < {count}; k++) {{\n        {statement}\n    }}\n"
