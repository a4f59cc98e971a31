"""The record of a run: named channels over time."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.near_names import near_names
from eomc.runtime.state import State

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

_FORMAT = 1


@dataclass(frozen=True)
class Trajectory:
    """States, torques, inputs and energies at increasing times.

    Attributes
    ----------
    t : (n,) [s]
    q, u, tau, r : (n, nq), (n, nu), (n, nu), (n, inputs)
        Coordinates, generalized speeds, forces of the controller, declared inputs.
    channels : dict of str to (n,)
        Further scalars, such as "kinetic_energy" and "potential_energy" [J].
    statistics : dict of str to int
        What the run took: "steps", "evaluations".

    A channel is read by name: ``run["q.elbow"]``, ``run["u.elbow"]``, ``run["tau.elbow"]``,
    ``run["r.thrust"]``, ``run["kinetic_energy"]``.
    """

    model: str
    method: str
    t: Array
    q: Array
    u: Array
    tau: Array
    r: Array
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    channels: Mapping[str, Array] = field(default_factory=dict)
    statistics: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = self.t.shape
        widths = {"q": self.coordinates, "u": self.speeds, "tau": self.speeds, "r": self.inputs}
        for name, names in widths.items():
            shape = getattr(self, name).shape
            if len(rows) != 1 or shape != (*rows, len(names)):
                raise ValueError(
                    f"trajectory: {name} has shape {shape}, expected {(*rows, len(names))}"
                )
        for name, channel in self.channels.items():
            if channel.shape != rows:
                raise ValueError(
                    f"trajectory: channel {name!r} has shape {channel.shape}, expected {rows}"
                )

    def __len__(self) -> int:
        return int(self.t.size)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all channels but time, in the order of the columns of a CSV file."""
        return tuple(self._columns())

    def __getitem__(self, name: str) -> Array:
        columns = self._columns()
        if name not in columns:
            raise KeyError(f"no channel {name!r}; {near_names(str(name), columns)}")
        return columns[name]

    def _columns(self) -> dict[str, Array]:
        groups = {
            "q": (self.coordinates, self.q),
            "u": (self.speeds, self.u),
            "tau": (self.speeds, self.tau),
            "r": (self.inputs, self.r),
        }
        columns = {
            f"{group}.{name}": array[:, i]
            for group, (names, array) in groups.items()
            for i, name in enumerate(names)
        }
        return {**columns, **self.channels}

    def state(self, row: int) -> State:
        """(q, u) at a row; negative rows count from the end."""
        return State(self.q[row].copy(), self.u[row].copy())

    @property
    def final(self) -> State:
        """(q, u) at the end."""
        return self.state(-1)

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy together, (n,) [J]."""
        return self["kinetic_energy"] + self["potential_energy"]

    # -- files -----------------------------------------------------------------------------------

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table: time and all channels, a header line, 17 significant digits."""
        columns = self._columns()
        table = np.column_stack([self.t, *columns.values()])
        header = ",".join(_csv_field(name) for name in ["t", *columns])
        np.savetxt(path, table, fmt="%.17g", delimiter=",", header=header, comments="")

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Write everything, exactly, to be read by `from_npz`."""
        names = {
            "format": _FORMAT,
            "model": self.model,
            "method": self.method,
            "coordinates": self.coordinates,
            "speeds": self.speeds,
            "inputs": self.inputs,
            "channels": list(self.channels),
            "statistics": dict(self.statistics),
        }
        arrays = {"t": self.t, "q": self.q, "u": self.u, "tau": self.tau, "r": self.r}
        arrays |= {f"channel {name}": channel for name, channel in self.channels.items()}
        with open(path, "wb") as file:
            np.savez_compressed(file, names=np.array(json.dumps(names)), **arrays)  # type: ignore[arg-type]

    @classmethod
    def from_npz(cls, path: str | os.PathLike[str]) -> Trajectory:
        """Read what `to_npz` wrote. ValueError if the file is something else."""
        try:
            with np.load(path, allow_pickle=False) as file:
                names = json.loads(str(file["names"]))
                return cls(
                    model=names["model"],
                    method=names["method"],
                    **{name: file[name] for name in ("t", "q", "u", "tau", "r")},
                    coordinates=tuple(names["coordinates"]),
                    speeds=tuple(names["speeds"]),
                    inputs=tuple(names["inputs"]),
                    channels={name: file[f"channel {name}"] for name in names["channels"]},
                    statistics=names["statistics"],
                )
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(f"{os.fspath(path)} holds no trajectory: {error}") from error

    # -- pictures --------------------------------------------------------------------------------

    def plot(self, what: str | Sequence[str] = "q", ax: Axes | None = None) -> Axes:
        """Draw channels over time: "q", "u", "tau", "r", "energy", or names of channels.

        Returns the axes, those given or new ones; nothing is shown.
        """
        from eomc.runtime.plot.time_history import time_history

        return time_history(self, what, ax)

    def __repr__(self) -> str:
        return (
            f"<Trajectory of {self.model!r}: {len(self)} points from t = {self.t[0]:g} s to "
            f"{self.t[-1]:g} s, {self.method}>"
        )


def _csv_field(name: str) -> str:
    """A header field, quoted where it must be."""
    if any(character in name for character in ',"\n\r'):
        return '"' + name.replace('"', '""') + '"'
    return name
