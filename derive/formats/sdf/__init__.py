"""SDF, the model files of Gazebo, from version 1.4 on."""

from eomc.derive.formats.sdf.read import read_sdf

__all__ = ["read_sdf"]
