"""`CompiledModel.report`: from a state and results to a page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.start_values import shown_values
from eomc.runtime.model.state import Values
from eomc.runtime.report.document import ReportDocument
from eomc.runtime.report.fragments import paragraph
from eomc.runtime.report.report import report as page

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel


def report(
    model: CompiledModel,
    path: str | os.PathLike[str] | None = None,
    *,
    q: Values = None,
    u: Values = None,
    z: Values = None,
    inputs: Mapping[str, float] | ArrayLike | None = None,
    prescribed: Mapping[str, float] | ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
    assemble: bool = False,
    fixed: Sequence[str] | str = (),
    live: bool = True,
    equations: Any = None,
    equilibrium: Any = None,
    modes: Any = None,
    run: Any = None,
    verification: Any = None,
) -> ReportDocument:
    """One HTML file that tells what a model is: its picture, tree, parameters and costs.

    It holds what it is given besides: nothing is computed for it but pictures and films.

    Examples
    --------
    >>> import eomc
    >>> model = eomc.Model("pendulum")
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> told = eomc.build(model).report(live=False, equations=eomc.equations(model))
    >>> [section.title for section in told.sections]
    ['Picture', 'Bodies and joints', 'Equations', 'Cost']

    Parameters
    ----------
    model : CompiledModel
    path : file name, optional
        Where to write the page; it can be written later, too, by `ReportDocument.write`.
    q, u, z, inputs, prescribed, parameters : the state that is drawn
        As of `view`; by default that of the equilibrium, or the first of the run.
    assemble, held
        As of `simulate`: a state off the constraints is refused or assembled.
    live : bool
        Whether the page holds a frame in which the model moves; without a compiler to WebAssembly
        it says so instead.
    equations : Equations, optional
        Shown where they are small.
    equilibrium, modes, run, verification : optional
        What `equilibrium`, `LinearModel.modes`, `simulate` and `eomc.verify` return, or a text why
        there is none.

    Raises ValueError for wrong values, ConstraintError for a state off the constraints, OSError.
    """
    given: dict[str, Any] = {
        "q": q,
        "u": u,
        "z": z,
        "inputs": inputs,
        "prescribed": prescribed,
        "parameters": parameters,
    }
    known = {name: value for name, value in given.items() if value is not None}
    caption = "in the state that is given" if known else "at rest, in the neutral position"
    if not known:
        known, caption = _state_of(model, equilibrium, run) or (known, caption)
    values = shown_values(model, assemble=assemble, fixed=fixed, **known)
    if model.is_constrained:
        known |= {"q": values["q"], "u": values["u"]}
    frame = _frame(model, known, modes, run) if live else ""
    return page(
        model,
        model.manifests,
        values,
        path,
        caption=caption,
        live=frame,
        equations=equations,
        equilibrium=equilibrium,
        modes=modes,
        run=run,
        verification=verification,
    )


def _state_of(
    model: CompiledModel, equilibrium: Any, run: Any
) -> tuple[dict[str, Any], str] | None:
    """The state of what else the page shows, and what it is."""
    if hasattr(equilibrium, "q"):
        caption = "at the equilibrium"
        found = {
            "q": equilibrium.q,
            "u": equilibrium.u,
            "z": equilibrium.z,
            "inputs": equilibrium.inputs,
            "parameters": equilibrium.parameters,
        }
    elif hasattr(run, "q"):
        caption = "at the start of the run"
        found = {
            "q": run.q[0],
            "u": run.u[0],
            "z": run.z[0],
            "inputs": run.r[0],
            "prescribed": run.s[0],
            "parameters": run.parameters,
        }
    else:
        return None
    kept = {
        name: value
        for name, value in found.items()
        if np.size(value) and (name != "z" or model.element_states)
    }
    return kept, caption


def _frame(model: CompiledModel, known: Mapping[str, Any], modes: Any, run: Any) -> str:
    """The live page, or why there is none."""
    from eomc.runtime.model.view import view

    try:
        moving = modes if hasattr(modes, "eigenvalues") else None
        made = view(model, run=run if hasattr(run, "q") else None, modes=moving, **known)
    except (ValueError, LookupError, OSError, RuntimeError) as error:
        return paragraph(f"No page in which it moves: {error}", "note")
    text = escape(made.html, quote=False).replace('"', "&quot;")
    return f'<iframe title="the model in motion" srcdoc="{text}" sandbox="allow-scripts"></iframe>'
