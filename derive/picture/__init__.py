"""The description of what pictures show of a model, as plain values."""

from eomc.derive.picture.picture import picture

__all__ = ["picture"]
