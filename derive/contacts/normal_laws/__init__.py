"""Normal laws of contacts: the kinds of every file in this folder."""

from eomc.derive.contacts.normal_laws.law import NORMAL_LAWS, NormalForce, NormalLaw

__all__ = ["NORMAL_LAWS", "NormalForce", "NormalLaw"]
