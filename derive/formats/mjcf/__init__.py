"""MJCF, the model files of MuJoCo: what each element becomes stands in a file of its own."""

from eomc.derive.formats.mjcf.read import read_mjcf

__all__ = ["read_mjcf"]
