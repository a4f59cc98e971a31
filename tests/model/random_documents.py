"""Model files drawn at random from the grammar: all elements, extreme numbers, wrong types.

Most are refused; what is asked is how. Runs by itself for a long run, from a seed that it prints:

    PYTHONPATH=tests python tests/model/random_documents.py 100000 [seed]
"""

from __future__ import annotations

import dataclasses
import random
import sys
import warnings
from pathlib import Path
from typing import Any

from ending import ending

import eomc
from eomc import ModelError
from eomc.derive.bodies.form import FORMS
from eomc.derive.elements import Element
from eomc.derive.elements.constraint import CONSTRAINTS, Constraint
from eomc.derive.fields import field as fields
from eomc.derive.fields.field import fields_of
from eomc.derive.formats import parse_toml
from eomc.derive.joints import joint_kind, joint_kinds
from eomc.derive.model.model import Model

__all__ = ["answer", "document"]

LONG = 100_000
RECORD = Path(__file__).with_name("long_runs.txt")
_ALLOWED = (ModelError,)

_BODIES = ("b0", "b1", "b2", "b3", "world")
_COORDINATES = ("j0", "j1", "j2", "j0", "j1", "j0_x", "j1_wx", "e0", "e1_y1", "nothing")
#: What is no record of an element: its arguments.
_DECLARED = {
    "parameter": ("value",),
    "input": (),
    "body": ("mass", "inertia", "com", "inertia_about"),
    "deformable": ("form", "length", "mass_per_length", "EI", "modes", "shapes", "held"),
}
_NUMBERS: tuple[Any, ...] = (
    *(0, 1, 2, -1, 0.5, 1e-3, 3.7),
    *(1e-300, 1e300, 1.7e308, -1e308, 5e-324, float("inf"), float("nan"), 10**400, -0.0),
)
_WORDS = (
    *("p", "q", "t", "2*p", "p/(p-1)", "1/0", "sqrt(-1)", "log(p-1)", "sin(j1)", "speed(j1)"),
    *("x", "v", "j0*j1", "j1**p", "tan(pi/2)", "1e400", "exp(1000)", "p**p**p**p", "(((((p)))))"),
    *(
        "",
        " ",
        "\u00e4",
        "a b",
        "0x10",
        "import os",
        "f(",
        "max(j0, 0)",
        "Heaviside(j1)",
        "speed(j0)*t",
    ),
    *("asin(2)", "p*x", "-p", "F", "j0_x", "min(p, t)", "abs(j1)", "sqrt(j0)", "1/j0", "log(j1)"),
)


def document(draw: random.Random) -> str:
    """The text of a model file."""
    lines = [f"name = {_text(draw, 'model')}", f"gravity = {_vector(draw)}"]
    _table(lines, "parameter", {"name": '"p"', "value": _value(_number(draw))})
    _table(lines, "input", {"name": '"F"'})
    count = draw.randint(1, 4)
    for k in range(count):
        mass = {"mass": _value(_number(draw)), "inertia": _inertia(draw), "com": _vector(draw)}
        kept = {word: value for word, value in mass.items() if draw.random() < 0.95}
        _table(lines, "body", {"name": f'"b{k}"', **kept})
        parent = "world" if k == 0 else draw.choice(("world", f"b{draw.randrange(k)}"))
        _table(lines, "joint", {"name": f'"j{k}"', **_joint(draw, parent, f"b{k}")})
    for _ in range(draw.choice((0, 1, 1, 2, 4))):
        word = draw.choice(list(Model().tables()))
        _table(lines, word, _element(draw, word))
    if draw.random() < 0.05:
        lines.insert(
            draw.randrange(len(lines)), draw.choice(("[[", "x = 1", "[body]", "= 3", "\0"))
        )
    return "\n".join(lines) + "\n"


def answer(text: str) -> str:
    """What becomes of a document: "derived" or the kind of error; raises any other exception."""
    with warnings.catch_warnings(), ending():
        warnings.simplefilter("ignore")
        try:
            model = parse_toml(text)
            equations = eomc.equations(model)
            one = random.Random(text).choice(equations.function_names)
            equations.program(functions=["mass_matrix", "forward_dynamics", one])
            result = "derived"
        except _ALLOWED as error:
            result = type(error).__name__
            assert str(error), "an error without a sentence"
    return result


def _table(lines: list[str], word: str, fields: dict[str, str]) -> None:
    lines += [f"[[{word}]]", *(f"{name} = {value}" for name, value in fields.items())]


def _joint(draw: random.Random, parent: str, child: str) -> dict[str, str]:
    kind = draw.choice(joint_kinds()) if draw.random() < 0.97 else "hinge"
    fields = {"kind": f'"{kind}"', "parent": f'"{parent}"', "child": f'"{child}"'}
    takes = joint_kind(kind).takes if kind != "hinge" else ()
    for word in ("axis", "axis_2", "pitch", "sequence", "at"):
        if (word in takes) != (draw.random() < 0.004):
            fields[word] = _argument(draw, word)
    for word in ("placement", "damping", "friction", "lower", "rotor_inertia", "mimic", "locked"):
        if draw.random() < 0.04:
            fields[word] = _argument(draw, word)
    return fields


