"""Functions on several states at once: ``<model>_lanes.c`` and what the header says of it."""

import re

from eomc.codegen.c.contact_rollouts import (
    contact_rollout_declarations,
    contact_rollout_definitions,
)
from eomc.codegen.c.lanes_body import BINARY_CALLS, UNARY_CALLS, lanes_function_body
from eomc.codegen.c.lanes_language import Lanes, all_lanes
from eomc.codegen.c.language import LIBRARY
from eomc.codegen.c.rollouts import rollout_declarations, rollout_definitions
from eomc.codegen.c.sine_cosine import sine_cosine_marks, turning_by_bits
from eomc.codegen.c.source import add_units
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.interface import EmittedFunction, Interface
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.templates.template import fill
from eomc.derive.graph.tuning import ZEROS_BESIDE_ANGLE

LANES = (2, 4, 8, 16)
"""Numbers of states that fit side by side into the vectors of compilers."""


def lanes_declarations(face: Interface, lanes: int) -> str:
    """For the header."""
    language = Lanes(face)
    heads = "".join(f"{language.definition_head(entry)};\n" for entry in face.entries)
    text = fill("lanes.h", m=face.prefix, M=face.macro, lanes=lanes, functions=heads)
    return "\n" + text + rollout_declarations(face) + contact_rollout_declarations(face)


def lanes_files(face: Interface, limits: PieceLimits, banner: str, lanes: int) -> dict[str, str]:
    """``<model>_lanes.c``, then ``<model>_lanes_2.c`` ..."""
    groups: list[list[str]] = [[_copies(face, lanes)]]
    units: list[tuple[str, int]] = []
    language = Lanes(face)
    for entry in face.entries:
        *apart, (text, statements) = lanes_function_body(language, entry, limits, lanes).units
        units += [(f"#if {face.macro}_VECTORS\n{piece}#endif\n", n) for piece, n in apart]
        units.append((_guarded_definition(language, entry, text), statements))
    add_units(groups, units, limits.file)
    for runs in (rollout_definitions(face), contact_rollout_definitions(face)):
        groups[-1] += [runs] if runs else []
    names = [f"{face.prefix}_lanes.c"]
    names += [f"{face.prefix}_lanes_{number}.c" for number in range(2, len(groups) + 1)]
    return {
        name: _file(face, banner, lanes, "\n".join(group).rstrip("\n"))
        for name, group in zip(names, groups, strict=True)
    }


def _file(face: Interface, banner: str, lanes: int, functions: str) -> str:
    return fill(
        "lanes.c",
        banner=banner,
        m=face.prefix,
        M=face.macro,
        bytes=lanes * face.real.bytes,
        real_bytes=face.real.bytes,
        integer="long long" if face.real.bytes == 8 else "int",
        support=_support(face, lanes, functions),
        functions=functions,
    )


def _copies(face: Interface, lanes: int) -> str:
    """Between rows and lanes."""
    macro, last = face.macro, lanes - 1
    numbers = range(lanes)
    exchanges = []
    step = 1
    while step < lanes:
        low, high = _halves(lanes, step)
        for k in (k for k in numbers if not k & step):
            first, second = f"v{k}", f"v{k + step}"
            exchanges += [f"a = {first};", f"b = {second};"]
            exchanges.append(f"{first} = __builtin_shufflevector(a, b, {low});")
            exchanges.append(f"{second} = __builtin_shufflevector(a, b, {high});")
        step *= 2
    stores = [f"if (filled == {macro}_LANES) {{"]
    stores += [f"{INDENT}{macro}_PUT(lanes, i + {k}) = v{k};" for k in numbers]
    stores += ["} else {", f"{INDENT}{macro}_PUT(lanes, i) = v0;"]
    for k in range(1, last):
        stores += [
            f"{INDENT}if (filled > {k}) {{",
            f"{INDENT * 2}{macro}_PUT(lanes, i + {k}) = v{k};",
        ]
        stores.append(f"{INDENT}}}")
    stores.append("}")
    puts = [f"{macro}_PUT(row + {k}*stride, 0) = v{k};" for k in numbers]
    parts = [f"v{k} = {macro}_ROW(lanes, whole + ({k} < left ? {k} : 0));" for k in numbers]
    return fill(
        "lanes_copies.c",
        m=face.prefix,
        M=macro,
        last=last,
        vectors=", ".join(f"v{k}" for k in numbers),
        transposition="".join(f"{INDENT * 2}{line} \\\n" for line in exchanges),
        loads=_block([f"v{k} = {macro}_ROW(row + {k}*stride, 0);" for k in range(last)]),
        stores=_block(stores),
        back_loads=_block([f"v{k} = {macro}_ROW(lanes, i + {k});" for k in numbers]),
        back_stores=_block(puts),
        part_loads=_block(parts),
        part_stores=_block(puts[:last]),
    )


def _block(lines: list[str]) -> str:
    return "".join(f"{INDENT * 2}{line}\n" for line in lines)


