"""Records of runs as files: exact archives, and tables."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.integrators.events import Events
from eomc.runtime.output.files import digest, whole_file
from eomc.runtime.record.units import with_unit

if TYPE_CHECKING:
    from eomc.runtime.record.trajectory import Trajectory

ARRAYS = ("t", "q", "u", "tau", "r", "s", "s_rate", "s_acceleration", "z")
_FORMAT = 2
_EVENT_ARRAYS = ("t", "q", "u")


def write_csv(
    run: Trajectory, path: str | os.PathLike[str], units: bool, more: Mapping[str, ArrayLike]
) -> None:
    """Time and all channels, and `more` columns (n,) by their heads."""
    names = {name: with_unit(name, run.units.get(name, "")) for name in run.channels}
    heads = ["t [s]", *names.values()] if units else ["t", *names]
    columns = [np.broadcast_to(column, run.t.shape) for column in more.values()]
    table = np.column_stack([run.t, *run.channels.values(), *columns])
    header = ",".join(_csv_field(name) for name in [*heads, *more])
    with whole_file(path) as target:
        np.savetxt(
            target, table, "%.17g", delimiter=",", header=header, comments="", encoding="utf-8"
        )


def write_npz(run: Trajectory, path: str | os.PathLike[str]) -> None:
    """Names as JSON beside the arrays."""
    names = {
        "format": _FORMAT,
        "name": run.name,
        "method": run.method,
        "coordinates": run.coordinates,
        "speeds": run.speeds,
        "inputs": run.inputs,
        "prescribed": run.prescribed,
        **({"element_states": run.element_states} if run.element_states else {}),
        "parameters": dict(run.parameters),
        "statistics": dict(run.statistics),
        "events": len(run.events),
        "switches": {name: times.tolist() for name, times in run.switches.items()},
        **({"latches": run.latches.stretches} if run.latches is not None else {}),
    }
    arrays: dict[str, Any] = {name: getattr(run, name) for name in ARRAYS}
    for k, found in enumerate(run.events):
        arrays |= {_event_key(k, name): getattr(found, name) for name in _EVENT_ARRAYS}
    arrays["names"] = np.array(json.dumps(names))
    with whole_file(path) as target, open(target, "wb") as file:
        np.savez_compressed(file, digest=np.array(digest(arrays)), **arrays)


def read_npz(path: str | os.PathLike[str], make: Callable[..., Trajectory]) -> Trajectory:
    """Read the fields that `write_npz` wrote, and return the trajectory that `make` makes of them.

    Raises OSError, or ValueError if the file is something else.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            file = {name: archive[name] for name in archive.files}
        names = json.loads(str(file["names"]))
        written = file.pop("digest", None)
        # Records of format 1 had no digest, and those before them no states of elements.
        if names["format"] != 1 and (written is None or str(written) != digest(file)):
            raise ValueError("it is damaged: not what was written")
        arrays = {name: file[name] for name in ARRAYS if name in file or name != "z"}
        events = tuple(
            Events(*(file[_event_key(k, name)] for name in _EVENT_ARRAYS))
            for k in range(int(names.get("events", 0)))
        )
        words = ("coordinates", "speeds", "inputs", "prescribed")
        fields: dict[str, Any] = {word: tuple(map(str, names[word])) for word in words}
        fields |= {word: dict(names[word]) for word in ("parameters", "statistics")}
        fields["switches"] = {
            str(name): np.array(times, dtype=np.float64)
            for name, times in names.get("switches", {}).items()
        }
        fields["element_states"] = tuple(map(str, names.get("element_states", ())))
        fields["latches"] = names.get("latches")
        fields |= {"name": str(names["name"]), "method": str(names["method"]), "events": events}
        return make(**arrays, **fields)
    except OSError:
        raise
    except Exception as error:  # of archives, of their parts and of what these hold
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{os.fspath(path)} holds no trajectory: {reason}") from error


def _event_key(k: int, name: str) -> str:
    """The name in a file of one array of the events of function k."""
    return f"events[{k}].{name}"


def _csv_field(name: str) -> str:
    """A header field, quoted where it must be."""
    if any(character in name for character in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
