"""OpenUSD with its schema of physics, the scene files of Omniverse and Newton."""

from eomc.derive.formats.usd.read import read_usd

__all__ = ["read_usd"]
