"""Linear models for python-control."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.runtime.linearization.linear_model import LinearModel


def to_control(model: LinearModel) -> Any:
    """``control.StateSpace`` with the names of states, inputs and outputs.

    Names that python-control reserves characters of (a dot) have them replaced by "_". Raises
    ImportError without the package control.
    """
    try:
        import control
    except ImportError:
        raise ImportError("state spaces need python-control: pip install 'eomc[control]'") from None
    return control.StateSpace(
        model.A,
        model.B,
        model.C,
        model.D,
        states=list(map(signal_name, model.states)),
        inputs=list(map(signal_name, model.inputs)),
        outputs=list(map(signal_name, model.outputs)),
        name=signal_name(model.name),
        remove_useless_states=False,
    )


def signal_name(name: str) -> str:
    """A name without what python-control takes as a separator.

    >>> signal_name("tip.vx")
    'tip_vx'
    """
    return re.sub(r"[.\s]", "_", name)
