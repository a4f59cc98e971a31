"""Slip laws of tyres: the kinds of every file in this folder."""

from eomc.derive.tyres.slip_law import SLIP_LAWS, SlipLaw

__all__ = ["SLIP_LAWS", "SlipLaw"]
