"""The emitted sine and cosine: ``templates/sine_cosine.c`` with the numbers of a scalar type."""

import re
from functools import cache

from eomc.codegen.language.literal import literal
from eomc.codegen.plan.angles import WIDEST
from eomc.codegen.plan.interface import Interface
from eomc.codegen.plan.real import Real
from eomc.codegen.plan.sine_cosine import sine_cosine
from eomc.codegen.templates.template import fill


def sine_cosine_definitions(face: Interface, text: str) -> str:
    """Definitions of sines and cosines, of pairs, of rows and of zeros: what `text` uses."""
    own = rf"{face.prefix}_(?<!\w{face.prefix}_)"  # begins as literal text: quick to search for
    called = set(re.findall(rf"{own}(sincos|sin|cos|turns|set_turns)\(", text))
    quads = f"{face.macro}_QUADS" in text
    paired = quads or f"{face.macro}_PAIRS" in text
    widths = sorted({int(width) for width in re.findall(rf"{own}row(\d+)\b", text)})
    texts = []
    marks = {"m": face.prefix, "M": face.macro}
    zeros = f"{face.prefix}_four_zeros(" in text
    if "turns" in called or paired or zeros or f"{face.macro}_TURN_BYTES" in text:
        integer = "long long" if face.real.bytes == 8 else "int"
        texts.append(fill("turn_vectors.c", **marks, integer=integer))
    if paired:
        texts.append(fill("pairs.c", **marks, pair_bytes=2 * face.real.bytes))
    if quads:
        texts.append(fill("quads.c", **marks, quad_bytes=4 * face.real.bytes))
    texts += [
        fill("rows.c", **marks, width=width, row_bytes=width * face.real.bytes) for width in widths
    ]
    texts += [
        fill("put_number.c", **marks, width=width, row_bytes=width * face.real.bytes)
        for width in widths
        if f"{face.prefix}_put{width}(" in text
    ]
    if f"{face.prefix}_column_block" in text:
        texts.append(fill("columns.c", **marks, real_bytes=face.real.bytes))
    placed = sorted({int(width) for width in re.findall(rf"{own}(?:lay|spread)(\d+)\(", text)})
    texts += [_row_places(face, width) for width in placed]
    if zeros:
        size, zero = face.real.bytes, literal(0.0, face.real)
        texts.append(fill("zeros.c", **marks, bytes=4 * size, real_bytes=size, zero=zero))
    if not called:
        return "\n".join(texts)
    texts.append(fill("far_turn.c", **marks, f=face.real.suffix))
    one_by_one = scalar_sine_cosine(face, face.real)
    if "turns" not in called:
        texts.append(one_by_one)
    else:
        if called <= {"turns", "set_turns"}:
            one_by_one = f"#if !{face.macro}_TURN_BYTES\n{one_by_one}#endif\n"
        texts += [one_by_one, _turns(face)]
    if "set_turns" in called:
        texts.append(_set_turns(face))
    for name, result in (("sin", "sine"), ("cos", "cosine")):
        if name in called:
            texts.append(
                fill("one_of_sine_cosine.c", m=face.prefix, M=face.macro, op=name, result=result)
            )
    return "\n".join(texts)


def _row_places(face: Interface, width: int) -> str:
    """Rows from numbers that follow one another, and to such that do not."""
    stores = [f"place[{k} * apart] = row[{k}];" for k in range(width)]
    return fill(
        "row_places.c",
        m=face.prefix,
        M=face.macro,
        width=width,
        row_bytes=width * face.real.bytes,
        real_bytes=face.real.bytes,
        stores="\n".join(f"        {store}" for store in stores),
    )


def _turns(face: Interface) -> str:
    kind = f"{face.prefix}_turn"
    return turning_by_bits("turns.c", face, face.real, f"{kind}_vector", f"{kind}_mask")


def _set_turns(face: Interface) -> str:
    """To set as many angles as the widest vector holds, by the vectors that there are."""
    names = [f"a{k}" for k in range(WIDEST // face.real.bytes)]

    def stores(size: int) -> str:
        lanes = size // face.real.bytes
        parts = [", ".join(names[k : k + lanes]) for k in range(0, len(names), lanes)]
        vector = f"{face.prefix}_turn_vector"
        return "\n".join(f"    place[{k}] = ({vector}){{{p}}};" for k, p in enumerate(parts))

    given = [f"{face.prefix}_real {name}" for name in names]
    return fill(
        "set_turns.c",
        m=face.prefix,
        M=face.macro,
        arguments=",\n    ".join(", ".join(given[k : k + 4]) for k in range(0, len(given), 4)),
        by_64=stores(64),
        by_32=stores(32),
        by_16=stores(16),
        one_by_one="\n".join(f"    angles[{k}] = {name};" for k, name in enumerate(names)),
    )


def scalar_sine_cosine(face: Interface, real: Real) -> str:
    """Of one angle; parts of pi/2 have the digits of their type also where literals have more."""
    number = f"{face.prefix}_real"
    return turning("sine_cosine.c", face, real, number, f"({number})")


def turning(
    template: str, face: Interface, real: Real, number: str, cast: str = "", **more: str
) -> str:
    """A template that takes the steps of `angle_reduction.c` on a type of `number`."""
    marks = sine_cosine_marks(real) | {"m": face.prefix, "M": face.macro} | more
    parts = {f"half_pi_{i}": cast + marks[f"half_pi_{i}"] for i in (1, 2, 3)}
    steps = fill("angle_reduction.c", **marks | parts, number=number).strip()
    return fill(template, **marks, steps=steps, real_bytes=real.bytes)


def turning_by_bits(
    template: str, face: Interface, real: Real, number: str, mask: str, **more: str
) -> str:
    """The same on vectors, of whose bits `mask` is a type.

    As many quarter turns as there may be backwards are added with the rounding number, so that a
    sum that few of them make differs from it in its lowest bits alone.
    """
    numbers = sine_cosine(real)
    quarter_turns = fill(
        "quarter_turns.c",
        number=number,
        mask=mask,
        # From the second bit, set in the second half turn, to the sign.
        sign_shift=8 * real.bytes - 2,
    )
    return turning(
        template,
        face,
        real,
        number,
        rounder="rounder",
        rounding=literal(numbers.rounder + numbers.few, real),
        quarter_turns=quarter_turns.strip(),
        high_bits=str(-2 * numbers.few),
        **more,
    )


@cache
def sine_cosine_marks(real: Real) -> dict[str, str]:
    """The numbers as C text, the polynomials in Horner's form."""
    numbers = sine_cosine(real)
    scalars = {
        "one": 1.0,
        "one_half": 0.5,
        "limit": numbers.limit,
        "rounder": numbers.rounder,
        "per_half_pi": numbers.per_half_pi,
    }
    scalars |= {f"half_pi_{i}": part for i, part in enumerate(numbers.half_pi, start=1)}
    marks = {name: literal(value, real) for name, value in scalars.items()}
    marks["sine"] = _horner(numbers.sine, real)
    marks["cosine"] = _horner(numbers.cosine, real)
    return marks | {"f": real.suffix}


def _horner(coefficients: tuple[float, ...], real: Real) -> str:
    *lower, text = [literal(c, real) for c in coefficients]
    for place, coefficient in enumerate(reversed(lower)):
        text = f"{coefficient} + z*{text if place == 0 else f'({text})'}"
    return text
