"""A mechanism whose rigid contacts stay closed, as constraints in their place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

if TYPE_CHECKING:
    from eomc.derive.model.model import Model


def closed_contacts(model: Model, names: Sequence[str]) -> Model:
    """See `Model.closed`."""
    other, left = model.copy(), set()
    for name in names:
        contact, site = _named(model, name)
        friction = contact.friction
        if not contact.normal.is_rigid:
            raise ModelError(f"contact {contact.name!r}: is not rigid, and closed by its force")
        if friction is not None and not friction.sticks:
            raise ModelError(
                f"contact {contact.name!r}: slides with friction ({friction.word}), which depends "
                "on the normal force; give dry friction, which sticks, or a force by depth"
            )
        kind = "touching_contact" if friction is None else "rolling_contact"
        sides = {"shape": contact.shape, "surface": contact.surface}
        other.constraint(name, kind, **sides, site=site)
        left.add(contact.name)
    for name in left:
        del other.contacts[name]
    return other


def _named(model: Model, name: str) -> tuple[Any, int]:
    """A contact, and the number of its site; 0 for all of them."""
    if name in model.contacts:
        return model.contacts[name], 0
    start, _, end = name.rpartition("_")
    if start in model.contacts and end.isdigit() and int(end) > 0:
        return model.contacts[start], int(end)
    raise ModelError(
        f"model {model.name!r}: no contact {name!r}; {near_names(name, model.contacts)}"
    )