def _element(draw: random.Random, word: str) -> dict[str, str]:
    given = {"name": f'"{draw.choice(("e0", "e1", "j0", "j1", "b1", "world", "j0_x"))}"'}
    if word == "deformable" and draw.random() < 0.8:
        beam = {"form": '"beam"', "length": "2", "mass_per_length": "1", "modes": "[1, 1]"}
        extra = {"stiffening": "true", "EI": _value(_number(draw)), "EA": _value(_number(draw))}
        return given | beam | {k: v for k, v in extra.items() if k == "EI" or draw.random() < 0.3}
    if word == "joint":
        return given | _joint(draw, draw.choice(_BODIES), draw.choice(_BODIES))
    if word in _DECLARED:
        given |= {argument: _argument(draw, argument) for argument in _DECLARED[word]}
    else:
        kind = draw.choice(_kinds(word))
        if issubclass(kind, Constraint):
            given["kind"] = f'"{kind.kind}"' if draw.random() < 0.97 else '"nothing"'
        for argument, held in fields_of(kind).items():
            if draw.random() < (0.8 if _has_default(kind, argument) else 0.97):
                given[argument] = _field(draw, argument, held)
    if draw.random() < 0.03:
        given[draw.choice(("colour", "mass", "axis"))] = _any(draw)
    return given


def _kinds(word: str) -> list[type[Element]]:
    """The records that a table of a file may hold."""
    if word == Constraint.word:
        return list(CONSTRAINTS.values())
    return [kind for kind in Model.kinds() if kind.word == word]


def _has_default(kind: type[Element], argument: str) -> bool:
    (field,) = (field for field in dataclasses.fields(kind) if field.name == argument)
    return field.default is not dataclasses.MISSING


def _field(draw: random.Random, word: str, held: fields.FieldKind) -> str:
    """A value of what the field of a record holds, nearly always."""
    if draw.random() < 0.01:
        return _any(draw)
    words = [f'"{word}"' for word in getattr(held, "words", ())]
    if isinstance(held, fields._Point):
        body = f'"{draw.choice(_BODIES)}"'
        return body if draw.random() < 0.5 else f"{{ body = {body}, xyz = {_vector(draw)} }}"
    if isinstance(held, fields._Body):
        return draw.choice((*words, *(f'"{body}"' for body in _BODIES)))
    if isinstance(held, fields._Vector):
        return _vector(draw)
    if isinstance(held, fields.Coordinate):
        return f'"{draw.choice(_COORDINATES)}"'
    return draw.choice(words) if words else _argument(draw, word)


def _argument(draw: random.Random, word: str) -> str:
    if draw.random() < 0.01:
        return _any(draw)
    if word in ("axis", "axis_2", "direction", "center", "com"):
        return _vector(draw)
    if word == "inertia":
        return _inertia(draw)
    if word == "placement":
        key = draw.choice(("xyz", "rpy", "quaternion", "rotation"))
        entries = {"quaternion": 4, "rotation": 3}.get(key, 3)
        return f"{{ {key} = {_vector(draw, entries)} }}"
    if word == "mimic":
        return f'"{draw.choice(_COORDINATES)}"'
    if word == "form":
        return f'"{draw.choice(list(FORMS))}"'
    fixed = {
        "sequence": ('"zyx"', '"xyx"', '"xxx"'),
        "inertia_about": ('"com"', '"origin"'),
        "modes": ("[1, 1]", "2", "[0, 0]", "[200]", "[-1]", "{ y = 1 }"),
        "shapes": ('"clamped-free"', '"clamped-free polynomials"', '{ y = ["s**2"] }', '"s"'),
        "locked": ("true", "1", "[1, 0, 0, 0]"),
        "held": ("true", "{ y1 = 0 }"),
    }
    return draw.choice(fixed[word]) if word in fixed else _value(_number(draw))


def _number(draw: random.Random, sane: float = 0.96) -> Any:
    if draw.random() < sane:
        return draw.choice((0.3, 1, 2.5, 4, 0.01))
    return draw.choice((*_NUMBERS, *_WORDS))


def _vector(draw: random.Random, size: int = 3) -> str:
    if draw.random() < 0.03:
        size = draw.choice((0, 1, 2, 4, 100))
    return "[" + ", ".join(_value(_number(draw, sane=0.99)) for _ in range(size)) + "]"


def _inertia(draw: random.Random) -> str:
    return "[1, 1.5, 2]" if draw.random() < 0.95 else _vector(draw, draw.choice((3, 6)))


def _any(draw: random.Random) -> str:
    return draw.choice(
        ('"text"', "3", "true", "[]", "{}", "[[1]]", "1979-05-27", "{ a = { b = 1 } }", "nan", '""')
    )


def _text(draw: random.Random, usual: str) -> str:
    return f'"{usual}"' if draw.random() < 0.97 else _any(draw)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return repr(value)


def main(count: int, seed: int) -> None:
    """Many documents; prints each failure with its seed. `RECORD` keeps what long runs found."""
    print(f"seed {seed}, {count} documents", flush=True)
    found: dict[str, int] = {}
    for k in range(seed, seed + count):
        text = document(random.Random(k))
        try:
            result = answer(text)
        except Exception as error:
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
            result = f"{type(error).__name__}: {str(error)[:80]} ({where})"
            if result not in found:
                print(f"document {k}: {result}", flush=True)
        found[result] = found.get(result, 0) + 1
    told = sorted(found.items(), key=lambda item: -item[1])
    for result, times in told:
        print(f"{times:7d} {result}")
    if count >= LONG:
        words = ", ".join(f"{times} {result}" for result, times in told)
        with RECORD.open("a", encoding="utf-8") as record:
            record.write(f"seed {seed}: {words}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
