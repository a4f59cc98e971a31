"""Bodies declared as structures: tables of nodes and members."""

from eomc.derive.structures.structure_body import StructureBody

__all__ = ["StructureBody"]
