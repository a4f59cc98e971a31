"""Bodies: rigid ones, and forms of deformable ones, one file each."""

from eomc.derive.bodies.beam import Beam
from eomc.derive.bodies.form import Attachment, Form, Invariants
from eomc.derive.bodies.forms import form_kinds, register_form
from eomc.derive.bodies.modal_body import ModalBody, Station
from eomc.derive.bodies.rod import Rod
from eomc.derive.bodies.telescopic_beam import TelescopicBeam

__all__ = [
    "Attachment",
    "Beam",
    "Form",
    "Invariants",
    "ModalBody",
    "Rod",
    "Station",
    "TelescopicBeam",
    "form_kinds",
    "register_form",
]