def _halves(lanes: int, step: int) -> tuple[str, str]:
    """Indices into two vectors: the even-numbered blocks of `step` from both, and the odd ones."""
    low = [i if not i & step else lanes + i - step for i in range(lanes)]
    high = [i + step if not i & step else lanes + i for i in range(lanes)]
    return ", ".join(map(str, low)), ", ".join(map(str, high))


def _guarded_definition(language: Lanes, entry: EmittedFunction, text: str) -> str:
    """The function on vectors, and lane by lane for other compilers."""
    lane_by_lane = _lane_by_lane(language, entry)
    return f"#if {language.face.macro}_VECTORS\n{text}#else\n{lane_by_lane}#endif\n"


def _support(face: Interface, lanes: int, text: str) -> str:
    """Definitions of the functions on vectors that ``text`` calls."""
    called = set(re.findall(rf"\b{face.prefix}_lanes_(\w+)\(", text))
    marks = {"m": face.prefix, "M": face.macro}
    texts = []
    turning = sorted(called & {"turns", "turns_and_zeros"})
    if turning:
        texts.append(fill("lanes_pin.c", **marks, bytes=lanes * face.real.bytes))
        texts.append(fill("lanes_far_turns.c", **marks, **sine_cosine_marks(face.real)))
        texts += [_turns(face, and_zeros=name == "turns_and_zeros") for name in turning]
    for op in sorted(UNARY_CALLS | BINARY_CALLS):
        if op in called:
            template = "lanes_binary_call.c" if op in BINARY_CALLS else "lanes_unary_call.c"
            call = LIBRARY[op] + face.real.suffix
            texts.append(fill(template, **marks, op=op, call=call))
    if turning or "all" in called:
        texts.insert(0, fill("lanes_all.c", **marks))
    if "fail" in called:
        texts.append(fill("lanes_fail.c", **marks))
    if not texts:
        return ""
    return f"#if {face.macro}_VECTORS\n" + "\n".join(texts) + "#endif\n\n"


def _turns(face: Interface, *, and_zeros: bool) -> str:
    """The loop over angles, and over entries of an output that are always zero."""
    vector, mask = f"{face.prefix}_lanes_vector", f"{face.prefix}_lanes_mask"
    puts = [
        f"{face.macro}_PUT(y, zeros[{ZEROS_BESIDE_ANGLE}*i + {k}]) = zero;"
        for k in range(ZEROS_BESIDE_ANGLE)
    ]
    zero = f"{INDENT * 2}const {vector} zero = {{0}};\n"
    more = {
        "beside": "_and_zeros",
        "arguments": f", {face.real_type} *y, const int *zeros",
        "remark": f" Beside each angle, {ZEROS_BESIDE_ANGLE} entries of y become zero.",
        "clearing": zero + _block(puts),
    }
    more = more if and_zeros else dict.fromkeys(more, "")
    return turning_by_bits("lanes_sine_cosine.c", face, face.real, vector, mask, **more)


def _lane_by_lane(language: Lanes, entry: EmittedFunction) -> str:
    """The same by calls of the function on one state."""
    face = language.face
    macro, real = face.macro, face.real_type
    lines = [language.definition_head(entry), "{", f"{INDENT}int first = {macro}_OK;"]
    lines.append(f"{INDENT}for (int lane = 0; lane < {macro}_LANES; lane++) {{")
    inside = INDENT * 2
    arguments: list[str] = []
    before: list[str] = []
    after: list[str] = []
    for port in entry.ports:
        local = f"{port.name}_lane"
        if port.by_value:
            before.append(f"{inside}const {real} {local} = {port.name}[lane];")
        else:
            lines.append(f"{inside}{real} {local}[{max(port.size, 1)}];")
        arguments.append(local)
        if port.size == 0:
            before.append(f"{inside}(void){port.name};")
        elif not port.by_value:
            pair = (f"{local}[entry]", f"{port.name}[entry*{macro}_LANES + lane]")
            to, source = reversed(pair) if port.is_output else pair
            target = after if port.is_output else before
            target.append(f"{inside}for (int entry = 0; entry < {port.size}; entry++) {{")
            target.append(f"{inside}{INDENT}{to} = {source};")
            target.append(f"{inside}}}")
    if face.members:
        lines.append(f"{inside}{face.parameters_type} p_lane;")
        before += [
            f"{inside}p_lane.{member.name} = p[{f'{all_lanes(face, i)} + ' if i else ''}lane];"
            for i, member in enumerate(face.members)
        ]
        arguments.insert(len(entry.inputs), "&p_lane")
    lines += [*before, f"{inside}codes[lane] = {entry.symbol}({', '.join(arguments)});", *after]
    lines.append(f"{inside}if (first == {macro}_OK) {{")
    lines += [f"{inside}{INDENT}first = codes[lane];", f"{inside}}}", f"{INDENT}}}"]
    return "\n".join([*lines, f"{INDENT}return first;", "}", ""])
