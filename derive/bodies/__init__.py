"""Bodies: rigid ones, and forms of deformable ones, one file each.

What is named here is imported when it is first used: a model of rigid bodies needs no forms.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.derive.bodies.beam import Beam
    from eomc.derive.bodies.form import FORMS, Attachment, Form, Invariants
    from eomc.derive.bodies.modal_body import ModalBody, ModalStation
    from eomc.derive.bodies.rod import Rod
    from eomc.derive.bodies.telescopic_beam import TelescopicBeam

from eomc.derive.language.registry import kind

__all__ = [
    "FORMS",
    "Attachment",
    "Beam",
    "Form",
    "Invariants",
    "ModalBody",
    "ModalStation",
    "Rod",
    "TelescopicBeam",
    "kind",
]

_HOME = {
    "FORMS": "form",
    "Attachment": "form",
    "Beam": "beam",
    "Form": "form",
    "Invariants": "form",
    "ModalBody": "modal_body",
    "Rod": "rod",
    "ModalStation": "modal_body",
    "TelescopicBeam": "telescopic_beam",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
