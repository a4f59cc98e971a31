"""Normal laws of contacts: the kinds of every file in this folder."""

from eomc.derive.contacts.normal_laws.law import NORMAL_LAWS, Normal, NormalLaw

__all__ = ["NORMAL_LAWS", "Normal", "NormalLaw"]
