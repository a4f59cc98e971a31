"""Units of single entries, as far as a program's metadata tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eomc.codegen.plan.interface import Interface, asked_once
from eomc.derive.graph import Argument

_TWO = 2
"""Units that a vector of coordinates or forces may have: of turns, and of lengths."""


@asked_once
def _kinds(face: Interface) -> dict[str, dict[str, str]]:
    """Units of coordinates, and of the integrals of speeds, by array "q" and "u"."""
    metadata: Mapping[str, Any] = face.program.metadata
    q: dict[str, str] = {}
    u: dict[str, str] = {}
    for record in (*metadata.get("joints", ()), *metadata.get("deformables", ())):
        names, units = record["coordinates"], record["units"]
        speeds = record.get("speeds", names)
        lengths = [unit for unit in units if unit != "1"]
        turns = ["rad"] * (len(speeds) - len(lengths))
        q |= dict(zip(names, units, strict=False))
        u |= dict(
            zip(speeds, units if len(units) == len(speeds) else [*lengths, *turns], strict=False)
        )
    return {"q": q, "u": u}


def entry_unit(face: Interface, array: str, name: str) -> str:
    """Unit of an entry of q, u or another named array; empty if nobody tells it."""
    kinds = _kinds(face)
    if array in ("q", "s"):
        return kinds["q"].get(name, "")
    if array == "u":
        unit = kinds["u"].get(name, "")
        return f"{unit}/s" if unit else ""
    further: Mapping[str, str] = face.program.metadata.get("channel_units", {})  # type: ignore[assignment]
    return str(further.get(name, ""))


def argument_units(face: Interface, argument: Argument) -> str:
    """Units of an argument: the one of all its entries where they are alike, though others' may
    differ ("rad or m")."""
    options = argument.units.split(" or ")
    names: Sequence[str] = argument.rows
    if len(options) != _TWO or not names:
        return argument.units
    for array in ("q", "u"):
        kinds = _kinds(face)[array]
        if kinds.keys() >= set(names):
            found = set(map(kinds.__getitem__, names))
            if found == {"rad"}:
                return options[0]
            if found == {"m"}:
                return options[1]
    return argument.units
