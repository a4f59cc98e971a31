"""Units of the channels of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_OF_FORCES = {"rad": "N m", "m": "N"}

ENERGIES = ("kinetic_energy", "potential_energy", "energy")


def channel_units(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Units by the names of channels, of those that a manifest tells; "1" of pure numbers.

    >>> joint = {"coordinates": ["hinge"], "speeds": ["hinge"], "units": ["rad"]}
    >>> found = channel_units({"metadata": {"joints": [joint], "channel_units": {"push": "N"}}})
    >>> found["hinge"], found["speed(hinge)"], found["tau(hinge)"], found["push"]
    ('rad', 'rad/s', 'N m', 'N')
    """
    metadata = manifest.get("metadata", {})
    found = dict.fromkeys(ENERGIES, "J") | dict(metadata.get("channel_units", {}))
    for record in (*metadata.get("joints", ()), *metadata.get("deformables", ())):
        names, units = record["coordinates"], record["units"]
        speeds = record.get("speeds", names)
        found |= dict(zip(names, units, strict=False))
        for name, unit in zip(speeds, _of_speeds(units, len(speeds)), strict=False):
            found[f"speed({name})"] = f"{unit}/s"
            found[f"tau({name})"] = _OF_FORCES.get(unit, "J")
    return found


def _of_speeds(units: Sequence[str], count: int) -> Iterator[str]:
    """Units of the integrals of speeds; "rad" for the angular velocities of a quaternion."""
    if len(units) == count:
        yield from units
        return
    lengths = [unit for unit in units if unit != "1"]
    yield from lengths
    yield from ["rad"] * (count - len(lengths))


def with_unit(name: str, unit: str) -> str:
    """
    >>> with_unit("hinge", "rad"), with_unit("qw", "1"), with_unit("thrust", "")
    ('hinge [rad]', 'qw', 'thrust')
    """
    return f"{name} [{unit}]" if unit not in ("", "1") else name
