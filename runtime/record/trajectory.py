"""The record of a run: named channels over time."""

from __future__ import annotations

import os
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.integrators.compiled_run import is_compiled
from eomc.runtime.integrators.events import Events
from eomc.runtime.latches.history import LatchHistory
from eomc.runtime.model.needed_functions import PAGE_METHODS
from eomc.runtime.model.state import State, parted
from eomc.runtime.model.validity import folding, steepest
from eomc.runtime.names.near_names import near_names
from eomc.runtime.record.files import ARRAYS, read_npz, write_csv, write_npz
from eomc.runtime.record.interpolation import hermite, linear, zero_order_hold
from eomc.runtime.record.stretches import joined, stretches_of
from eomc.runtime.record.units import ENERGIES, channel_units

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel
    from eomc.runtime.page import Page
    from eomc.runtime.report import ReportDocument


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """States, forces and inputs of a model at increasing times.

    A channel is read by name: ``run["elbow"]`` a coordinate, ``run["speed(elbow)"]`` a speed,
    ``run["tau(elbow)"]`` a generalized force, ``run["thrust"]`` an input, ``run["crank"]`` a
    prescribed coordinate, ``run["motor_effort"]`` a state of an element,
    ``run["kinetic_energy"]``, ``run["potential_energy"]`` and ``run["energy"]`` [J]. It is a
    mapping: ``list(run)`` has the names of what was recorded, `len` their number, ``dict(run)``
    all of it; what is computed when it is asked for, as energies are, is not among them.

    Attributes
    ----------
    t : (n,) [s]
    q, u : (n, nq), (n, nu)
        Coordinates and generalized speeds.
    tau : (n, nu)
        Generalized forces that were applied.
    r : (n, number of inputs)
    s, s_rate, s_acceleration : (n, number of prescribed coordinates)
    events : tuple of Events
        For each event function, times and states where it was zero.
    statistics : dict of str to int, float or str
        What the run took: "steps", "evaluations", "projections" onto constraints, ... Beside them,
        where no method was named, the "method" that was chosen, and "why" if it is SciPy's.
    model : CompiledModel or None
        For what is computed on demand.
    dense : function or None
        Times (k,) to states [q; u; z] (nq + nu + nz, k), if the run kept the interpolants of its
        steps.
    z : (n, number of states of elements)
    switches : mapping of str to (k,) arrays [s]
        Times at which forces of elements had kinks, such as at touch-down and parting of contacts,
        by ``element.name``; with SciPy's methods and "cvode", whose steps end there. Of rigid
        contacts "impact", "rest", "open", "stick" and "slip", by ``contact.what``.
    contacts : what rigid contacts did, or None
        ``run.contacts.impacts`` are the impacts in order, see `eomc.runtime.impacts.Impact`;
        with "moreau" and "stewart_trinkle" ``run.contacts.forces["foot"]`` are forces along the
        normal and two tangents.
    latches : what latches did, or None
        ``run.latches.events`` are closings and openings in order, see
        `eomc.runtime.latches.LatchEvent`.
    """

    name: str
    method: str
    t: Array
    q: Array
    u: Array
    tau: Array
    r: Array
    s: Array
    s_rate: Array
    s_acceleration: Array
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    prescribed: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    events: tuple[Events, ...] = ()
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    model: CompiledModel | None = None
    dense: Callable[[Array], Array] | None = None
    z: Array = field(default_factory=lambda: np.zeros(0))
    element_states: tuple[str, ...] = ()
    switches: Mapping[str, Array] = field(default_factory=dict)
    contacts: Any = None
    latches: Any = None

    def __post_init__(self) -> None:
        if not self.element_states:
            object.__setattr__(self, "z", np.zeros((*self.t.shape, 0)))
        widths = {"q": self.coordinates, "u": self.speeds, "tau": self.speeds, "r": self.inputs}
        widths["z"] = self.element_states
        widths |= dict.fromkeys(("s", "s_rate", "s_acceleration"), self.prescribed)
        for name, names in widths.items():
            shape, expected = getattr(self, name).shape, (*self.t.shape, len(names))
            if self.t.ndim != 1 or shape != expected:
                raise ValueError(f"trajectory: {name} has shape {shape}, expected {expected}")

    @property
    def count(self) -> int:
        """Number of recorded times, n."""
        return int(self.t.size)

    # -- channels --------------------------------------------------------------------------------

    @cached_property
    def channels(self) -> Mapping[str, Array]:
        """Recorded channels but time, (n,) each, in the order of the columns of a CSV file."""
        columns = dict(zip(self.coordinates, self.q.T, strict=True))
        for what, array in (("speed", self.u), ("tau", self.tau)):
            names = (f"{what}({name})" for name in self.speeds)
            columns.update(zip(names, array.T, strict=True))
        columns.update(zip(self.inputs, self.r.T, strict=True))
        columns.update(zip(self.prescribed, self.s.T, strict=True))
        rates = (f"speed({name})" for name in self.prescribed)
        columns.update(zip(rates, self.s_rate.T, strict=True))
        columns.update(zip(self.element_states, self.z.T, strict=True))
        return columns

    @property
    def slopes(self) -> dict[str, float]:
        """The largest slope [rad] of each body whose theory takes slopes as small, by name."""
        told = {} if self.model is None else self.model.manifest.get("metadata", {})
        return steepest(told, self.coordinates, self.q)

    @property
    def folding(self) -> dict[str, float]:
        """Largest degree of folding of each rod's sections, by name: 0 as at rest, 1 folded."""
        told = {} if self.model is None else self.model.manifest.get("metadata", {})
        return folding(told, self.coordinates, self.q)

    @cached_property
    def units(self) -> Mapping[str, str]:
        """Units by the names of channels, as far as the model tells them; "1" of pure numbers."""
        return channel_units(self.model.manifest) if self.model is not None else {}

    def __getitem__(self, name: str) -> Array:
        channel = self.channels.get(name)
        if channel is not None:
            return channel
        if name in ENERGIES:
            energy: Array = getattr(self, name)
            return energy
        if name in self.speeds:  # no coordinate bears the name, as with angular velocities
            return self.channels[f"speed({name})"]
        known = [*self.channels, *self.speeds, *ENERGIES]
        raise KeyError(f"no channel {name!r}; {near_names(str(name), known)}")

    def __contains__(self, name: object) -> bool:
        return name in self.channels or name in self.speeds or name in ENERGIES

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        """Number of channels, as of any mapping; `count` is that of the times."""
        return len(self.channels)

    def get(self, name: str, default: Any = None) -> Any:
        """A channel, or `default` where there is none of the name."""
        try:
            return self[name]
        except KeyError:
            return default

    def keys(self) -> KeysView[str]:
        """Names of the recorded channels: ``dict(run)`` has them all."""
        return self.channels.keys()

    def values(self) -> ValuesView[Array]:
        """The recorded channels, (n,) each."""
        return self.channels.values()

    def items(self) -> ItemsView[str, Array]:
        """Names and recorded channels."""
        return self.channels.items()

    @property
    def final(self) -> State:
        """(q, u) at the end, with z where elements have states."""
        return State(self.q[-1].copy(), self.u[-1].copy(), self.z[-1].copy())

    # -- between the times -----------------------------------------------------------------------

    def at(self, t: ArrayLike) -> State:
        """The state (q, u) at a time or times `t` [s] within the run.

        By the interpolants of the method's steps if the run kept them (``simulate(dense=True)``);
        else by cubic Hermite interpolation of the record with the rates that the equations give
        there, whose error goes with the fourth power of the record's interval. Quaternions are
        normalized; the record's own times give the record.

        Raises ValueError for times outside the run, or without a model.
        """
        times = np.asarray(t, dtype=np.float64)
        flat = times.reshape(-1)
        if not ((flat >= self.t[0]) & (flat <= self.t[-1])).all():
            raise ValueError(f"t: the run lasts from {self.t[0]:g} s to {self.t[-1]:g} s")
        if self.model is None:
            raise ValueError("states between the times need the model: from_npz(path, model)")
        if self.dense is not None:
            rows = np.asarray(self.dense(flat)).T
        else:
            leave, arrive = self._end_rates
            rows = hermite(flat, self.t, np.hstack([self.q, self.u, self.z]), leave, arrive)
        state = parted(self.model, rows.reshape(*times.shape, -1))
        q = np.asarray(self.model.function("normalize")(np.ascontiguousarray(state.q)))
        return State(q, state.u.copy(), state.z.copy())

    @cached_property
    def _end_rates(self) -> tuple[Array, Array]:
        """(q', u', z') at the beginning and at the end of each interval, in rows."""
        first, last = self._rows(slice(None, -1)), self._rows(slice(1, None))
        if is_compiled(self.method):
            # What stayed over an interval still acts at its end.
            last = replace(last, tau=self.tau[:-1], r=self.r[:-1])
        leave, arrive = (
            np.hstack([np.asarray(part.evaluate(name)) for name in self._rates])
            for part in (first, last)
        )
        return leave, arrive

    @property
    def _rates(self) -> tuple[str, ...]:
        """Functions that give the rates of the state."""
        known = ("coordinate_rates", "forward_dynamics")
        return (*known, "element_state_rates") if self.element_states else known

    def _rows(self, rows: slice) -> Trajectory:
        return replace(self, **{name: getattr(self, name)[rows] for name in ARRAYS})

    def resampled(self, t: ArrayLike) -> Trajectory:
        """The run recorded at other times `t` (n,), increasing, within its own; see `at`.

        Forces and inputs are held from the last time of the old record by compiled methods, and
        interpolated linearly else; prescribed motion is interpolated with its rates.
        """
        times = np.asarray(t, dtype=np.float64)
        if times.ndim != 1 or times.size < 1 or not (np.diff(times) > 0).all():
            raise ValueError("t must be times that increase")
        state = self.at(times)
        rates, accelerations = self.s_rate, self.s_acceleration
        arrays: dict[str, Any] = {
            "s": hermite(times, self.t, self.s, rates[:-1], rates[1:]),
            "s_rate": hermite(times, self.t, rates, accelerations[:-1], accelerations[1:]),
            "s_acceleration": linear(times, self.t, accelerations),
        }
        between = zero_order_hold if is_compiled(self.method) else linear
        arrays |= {name: between(times, self.t, getattr(self, name)) for name in ("tau", "r")}
        return replace(self, t=times, q=state.q, u=state.u, z=state.z, **arrays)

    # -- latches ----------------------------------------------------------------------------------

    @cached_property
    def stretches(self) -> tuple[Trajectory, ...]:
        """The run by stretches in which the same latches are closed, each with its own model and
        parameters; without latches the run itself. Rows at an event belong to what it ends."""
        return (self,) if self.latches is None else tuple(stretches_of(self))

    # -- computed on demand ----------------------------------------------------------------------

    def evaluate(self, function: str) -> Any:
        """Any function of the model along the run, in one batch call: ``run.evaluate("momentum")``.

        Raises AttributeError for an unknown function, ValueError without a model or if the function
        takes what is not recorded.
        """
        if self.model is None:
            raise ValueError(f"{function} needs the model: Trajectory.from_npz(path, model)")
        if self.latches is not None:
            return joined(function, [part.evaluate(function) for part in self.stretches])
        values: dict[str, Any] = {name: getattr(self, name) for name in ARRAYS}
        values["stabilization"] = np.zeros(1)
        names = self.model.inputs_of(function)
        if "a" in names and function != "forward_dynamics":
            values["a"] = self.accelerations
        if "multipliers" in names:
            values["a"], values["multipliers"] = self.evaluate("constrained_dynamics")
        for name in names:
            if name not in values:
                raise ValueError(f"{function} takes {name!r}, which a trajectory does not have")
        keywords = {"parameters": self.parameters} if self.parameters else {}
        compiled = self.model.function(function)
        if not names:  # a constant, the same in every row
            return compiled()
        return compiled(*[values[name] for name in names], **keywords)

    @cached_property
    def accelerations(self) -> Array:
        """(n, nu), u' under tau and the inputs."""
        return np.asarray(self.evaluate("forward_dynamics"))

    @cached_property
    def kinetic_energy(self) -> Array:
        """(n,) [J]"""
        return np.asarray(self.evaluate("kinetic_energy"))

    @cached_property
    def potential_energy(self) -> Array:
        """(n,) [J]"""
        return np.asarray(self.evaluate("potential_energy"))

    @cached_property
    def energy(self) -> Array:
        """Kinetic and potential energy together, (n,) [J]."""
        if self.model is not None:  # compiled in one go
            self.model.prepare_available("kinetic_energy", "potential_energy")
        return self.kinetic_energy + self.potential_energy

    # -- files -----------------------------------------------------------------------------------

    def to_csv(
        self,
        path: str | os.PathLike[str],
        *,
        units: bool = True,
        more: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """Write a table: time and all channels, a header line, 17 significant digits.

        units : whether a head is ``hinge [rad]`` or ``hinge``
        more : further columns (n,) by their heads
        """
        write_csv(self, path, units, more or {})

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of all channels over an index "t" [s]. Raises ImportError."""
        try:
            import pandas
        except ImportError:
            raise ImportError("tables need pandas: pip install pandas") from None
        return pandas.DataFrame(dict(self.channels), index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` of all channels over the coordinate "t" [s]. Raises ImportError."""
        try:
            import xarray
        except ImportError:
            raise ImportError("data sets need xarray: pip install xarray") from None
        columns = {name: ("t", values) for name, values in self.channels.items()}
        time = ("t", self.t, {"units": "s"})
        return xarray.Dataset(columns, coords={"t": time}, attrs={"name": self.name})

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Write everything, events too, exactly, to be read by `from_npz`.

        Left out are the model, the interpolants of `dense` and what rigid contacts did.
        """
        write_npz(self, path)

    @classmethod
    def from_npz(
        cls, path: str | os.PathLike[str], model: CompiledModel | None = None
    ) -> Trajectory:
        """Read what `to_npz` wrote; `model` serves what is computed on demand.

        Raises OSError, or ValueError if the file is something else.
        """
        found = read_npz(path, partial(cls, model=model))
        known = found.latches and model and LatchHistory.of(model, found.latches)
        return replace(found, latches=known or None)

    # -- pictures --------------------------------------------------------------------------------

    def plot(self, ax: Any = None, channels: str | Sequence[str] | None = None) -> Any:
        """Draw channels over time; by default all coordinates, and all speeds below them.

        `channels` are names, or one of the groups "q", "u", "tau", "r", "energy". `ax` are
        matplotlib axes to draw on, or None for a new figure. Returns the axes, an array of them for
        the default figure. Nothing is shown. Raises KeyError for an unknown channel and ImportError
        without matplotlib.
        """
        from eomc.runtime.plot.time_history import time_history

        return time_history(self, ax, channels)

    def animate(
        self,
        path: str | os.PathLike[str],
        *,
        fps: float = 25.0,
        speed: float = 1.0,
        shapes: Mapping[str, ArrayLike] | None = None,
        trace: str | Sequence[str] | None = None,
        view: tuple[float, float] = (20.0, -60.0),
        arrows: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
        beside: Mapping[str, Mapping[str, ArrayLike]] | None = None,
        dpi: float = 90.0,
        forces: bool | str | Sequence[str] = False,
        progress: bool | None = None,
    ) -> None:
        """Write a film of the mechanism, drawn by its shapes.

        The name says the kind: .gif, animated .png, a page with a slider (.html), or .mp4, which
        needs ffmpeg, installed or by the extra `film`. A mechanism that moves in a plane of two
        world axes is drawn in that plane, any other in space.

        Parameters
        ----------
        path : file name
        fps : float
            Pictures a second.
        speed : float
            Seconds of the run in a second of the film.
        shapes : mapping of str to (k, 3) array, optional
            Further lines, in the axes of the body or frame of that name [m]; one point
            (3,) is joined to the origin.
        trace : str or sequence of str, optional
            Declared frames whose paths to draw; all by default.
        view : (elevation, azimuth) [deg]
            Where to look from, in space.
        arrows : mapping of labels to pairs, optional
            Arrows of one's own: points (n, 3) [m] and vectors (n, 3) [N] in the world, at the
            times of the run.
        beside : mapping of labels of axes to mappings of labels to (n,) arrays, optional
            Curves over time, drawn beside the mechanism with a line that tells the time.
        dpi : float
            Pictures are 5 by 5 inches, 10 by 5 with curves.
        forces : bool, "acting" or "joints"
            Arrows of what elements and tau do (red, moments purple, with two heads), and of what
            the parent side of each joint does to the child side (blue, moments green); both if
            True. The picture says how much the longest ones are.
        progress : bool, optional
            As of `simulate`.

        Raises ValueError for wrong arguments, without a model, or one without bodies; ImportError
        without matplotlib; OSError.
        """
        from eomc.runtime.plot.animation import animate

        animate(
            self,
            path,
            fps=fps,
            speed=speed,
            shapes=shapes,
            trace=trace,
            view=view,
            arrows=arrows,
            beside=beside,
            dpi=dpi,
            forces=forces,
            progress=progress,
        )

    def view(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        step: float = 1e-3,
        forces: bool | str | Sequence[str] = False,
    ) -> Page:
        """A page that replays the run, and goes on from wherever it is stopped.

        path : where to write it, if given; `step` [s] of what goes on; `forces` as of `animate`.
        What goes on takes the implicit method of the run, if it had one that pages can step by.
        Jupyter shows the page.
        Raises ValueError without a model, and what `CompiledModel.view` raises.
        """
        if self.model is None:
            raise ValueError(f"the run of {self.name!r} knows no model; read it with model=...")
        given: dict[str, Any] = {"parameters": dict(self.parameters), "step": step}
        method = self.method if self.method in PAGE_METHODS else None
        return self.model.view(path, run=self, method=method, forces=forces, **given)

    def report(self, path: str | os.PathLike[str] | None = None, **parts: Any) -> ReportDocument:
        """A page of the model and of this run; see `CompiledModel.report`."""
        if self.model is None:
            raise ValueError(f"the run of {self.name!r} knows no model; read it with model=...")
        return self.model.report(path, run=self, **parts)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """For notebooks: the page that replays it, or its curves where there can be none."""
        from eomc.runtime.record.shown import mimebundle

        return mimebundle(self)

    def __repr__(self) -> str:
        return (
            f"<Trajectory of {self.name!r}: {self.count} points from t = {self.t[0]:g} s to "
            f"{self.t[-1]:g} s, {self.method}>"
        )


Mapping.register(Trajectory)
