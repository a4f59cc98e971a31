"""`CompiledModel.view` and `Trajectory.view`: from a state or a run to a page."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.implicit_steps import refuse_kinks, without
from eomc.runtime.model.needed_functions import (
    CONTACT_METHODS,
    CONTACT_METHODS_NEED,
    IMPLICIT_METHODS,
    PAGE_METHODS,
)
from eomc.runtime.model.start_values import shown_values, start_values
from eomc.runtime.model.state import Values
from eomc.runtime.names.near_names import near_names
from eomc.runtime.page.live_model import LiveModel
from eomc.runtime.page.page import Page, page
from eomc.runtime.page.still import PageModel, Posed, still_of
from eomc.runtime.picture.description import described
from eomc.runtime.picture.forces import Asked, force_functions

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel

_MOST_MODES = 24
# Of the arguments of functions, those that stay as the page begins with them, and the state.
_OF_PAGE = ("q", "u", "z", "tau", "r", "s", "p")
# Of a recorded run, what only arrows of forces depend on.
_FOR_FORCES = ("tau", "r", "s_rate", "s_acceleration")


def view(
    model: CompiledModel,
    path: str | os.PathLike[str] | None = None,
    *,
    q: Values = None,
    u: Values = None,
    z: Values = None,
    tau: Mapping[str, float] | ArrayLike | None = None,
    inputs: Mapping[str, float] | ArrayLike | None = None,
    prescribed: Mapping[str, float] | ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
    modes: Any = None,
    run: Any = None,
    step: float | None = None,
    method: str | None = None,
    forces: Asked = False,
    assemble: bool = False,
    fixed: Sequence[str] | str = (),
) -> Page:
    """One HTML file in which the model moves, in any browser and without a network.

    The emitted C itself integrates, compiled to WebAssembly: steps of rk4 give the same bits as
    ``eomc.simulate(..., method="rk4")``.

    Examples
    --------
    >>> import eomc
    >>> model = eomc.Model("pendulum")
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> page = eomc.build(model).view(q={"hinge": 0.5})  # doctest: +SKIP

    Parameters
    ----------
    model : CompiledModel
    path : file name, optional
        Where to write the page; it can be written later, too, by `Page.write`.
    q, u, z : state at the start
        All entries or some by name; what is not given is neutral and at rest. Loops are closed.
    tau, inputs, prescribed : constant forces, inputs and prescribed coordinates
        All entries or some by name; sliders change them. By default zero, prescribed lengths of
        bodies their reference.
    parameters : mapping, optional
        Tunable parameters, where they differ from their defaults.
    modes : Modes, optional
        Of a linearization, to be played.
    run : Trajectory, optional
        A recorded run, to be replayed and gone on with; the page starts with it.
    step : float, optional
        Of the integration [s]; by default 1 ms, or less where the fastest motion about the start
        would make steps of 1 ms unstable. The page tells what it takes.
    method : str, optional
        Integrator: an implicit one for stiff models, such as "ros34pw2"; by default "rk4", and
        "stewart_trinkle" for models with rigid contacts or dry friction, which take "moreau" too.
    forces : bool, "acting" or "joints"
        Arrows of what elements and tau do to the bodies, and of what joints transmit; both if True.
    assemble, held
        Without a run, as of `simulate`: a state off the constraints is refused or assembled.

    Raises
    ------
    ConstraintError
        A state that violates the constraints, or that cannot be assembled.
    ValueError, ViewError, ModelError, BuildError, OSError
        Wrong values, a model that was loaded and not built, one without bodies, no compiler to
        WebAssembly (``pip install 'eomc[wasm]'`` brings one), a file that cannot be written.
    """
    if step is not None and not (math.isfinite(step) and step > 0):
        raise ValueError(f"step is {step!r}; give a positive number of seconds")
    if run is not None and not run.count:
        raise ValueError("run: it has no rows to show")
    method = method or (CONTACT_METHODS[-1] if _has_contacts(model) else None)
    further = _steps(model, method)
    state: dict[str, Any] = {
        "q": q,
        "u": u,
        "z": z,
        "tau": tau,
        "inputs": inputs,
        "prescribed": prescribed,
        "parameters": parameters,
    }
    if run is None:
        start = shown_values(model, assemble=assemble, fixed=fixed, **state)
    else:
        start = start_values(model, **state)
    given = {name: start[name] for name in _OF_PAGE}
    told_forces = force_functions(model.available_functions, forces)
    live = model.live([*told_forces.values(), *further])
    rows = None if run is None else _rows_of(run, _FOR_FORCES if told_forces else ())
    if run is not None:
        given |= {"q": run.q[0], "u": run.u[0], "s": run.s[0], "r": run.r[0], "z": run.z[0]}
    told = {name: np.asarray(value).tolist() for name, value in given.items() if np.size(value)}
    shown = PageModel(model, live.manifest)
    still = _still(model, shown, live, {**start, **given})
    ways: dict[str, Any] = {"step": step, "method": method if further else None}
    latches = getattr(run, "latches", None)
    made = page(
        live,
        described(shown),
        told,
        run=rows,
        modes=_told(modes),
        still=still,
        stretches=() if latches is None else latches.stretches,
        **ways,
    )
    if path is not None:
        made.write(path)
    return made


def _steps(model: CompiledModel, method: str | None) -> tuple[str, ...]:
    """Functions that the integrator takes beside those of every page.

    Raises ValueError for a method that the page cannot step by.
    """
    if method in CONTACT_METHODS or _has_contacts(model):
        if method in CONTACT_METHODS and model.integrator_record(method) is not None:
            return CONTACT_METHODS_NEED
        there = [name for name in CONTACT_METHODS if model.integrator_record(name) is not None]
        raise ValueError(
            f"method {method!r} of a page: the contacts of this model take {' or '.join(there)}"
        )
    if method in (None, "rk4"):
        return ()
    if method not in PAGE_METHODS:
        known = near_names(str(method), ["rk4", *PAGE_METHODS])
        raise ValueError(f"unknown method {method!r} of a page; {known}")
    if model.integrator_record(method) is None:
        raise ValueError(without(model, method))
    refuse_kinks(model, method)
    return IMPLICIT_METHODS[method]


def _has_contacts(model: CompiledModel) -> bool:
    return model.has_function(CONTACT_METHODS_NEED[0]) and not model.element_states


def _still(
    model: CompiledModel, shown: PageModel, live: LiveModel, values: Mapping[str, Any]
) -> str:
    """A picture of the start, for browsers that cannot show the model in motion."""
    if live.evaluate is None:
        return ""
    from eomc.runtime.report.standing import closed

    return still_of(Posed(shown, closed(model, values), live.evaluate))


def _rows_of(run: Any, more: Sequence[str]) -> dict[str, Any]:
    """Arrays of a run."""
    return {name: getattr(run, name) for name in ("t", "q", "u", "z", "s", *more)}


def _told(modes: Any) -> list[dict[str, Any]]:
    """Modes that oscillate or not, slowest first, as a page plays them."""
    found: list[dict[str, Any]] = []
    if modes is None:
        return found
    point = getattr(modes.model, "point", None)
    about = {} if point is None else {"q": np.asarray(point.q).tolist()}
    for k, value in enumerate(modes.eigenvalues):
        if value.imag < 0 or len(found) == _MOST_MODES:
            continue
        shape = modes.shapes[:, k]
        size = abs(value)
        found.append(
            {
                "frequency": float(size / (2 * math.pi)),
                "damping": float(-value.real / size) if size > 0 else 1.0,
                "re": shape.real.tolist(),
                "im": shape.imag.tolist(),
                **about,
            }
        )
    return found
